// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>

#include "mpi/communicator.hpp"
#include "suites/ftio/meter.hpp"
#include "suites/ftio/verification.hpp"

namespace steelyard::ftio {

/// One phase over all processes.
struct PhaseResult {
  double time_s = 0;                                                 // of the slowest process
  double io_s = 0, io_min_s = 0, io_max_s = 0, communication_s = 0;  // mean, least, most; mean
  Traffic traffic;                                                   // sum
};

/// Cycles of the processors per nominal operation, and where they come from.
struct CyclesPerFlop {
  double value = 0;
  std::string source;  // "perf_event", "nominal frequency"
};

/// One run.
struct RunResult {
  std::array<PhaseResult, phase_count> phases{};
  Difference difference;
  std::optional<CyclesPerFlop> cycles;
  std::string implementation;            // of MPI-IO; empty = none
  bool stopped = false;                  // on request, before its end
  [[nodiscard]] double total_s() const;  // of the timed phases
  [[nodiscard]] double io_s() const;
  [[nodiscard]] double communication_s() const;
  [[nodiscard]] Traffic traffic() const;
};

/// Collective: what the processes found, the same on all of them.
[[nodiscard]] std::array<PhaseResult, phase_count> merged(const std::array<PhaseSums, phase_count>& own,
                                                          const mpi::Communicator& team);

/// Collective. `own`: cycles that this process counted in the timed phases.
[[nodiscard]] std::optional<CyclesPerFlop> cycles_per_flop(const std::optional<double>& own, double total_s,
                                                           const Shape& shape, const mpi::Communicator& team);

}  // namespace steelyard::ftio
