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
  std::string source;  // "perf_event", "told frequency", "nominal frequency"
};
/// Where cycles may come from: counted by this process in the timed phases, or from a frequency that the user
/// has told. Without either the nominal frequency, where the kernel tells it.
struct CycleSources {
  std::optional<double> counted, told_hz;
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

/// Collective; cycles count only if all processes have counted theirs. Nothing where no source tells.
[[nodiscard]] std::optional<CyclesPerFlop> cycles_per_flop(const CycleSources& own, double total_s,
                                                           const Shape& shape, const mpi::Communicator& team);

}  // namespace steelyard::ftio
