// SPDX-License-Identifier: Apache-2.0
// The persistent collectives beside their blocking calls: each with a computation beside it and alone, and
// among neighbours.
#include "mpi/communicator.hpp"
#include "mpi/environment.hpp"
#include "mpi/error.hpp"
#include "suites/imb/mpi4/catalogue.hpp"
#include "suites/imb/mpi4/persistent_calls.hpp"
#include "suites/imb/mpi4/priced.hpp"
#include "suites/imb/own/neighbours.hpp"
#include "suites/imb/workloads.hpp"

namespace steelyard::imb {
namespace {

using measure::keep_first;

// A request for each slot, made before anything is timed.
class PersistentNeighbours {
 public:
  explicit PersistentNeighbours(const Point& point)
      : blocks_(point), requests_(point.send.layout.slots.slots, 1) {
    auto& hood = blocks_.hood();
    look_for_order(hood, [&](int* out, int* in) {
      PersistentRequests one(1, 1);
      int code = persistent::neighbor_alltoall_init(out, 1, MPI_INT, in, 1, MPI_INT, hood.comm(),
                                                    MPI_INFO_NULL, one.of_place(0));
      if (code == MPI_SUCCESS) code = MPI_Start(one.of_place(0));
      return code == MPI_SUCCESS ? MPI_Wait(one.of_place(0), MPI_STATUS_IGNORE) : code;
    });
    point.own->set_exchanged(hood.exchanged());
    make(point);
  }
  int operator()(std::uint64_t) noexcept {
    MPI_Request* const request = requests_.next();
    int error = 0;
    keep_first(error, MPI_Start(request), "MPI_Start");
    keep_first(error, MPI_Wait(request, MPI_STATUS_IGNORE), "MPI_Wait");
    return error;
  }
  void seek(std::uint64_t i) noexcept { requests_.seek(i); }
  [[nodiscard]] Arrival arrival(std::uint64_t i) const { return blocks_.arrival(i); }

 private:
  void make(const Point& point) {
    Cursors cursors(point);
    const auto slots = point.send.layout.slots.slots;
    const double start_s = steady_seconds();
    for (std::int64_t slot = 0; slot < slots; ++slot) {
      std::byte* const out = cursors.send.next();
      mpi::check(blocks_.call(persistent::neighbor_alltoall_init, out, cursors.receive.next(), MPI_INFO_NULL,
                              requests_.of_place(slot)),
                 "Neighbor_alltoall_init");
    }
    point.own->set_request((steady_seconds() - start_s) / static_cast<double>(slots), 0);
  }

  NeighborAlltoallOf blocks_;
  PersistentRequests requests_;
};

// A block of 8 byte to each side of a ring of this process alone, up to the first call that fails.
int try_neighbours(const mpi::Communicator& ring) {
  const std::int64_t own[] = {1, 2};
  std::int64_t found[] = {0, 0};
  mpi::RequestHandle request;
  int code = persistent::neighbor_alltoall_init(own, 1, MPI_INT64_T, found, 1, MPI_INT64_T, ring.get(),
                                                MPI_INFO_NULL, request.put());
  if (code == MPI_SUCCESS) code = MPI_Start(request.put());
  if (code == MPI_SUCCESS) code = MPI_Wait(request.put(), MPI_STATUS_IGNORE);
  // In either order: which one it is stands in the records.
  return code == MPI_SUCCESS && found[0] + found[1] != own[0] + own[1] ? MPI_ERR_OTHER : code;
}

template <class Collective, auto function, auto make>
constexpr StartedCollective priced(std::string_view name) {
  using Op = Priced<Collective, function, make>;
  return {name, Op::alone, Op::overlapped};
}

constexpr StartedCollective persistent_collectives[] = {
    priced<BcastOf, MPI_Bcast, persistent::bcast_init>("Bcast"),
    priced<AllgatherOf, MPI_Allgather, persistent::allgather_init>("Allgather"),
    priced<AllgathervOf, MPI_Allgatherv, persistent::allgatherv_init>("Allgatherv"),
    priced<GatherOf, MPI_Gather, persistent::gather_init>("Gather"),
    priced<GathervOf, MPI_Gatherv, persistent::gatherv_init>("Gatherv"),
    priced<ScatterOf, MPI_Scatter, persistent::scatter_init>("Scatter"),
    priced<ScattervOf, MPI_Scatterv, persistent::scatterv_init>("Scatterv"),
    priced<AlltoallOf, MPI_Alltoall, persistent::alltoall_init>("Alltoall"),
    priced<AlltoallvOf, MPI_Alltoallv, persistent::alltoallv_init>("Alltoallv"),
    priced<ReduceOf, MPI_Reduce, persistent::reduce_init>("Reduce"),
    priced<ReduceScatterOf, MPI_Reduce_scatter, persistent::reduce_scatter_init>("Reduce_scatter"),
    priced<ReduceScatterBlockOf, MPI_Reduce_scatter_block, persistent::reduce_scatter_block_init>(
        "Reduce_scatter_block"),
    priced<AllreduceOf, MPI_Allreduce, persistent::allreduce_init>("Allreduce"),
    priced<BarrierOf, MPI_Barrier, persistent::barrier_init>("Barrier"),
};

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

std::unique_ptr<measure::Workload> open_made_collective(const Point& point) {
  const auto name = point.definition.name.substr(0, point.definition.name.find("_init"));
  const auto* const found = std::ranges::find(persistent_collectives, name, &StartedCollective::name);
  return found == std::end(persistent_collectives) ? nullptr : found->alone(point);
}

std::unique_ptr<measure::Workload> open_persistent_neighbours(const Point& whole) {
  const Point point = with_request_slots(whole);
  return std::make_unique<Compared>(workload(PersistentNeighbours(point), point), open_halo(point), point);
}

std::string persistent_neighbours_obstacle() {
  if (!mpi::active()) return {};
  static const int code =
      try_neighbours(mpi::Communicator::self().cartesian({1}, true, mpi::RankOrder::kept));
  if (code == MPI_SUCCESS) return {};
  return "the persistent collectives of neighbours of this MPI library refuse: " + mpi::class_name(code);
}

std::span<const OpenWorkload> persistent_functions() {
  static constexpr auto functions =
      functions_of_collectives<mpi4_benchmarks, persistent_collectives>("_persist");
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
