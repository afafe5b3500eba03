// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

/// Scheduled times of patterns, and ends of their loops. Source: b_eff paper, 5.1, 5.4 and 6. Pure;
/// asked on one rank.
namespace steelyard::beffio {

enum class Rewriting { all_types, scatter_only };

/// Sum of U over all patterns of the definition.
[[nodiscard]] int units_of_table();
/// Sum of U over everything that is measured in one partition.
[[nodiscard]] int scheduled_units(Rewriting rewriting);

/// Seconds of one unit: T over the partitions and the units of each.
[[nodiscard]] double unit_s(double total_s, int partitions, Rewriting rewriting);

/// Seconds of all initial writes together: what follows repeats their calls.
[[nodiscard]] double writing_s(double total_s, Rewriting rewriting);

/// The time of the initial writes in a campaign: what takes longer than planned, for the disk or an overlong
/// call, shortens the schedule of what follows, so that all patterns find some time.
class WritingTime {
 public:
  /// allowed_s: time that they may take together; nullopt: as planned.
  WritingTime(std::optional<double> allowed_s, double planned_s)
      : allowed_s_(allowed_s), left_s_(planned_s) {}
  /// Seconds for the next pattern, which is planned for `planned_s` and begins at `now_s` of a clock.
  [[nodiscard]] double scheduled_s(double planned_s, double now_s);

 private:
  std::optional<double> allowed_s_, start_s_;
  double left_s_;      // planned, from here on
  double done_s_ = 0;  // scheduled so far
};

/// batched: the number of iterations between two decisions grows geometrically; each: a decision after every
/// iteration, as in the published release.
enum class Control { batched, each };

/// Pace of a loop at a decision, on the root's clock: iterations so far (at least one), and how long one of
/// the last batch took.
struct Pace {
  double elapsed_s = 0;
  std::uint64_t done = 1;
  double last_s = 0;
};

/// Iterations until the next decision; 0 ends the loop. batched: doubles at first, then steps of at most 1/16
/// of the scheduled time, halving the rest near the end, all predicted by the last batch; each: one, as long
/// as one more of average length fits.
[[nodiscard]] std::uint64_t next_batch(Control control, double scheduled_s, const Pace& pace);

// Guards for disk space and for the total volume that may still be written. Pure; asked on one rank.

/// Space of the file system that is measured, now.
struct Space {
  std::int64_t free_byte = 0, total_byte = 0;
};

/// Progress of a run: bytes written, and units of time U that are still to be written.
struct Progress {
  std::int64_t written_byte = 0;  // by all processes of all partitions
  int units_left = 0;             // of this pattern and all initial writes that follow it
};

/// Guards of one run. A limit that is not known does not hold.
class VolumeGuard {
 public:
  /// `most`: total volume that may be written (-maxbytes).
  explicit VolumeGuard(std::optional<std::int64_t> most) : most_(most) {}

  /// Bytes that may be written before 1/20 of the file system, or `reserve_byte` for what must follow, would
  /// not remain. Source: docs/suites/b-eff-io.md, "Guards".
  [[nodiscard]] static std::int64_t within_space(const Space& space, std::int64_t reserve_byte);

  /// Bytes that a pattern of `units` may write so that all patterns to come get their share of the volume;
  /// nullopt: no limit.
  [[nodiscard]] std::optional<std::int64_t> share(const Progress& progress, int units) const;
  /// Bytes that may be written at all; nullopt: no limit.
  [[nodiscard]] std::optional<std::int64_t> left(const Progress& progress) const;

 private:
  std::optional<std::int64_t> most_;
};

}  // namespace steelyard::beffio
