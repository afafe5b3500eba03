// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "record/records.hpp"
#include "suites/ftio/record.hpp"

/// FTIO of one run of the program, from its records alone. Pure.
namespace steelyard::analysis {

struct FtioSpread {
  double mean = 0, sd = 0;  // sample standard deviation, 0 of a single run
};

/// All runs with one parameter.
struct FtioSize {
  std::vector<ftio::RunFigures> runs;  // at least one
  [[nodiscard]] const ftio::RunFigures& first() const { return runs.front(); }
  [[nodiscard]] FtioSpread spread(double ftio::RunFigures::*value) const;
  /// Returns nullopt unless all runs have it.
  [[nodiscard]] std::optional<FtioSpread> cycles_per_flop() const;
};

/// The runs by size, in the order of the records.
class FtioRuns {
 public:
  /// Points of other suites are ignored. Throws std::invalid_argument if there are none of ftio or if one
  /// lacks a value.
  explicit FtioRuns(std::span<const record::PointRecord> points);
  [[nodiscard]] const std::vector<FtioSize>& sizes() const { return sizes_; }
  /// Size with the largest matrix; nullptr if nothing was measured.
  [[nodiscard]] const FtioSize* largest() const;
  [[nodiscard]] std::size_t points() const { return points_; }
  [[nodiscard]] std::size_t missing() const { return missing_; }
  [[nodiscard]] std::optional<bool> verified() const { return verified_; }
  /// Whether any run was measured with more processes than cores.
  [[nodiscard]] bool crowded() const { return crowded_; }
  /// Of the last point, also of one without figures.
  [[nodiscard]] int processes() const { return processes_; }

 private:
  std::vector<FtioSize> sizes_;
  std::size_t points_ = 0, missing_ = 0;
  std::optional<bool> verified_;
  bool crowded_ = false;
  int processes_ = 1;
};

/// Settings of the run's configuration that speak against a comparison with other systems.
[[nodiscard]] std::vector<std::string> ftio_departures(const record::RunRecord& head);

/// The summary record "ftio": of the largest matrix, means over its runs. classic: one element per size.
[[nodiscard]] record::SummaryRecord ftio_summary(const FtioRuns& runs,
                                                 const std::vector<std::string>& departures);

}  // namespace steelyard::analysis
