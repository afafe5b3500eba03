// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <utility>
#include <vector>

#include "measure/first_error.hpp"
#include "measure/synchronise.hpp"
#include "mpi/error.hpp"
#include "stats/order.hpp"

namespace steelyard::measure {
namespace {

constexpr int broadcast_tries = 50;
constexpr int fewest_tries = 5;
constexpr auto window_patience = std::chrono::milliseconds(50);
constexpr double broadcasts_of_slack = 3;

// Rank 0 says with each broadcast whether another follows: fewer tries where the machine is slow.
double broadcast_time(const mpi::Communicator& group, const Timer& timer) {
  const auto until = std::chrono::steady_clock::now() + window_patience;
  std::vector<double> times;
  for (bool more = true; more;) {
    const int made = static_cast<int>(times.size()) + 1;
    const bool in_time = made < fewest_tries || std::chrono::steady_clock::now() < until;
    group.barrier();
    const Ticks before = timer.now();
    more = group.broadcast(static_cast<int>(made < broadcast_tries && in_time)) != 0;
    times.push_back(timer.seconds(timer.now() - before));
  }
  return group.max(stats::median(std::move(times)));
}

}  // namespace

WindowSynchroniser::WindowSynchroniser(const mpi::Communicator& group, Timer& timer, ClockModel model)
    : comm_(group.get()),
      root_(group.is_root()),
      timer_(&timer),
      model_(model),
      slack_s_(broadcasts_of_slack * broadcast_time(group, timer)) {}

int WindowSynchroniser::synchronise() noexcept {
  int error = MPI_Barrier(comm_);
  double start_s = root_ ? global_now() + slack_s_ : 0;
  keep_first(error, MPI_Bcast(&start_s, 1, MPI_DOUBLE, 0, comm_));
  if (error != MPI_SUCCESS) return error;
  const bool late = global_now() >= start_s;
  late_ += late ? 1 : 0;
  if (marks_.size() < marks_.capacity()) marks_.push_back(late ? 1 : 0);
  while (global_now() < start_s) {
  }
  return MPI_SUCCESS;
}

void WindowSynchroniser::expect(std::size_t operations) {
  marks_.clear();
  marks_.reserve(operations);
}

std::int64_t WindowSynchroniser::take_late() noexcept {
  return std::exchange(late_, 0);
}

}  // namespace steelyard::measure
