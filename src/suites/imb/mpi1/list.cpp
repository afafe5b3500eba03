// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/mpi1/list.hpp"

#include <algorithm>

namespace steelyard::imb {
namespace {

struct Entry {
  std::string_view name;
  OpenWorkload open;
};

constexpr Entry entries[] = {
    {"PingPong", open_pingpong},
    {"PingPing", open_pingping},
    {"Sendrecv", open_sendrecv},
    {"Exchange", open_exchange},
    {"Allreduce", open_allreduce},
    {"Reduce", open_reduce},
    {"Reduce_local", open_reduce_local},
    {"Reduce_scatter", open_reduce_scatter},
    {"Reduce_scatter_block", open_reduce_scatter_block},
    {"Allgather", open_allgather},
    {"Allgatherv", open_allgatherv},
    {"Gather", open_gather},
    {"Gatherv", open_gatherv},
    {"Scatter", open_scatter},
    {"Scatterv", open_scatterv},
    {"Alltoall", open_alltoall},
    {"Alltoallv", open_alltoallv},
    {"Bcast", open_bcast},
    {"Barrier", open_barrier},
    {"PingPongSpecificSource", open_pingpong},
    {"PingPongAnySource", open_pingpong_any_source},
    {"PingPingSpecificSource", open_pingping},
    {"PingPingAnySource", open_pingping_any_source},
    {"Uniband", open_uniband},
    {"Biband", open_biband},
};

}  // namespace

OpenWorkload mpi1_workload(std::string_view name) {
  const auto* found = std::ranges::find(entries, name, &Entry::name);
  return found == std::end(entries) ? nullptr : found->open;
}

}  // namespace steelyard::imb
