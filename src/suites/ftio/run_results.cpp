// SPDX-License-Identifier: Apache-2.0
#include "suites/ftio/run_results.hpp"

#include <numeric>

#include "machine/cycle_counter.hpp"

namespace steelyard::ftio {
namespace {

template <class Part>
double over_timed(const RunResult& result, Part part) {
  double sum = 0;
  for (std::size_t p = 0; p < timed_phases; ++p) sum += result.phases[p].*part;
  return sum;
}

PhaseResult merge(const PhaseSums& own, const mpi::Communicator& team) {
  const double processes = team.size();
  return {.time_s = team.max(own.time_s),
          .io_s = team.sum(own.io_s) / processes,
          .io_min_s = team.min(own.io_s),
          .io_max_s = team.max(own.io_s),
          .communication_s = team.sum(own.communication_s) / processes,
          .traffic = {team.sum(own.traffic.read_byte), team.sum(own.traffic.written_byte),
                      team.sum(own.traffic.calls)}};
}

}  // namespace

double RunResult::total_s() const {
  return over_timed(*this, &PhaseResult::time_s);
}
double RunResult::io_s() const {
  return over_timed(*this, &PhaseResult::io_s);
}
double RunResult::communication_s() const {
  return over_timed(*this, &PhaseResult::communication_s);
}

Traffic RunResult::traffic() const {
  Traffic sum;
  for (std::size_t p = 0; p < timed_phases; ++p) sum += phases[p].traffic;
  return sum;
}

std::array<PhaseResult, phase_count> merged(const std::array<PhaseSums, phase_count>& own,
                                            const mpi::Communicator& team) {
  std::array<PhaseResult, phase_count> all;
  for (std::size_t p = 0; p < phase_count; ++p) all[p] = merge(own[p], team);
  return all;
}

std::optional<CyclesPerFlop> cycles_per_flop(const CycleSources& own, double total_s, const Shape& shape,
                                             const mpi::Communicator& team) {
  const bool counted = team.all(own.counted.has_value());
  const double sum = team.sum(own.counted.value_or(0));
  if (counted) return CyclesPerFlop{sum / flops(shape), "perf_event"};
  if (own.told_hz)
    return CyclesPerFlop{shape.processes * *own.told_hz * total_s / flops(shape), "told frequency"};
  const double hertz = team.min(machine::nominal_frequency().value_or(0));
  if (!(hertz > 0)) return std::nullopt;
  return CyclesPerFlop{shape.processes * hertz * total_s / flops(shape), "nominal frequency"};
}

}  // namespace steelyard::ftio
