// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "measure/buffers.hpp"

namespace steelyard::measure {

/// Memory of MPI_Alloc_mem: a library may register it with the network when it is made. Taking it throws
/// mpi::Error.
[[nodiscard]] RawMemory mpi_memory();

}  // namespace steelyard::measure
