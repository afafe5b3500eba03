// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "measuring/place.hpp"
#include "mpi/communicator.hpp"

namespace steelyard::cli {

/// The place of these processes, of so many threads each, as all of them find it on their nodes: the least memory, the
/// largest caches. The same on all ranks; collective over the world. Throws mpi::Error.
[[nodiscard]] Place world_place(const mpi::Communicator& world, int threads,
                                const machine::Roots& roots = {});

}  // namespace steelyard::cli
