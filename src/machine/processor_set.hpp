// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <vector>

namespace steelyard::machine {

/// Set of logical processors, as the kernel's calls take it: a bit for each number. It grows with its numbers, where
/// the type of the C library ends at 1024 processors.
class ProcessorSet {
 public:
  using Word = unsigned long;  // of the kernel's mask

  ProcessorSet() = default;
  /// Numbers below zero are left out.
  explicit ProcessorSet(std::span<const int> processors);
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
/// Keeps the calling thread to these processors; false if the system refuses.
[[nodiscard]] bool keep_thread_to(const ProcessorSet& processors) noexcept;

}  // namespace steelyard::machine
