// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "units/quantity.hpp"

/// The axes of b_eff_io, scheduled times of patterns, and ends of their loops. Source: b_eff paper, 5.1, 5.4 and 6. Pure;
/// times are asked on one rank.
namespace steelyard::beffio {

enum class Access { write, rewrite, read };
inline constexpr std::array<Access, 3> accesses = {Access::write, Access::rewrite, Access::read};

/// scatter: strided, many chunks on disk per call; shared: strided, one chunk per ordered call; separated:
/// one file per process; segmented, segmented_collective: one segment of one file per process. random: ours,
/// as segmented, the chunks of a pattern in random order; measured where it is asked for, and no part of a
/// value.
enum class PatternType { scatter, shared, separated, segmented, segmented_collective, random };
inline constexpr std::array<PatternType, 6> pattern_types = {PatternType::scatter,
                                                             PatternType::shared,
                                                             PatternType::separated,
                                                             PatternType::segmented,
                                                             PatternType::segmented_collective,
                                                             PatternType::random};

/// Whether the values of b_eff_io are made of it.
[[nodiscard]] constexpr bool is_of_the_definition(PatternType type) {
  return type != PatternType::random;
}

[[nodiscard]] constexpr std::size_t index(Access access) {
  return static_cast<std::size_t>(access);
}
[[nodiscard]] constexpr std::size_t index(PatternType type) {
  return static_cast<std::size_t>(type);
}

[[nodiscard]] constexpr std::string_view text(Access access) {
  constexpr std::array<std::string_view, 3> names = {"write", "rewrite", "read"};
  return names[index(access)];
}
[[nodiscard]] constexpr std::string_view text(PatternType type) {
  constexpr std::array<std::string_view, 6> names = {"scatter",   "shared",   "separated",
                                                     "segmented", "seg_coll", "random"};
  return names[index(type)];
}

/// Whether chunks of all processes lie side by side; otherwise each process has a region of its own.
[[nodiscard]] constexpr bool interleaved(PatternType type) {
  return type == PatternType::scatter || type == PatternType::shared;
}
[[nodiscard]] constexpr bool collective(PatternType type) {
  return interleaved(type) || type == PatternType::segmented_collective;
}
/// Whether the size of a segment ends the loops of this type, not the time.
[[nodiscard]] constexpr bool size_driven(PatternType type) {
  return type == PatternType::segmented || type == PatternType::segmented_collective ||
         type == PatternType::random;
}

// The 43 patterns, and eight of random access. Source: b_eff paper, Table 2; random access is what its
// section 7 wants to be examined. Pure.

inline constexpr std::size_t defined_patterns = 43;  // of the definition
inline constexpr std::size_t pattern_count = 51;
inline constexpr int largest_position = 7;  // patterns of M_PART, called Lmax in hints and their protocol
inline constexpr int extra_position = 8;    // pattern 2: a line of its own
inline constexpr std::int64_t element_byte = 8;  // every size is a multiple of it

/// A pattern: disk is the contiguous chunk in the file (l), memory the contiguous chunk of one call (L); both
/// are 0 for the one that fills a segment up, until the segment is known. units: its share of the time (U);
/// 0 = executed once. position: row in the summary table, 0 = not shown.
struct Pattern {
  int number = 0;
  PatternType type = PatternType::scatter;
  Bytes disk, memory;
  int units = 0;
  int position = 0;
  bool fills_up = false;
  [[nodiscard]] std::int64_t chunks() const { return disk.count() == 0 ? 0 : memory / disk; }
};
using PatternTable = std::array<Pattern, pattern_count>;

/// M_PART: 1/128 of the memory per process in units of 2^20 byte, from 2 MB to 1024 MB.
[[nodiscard]] Bytes largest_chunk(std::int64_t mebibytes_per_process);

/// Table 2 with this M_PART. Throws std::invalid_argument unless it is a multiple of 8 and at least 2 MB.
[[nodiscard]] PatternTable pattern_table(Bytes largest);
/// The same with another M_PART, a multiple of 8, where processes share a file: all types but 2.
[[nodiscard]] PatternTable pattern_table(Bytes largest, Bytes largest_of_common_files);

/// Range of the patterns of a type, which are consecutive: number of the first, and how many there are.
struct Span {
  std::size_t first = 0, count = 0;
  [[nodiscard]] std::size_t last() const { return first + count - 1; }
};
[[nodiscard]] Span patterns_of(PatternType type);
/// Type of a pattern. Throws std::out_of_range if there is no such number.
[[nodiscard]] PatternType type_of(int number);

/// Sum of U over the patterns of a type.
[[nodiscard]] int units_of(PatternType type);

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
