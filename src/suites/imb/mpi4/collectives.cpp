// SPDX-License-Identifier: Apache-2.0
// The persistent collectives, each with a computation beside it and alone.
#include "mpi/communicator.hpp"
#include "mpi/environment.hpp"
#include "mpi/error.hpp"
#include "suites/imb/mpi4/catalogue.hpp"
#include "suites/imb/mpi4/functions.hpp"
#include "suites/imb/mpi4/persistent.hpp"
#include "suites/imb/mpi4/persistent_calls.hpp"

namespace steelyard::imb {
namespace {

using measure::Workload;

using BcastPersist = Persistent<BcastOf, persistent::bcast_init>;
using AllgatherPersist = Persistent<AllgatherOf, persistent::allgather_init>;
using AllgathervPersist = Persistent<AllgathervOf, persistent::allgatherv_init>;
using GatherPersist = Persistent<GatherOf, persistent::gather_init>;
using GathervPersist = Persistent<GathervOf, persistent::gatherv_init>;
using ScatterPersist = Persistent<ScatterOf, persistent::scatter_init>;
using ScattervPersist = Persistent<ScattervOf, persistent::scatterv_init>;
using AlltoallPersist = Persistent<AlltoallOf, persistent::alltoall_init>;
using AlltoallvPersist = Persistent<AlltoallvOf, persistent::alltoallv_init>;
using ReducePersist = Persistent<ReduceOf, persistent::reduce_init>;
using ReduceScatterPersist = Persistent<ReduceScatterOf, persistent::reduce_scatter_init>;
using AllreducePersist = Persistent<AllreduceOf, persistent::allreduce_init>;
using BarrierPersist = Persistent<BarrierOf, persistent::barrier_init>;

// The calls of one small sum, up to the first that fails.
int try_one(const mpi::Communicator& alone) {
  const double own[] = {1};
  double sum[] = {0};
  mpi::RequestHandle request;
  int code =
      persistent::allreduce_init(own, sum, 1, MPI_DOUBLE, MPI_SUM, alone.get(), MPI_INFO_NULL, request.put());
  if (code == MPI_SUCCESS) code = MPI_Start(request.put());
  if (code == MPI_SUCCESS) code = MPI_Wait(request.put(), MPI_STATUS_IGNORE);
  return code == MPI_SUCCESS && sum[0] != own[0] ? MPI_ERR_OTHER : code;
}

}  // namespace

std::unique_ptr<Workload> open(Named<"Bcast_persist">, const Point& point) {
  return overlapped<BcastPersist>(with_slots_of_requests(point));
}
std::unique_ptr<Workload> open(Named<"Bcast_persist_pure">, const Point& point) {
  return alone<BcastPersist>(with_slots_of_requests(point));
}
std::unique_ptr<Workload> open(Named<"Allgather_persist">, const Point& point) {
  return overlapped<AllgatherPersist>(with_slots_of_requests(point));
}
std::unique_ptr<Workload> open(Named<"Allgather_persist_pure">, const Point& point) {
  return alone<AllgatherPersist>(with_slots_of_requests(point));
}
std::unique_ptr<Workload> open(Named<"Allgatherv_persist">, const Point& point) {
  return overlapped<AllgathervPersist>(with_slots_of_requests(point));
}
std::unique_ptr<Workload> open(Named<"Allgatherv_persist_pure">, const Point& point) {
  return alone<AllgathervPersist>(with_slots_of_requests(point));
}
std::unique_ptr<Workload> open(Named<"Gather_persist">, const Point& point) {
  return overlapped<GatherPersist>(with_slots_of_requests(point));
}
std::unique_ptr<Workload> open(Named<"Gather_persist_pure">, const Point& point) {
  return alone<GatherPersist>(with_slots_of_requests(point));
}
std::unique_ptr<Workload> open(Named<"Gatherv_persist">, const Point& point) {
  return overlapped<GathervPersist>(with_slots_of_requests(point));
}
std::unique_ptr<Workload> open(Named<"Gatherv_persist_pure">, const Point& point) {
  return alone<GathervPersist>(with_slots_of_requests(point));
}
std::unique_ptr<Workload> open(Named<"Scatter_persist">, const Point& point) {
  return overlapped<ScatterPersist>(with_slots_of_requests(point));
}
std::unique_ptr<Workload> open(Named<"Scatter_persist_pure">, const Point& point) {
  return alone<ScatterPersist>(with_slots_of_requests(point));
}
std::unique_ptr<Workload> open(Named<"Scatterv_persist">, const Point& point) {
  return overlapped<ScattervPersist>(with_slots_of_requests(point));
}
std::unique_ptr<Workload> open(Named<"Scatterv_persist_pure">, const Point& point) {
  return alone<ScattervPersist>(with_slots_of_requests(point));
}
std::unique_ptr<Workload> open(Named<"Alltoall_persist">, const Point& point) {
  return overlapped<AlltoallPersist>(with_slots_of_requests(point));
}
std::unique_ptr<Workload> open(Named<"Alltoall_persist_pure">, const Point& point) {
  return alone<AlltoallPersist>(with_slots_of_requests(point));
}
std::unique_ptr<Workload> open(Named<"Alltoallv_persist">, const Point& point) {
  return overlapped<AlltoallvPersist>(with_slots_of_requests(point));
}
std::unique_ptr<Workload> open(Named<"Alltoallv_persist_pure">, const Point& point) {
  return alone<AlltoallvPersist>(with_slots_of_requests(point));
}
std::unique_ptr<Workload> open(Named<"Reduce_persist">, const Point& point) {
  return overlapped<ReducePersist>(with_slots_of_requests(point));
}
std::unique_ptr<Workload> open(Named<"Reduce_persist_pure">, const Point& point) {
  return alone<ReducePersist>(with_slots_of_requests(point));
}
std::unique_ptr<Workload> open(Named<"Reduce_scatter_persist">, const Point& point) {
  return overlapped<ReduceScatterPersist>(with_slots_of_requests(point));
}
std::unique_ptr<Workload> open(Named<"Reduce_scatter_persist_pure">, const Point& point) {
  return alone<ReduceScatterPersist>(with_slots_of_requests(point));
}
std::unique_ptr<Workload> open(Named<"Allreduce_persist">, const Point& point) {
  return overlapped<AllreducePersist>(with_slots_of_requests(point));
}
std::unique_ptr<Workload> open(Named<"Allreduce_persist_pure">, const Point& point) {
  return alone<AllreducePersist>(with_slots_of_requests(point));
}
std::unique_ptr<Workload> open(Named<"Barrier_persist">, const Point& point) {
  return overlapped<BarrierPersist>(with_slots_of_requests(point));
}
std::unique_ptr<Workload> open(Named<"Barrier_persist_pure">, const Point& point) {
  return alone<BarrierPersist>(with_slots_of_requests(point));
}

std::span<const OpenWorkload> persistent_functions() {
  static constexpr auto functions = open_functions<mpi4_benchmarks>();
  return functions;
}

std::string persistent_form() {
  return std::string(persistent::form);
}

std::string persistent_obstacle() {
  if (!mpi::active()) return {};
  static const int code = try_one(mpi::Communicator::self().duplicate());
  if (code == MPI_SUCCESS) return {};
  return "the persistent collectives of this MPI library refuse: " + mpi::class_name(code);
}

}  // namespace steelyard::imb
