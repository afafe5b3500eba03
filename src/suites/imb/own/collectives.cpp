// SPDX-License-Identifier: Apache-2.0
// Persistent collectives beside their blocking calls: what making a request costs, and what it saves.
#include "suites/imb/collectives.hpp"

#include "mpi/error.hpp"
#include "suites/imb/mpi4/functions.hpp"
#include "suites/imb/mpi4/persistent.hpp"
#include "suites/imb/mpi4/persistent_calls.hpp"
#include "suites/imb/own/compared.hpp"
#include "suites/imb/own/neighbours.hpp"

namespace steelyard::imb {
namespace {

using measure::keep_first;

// The blocking call, with the buffers and counts of the persistent one.
template <class Collective, auto function>
class Called {
 public:
  explicit Called(const Point& point) : collective_(point), turns_(point) {}
  int operator()(std::uint64_t) noexcept { return collective_.call(function, turns_.next()); }
  void seek(std::uint64_t i) noexcept { turns_.seek(i); }

 private:
  Collective collective_;
  Turns turns_;
};

// Requests are made and freed one after the other, as many as the operations of the first sample, ten at least and a
// hundred at most; a barrier before each keeps the processes together, because some libraries make them collectively.
template <class Collective, auto make>
class RequestCost {
 public:
  explicit RequestCost(const Point& point)
      : collective_(point), turns_(point), comm_(point.comm()), times_(point.own) {}

  int operator()(std::uint64_t operations) {
    if (times_->knows_request()) return MPI_SUCCESS;
    constexpr std::uint64_t fewest = 10, most = 100;
    const auto requests = std::clamp(operations, fewest, most);
    int error = MPI_SUCCESS;
    double making_s = 0, freeing_s = 0;
    for (std::uint64_t i = 0; i < requests; ++i) {
      MPI_Request request = MPI_REQUEST_NULL;
      keep_first(error, MPI_Barrier(comm_));
      const double start_s = steady_seconds();
      keep_first(error, collective_.call(make, turns_.next(), MPI_INFO_NULL, &request));
      const double made_s = steady_seconds();
      if (request != MPI_REQUEST_NULL) keep_first(error, MPI_Request_free(&request));
      making_s += made_s - start_s;
      freeing_s += steady_seconds() - made_s;
    }
    times_->set_request(making_s / static_cast<double>(requests), freeing_s / static_cast<double>(requests));
    return error;
  }

 private:
  Collective collective_;
  Turns turns_;
  MPI_Comm comm_;
  OwnTimes* times_;
};

template <class Collective, auto function, auto make>
std::unique_ptr<measure::Workload> opened(const Point& whole) {
  const Point point = with_slots_of_requests(whole);
  auto cost = std::make_shared<RequestCost<Collective, make>>(point);
  return std::make_unique<Compared>(
      alone<Persistent<Collective, make>>(point),
      std::make_unique<measure::Loop<Called<Collective, function>>>(Called<Collective, function>(point)),
      point, [cost](std::uint64_t operations) { return (*cost)(operations); });
}

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
    keep_first(error, MPI_Start(request));
    keep_first(error, MPI_Wait(request, MPI_STATUS_IGNORE));
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

struct Row {
  std::string_view name;
  OpenWorkload open;
};
constexpr Row rows[] = {
    {"Bcast_init", opened<BcastOf, MPI_Bcast, persistent::bcast_init>},
    {"Reduce_init", opened<ReduceOf, MPI_Reduce, persistent::reduce_init>},
    {"Allreduce_init", opened<AllreduceOf, MPI_Allreduce, persistent::allreduce_init>},
    {"Reduce_scatter_init", opened<ReduceScatterOf, MPI_Reduce_scatter, persistent::reduce_scatter_init>},
    {"Reduce_scatter_block_init",
     opened<ReduceScatterBlockOf, MPI_Reduce_scatter_block, persistent::reduce_scatter_block_init>},
    {"Allgather_init", opened<AllgatherOf, MPI_Allgather, persistent::allgather_init>},
    {"Allgatherv_init", opened<AllgathervOf, MPI_Allgatherv, persistent::allgatherv_init>},
    {"Gather_init", opened<GatherOf, MPI_Gather, persistent::gather_init>},
    {"Gatherv_init", opened<GathervOf, MPI_Gatherv, persistent::gatherv_init>},
    {"Scatter_init", opened<ScatterOf, MPI_Scatter, persistent::scatter_init>},
    {"Scatterv_init", opened<ScattervOf, MPI_Scatterv, persistent::scatterv_init>},
    {"Alltoall_init", opened<AlltoallOf, MPI_Alltoall, persistent::alltoall_init>},
    {"Alltoallv_init", opened<AlltoallvOf, MPI_Alltoallv, persistent::alltoallv_init>},
    {"Barrier_init", opened<BarrierOf, MPI_Barrier, persistent::barrier_init>},
};

}  // namespace

std::unique_ptr<measure::Workload> open_made_collective(const Point& point) {
  const auto* const row = std::ranges::find(rows, point.definition.name, &Row::name);
  return row == std::end(rows) ? nullptr : row->open(point);
}

std::unique_ptr<measure::Workload> open_persistent_neighbours(const Point& whole) {
  const Point point = with_request_slots(whole);
  return std::make_unique<Compared>(workload(PersistentNeighbours(point), point), open_halo(point), point);
}

std::string persistent_neighbours_obstacle() {
  return persistent_obstacle();
}

}  // namespace steelyard::imb
