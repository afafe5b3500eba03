// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "machine/source.hpp"

namespace steelyard::machine {

/// Cores of logical processors, and their sockets. A core is named by its lowest logical processor: the
/// kernel's core_id repeats in every socket. If the kernel does not tell, each logical processor stands for a
/// core, and the numbers of the machine are nullopt.
class Cores {
 public:
  explicit Cores(Source& source);

  [[nodiscard]] const std::vector<int>& processors() const { return processors_; }  // online, ascending
  [[nodiscard]] int core_of(int processor) const;
  [[nodiscard]] std::optional<int> cores() const;
  [[nodiscard]] std::optional<int> sockets() const;
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
