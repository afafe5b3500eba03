// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "machine/source.hpp"

namespace steelyard::machine {

/// Set of logical processors, as the kernel's calls take it: a bit for each number. It grows with its numbers, where
/// the type of the C library ends at 1024 processors.
class ProcessorSet {
 public:
  using Word = unsigned long;  // of the kernel's mask

  ProcessorSet() = default;
  /// Numbers below zero are left out.
  explicit ProcessorSet(std::span<const int> processors) {
    for (const int processor : processors) add(processor);
  }
  ProcessorSet(std::initializer_list<int> processors)
      : ProcessorSet(std::span(processors.begin(), processors.size())) {}

  void add(int processor);
  [[nodiscard]] bool contains(int processor) const;
  [[nodiscard]] int count() const;
  [[nodiscard]] std::vector<int> list() const;  // ascending
  /// Sets of the same processors are the same, whatever room their masks have.
  [[nodiscard]] bool operator==(const ProcessorSet& other) const { return list() == other.list(); }

  /// The mask, for calls that read or write it: bit n of word w is the processor n + w times the bits of a word.
  [[nodiscard]] const std::vector<Word>& words() const { return words_; }
  [[nodiscard]] std::vector<Word>& words() { return words_; }

 private:
  std::vector<Word> words_;
};

/// Call that writes the calling thread's mask into so many words and returns 0; an error number if it cannot, EINVAL
/// if the kernel's mask has more words.
using ReadMask = std::function<int(std::span<ProcessorSet::Word> words)>;
[[nodiscard]] int read_own_mask(std::span<ProcessorSet::Word> words);

/// Processors on which the calling thread may run; nullopt if the system does not tell.
[[nodiscard]] std::optional<ProcessorSet> processors_of_thread(const ReadMask& read = read_own_mask);
/// Whether threads that may run on these processors each can run all at once, each on one of its own.
[[nodiscard]] bool have_own_processors(std::span<const ProcessorSet> of_threads);
/// Keeps the calling thread to these processors; false if the system refuses.
[[nodiscard]] bool keep_thread_to(const ProcessorSet& processors) noexcept;

/// Cores of logical processors, and their sockets. A core is named by its lowest logical processor: the
/// kernel's core_id repeats in every socket. If the kernel does not tell, each logical processor stands for a
/// core, and the numbers of the machine are nullopt.
class Cores {
 public:
  explicit Cores(Source& source);

  [[nodiscard]] const std::vector<int>& processors() const { return processors_; }  // online, ascending
  [[nodiscard]] int core_of(int processor) const;
  [[nodiscard]] std::optional<int> cores() const;
  [[nodiscard]] std::optional<int> sockets() const {
    return knows_sockets_ ? std::optional(std::max(1, static_cast<int>(sockets_.size()))) : std::nullopt;
  }
  [[nodiscard]] std::optional<int> threads_per_core() const;  // of the core that has most
  /// Distinct cores of these processors, ascending.
  [[nodiscard]] std::vector<int> cores_of(const std::vector<int>& processors) const;

 private:
  std::vector<int> processors_;
  std::map<int, int> core_;
  std::set<std::int64_t> sockets_;
  bool knows_cores_ = true, knows_sockets_ = true;
};

/// Logical processors that this process may run on, ascending.
[[nodiscard]] std::vector<int> allowed_processors(Source& source, const Cores& cores);

/// Path of a processor: "/sys/devices/system/cpu/cpu7".
[[nodiscard]] std::string processor_path(int processor);

/// Adds processor, architecture, family, ... vector_flags, mitigations.
void describe_processor(Source& source, const Cores& cores, Json& machine);
/// Adds governor and frequency.
void describe_frequency(Source& source, const Cores& cores, Json& machine);

[[nodiscard]] std::string processor_name(Source& source);
/// Words of cpuinfo's flags, Features or features line; for POWER, which has none, power8 and up to its own.
[[nodiscard]] std::vector<std::string> processor_flags(Source& source);
/// Distinct scaling governors of these processors; empty without frequency control.
[[nodiscard]] std::vector<std::string> governors(Source& source, const std::vector<int>& processors);
/// True if the processor may run above its base frequency; nullopt if the kernel does not tell.
[[nodiscard]] std::optional<bool> boost(Source& source);

}  // namespace steelyard::machine
