// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

/// What may still be written: the guards for disk space and for the total volume. Pure; asked on one rank.
namespace steelyard::beffio {

/// Of the file system that is measured, now.
struct Space {
  std::int64_t free_byte = 0, total_byte = 0;
};

/// What a run has written and still has to write, in units of time U.
struct Progress {
  std::int64_t written_byte = 0;  // by all processes of all partitions
  int units_left = 0;             // of this pattern and all initial writes that follow it
};

/// Guards of one run. Nothing limits what is not known.
class VolumeGuard {
 public:
  /// `most`: total volume that may be written (-maxbytes).
  explicit VolumeGuard(std::optional<std::int64_t> most) : most_(most) {}

  /// Bytes that may be written before 1/20 of the file system, or `reserve_byte` for what must follow, would
  /// not remain. Source: docs/suites/b-eff-io.md, "Guards".
  [[nodiscard]] static std::int64_t within_space(const Space& space, std::int64_t reserve_byte);

  /// Bytes that a pattern of `units` may write so that all patterns to come get their share of the volume;
  /// nothing = as many as it likes.
  [[nodiscard]] std::optional<std::int64_t> share(const Progress& progress, int units) const;
  /// Bytes that may be written at all.
  [[nodiscard]] std::optional<std::int64_t> left(const Progress& progress) const;

 private:
  std::optional<std::int64_t> most_;
};

}  // namespace steelyard::beffio
