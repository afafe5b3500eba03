// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "record/records.hpp"
#include "suites/ftio/settings.hpp"

/// What the record of a run of FTIO holds: written by the session, read by summaries and texts. Pure.
namespace steelyard::ftio {

/// One phase over all processes: seconds of the slowest process; mean, least and most seconds of I/O; mean
/// seconds of communication; bytes and calls of all processes.
struct PhaseFigures {
  double time_s = 0, io_s = 0, io_min_s = 0, io_max_s = 0, communication_s = 0;
  double read_byte = 0, written_byte = 0, calls = 0;
  [[nodiscard]] double byte() const { return read_byte + written_byte; }
  PhaseFigures& operator+=(const PhaseFigures& other);
};

/// One run. What is not told of every run is optional, or empty words.
struct RunFigures {
  int processes = 1, run = 1;
  std::int64_t parameter = 0, order = 0, matrix_byte = 0;
  std::array<PhaseFigures, phase_count> phases{};
  double total_s = 0, io_fraction = 0, io_fraction_without_init = 0, communication_fraction = 0;
  double flop_rate_flop_s = 0;
  std::optional<double> io_s, communication_s, flop;
  std::optional<double> cycles_per_flop, total_difference, largest_difference, allowed_difference;
  std::optional<std::int64_t> wrong_elements, not_numbers, largest_column, largest_row, memory_byte;
  std::string cycles_source, file_access, page_cache, kernel, mpi_io;
  bool passed = false;
  [[nodiscard]] double elements() const { return static_cast<double>(order) * static_cast<double>(order); }
  /// Sum over the timed phases.
  [[nodiscard]] PhaseFigures sum() const;
};

/// Adds the figures to the classic values; processes, run and `passed` stand in the record already.
void put_figures(const RunFigures& figures, record::PointRecord& record);
/// Adds what a run that was stopped has measured: figures of its first phases.
void put_ended_phases(const Shape& shape, std::span<const PhaseFigures> ended, record::PointRecord& record);
/// Reads a point of the suite. Throws std::invalid_argument if it lacks a value.
[[nodiscard]] RunFigures figures_of(const record::PointRecord& point);
/// Whether the point was measured and has figures.
[[nodiscard]] bool has_figures(const record::PointRecord& point);

}  // namespace steelyard::ftio
