// SPDX-License-Identifier: Apache-2.0
#include "measure/synchronise.hpp"

#include <chrono>
#include <utility>
#include <vector>

#include "measure/first_error.hpp"
#include "mpi/error.hpp"
#include "stats/order.hpp"

namespace steelyard::measure {
namespace {

class NoSynchroniser final : public Synchroniser {
 public:
  int synchronise() noexcept override { return MPI_SUCCESS; }
};

class BarrierSynchroniser final : public Synchroniser {
 public:
  BarrierSynchroniser(MPI_Comm comm, int times) : comm_(comm), times_(times) {}
  int synchronise() noexcept override {
    int error = MPI_SUCCESS;
    for (int i = 0; i < times_; ++i) keep_first(error, MPI_Barrier(comm_));
    return error;
  }

 private:
  MPI_Comm comm_;
  int times_;
};

// The same algorithm under every library: ceil(log2 P) rounds of 4 byte to rank + 2^j, from rank - 2^j.
class DisseminationSynchroniser final : public Synchroniser {
 public:
  explicit DisseminationSynchroniser(const mpi::Communicator& group)
      : comm_(group.get()), rank_(group.rank()), size_(group.size()) {}
  int synchronise() noexcept override {
    int error = MPI_SUCCESS;
    for (int step = 1; step < size_; step *= 2)
      keep_first(error, exchange((rank_ + step) % size_, (rank_ - step + size_) % size_));
    return error;
  }

 private:
  int exchange(int to, int from) noexcept {
    constexpr int tag = 1000;
    return MPI_Sendrecv(&out_, 1, MPI_INT, to, tag, &in_, 1, MPI_INT, from, tag, comm_, MPI_STATUS_IGNORE);
  }

  MPI_Comm comm_;
  int rank_;
  int size_;
  int out_ = 0;
  int in_ = 0;
};

constexpr int barrier_tries = 5;
constexpr double window_in_broadcasts = 4;  // barrier and broadcast, then a slack of three

double once(Sync mode, Synchroniser& barrier, const mpi::Communicator& group, const Timer& timer) {
  const Ticks before = timer.now();
  mpi::check(barrier.synchronise(), "MPI_Barrier");
  if (mode == Sync::window) static_cast<void>(group.broadcast(0.0));
  return timer.seconds(timer.now() - before);
}

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

double synchronisation_time(Sync mode, const mpi::Communicator& group, Timer& timer) {
  const auto barrier = make_synchroniser(mode == Sync::window ? Sync::barrier : mode, group, timer);
  std::vector<double> times;
  for (int i = 0; i < barrier_tries; ++i) times.push_back(once(mode, *barrier, group, timer));
  const double factor = mode == Sync::window ? window_in_broadcasts : 1;
  return group.max(factor * stats::median(std::move(times)));
}

std::unique_ptr<Synchroniser> make_synchroniser(Sync mode, const mpi::Communicator& group, Timer& timer) {
  switch (mode) {
    case Sync::none:
      return std::make_unique<NoSynchroniser>();
    case Sync::barrier:
      return std::make_unique<BarrierSynchroniser>(group.get(), 1);
    case Sync::barrier2:
      return std::make_unique<BarrierSynchroniser>(group.get(), 2);
    case Sync::dissemination:
      return std::make_unique<DisseminationSynchroniser>(group);
    case Sync::window:
      break;
  }
  return std::make_unique<WindowSynchroniser>(group, timer, synchronise_clocks(group, timer).model);
}

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
