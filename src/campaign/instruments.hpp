// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "measure/clock.hpp"
#include "measure/counter.hpp"
#include "measure/engine.hpp"
#include "mpi/communicator.hpp"
#include "record/records.hpp"

namespace steelyard::campaign {

/// The clock of a session, the same kind on every rank, and what its calibration found (maxima over ranks).
struct Instruments {
  std::unique_ptr<measure::Timer> timer;
  measure::ClockQuality quality;
  record::Document clock;                                // member of the run record; on rank 0
  std::vector<record::EventRecord> events;               // on rank 0
  std::optional<measure::CounterPair> counter_at_start;  // where the processor's counter is the clock
  [[nodiscard]] measure::ClockFigures figures() const { return {quality.cost_s, quality.resolution_s}; }
};

/// The processor's counter over the whole session against its calibration: an event on rank 0, a warning
/// where any rank's rates differ by more than 20 ppm; nothing with another clock or after less than 0.1 s.
/// Collective.
[[nodiscard]] std::optional<record::EventRecord> judge_counter(const mpi::Communicator& world,
                                                               const Instruments& instruments);

/// Collective; at most about 100 ms.
[[nodiscard]] Instruments make_instruments(const mpi::Communicator& world, measure::ClockKind wanted);

/// Waits until no node has busy neighbours, at most limit_s; the other ranks of a node sleep meanwhile.
/// Collective. Seconds waited, the same on all ranks.
[[nodiscard]] double wait_until_quiet(const mpi::Communicator& world, double limit_s);

}  // namespace steelyard::campaign
