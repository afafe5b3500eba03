// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "measure/workload.hpp"
#include "stats/splitmix.hpp"
#include "units/quantity.hpp"

/// The axes of b_eff_io, scheduled times of patterns, and ends of their loops. Source: b_eff paper, 5.1, 5.4 and 6. Pure;
/// times are asked on one rank.
/// What lies where in the files. Pure: segments, whose size ends the loops of their types (b_eff paper, 5.1 and 5.4), places
/// of chunks, and their contents with the checks.
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

/// How often each pattern was written; 0 = not written.
using Repetitions = std::array<std::uint64_t, pattern_count>;

/// Segments of types 3 and 4.
struct Segment {
  Bytes length;                                // of one process
  Bytes fill_up;                               // chunk of the last pattern; may be 0
  std::array<std::uint64_t, 9> repetitions{};  // of the type's patterns, the fill-up last
  bool reduced = false;                        // shorter than the rule says, because of a limit
};

/// Segment that follows from how often types 0 to 2 were written: of each chunk size the least of type 0 (in
/// chunks), ten times type 1, and type 2, at least 1. `align`: the length is a multiple of it. `most`: the
/// longest length allowed. Returns nullopt if even single chunks exceed it.
[[nodiscard]] std::optional<Segment> segment(const PatternTable& table, const Repetitions& written,
                                             Bytes align, std::optional<Bytes> most = std::nullopt);

/// The table with the fill-up of this segment.
[[nodiscard]] PatternTable filled_up(PatternTable table, const Segment& segment);

// Places of the bytes in the files. Source: docs/suites/b-eff-io.md, "Files". Pure.

/// Chunk of one process in a pattern: call c, and chunk k of that call.
struct ChunkPlace {
  int rank = 0;
  std::uint64_t call = 0;
  std::int64_t chunk = 0;
};

/// The files of one pattern type.
class Layout {
 public:
  /// `table` with the fill-up filled in, `calls` of every pattern of the type; `segment`: length of one
  /// process's part, for types 3 and 4.
  Layout(const PatternTable& table, PatternType type, const Repetitions& calls, int processes, Bytes segment);

  /// Begin of a pattern: bytes of all earlier patterns of the type, of all processes for types 0
  /// and 1, else of one.
  [[nodiscard]] std::int64_t begin(int pattern) const { return begins_[static_cast<std::size_t>(pattern)]; }
  /// File offset of a chunk; in the process's own file for type 2.
  [[nodiscard]] std::int64_t offset(int pattern, const ChunkPlace& place) const;
  /// Displacement of the view of types 3 and 4.
  [[nodiscard]] std::int64_t segment_begin(int rank) const { return rank * segment_.count(); }

 private:
  const PatternTable* table_;
  PatternType type_;
  int processes_;
  Bytes segment_;
  std::array<std::int64_t, pattern_count> begins_{};
};

/// Bytes that one process moves with `calls` calls of a pattern.
[[nodiscard]] std::int64_t bytes_of(const Pattern& pattern, std::uint64_t calls);

// Order in which chunks at random places are accessed. Pure.

/// A permutation of 0 .. count - 1 that needs no memory: four rounds of a Feistel network over the next even
/// number of bits, walked until the value is below count. The same seed gives the same order.
class Shuffle {
 public:
  Shuffle() : Shuffle(1, 0) {}
  Shuffle(std::uint64_t count, std::uint64_t seed);

  /// Place i of the order, i below count. Some tens of instructions.
  [[nodiscard]] std::uint64_t operator()(std::uint64_t i) const noexcept {
    do {
      i = mixed(i);
    } while (i >= count_);
    return i;
  }

 private:
  [[nodiscard]] std::uint64_t mixed(std::uint64_t value) const noexcept {
    std::uint64_t left = value >> half_bits_, right = value & mask_;
    for (const std::uint64_t key : keys_) {
      const std::uint64_t turned = left ^ (stats::splitmix_number(right + key) & mask_);
      left = right;
      right = turned;
    }
    return (left << half_bits_) | right;
  }

  std::uint64_t count_;
  unsigned half_bits_ = 1;
  std::uint64_t mask_ = 1;
  std::uint64_t keys_[4]{};
};

// Parts of a file that are read back to be compared. Pure.

/// Extent of the reading back. sample: the first two, a middle and the last two calls, of each the first, a
/// middle and the last chunk, of each at most three times 64 kB; all: everything.
enum class ReadBack { sample, all };

/// Words `first` .. first + count - 1 of a chunk.
struct Part {
  std::uint64_t call = 0;
  std::int64_t chunk = 0, first = 0, count = 0;
};
[[nodiscard]] std::vector<Part> parts_to_read(const Pattern& pattern, std::uint64_t calls, ReadBack how);

// Contents of chunks and their checks. Every 8-byte word depends on rank, pattern, generation and position in the
// memory of a call; the first and the last word of each chunk also on call and chunk.

/// Origin of data: the process, the pattern, and whether the initial write or the rewrite wrote them.
struct Origin {
  int rank = 0, pattern = 0;
  int generation = 0;  // 0: initial write, 1: rewrite
};

/// Stamps of the first and the last word of a chunk. Written and compared inside the timed loop, as the
/// definition wants: two words per chunk.
class Stamps {
 public:
  explicit Stamps(const Origin& origin);
  [[nodiscard]] std::uint64_t first(std::uint64_t call, std::int64_t chunk) const noexcept {
    return base_ | ((call & call_mask) << call_shift) | (static_cast<std::uint64_t>(chunk) << 1);
  }
  [[nodiscard]] std::uint64_t last(std::uint64_t call, std::int64_t chunk) const noexcept {
    return first(call, chunk) | 1;
  }

 private:
  static constexpr unsigned call_shift = 11;  // above chunk (10 bit) and the mark of the last word
  static constexpr std::uint64_t call_mask = (std::uint64_t{1} << 26) - 1;
  std::uint64_t base_;
};

/// Words between the stamps: by position in the memory of a call, the same in all calls of a pattern.
class Body {
 public:
  explicit Body(const Origin& origin);
  [[nodiscard]] std::uint64_t word(std::int64_t position) const noexcept {
    return seed_ + static_cast<std::uint64_t>(position) * stats::splitmix_step;
  }
  /// Fills the memory of a call. Never timed.
  void fill(std::span<std::uint64_t> memory) const noexcept;

 private:
  std::uint64_t seed_;
};

/// Errors of one rank in one pattern, with words for the first few.
class Mismatches {
 public:
  explicit Mismatches(int told = 1) : told_(told) {}
  void add(const Origin& origin, std::uint64_t call, std::int64_t chunk, std::int64_t word,
           std::uint64_t found, std::uint64_t expected);
  [[nodiscard]] const measure::CheckResult& result() const { return result_; }

 private:
  int told_;
  measure::CheckResult result_;
};

/// A piece of a chunk as it was found: words `first` .. of chunk `chunk` of `words_per_chunk`, call `call`.
struct Piece {
  std::uint64_t call = 0;
  std::int64_t chunk = 0, words_per_chunk = 0, first = 0;
  std::span<const std::uint64_t> found;
};
/// Compares every word. Never timed.
void compare(const Piece& piece, const Origin& origin, Mismatches& wrong);

}  // namespace steelyard::beffio
