// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>

#include "suites/imb/point.hpp"

namespace steelyard::imb {

/// Makes the workload of one benchmark; the same call on all ranks of the group. Throws mpi::Error.
using OpenWorkload = std::unique_ptr<measure::Workload> (*)(const Point& point);

/// The workload of a benchmark by its name; nullptr if there is none.
[[nodiscard]] OpenWorkload mpi1_workload(std::string_view name);

std::unique_ptr<measure::Workload> open_pingpong(const Point& point);
std::unique_ptr<measure::Workload> open_pingpong_any_source(const Point& point);
std::unique_ptr<measure::Workload> open_pingping(const Point& point);
std::unique_ptr<measure::Workload> open_pingping_any_source(const Point& point);
std::unique_ptr<measure::Workload> open_sendrecv(const Point& point);
std::unique_ptr<measure::Workload> open_exchange(const Point& point);
std::unique_ptr<measure::Workload> open_allreduce(const Point& point);
std::unique_ptr<measure::Workload> open_reduce(const Point& point);
std::unique_ptr<measure::Workload> open_reduce_local(const Point& point);
std::unique_ptr<measure::Workload> open_reduce_scatter(const Point& point);
std::unique_ptr<measure::Workload> open_reduce_scatter_block(const Point& point);
std::unique_ptr<measure::Workload> open_allgather(const Point& point);
std::unique_ptr<measure::Workload> open_allgatherv(const Point& point);
std::unique_ptr<measure::Workload> open_gather(const Point& point);
std::unique_ptr<measure::Workload> open_gatherv(const Point& point);
std::unique_ptr<measure::Workload> open_scatter(const Point& point);
std::unique_ptr<measure::Workload> open_scatterv(const Point& point);
std::unique_ptr<measure::Workload> open_alltoall(const Point& point);
std::unique_ptr<measure::Workload> open_alltoallv(const Point& point);
std::unique_ptr<measure::Workload> open_bcast(const Point& point);
std::unique_ptr<measure::Workload> open_barrier(const Point& point);
std::unique_ptr<measure::Workload> open_uniband(const Point& point);
std::unique_ptr<measure::Workload> open_biband(const Point& point);

}  // namespace steelyard::imb
