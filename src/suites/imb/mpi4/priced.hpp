// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>

#include "suites/imb/mpi4/persistent.hpp"
#include "suites/imb/own/compared.hpp"

/// What making the request of a collective costs, and what it saves over the blocking call.
namespace steelyard::imb {

/// The blocking call, with the buffers and counts of the persistent one.
template <class Collective, auto function>
class Blocking {
 public:
  explicit Blocking(const Point& point) : collective_(point), turns_(point) {}
  int operator()(std::uint64_t) noexcept { return collective_.call(function, turns_.next()); }
  void seek(std::uint64_t i) noexcept { turns_.seek(i); }

 private:
  Collective collective_;
  Turns turns_;
};

/// Requests are made and freed one after the other, as many as the operations of the first sample, ten at least and a
/// hundred at most; a barrier before each keeps the processes together, because some libraries make them collectively.
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
      measure::keep_first(error, MPI_Barrier(comm_));
      const double start_s = steady_seconds();
      measure::keep_first(error, collective_.call(make, turns_.next(), MPI_INFO_NULL, &request));
      const double made_s = steady_seconds();
      if (request != MPI_REQUEST_NULL) measure::keep_first(error, MPI_Request_free(&request));
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

/// A collective whose requests `make` makes, beside the blocking call `function`.
template <class Collective, auto function, auto make>
struct Priced {
  [[nodiscard]] static std::unique_ptr<measure::Workload> alone(const Point& whole) {
    const Point point = with_slots_of_requests(whole);
    return compared(imb::alone<Persistent<Collective, make>>(point), point);
  }
  [[nodiscard]] static std::unique_ptr<measure::Workload> overlapped(const Point& whole) {
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
