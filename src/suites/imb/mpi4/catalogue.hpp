// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "suites/imb/nbc/catalogue.hpp"

namespace steelyard::imb {

/// IMB-MPI4, in the order of the definition.
inline constexpr std::array<PairNames, 13> mpi4_names{{
    {"Bcast_persist", "Bcast_persist_pure"},
    {"Allgather_persist", "Allgather_persist_pure"},
    {"Allgatherv_persist", "Allgatherv_persist_pure"},
    {"Gather_persist", "Gather_persist_pure"},
    {"Gatherv_persist", "Gatherv_persist_pure"},
    {"Scatter_persist", "Scatter_persist_pure"},
    {"Scatterv_persist", "Scatterv_persist_pure"},
    {"Alltoall_persist", "Alltoall_persist_pure"},
    {"Alltoallv_persist", "Alltoallv_persist_pure"},
    {"Reduce_persist", "Reduce_persist_pure"},
    {"Reduce_scatter_persist", "Reduce_scatter_persist_pure"},
    {"Allreduce_persist", "Allreduce_persist_pure"},
    {"Barrier_persist", "Barrier_persist_pure"},
}};
inline constexpr auto mpi4_benchmarks = paired(mpi4_names, true);

}  // namespace steelyard::imb
