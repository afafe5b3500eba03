// SPDX-License-Identifier: Apache-2.0
// A workload of one's own on the engine: every process sends to its right neighbour and receives from its left one.
#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

#include "measure/engine.hpp"
#include "mpi/environment.hpp"

using namespace steelyard;

struct Ring {  // one operation; the engine repeats, times and checks it
  mpi::Communicator comm = mpi::Communicator::world().duplicate();
  int left = (comm.rank() + comm.size() - 1) % comm.size(), right = (comm.rank() + 1) % comm.size();
  std::vector<char> out, in;
  int operator()(std::uint64_t) noexcept {
    const int bytes = static_cast<int>(out.size());
    return MPI_Sendrecv(out.data(), bytes, MPI_CHAR, right, 0, in.data(), bytes, MPI_CHAR, left, 0,
                        comm.get(), MPI_STATUS_IGNORE);
  }
  std::optional<measure::CheckResult> verify(std::uint64_t) {  // outside the timed regions, on every process
    std::fill(out.begin(), out.end(), static_cast<char>(comm.rank() + 1));
    mpi::check((*this)(0), "MPI_Sendrecv");
    measure::CheckResult found;
    found.errors =
        std::count_if(in.begin(), in.end(), [&](char c) { return c != static_cast<char>(left + 1); });
    return found;
  }
};

int main(int argc, char** argv) {
  const mpi::Environment environment(&argc, &argv, mpi::ThreadLevel::single);
  const auto world = mpi::Communicator::world();
  const auto clock = measure::make_timer(measure::ClockKind::automatic);
  measure::AdaptiveRule rule;  // until the 95 % interval is +-2 %, or for so many seconds
  rule.point_budget = Seconds{0.2};
  const auto schedule = measure::adaptive_schedule(rule);
  constexpr std::array sizes{0, 1024, 65536};
  std::vector<measure::Task> tasks(sizes.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    tasks[i].schedule = schedule.get();
    tasks[i].verify_repetitions = 1;
    tasks[i].open = [size = static_cast<std::size_t>(sizes[i])](int) {
      return std::make_unique<measure::Loop<Ring>>(
          Ring{.out = std::vector<char>(size), .in = std::vector<char>(size)});
    };
  }
  const measure::Team team{.active = world.duplicate(), .group = world.duplicate()};
  measure::Engine(*clock.timer, {})
      .measure(team, tasks, [&](std::size_t i, const measure::Outcome& measured) {
        std::printf("%6d byte %10.2f us   %s\n", sizes[i], measured.time.median.value_or(0) * 1e6,
                    measured.check && measured.check->errors == 0 ? "verified" : "wrong");
      });
}
