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

/// Weights and values of b_eff_io. Sources: b_eff paper, 5.1; formula of the published release:
/// docs/suites/b-eff-io.md, "Values". Pure; byte/s in and out, nullopt if something is missing.
/// Patterns of b_eff_io in the order in which its own plots show them. Pure.
namespace steelyard::analysis {

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

}  // namespace steelyard::analysis
