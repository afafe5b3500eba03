// SPDX-License-Identifier: Apache-2.0
// Prints the times of single operations in nanoseconds, in order: material for tests/measure/replay_test.cpp.
//   record_trace BYTES OPERATIONS                     copies BYTES within memory
//   mpiexec -n 2 record_trace BYTES OPERATIONS        passes BYTES to the other rank and back
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "measure/clock.hpp"
#include "mpi/communicator.hpp"
#include "mpi/environment.hpp"

namespace {

using namespace steelyard;

struct Copy {
  std::vector<char>& from;
  std::vector<char>& to;
  int operator()(std::uint64_t i) noexcept {
    from[i % from.size()] = static_cast<char>(i);
    std::memcpy(to.data(), from.data(), from.size());
    return to[i % to.size()] == static_cast<char>(i) ? 0 : 1;
  }
};

struct PassAndReturn {
  std::vector<char>& from;
  std::vector<char>& to;
  int rank;
  int operator()(std::uint64_t) noexcept { return rank == 0 ? pass() : give_back(); }

  int pass() noexcept {
    const int sent = MPI_Send(from.data(), static_cast<int>(from.size()), MPI_CHAR, 1, 0, MPI_COMM_WORLD);
    const int got =
        MPI_Recv(to.data(), static_cast<int>(to.size()), MPI_CHAR, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return sent == 0 ? got : sent;
  }
  int give_back() noexcept {
    const int got =
        MPI_Recv(to.data(), static_cast<int>(to.size()), MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    const int sent = MPI_Send(from.data(), static_cast<int>(from.size()), MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    return got == 0 ? sent : got;
  }
};

std::vector<measure::Ticks> stamps_of(measure::Workload& workload, std::size_t operations) {
  const measure::ChosenTimer clock = measure::make_timer(measure::ClockKind::raw);
  std::vector<measure::Ticks> stamps(operations + 1, 0);
  int error = workload.run(0, 100);
  MPI_Barrier(MPI_COMM_WORLD);
  error |= clock.timer->contiguous(workload, 0, 1, stamps);
  if (error != 0) mpi::abort(1);
  return stamps;
}

void print(const std::vector<measure::Ticks>& stamps) {
  for (std::size_t i = 1; i < stamps.size(); ++i) {
    std::printf("%lld%c", static_cast<long long>(stamps[i] - stamps[i - 1]), i % 20 == 0 ? '\n' : ' ');
  }
  std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  const mpi::Environment environment(&argc, &argv, mpi::ThreadLevel::single);
  const mpi::Communicator world = mpi::Communicator::world();
  const long bytes = argc == 3 ? std::atol(argv[1]) : 0;
  const long operations = argc == 3 ? std::atol(argv[2]) : 0;
  if (bytes < 1 || bytes > (1L << 30) || operations < 1 || world.size() > 2) {
    if (world.is_root()) std::fprintf(stderr, "usage: [mpiexec -n 2] record_trace BYTES OPERATIONS\n");
    return 2;
  }
  std::vector<char> from(static_cast<std::size_t>(bytes), 1), to(static_cast<std::size_t>(bytes), 2);
  std::vector<measure::Ticks> stamps;
  if (world.size() == 1) {
    measure::Loop loop(Copy{from, to});
    stamps = stamps_of(loop, static_cast<std::size_t>(operations));
  } else {
    measure::Loop loop(PassAndReturn{from, to, world.rank()});
    stamps = stamps_of(loop, static_cast<std::size_t>(operations));
  }
  if (world.is_root()) print(stamps);
  return 0;
}
