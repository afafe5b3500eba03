// SPDX-License-Identifier: Apache-2.0
// The persistent collectives, each with a computation beside it and alone.
#include "mpi/communicator.hpp"
#include "mpi/environment.hpp"
#include "mpi/error.hpp"
#include "suites/imb/mpi4/catalogue.hpp"
#include "suites/imb/mpi4/functions.hpp"
#include "suites/imb/mpi4/persistent_calls.hpp"
#include "suites/imb/mpi4/priced.hpp"

namespace steelyard::imb {
namespace {

using measure::Workload;

using BcastPersist = Priced<BcastOf, MPI_Bcast, persistent::bcast_init>;
using AllgatherPersist = Priced<AllgatherOf, MPI_Allgather, persistent::allgather_init>;
using AllgathervPersist = Priced<AllgathervOf, MPI_Allgatherv, persistent::allgatherv_init>;
using GatherPersist = Priced<GatherOf, MPI_Gather, persistent::gather_init>;
using GathervPersist = Priced<GathervOf, MPI_Gatherv, persistent::gatherv_init>;
using ScatterPersist = Priced<ScatterOf, MPI_Scatter, persistent::scatter_init>;
using ScattervPersist = Priced<ScattervOf, MPI_Scatterv, persistent::scatterv_init>;
using AlltoallPersist = Priced<AlltoallOf, MPI_Alltoall, persistent::alltoall_init>;
using AlltoallvPersist = Priced<AlltoallvOf, MPI_Alltoallv, persistent::alltoallv_init>;
using ReducePersist = Priced<ReduceOf, MPI_Reduce, persistent::reduce_init>;
using ReduceScatterPersist = Priced<ReduceScatterOf, MPI_Reduce_scatter, persistent::reduce_scatter_init>;
using AllreducePersist = Priced<AllreduceOf, MPI_Allreduce, persistent::allreduce_init>;
using BarrierPersist = Priced<BarrierOf, MPI_Barrier, persistent::barrier_init>;

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
  return BcastPersist::overlapped(point);
}
std::unique_ptr<Workload> open(Named<"Bcast_persist_pure">, const Point& point) {
  return BcastPersist::alone(point);
}
std::unique_ptr<Workload> open(Named<"Allgather_persist">, const Point& point) {
  return AllgatherPersist::overlapped(point);
}
std::unique_ptr<Workload> open(Named<"Allgather_persist_pure">, const Point& point) {
  return AllgatherPersist::alone(point);
}
std::unique_ptr<Workload> open(Named<"Allgatherv_persist">, const Point& point) {
  return AllgathervPersist::overlapped(point);
}
std::unique_ptr<Workload> open(Named<"Allgatherv_persist_pure">, const Point& point) {
  return AllgathervPersist::alone(point);
}
std::unique_ptr<Workload> open(Named<"Gather_persist">, const Point& point) {
  return GatherPersist::overlapped(point);
}
std::unique_ptr<Workload> open(Named<"Gather_persist_pure">, const Point& point) {
  return GatherPersist::alone(point);
}
std::unique_ptr<Workload> open(Named<"Gatherv_persist">, const Point& point) {
  return GathervPersist::overlapped(point);
}
std::unique_ptr<Workload> open(Named<"Gatherv_persist_pure">, const Point& point) {
  return GathervPersist::alone(point);
}
std::unique_ptr<Workload> open(Named<"Scatter_persist">, const Point& point) {
  return ScatterPersist::overlapped(point);
}
std::unique_ptr<Workload> open(Named<"Scatter_persist_pure">, const Point& point) {
  return ScatterPersist::alone(point);
}
std::unique_ptr<Workload> open(Named<"Scatterv_persist">, const Point& point) {
  return ScattervPersist::overlapped(point);
}
std::unique_ptr<Workload> open(Named<"Scatterv_persist_pure">, const Point& point) {
  return ScattervPersist::alone(point);
}
std::unique_ptr<Workload> open(Named<"Alltoall_persist">, const Point& point) {
  return AlltoallPersist::overlapped(point);
}
std::unique_ptr<Workload> open(Named<"Alltoall_persist_pure">, const Point& point) {
  return AlltoallPersist::alone(point);
}
std::unique_ptr<Workload> open(Named<"Alltoallv_persist">, const Point& point) {
  return AlltoallvPersist::overlapped(point);
}
std::unique_ptr<Workload> open(Named<"Alltoallv_persist_pure">, const Point& point) {
  return AlltoallvPersist::alone(point);
}
std::unique_ptr<Workload> open(Named<"Reduce_persist">, const Point& point) {
  return ReducePersist::overlapped(point);
}
std::unique_ptr<Workload> open(Named<"Reduce_persist_pure">, const Point& point) {
  return ReducePersist::alone(point);
}
std::unique_ptr<Workload> open(Named<"Reduce_scatter_persist">, const Point& point) {
  return ReduceScatterPersist::overlapped(point);
}
std::unique_ptr<Workload> open(Named<"Reduce_scatter_persist_pure">, const Point& point) {
  return ReduceScatterPersist::alone(point);
}
std::unique_ptr<Workload> open(Named<"Allreduce_persist">, const Point& point) {
  return AllreducePersist::overlapped(point);
}
std::unique_ptr<Workload> open(Named<"Allreduce_persist_pure">, const Point& point) {
  return AllreducePersist::alone(point);
}
std::unique_ptr<Workload> open(Named<"Barrier_persist">, const Point& point) {
  return BarrierPersist::overlapped(point);
}
std::unique_ptr<Workload> open(Named<"Barrier_persist_pure">, const Point& point) {
  return BarrierPersist::alone(point);
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
