// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/communicator.hpp"

namespace steelyard::campaign {

/// Waits until no node has busy neighbours, at most limit_s; the other ranks of a node sleep meanwhile.
/// Collective. Seconds waited, the same on all ranks.
[[nodiscard]] double wait_until_quiet(const mpi::Communicator& world, double limit_s);

}  // namespace steelyard::campaign
