// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "mpi/error.hpp"
#include "mpi/handle.hpp"
#include "suites/imb/collectives.hpp"
#include "suites/imb/overlapped.hpp"
#include "suites/imb/own/compared.hpp"
#include "suites/imb/point.hpp"

/// Cost of making the request of a collective, and what it saves over the blocking call. Before, the request is tried
/// on the processes that will measure it: an MPI library may fail at a later start of a request on some of them, while
/// the others wait in it for ever.
namespace steelyard::imb {

/// Makes a request for a point, root 0; the arguments that MPI may still look at live as long as the result.
using MakeRequest = std::shared_ptr<const void> (*)(const Point& point, MPI_Request* request, int& error);

template <class Collective, auto make>
[[nodiscard]] std::shared_ptr<const void> made_request(const Point& point, MPI_Request* request, int& error) {
  auto collective = std::make_shared<const Collective>(point);
  const Turn turn{point.send.base, point.receive.base, 0};
  error = collective->call(make, turn, MPI_INFO_NULL, request);
  return collective;
}

/// Starts a small request of the point's benchmark three times, once for every point.trial; without one nothing is
/// tried. Throws measure::SharedFailure, `unsupported` where MPI fails; the point's group can still be used then.
/// Collective over the group.
void require_starts(const Point& point, MakeRequest make);

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
    return std::make_unique<Compared>(std::move(benchmark),
                                      std::make_unique<measure::Loop<Call>>(Call(point)), point,
                                      [cost](std::uint64_t operations) { return (*cost)(operations); });
  }
};

}  // namespace steelyard::imb
