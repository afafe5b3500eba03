// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "record/records.hpp"

/// FTIO of one run of the program, from its records alone. Pure.
namespace steelyard::analysis {

inline constexpr std::array<std::string_view, 6> ftio_phases = {"A init",     "B dft1", "C transpose",
                                                                "D exchange", "E dft2", "F verify"};
inline constexpr std::size_t ftio_timed_phases = 5;

/// One phase over all processes: seconds of the slowest process; mean, least and most seconds of I/O; mean
/// seconds of communication; bytes and calls of all processes.
struct FtioPhase {
  double time_s = 0, io_s = 0, io_min_s = 0, io_max_s = 0, communication_s = 0;
  double read_byte = 0, written_byte = 0, calls = 0;
  [[nodiscard]] double byte() const { return read_byte + written_byte; }
  FtioPhase& operator+=(const FtioPhase& other);
};

/// One run of the benchmark.
struct FtioRun {
  int processes = 1, run = 1;
  std::int64_t parameter = 0;
  double order = 0, matrix_byte = 0;
  std::array<FtioPhase, ftio_phases.size()> phases{};
  double io_fraction = 0, io_fraction_without_init = 0, communication_fraction = 0;
  double total_s = 0, flop_rate_flop_s = 0;
  std::optional<double> cycles_per_flop, total_difference, largest_difference, memory_byte;
  std::string cycles_source, file_access, page_cache, kernel, mpi_io;  // words; empty = none
  bool passed = false;
  [[nodiscard]] double elements() const { return order * order; }
  /// Sum over the timed phases.
  [[nodiscard]] FtioPhase sum() const;
};

/// Reads a point of suite ftio. Throws std::invalid_argument if it lacks a value.
[[nodiscard]] FtioRun ftio_run(const record::PointRecord& point);
/// Whether the point was measured and has a result.
[[nodiscard]] bool ftio_has_result(const record::PointRecord& point);

struct FtioSpread {
  double mean = 0, sd = 0;  // sample standard deviation, 0 of a single run
};

/// All runs with one parameter.
struct FtioSize {
  std::vector<FtioRun> runs;  // at least one
  [[nodiscard]] const FtioRun& first() const { return runs.front(); }
  [[nodiscard]] FtioSpread spread(double FtioRun::*value) const;
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

 private:
  std::vector<FtioSize> sizes_;
  std::size_t points_ = 0, missing_ = 0;
  std::optional<bool> verified_;
};

/// Settings of the run's configuration that speak against a comparison with other systems.
[[nodiscard]] std::vector<std::string> ftio_departures(const record::RunRecord& head);

/// The summary record "ftio": of the largest matrix, means over its runs. classic: one element per size.
[[nodiscard]] record::SummaryRecord ftio_summary(const FtioRuns& runs,
                                                 const std::vector<std::string>& departures);

}  // namespace steelyard::analysis
