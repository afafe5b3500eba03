// SPDX-License-Identifier: Apache-2.0
// The blocking collectives that move data and compute nothing, and the barrier.
#include "suites/imb/collectives.hpp"

#include "suites/imb/workloads.hpp"

namespace steelyard::imb {
namespace {

using measure::Workload;

template <class Collective, auto function, Name name>
std::unique_ptr<Workload> blocking(const Point& point) {
  return workload(NamedCall<Collective, function, name>(point), point);
}

// No data, hence nothing to check.
struct Barrier {
  MPI_Comm comm;
  int operator()(std::uint64_t) const noexcept { return mpi::noted(MPI_Barrier(comm), "MPI_Barrier"); }
};

}  // namespace

std::unique_ptr<Workload> open(Named<"Allgather">, const Point& point) {
  return blocking<AllgatherOf, MPI_Allgather, "MPI_Allgather">(point);
}
std::unique_ptr<Workload> open(Named<"Allgatherv">, const Point& point) {
  return blocking<AllgathervOf, MPI_Allgatherv, "MPI_Allgatherv">(point);
}
std::unique_ptr<Workload> open(Named<"Gather">, const Point& point) {
  return blocking<GatherOf, MPI_Gather, "MPI_Gather">(point);
}
std::unique_ptr<Workload> open(Named<"Gatherv">, const Point& point) {
  return blocking<GathervOf, MPI_Gatherv, "MPI_Gatherv">(point);
}
std::unique_ptr<Workload> open(Named<"Scatter">, const Point& point) {
  return blocking<ScatterOf, MPI_Scatter, "MPI_Scatter">(point);
}
std::unique_ptr<Workload> open(Named<"Scatterv">, const Point& point) {
  return blocking<ScattervOf, MPI_Scatterv, "MPI_Scatterv">(point);
}
std::unique_ptr<Workload> open(Named<"Alltoall">, const Point& point) {
  return blocking<AlltoallOf, MPI_Alltoall, "MPI_Alltoall">(point);
}
std::unique_ptr<Workload> open(Named<"Alltoallv">, const Point& point) {
  return blocking<AlltoallvOf, MPI_Alltoallv, "MPI_Alltoallv">(point);
}
std::unique_ptr<Workload> open(Named<"Bcast">, const Point& point) {
  return blocking<BcastOf, MPI_Bcast, "MPI_Bcast">(point);
}
std::unique_ptr<Workload> open(Named<"Barrier">, const Point& point) {
  return std::make_unique<measure::Loop<Barrier>>(Barrier{point.comm()});
}

}  // namespace steelyard::imb
