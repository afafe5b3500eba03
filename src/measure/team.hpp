// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/communicator.hpp"

namespace steelyard::measure {

/// Who measures a block. `active`: the ranks of all groups, in group order, rank 0 is rank 0 of the world.
/// `group`: the ranks that run the operation together (MY_COMM of IMB). Idle ranks hold invalid
/// communicators.
struct Team {
  mpi::Communicator active;
  mpi::Communicator group;
  int groups = 1;
  int index = 0;  // of this rank's group

  [[nodiscard]] bool takes_part() const { return active.valid(); }
};

}  // namespace steelyard::measure
