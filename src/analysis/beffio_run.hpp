// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/beffio_partition.hpp"
#include "record/records.hpp"

/// b_eff_io of one run, from its records alone. Pure.
namespace steelyard::analysis {

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
  /// Whether any point was measured with more processes than processors.
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
