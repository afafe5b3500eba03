// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "suites/imb/mt/thread_team.hpp"
#include "suites/imb/point.hpp"

namespace steelyard::imb {

/// What one thread of a process repeats in a benchmark of IMB-MT, on the communicator and the buffers of the point;
/// nullptr for a rank that takes no part. BarrierMT meets the threads of `team`. Throws mpi::Error.
[[nodiscard]] std::unique_ptr<measure::Workload> open_thread(const Point& point, ThreadTeam& team);

}  // namespace steelyard::imb
