// SPDX-License-Identifier: Apache-2.0
#include "campaign/runner.hpp"

#include <exception>

#include "campaign/campaign.hpp"

namespace steelyard::campaign {

RunResult run(const mpi::Communicator& world, const Plan& plan, const RunOptions& options,
              const Outputs& outputs, const std::optional<ResumeState>& resume) {
  Campaign campaign(world, plan, options, outputs, resume);
  try {
    return campaign.run();
  } catch (const std::exception& error) {
    campaign.lost(error);
    throw;
  }
}

}  // namespace steelyard::campaign
