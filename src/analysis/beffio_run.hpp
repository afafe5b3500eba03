// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "record/records.hpp"
#include "suites/beffio/record.hpp"

/// b_eff_io of one run, from its records alone. Pure.
namespace steelyard::analysis {

// Weights and values of b_eff_io. Sources: b_eff paper, 5.1; formula of the published release:
// docs/suites/b-eff-io.md, "Values". Pure; byte/s in and out, nullopt if something is missing.
// Patterns of b_eff_io in the order in which its own plots show them. Pure.

inline constexpr std::size_t beffio_type_count = 5;
using BeffioTypeValues = std::array<std::optional<double>, beffio_type_count>;

/// Mean over the pattern types, type 0 counted twice.
[[nodiscard]] std::optional<double> beffio_access_value(const BeffioTypeValues& types);

/// Values of the three access methods of one partition.
struct BeffioAccessValues {
  std::optional<double> write, rewrite, read;
};
/// 25 % initial write, 25 % rewrite, 50 % read.
[[nodiscard]] std::optional<double> beffio_value(const BeffioAccessValues& values);

/// sqrt(W b(read)), W the mean over the five types of the initial write and type 0 of the rewrite.
[[nodiscard]] std::optional<double> beffio_release2_value(const BeffioTypeValues& write,
                                                          std::optional<double> rewrite_of_type_0,
                                                          std::optional<double> read);

inline constexpr std::size_t beffio_pattern_count = 43;  // of the definition
inline constexpr std::size_t beffio_random_count = 8;    // those of random access follow
inline constexpr std::size_t beffio_access_count = 3;
inline constexpr std::array<std::string_view, beffio_access_count> beffio_accesses = {"write", "rewrite",
                                                                                      "read"};
inline constexpr std::size_t beffio_write = 0, beffio_rewrite = 1, beffio_read = 2;

/// One pattern type of one access method in one partition, complete.
struct BeffioType {
  double moved_byte = 0, pattern_s = 0, open_s = 0, close_s = 0;
  double weighted_byte_s = 0;  // mean of the patterns' bandwidths, weighted by their units: information only
  std::optional<double> segment_byte;
  [[nodiscard]] double total_s() const { return pattern_s + open_s + close_s; }
  [[nodiscard]] double byte_s() const { return total_s() > 0 ? moved_byte / total_s() : 0; }
};

/// One access method over all pattern types that were measured.
struct BeffioTotal {
  double moved_byte = 0, time_s = 0;
  std::optional<double> weighted_byte_s;
  [[nodiscard]] double byte_s() const { return time_s > 0 ? moved_byte / time_s : 0; }
};

/// Measurements of one partition of the processes, and the values that follow from them.
class BeffioPartition {
 public:
  explicit BeffioPartition(int processes) : processes_(processes) {}
  void add(std::size_t access, const beffio::PatternFigures& pattern);

  [[nodiscard]] int processes() const { return processes_; }
  [[nodiscard]] const std::optional<beffio::PatternFigures>& pattern(std::size_t access,
                                                                     std::size_t number) const {
    return patterns_[access][number];
  }
  /// Pattern in that row of the summary table; nullptr if it was not measured.
  [[nodiscard]] const beffio::PatternFigures* at_position(std::size_t access, std::size_t type,
                                                          int position) const;
  /// Returns nullopt unless all patterns of the type and the times of opening and closing are there.
  [[nodiscard]] std::optional<BeffioType> type(std::size_t access, std::size_t type) const;
  /// Random access, which is no part of any value: the pattern in a row of the summary table, all patterns
  /// together as one type, and pattern `number` from 0 on.
  [[nodiscard]] const beffio::PatternFigures* random_at_position(std::size_t access, int position) const;
  [[nodiscard]] std::optional<BeffioType> random(std::size_t access) const;
  [[nodiscard]] const std::optional<beffio::PatternFigures>& random_pattern(std::size_t access,
                                                                            std::size_t number) const {
    return random_[access][number];
  }
  [[nodiscard]] bool has_random() const;
  [[nodiscard]] BeffioTypeValues type_values(std::size_t access) const;
  [[nodiscard]] BeffioTotal total(std::size_t access) const;
  [[nodiscard]] BeffioTotal total() const;
  /// Value of an access method; if only type 0 was rewritten, the rewrite has the value of that type.
  [[nodiscard]] std::optional<double> access_value(std::size_t access) const;
  [[nodiscard]] bool only_type_0_rewritten() const;
  [[nodiscard]] std::optional<double> published_value() const;
  [[nodiscard]] std::optional<double> release2_value() const;

  [[nodiscard]] std::int64_t errors() const;
  [[nodiscard]] bool was_cut() const;
  [[nodiscard]] bool shared_pointers() const;
  /// Size of the file system cache, as known when the partition was written.
  [[nodiscard]] std::optional<double> cache_byte() const;
  /// Least volume over the access methods that are complete.
  [[nodiscard]] std::optional<double> least_volume_byte() const;

 private:
  template <class Visit>
  void each(Visit visit) const;

  int processes_;
  std::array<std::array<std::optional<beffio::PatternFigures>, beffio_pattern_count>, beffio_access_count>
      patterns_;
  std::array<std::array<std::optional<beffio::PatternFigures>, beffio_random_count>, beffio_access_count>
      random_;
};

/// Value by a formula: "published" or "2.x".
[[nodiscard]] std::optional<double> beffio_value(const BeffioPartition& partition, std::string_view formula);

/// A point at its place among the patterns of its type.
struct BeffioChunk {
  const record::PointRecord* point = nullptr;
  std::string type;       // "scatter"
  int position = 0;       // row of the summary table, from 1 on
  double chunk_byte = 0;  // in the file
  std::string name;       // "1 MiB + 8"; of the second pattern with that chunk "1 MiB of 2 MiB": of one call
};

/// Points of b-eff-io that have a place, type by type, by position: patterns that are executed once or fill a
/// segment up have none. Points of other programs have only the number of their pattern, which tells both.
/// Points into `points`.
[[nodiscard]] std::vector<BeffioChunk> beffio_chunks(std::span<const record::PointRecord> points);

/// Settings of the run's configuration.
struct BeffioFrame {
  std::optional<std::int64_t> memory_per_process_byte, system_memory_byte, largest_chunk_byte, cache_byte;
  double scheduled_s = 0;
  std::optional<std::size_t> partitions;  // number that was asked for
  std::string formula = "published";
  std::optional<std::int64_t> largest_together_byte;  // limit of the largest chunks of a common file
  bool shared_pointers = true, unique = false, rewrite_all = true, keep = false, drop_cache = false;
  bool random = false;
  std::optional<std::int64_t> most_byte;
  std::string control = "batched", order = "access";
  std::int64_t align_byte = 1 << 20, hints = 0;
  std::vector<std::string> not_official_because;
};
/// Reads the frame from config["b-eff-io"] of a run record.
[[nodiscard]] BeffioFrame beffio_frame(const record::RunRecord& run);

/// b_eff_io of a run: its partitions in the order of the records.
class BeffioRun {
 public:
  /// Points of other suites are ignored. Throws std::invalid_argument if there are none of b-eff-io or if one
  /// lacks a value.
  explicit BeffioRun(std::span<const record::PointRecord> points);

  [[nodiscard]] const std::vector<BeffioPartition>& partitions() const { return partitions_; }
  /// Partition with the highest value by that formula; nullptr if no partition has one.
  [[nodiscard]] const BeffioPartition* best(std::string_view formula) const;
  [[nodiscard]] std::optional<bool> verified() const { return verified_; }
  [[nodiscard]] std::size_t points() const { return points_; }
  /// Points without a value (skipped, failed).
  [[nodiscard]] std::size_t missing() const { return missing_; }
  /// Points cut by a stop.
  [[nodiscard]] std::size_t partial() const { return partial_; }
  /// Whether any point was measured with more processes than cores.
  [[nodiscard]] bool crowded() const { return crowded_; }

 private:
  BeffioPartition& partition(int processes);

  std::vector<BeffioPartition> partitions_;
  std::optional<bool> verified_;
  std::size_t points_ = 0, missing_ = 0, partial_ = 0;
  bool crowded_ = false;
};

/// One criterion that a value has to meet to be compared between systems.
/// Source: docs/suites/b-eff-io.md, "Validity".
struct BeffioCriterion {
  enum class Kind { time, shared, errors, space, complete, cache, volume } kind;
  bool reached = false;
  bool decides = true;                     // false: it is only reported
  std::optional<double> actual, required;  // s, count, factor, byte
};
[[nodiscard]] std::vector<BeffioCriterion> beffio_criteria(const BeffioPartition& partition,
                                                           const BeffioFrame& frame, std::size_t partitions);
/// Whether all criteria that decide are reached.
[[nodiscard]] bool valid(std::span<const BeffioCriterion> criteria);

/// The summary record "b_eff_io": of the system, that is of the partition with the highest value. classic:
/// partitions (processes), and one element per partition of value_byte_s, published_byte_s, release2_byte_s,
/// write_byte_s, rewrite_byte_s, read_byte_s (0 if unknown) and valid (1, 0).
[[nodiscard]] record::SummaryRecord beffio_summary(const BeffioRun& run, const BeffioFrame& frame);

}  // namespace steelyard::analysis
