// SPDX-License-Identifier: Apache-2.0
#include "measure/engine.hpp"
#include "measure/kernels.hpp"

namespace steelyard::measure {

ClockQuality calibrate(const Timer& timer, const std::string& source, const mpi::Communicator& comm) {
  spin_up();
  comm.barrier();
  ClockQuality merged = calibrate(timer, source);
  merged.cost_s = comm.max(merged.cost_s);
  merged.cost_min_s = comm.min(merged.cost_min_s);
  merged.resolution_s = comm.max(merged.resolution_s);
  merged.back_to_back_s = comm.max(merged.back_to_back_s);
  merged.detour_share = comm.max(merged.detour_share);
  merged.detour_max_s = comm.max(merged.detour_max_s);
  merged.tick_claimed_s = comm.max(merged.tick_claimed_s);
  merged.backwards = comm.max(merged.backwards);
  return merged;
}

}  // namespace steelyard::measure
