// SPDX-License-Identifier: Apache-2.0
// The persistent collectives beside their blocking calls: each with a computation beside it and alone, and
// among neighbours.
#include "suites/imb/collectives.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mpi/communicator.hpp"
#include "mpi/environment.hpp"
#include "mpi/error.hpp"
#include "mpi/handle.hpp"
#include "suites/imb/mpi4/catalogue.hpp"
#include "suites/imb/mpi4/persistent_calls.hpp"
#include "suites/imb/overlapped.hpp"
#include "suites/imb/own/compared.hpp"
#include "suites/imb/own/neighbours.hpp"
#include "suites/imb/part_definition.hpp"
#include "suites/imb/point.hpp"
#include "suites/imb/workloads.hpp"

namespace steelyard::imb {
namespace {

// Cost of making the request of a collective, and what it saves over the blocking call. Before, the request is tried
// on the processes that will measure it: an MPI library may fail at a later start of a request on some of them, while
// the others wait in it for ever.

/// Makes a request for a point, root 0; the arguments that MPI may still look at live as long as the result.
using MakeRequest = std::shared_ptr<const void> (*)(const Point& point, MPI_Request* request, int& error);

template <class Collective, auto make>
[[nodiscard]] std::shared_ptr<const void> made_request(const Point& point, MPI_Request* request, int& error) {
  auto collective = std::make_shared<const Collective>(point);
  const Turn turn{point.send.base, point.receive.base, 0};
  error = collective->call(make, turn, MPI_INFO_NULL, request);
  return collective;
}

constexpr std::array<std::string_view, 3> starts_of_trial{"first", "second", "third"};

/// "MPI_Scatter" of Scatter_persist, Scatter_persist_pure and Scatter_init.
std::string collective_of(std::string_view benchmark) {
  const auto end = std::min(benchmark.find("_persist"), benchmark.find("_init"));
  return "MPI_" + std::string(benchmark.substr(0, end));
}

/// What an MPI library says of an error. MPICH tells the functions that it was in, a line each, and the error itself
/// behind the last one.
std::string words_of(std::string_view text) {
  text = text.substr(0, text.find_last_not_of('\n') + 1);
  const auto line = text.rfind('\n');
  if (line == text.npos) return std::string(text);
  text.remove_prefix(line + 1);
  const auto words = text.find(": ");
  return std::string(words == text.npos ? text : text.substr(words + 2));
}

/// The least that the benchmark can send: one element.
Bytes size_of_trial(const Point& point) {
  constexpr std::int64_t element_byte = 4;
  if (!has_sizes(point.definition)) return Bytes{0};
  return Bytes{std::max(element_byte, size_of(point.type()))};
}

/// Request with communicators and buffers of its own: nothing else suffers if it fails.
class TriedRequest {
 public:
  explicit TriedRequest(const Point& like)
      : group_(like.group.duplicate()),
        calls_(like.group.duplicate()),
        size_(size_of_trial(like)),
        sides_(sides(like.settings, like.definition, size_, like.processes, 1, like.mode)),
        send_(static_cast<std::size_t>(sides_.send.slots.bytes)),
        receive_(static_cast<std::size_t>(sides_.receive.slots.bytes)),
        point_{.settings = like.settings,
               .definition = like.definition,
               .group = group_,
               .rank = like.rank,
               .processes = like.processes,
               .size = size_,
               .send = {send_.data(), sides_.send},
               .receive = {receive_.data(), sides_.receive},
               .mode = like.mode} {}

  /// Reason if a call fails on this process. Ends as well when another has called.
  [[nodiscard]] measure::Failure run(MakeRequest make) {
    int error = MPI_SUCCESS;
    arguments_ = make(point_, request_.put(), error);
    if (error != MPI_SUCCESS) return failure("making", error);
    for (const auto number : starts_of_trial) {
      if (error = MPI_Start(request_.put()); error == MPI_SUCCESS) error = complete();
      if (error != MPI_SUCCESS) return failure("the " + std::string(number) + " start of", error);
      if (called_) break;
    }
    return std::nullopt;
  }

  /// Tells the other processes that this one has failed, unless all know that of another. They may be waiting in the
  /// request, or be long done with it: nobody receives these messages.
  void call_others() {
    int known = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, tag, calls_.get(), &known, MPI_STATUS_IGNORE);
    if (known != 0) return;
    for (int rank = 0; rank < point_.processes; ++rank) {
      MPI_Request sent = MPI_REQUEST_NULL;
      if (rank == point_.rank) continue;
      if (MPI_Isend(nullptr, 0, MPI_BYTE, rank, tag, calls_.get(), &sent) == MPI_SUCCESS)
        MPI_Request_free(&sent);
    }
  }

 private:
  // Until the request is complete, or another process calls. Without a limit of time: networks may be slow.
  int complete() {
    for (int done = 0; done == 0 && !called_;) {
      if (const int error = MPI_Test(request_.put(), &done, MPI_STATUS_IGNORE); error != MPI_SUCCESS)
        return error;
      int called = 0;
      if (done == 0)
        mpi::check(MPI_Iprobe(MPI_ANY_SOURCE, tag, calls_.get(), &called, MPI_STATUS_IGNORE), "MPI_Iprobe");
      called_ = called != 0;
    }
    return MPI_SUCCESS;
  }

  [[nodiscard]] record::Reason failure(const std::string& at, int code) const {
    const mpi::Error error("persistent request", code);
    record::Reason reason;
    reason.code = record::ReasonCode::unsupported;
    reason.text = "MPI fails at " + at + " a persistent " + collective_of(point_.definition.name) + ": " +
                  words_of(error.text);
    reason.rank = error.rank;
    reason.host = error.host;
    return reason;
  }

  mpi::Communicator group_, calls_;
  Bytes size_;
  Sides sides_;
  std::vector<std::byte> send_, receive_;
  Point point_;
  std::shared_ptr<const void> arguments_;
  mpi::RequestHandle request_;
  bool called_ = false;
};

measure::Failure try_starts(const Point& point, MakeRequest make) {
  auto request = std::make_unique<TriedRequest>(point);
  measure::Failure own;
  if (const auto broken = measure::attempt([&] { own = request->run(make); })) own = broken;
  if (own) request->call_others();
  auto failure = measure::agree(point.group, own);
  if (!failure) return std::nullopt;
  // Some processes are still in it: to free request, communicator or memory would be the next error.
  static_cast<void>(request.release());
  return failure;
}

/// Starts a small request of the point's benchmark three times, once for every point.trial; without one nothing is
/// tried. Throws measure::SharedFailure, `unsupported` where MPI fails; the point's group can still be used then.
/// Collective over the group.
void require_starts(const Point& point, MakeRequest make) {
  if (point.trial == nullptr) return;
  if (!std::exchange(point.trial->done, true)) point.trial->failure = try_starts(point, make);
  if (point.trial->failure) throw measure::SharedFailure(*point.trial->failure);
}

/// Requests of a persistent collective: root and buffers are fixed in each, so that there is one for every
/// root of a moving root and every slot of `-off_cache`, used in turn.
struct PersistentTurns {
  explicit PersistentTurns(const Point& point)
      : slots(usable_slots(point)), requests(roots(point) > slots ? roots(point) : slots) {}

  static constexpr std::int64_t most_slots = 64;
  std::int64_t slots = 1;     // of both sides
  std::int64_t requests = 1;  // a multiple of slots and of roots

 private:
  static std::int64_t roots(const Point& point) {
    return point.definition.rooted && point.settings.root_shift ? point.processes : 1;
  }
  static std::int64_t slots_of(const SideLayout& side) {
    return side.length == 0 ? most_slots : side.slots.slots;
  }
  // Requests repeat: slots must come round with the roots.
  static std::int64_t usable_slots(const Point& point) {
    const std::int64_t most =
        std::min({most_slots, slots_of(point.send.layout), slots_of(point.receive.layout)});
    const std::int64_t q = roots(point);
    if (point.send.layout.length == 0 && point.receive.layout.length == 0) return 1;
    if (most >= q) return most - most % q;
    std::int64_t divisor = most;
    while (q % divisor != 0) --divisor;
    return divisor;
  }
};

/// Point as its requests use it: with as many slots as they have.
[[nodiscard]] inline Point with_slots_of_requests(Point point) {
  const auto slots = PersistentTurns(point).slots;
  point.send.layout.slots.slots = std::min(point.send.layout.slots.slots, slots);
  point.receive.layout.slots.slots = std::min(point.receive.layout.slots.slots, slots);
  return point;
}

/// Collective whose requests `make`, one of MPI's functions, has made before anything is timed; they are
/// freed with the point. The constructor throws mpi::Error.
template <class Collective, auto make>
class Persistent {
 public:
  explicit Persistent(const Point& whole) : collective_(whole), requests_(number_of(whole)) {
    Turns turns(with_slots_of_requests(whole));
    for (auto& request : requests_)
      mpi::check(collective_.call(make, turns.next(), MPI_INFO_NULL, request.put()), "persistent request");
  }

  int start() noexcept {
    current_ = requests_[next_].put();
    next_ = next_ + 1 == requests_.size() ? 0 : next_ + 1;
    return mpi::noted(MPI_Start(current_), "MPI_Start");
  }
  int wait() noexcept { return mpi::noted(MPI_Wait(current_, MPI_STATUS_IGNORE), "MPI_Wait"); }
  int test() noexcept {
    int done = 0;
    return mpi::noted(MPI_Test(current_, &done, MPI_STATUS_IGNORE), "MPI_Test");
  }
  void seek(std::uint64_t i) noexcept { next_ = static_cast<std::size_t>(i % requests_.size()); }
  [[nodiscard]] Arrival arrival(std::uint64_t i) const requires Arriving<Collective> {
    return collective_.arrival(i);
  }

 private:
  static std::size_t number_of(const Point& point) {
    return static_cast<std::size_t>(PersistentTurns(point).requests);
  }
  Collective collective_;
  std::vector<mpi::RequestHandle> requests_;
  MPI_Request* current_ = nullptr;
  std::size_t next_ = 0;
};

/// Cost of a request. Requests are made and freed one after the other, as many as the operations of the first
/// sample, ten at least and a hundred at most; a barrier before each keeps the processes together, because
/// some libraries make them collectively.
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
      measure::keep_first(error, MPI_Barrier(comm_), "MPI_Barrier");
      const double start_s = steady_seconds();
      measure::keep_first(error, collective_.call(make, turns_.next(), MPI_INFO_NULL, &request));
      const double made_s = steady_seconds();
      if (request != MPI_REQUEST_NULL)
        measure::keep_first(error, MPI_Request_free(&request), "MPI_Request_free");
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

/// Collective whose requests `make` makes, beside the blocking call `function`. Its requests are tried first, which
/// throws measure::SharedFailure.
template <class Collective, auto function, auto make>
struct Priced {
  [[nodiscard]] static std::unique_ptr<measure::Workload> alone(const Point& whole) {
    require_starts(whole, made_request<Collective, make>);
    const Point point = with_slots_of_requests(whole);
    return compared(imb::alone<Persistent<Collective, make>>(point), point);
  }
  [[nodiscard]] static std::unique_ptr<measure::Workload> overlapped(const Point& whole) {
    require_starts(whole, made_request<Collective, make>);
    const Point point = with_slots_of_requests(whole);
    return compared(imb::overlapped<Persistent<Collective, make>>(point), point);
  }

 private:
  static std::unique_ptr<measure::Workload> compared(std::unique_ptr<measure::Workload> benchmark,
                                                     const Point& point) {
    using Call = Blocking<Collective, function>;
    auto cost = std::make_shared<RequestCost<Collective, make>>(point);
    return measure::make_workload<Compared>(std::move(benchmark),
                                            measure::make_workload<measure::Loop<Call>>(Call(point)), point,
                                            [cost](std::uint64_t operations) { return (*cost)(operations); });
  }
};

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
  return measure::make_workload<Compared>(workload(PersistentNeighbours(point), point), open_halo(point),
                                          point);
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
