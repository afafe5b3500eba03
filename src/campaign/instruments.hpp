// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "measure/clock.hpp"
#include "measure/engine.hpp"
#include "mpi/communicator.hpp"
#include "record/records.hpp"

namespace steelyard::campaign {

/// The clock of a session, the same kind on every rank, and what its calibration found (maxima over ranks).
struct Instruments {
  std::unique_ptr<measure::Timer> timer;
  measure::ClockQuality quality;
  record::Document clock;                   // member of the run record; on rank 0
  std::vector<record::EventRecord> events;  // on rank 0
  [[nodiscard]] measure::ClockFigures figures() const { return {quality.cost_s, quality.resolution_s}; }
};

/// Collective; at most about 100 ms.
[[nodiscard]] Instruments make_instruments(const mpi::Communicator& world, measure::ClockKind wanted);

}  // namespace steelyard::campaign
