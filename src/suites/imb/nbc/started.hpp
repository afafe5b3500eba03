// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "suites/imb/collectives.hpp"
#include "suites/imb/overlapped.hpp"

namespace steelyard::imb {

/// A collective that `function`, one of MPI's non-blocking forms, starts.
template <class Collective, auto function>
class Started {
 public:
  explicit Started(const Point& point) : collective_(point), turns_(point) {}
  int start() noexcept { return collective_.call(function, turns_.next(), &request_); }
  int wait() noexcept { return MPI_Wait(&request_, MPI_STATUS_IGNORE); }
  int test() noexcept {
    int done = 0;
    return MPI_Test(&request_, &done, MPI_STATUS_IGNORE);
  }
  void seek(std::uint64_t i) noexcept { turns_.seek(i); }
  [[nodiscard]] Arrival arrival(std::uint64_t i) const requires Arriving<Collective> {
    return collective_.arrival(i);
  }

 private:
  Collective collective_;
  Turns turns_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

}  // namespace steelyard::imb
