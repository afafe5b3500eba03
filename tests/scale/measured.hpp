// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "measure/engine.hpp"
#include "mpi/communicator.hpp"
#include "record/records.hpp"
#include "suites/session.hpp"

namespace steelyard::scale {

/// An engine on the simulated clock. Times are exact, so nothing watches the state of the machine.
class Instruments {
 public:
  Instruments();
  [[nodiscard]] measure::Engine& engine() { return engine_; }

 private:
  measure::ChosenTimer timer_;
  measure::Engine engine_;
};

/// The world as one group. Collective.
[[nodiscard]] measure::Team whole_world();

/// Takes rows of tables on rank 0.
using Tables = std::function<void(const record::TableRecord&)>;

/// The block on all processes; its records on rank 0. `schedule`: nullptr = the suite's own. Collective.
[[nodiscard]] std::vector<record::PointRecord> measured(const suites::Suite& suite,
                                                        const suites::BlockPlan& block,
                                                        const measure::Schedule* schedule,
                                                        const Tables& tables = {});

}  // namespace steelyard::scale
