// SPDX-License-Identifier: Apache-2.0
// The non-blocking collectives, each with a computation beside it and alone.
#include "suites/imb/collectives.hpp"

#include "suites/imb/named.hpp"

namespace steelyard::imb {
namespace {

using measure::Workload;

using Ibcast = Started<BcastOf, MPI_Ibcast>;
using Iallgather = Started<AllgatherOf, MPI_Iallgather>;
using Iallgatherv = Started<AllgathervOf, MPI_Iallgatherv>;
using Igather = Started<GatherOf, MPI_Igather>;
using Igatherv = Started<GathervOf, MPI_Igatherv>;
using Iscatter = Started<ScatterOf, MPI_Iscatter>;
using Iscatterv = Started<ScattervOf, MPI_Iscatterv>;
using Ialltoall = Started<AlltoallOf, MPI_Ialltoall>;
using Ialltoallv = Started<AlltoallvOf, MPI_Ialltoallv>;
using Ireduce = Started<ReduceOf, MPI_Ireduce>;
using Ireduce_scatter = Started<ReduceScatterOf, MPI_Ireduce_scatter>;
using Iallreduce = Started<AllreduceOf, MPI_Iallreduce>;
using Ibarrier = Started<BarrierOf, MPI_Ibarrier>;

}  // namespace

std::unique_ptr<Workload> open(Named<"Ibcast">, const Point& point) {
  return overlapped<Ibcast>(point);
}
std::unique_ptr<Workload> open(Named<"Ibcast_pure">, const Point& point) {
  return alone<Ibcast>(point);
}
std::unique_ptr<Workload> open(Named<"Iallgather">, const Point& point) {
  return overlapped<Iallgather>(point);
}
std::unique_ptr<Workload> open(Named<"Iallgather_pure">, const Point& point) {
  return alone<Iallgather>(point);
}
std::unique_ptr<Workload> open(Named<"Iallgatherv">, const Point& point) {
  return overlapped<Iallgatherv>(point);
}
std::unique_ptr<Workload> open(Named<"Iallgatherv_pure">, const Point& point) {
  return alone<Iallgatherv>(point);
}
std::unique_ptr<Workload> open(Named<"Igather">, const Point& point) {
  return overlapped<Igather>(point);
}
std::unique_ptr<Workload> open(Named<"Igather_pure">, const Point& point) {
  return alone<Igather>(point);
}
std::unique_ptr<Workload> open(Named<"Igatherv">, const Point& point) {
  return overlapped<Igatherv>(point);
}
std::unique_ptr<Workload> open(Named<"Igatherv_pure">, const Point& point) {
  return alone<Igatherv>(point);
}
std::unique_ptr<Workload> open(Named<"Iscatter">, const Point& point) {
  return overlapped<Iscatter>(point);
}
std::unique_ptr<Workload> open(Named<"Iscatter_pure">, const Point& point) {
  return alone<Iscatter>(point);
}
std::unique_ptr<Workload> open(Named<"Iscatterv">, const Point& point) {
  return overlapped<Iscatterv>(point);
}
std::unique_ptr<Workload> open(Named<"Iscatterv_pure">, const Point& point) {
  return alone<Iscatterv>(point);
}
std::unique_ptr<Workload> open(Named<"Ialltoall">, const Point& point) {
  return overlapped<Ialltoall>(point);
}
std::unique_ptr<Workload> open(Named<"Ialltoall_pure">, const Point& point) {
  return alone<Ialltoall>(point);
}
std::unique_ptr<Workload> open(Named<"Ialltoallv">, const Point& point) {
  return overlapped<Ialltoallv>(point);
}
std::unique_ptr<Workload> open(Named<"Ialltoallv_pure">, const Point& point) {
  return alone<Ialltoallv>(point);
}
std::unique_ptr<Workload> open(Named<"Ireduce">, const Point& point) {
  return overlapped<Ireduce>(point);
}
std::unique_ptr<Workload> open(Named<"Ireduce_pure">, const Point& point) {
  return alone<Ireduce>(point);
}
std::unique_ptr<Workload> open(Named<"Ireduce_scatter">, const Point& point) {
  return overlapped<Ireduce_scatter>(point);
}
std::unique_ptr<Workload> open(Named<"Ireduce_scatter_pure">, const Point& point) {
  return alone<Ireduce_scatter>(point);
}
std::unique_ptr<Workload> open(Named<"Iallreduce">, const Point& point) {
  return overlapped<Iallreduce>(point);
}
std::unique_ptr<Workload> open(Named<"Iallreduce_pure">, const Point& point) {
  return alone<Iallreduce>(point);
}
std::unique_ptr<Workload> open(Named<"Ibarrier">, const Point& point) {
  return overlapped<Ibarrier>(point);
}
std::unique_ptr<Workload> open(Named<"Ibarrier_pure">, const Point& point) {
  return alone<Ibarrier>(point);
}

}  // namespace steelyard::imb
