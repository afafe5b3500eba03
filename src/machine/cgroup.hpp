// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "machine/source.hpp"

namespace steelyard::machine {

/// Control groups of this process, versions 1 and 2. The names of groups hold user numbers and container
/// names: they are used for reading and never written to a record.
class ControlGroups {
 public:
  explicit ControlGroups(Source& source);

  /// "v1", "v2", "hybrid" (both mounted), or "" without control groups.
  [[nodiscard]] std::string version() const;
  /// Processor time per time, the least quota over all ancestors; nullopt without a quota.
  [[nodiscard]] std::optional<double> quota_cores() const;
  /// Least memory limit over all ancestors (of version 2 also memory.high, beyond which groups are stopped), and
  /// the least of limit minus use (page cache that can be dropped at once does not count as used).
  [[nodiscard]] std::optional<std::int64_t> memory_limit_byte() const;
  [[nodiscard]] std::optional<std::int64_t> memory_left_byte() const;
  /// Number of times, and seconds, that groups of this process were stopped because their quota was spent.
  [[nodiscard]] std::optional<std::int64_t> throttled_periods() const;
  [[nodiscard]] std::optional<double> throttled_s() const;
  /// Kind of container, if a group's name tells: docker, kubernetes, lxc, ...
  [[nodiscard]] std::optional<std::string> container() const;

 private:
  struct Mount {
    std::string point, root, options;
    int version = 1;
  };
  struct Level {
    std::string directory;
    int version = 1;
  };
  void read_mounts();
  void read_groups();
  [[nodiscard]] std::vector<Level> levels(std::string_view controller) const;
  [[nodiscard]] std::optional<std::int64_t> memory_limit(const Level& level) const;
  [[nodiscard]] std::int64_t memory_used(const Level& level) const;
  [[nodiscard]] std::optional<double> quota(const Level& level) const;

  Source& source_;
  std::vector<Mount> mounts_;
  std::string unified_;                                          // this process's group of version 2
  std::vector<std::pair<std::string, std::string>> controlled_;  // controller, group of version 1
  bool has_unified_ = false;
};

}  // namespace steelyard::machine
