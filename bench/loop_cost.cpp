// SPDX-License-Identifier: Apache-2.0
// What the engine's loop costs over a hand-written loop of the same calls, in nanoseconds per operation: with
// an operation that does nothing, and with a 0-byte ping-pong. Run with 2 processes.
#include <algorithm>
#include <cstdio>

#include "bench/pairs.hpp"
#include "measure/workload.hpp"

using namespace steelyard;

namespace {

constexpr int pairs = 21;

struct Nothing {
  int operator()(std::uint64_t i) noexcept {
    asm volatile("" : : "r"(i) : "memory");
    return 0;
  }
};

void nothing_by_hand(std::uint64_t count) {
  for (std::uint64_t i = 0; i != count; ++i) asm volatile("" : : "r"(i) : "memory");
}

void pingpong_by_hand(std::uint64_t count, MPI_Comm comm, int rank, char* send, char* receive) {
  for (std::uint64_t i = 0; i != count; ++i) {
    if (rank == 0) {
      MPI_Send(send, 0, MPI_BYTE, 1, 1, comm);
      MPI_Recv(receive, 0, MPI_BYTE, 1, 1, comm, MPI_STATUS_IGNORE);
    } else {
      MPI_Recv(receive, 0, MPI_BYTE, 0, 1, comm, MPI_STATUS_IGNORE);
      MPI_Send(send, 0, MPI_BYTE, 0, 1, comm);
    }
  }
}

void print(const char* what, const bench::Comparison& c) {
  std::printf("%-22s hand %10.3f ns   engine %10.3f ns   difference %+7.3f ns   ratio %.4f (%.4f .. %.4f)\n",
              what, c.theirs_s * 1e9, c.ours_s * 1e9, (c.ours_s - c.theirs_s) * 1e9, c.ratio, c.ratio_low,
              c.ratio_high);
}

}  // namespace

int main(int argc, char** argv) {
  mpi::Environment environment(&argc, &argv, mpi::ThreadLevel::single);
  const auto world = mpi::Communicator::world();
  const auto timer = measure::make_timer(measure::ClockKind::automatic);

  auto nothing = std::make_shared<measure::Loop<Nothing>>(Nothing{});
  const auto empty = bench::compare(mpi::Communicator::self(), *timer.timer, bench::workload_variant(nothing),
                                    nothing_by_hand, 100000, 11, pairs);
  // The engine's batches of one operation: a virtual call each.
  auto single = std::make_shared<measure::Loop<Nothing>>(Nothing{});
  const bench::Variant one_by_one = [single, next = std::uint64_t{0}](std::uint64_t count) mutable {
    measure::Workload& workload = *single;
    for (std::uint64_t i = 0; i != count; ++i) workload.run(next++, 1);
  };
  const auto called =
      bench::compare(mpi::Communicator::self(), *timer.timer, one_by_one, nothing_by_hand, 100000, 11, pairs);
  if (world.is_root()) {
    print("empty, in a batch", empty);
    print("empty, one a call", called);
  }
  if (world.size() < 2) return 0;

  const bench::OpenBlock block(world, "PingPong", {Bytes{0}});
  if (!block.takes_part()) return 0;
  std::shared_ptr<measure::Workload> workload = block.task(0).open(0);
  const MPI_Comm comm = block.comm().get();
  const int rank = block.comm().rank();
  char send = 0;
  char receive = 0;
  const auto pingpong = bench::compare(
      block.comm(), *timer.timer, bench::workload_variant(workload),
      [&](std::uint64_t count) { pingpong_by_hand(count, comm, rank, &send, &receive); }, 1000, 51, pairs);
  if (block.comm().is_root()) print("ping-pong, 0 byte", pingpong);
}
