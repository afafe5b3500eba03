// SPDX-License-Identifier: Apache-2.0
// What it costs that each receive of a window has a place of its own, as the MPI standard asks, over receives that all
// have the same one: the same calls otherwise, alternating in one process. Two processes; argument: number of pairs.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "bench/pairs.hpp"

using namespace steelyard;

namespace {

constexpr int window = 64;  // that of imb-mt

/// A window of messages to rank 1, and one byte back.
class Band {
 public:
  /// Receive w has the place w * `step`.
  Band(const mpi::Communicator& comm, std::size_t bytes, std::size_t step)
      : comm_(comm), bytes_(bytes), step_(step), send_(bytes, 1), receive_(bytes + (window - 1) * step, 2) {}

  void operator()(std::uint64_t count) {
    for (std::uint64_t i = 0; i != count; ++i) comm_.is_root() ? send() : receive();
  }

 private:
  void send() {
    for (int w = 0; w < window; ++w)
      MPI_Isend(send_.data(), static_cast<int>(bytes_), MPI_BYTE, 1, 0, comm_.get(), &requests_[w]);
    MPI_Waitall(window, requests_, MPI_STATUSES_IGNORE);
    MPI_Recv(&answer_, 1, MPI_CHAR, 1, 0, comm_.get(), MPI_STATUS_IGNORE);
  }
  void receive() {
    for (int w = 0; w < window; ++w)
      MPI_Irecv(receive_.data() + static_cast<std::size_t>(w) * step_, static_cast<int>(bytes_), MPI_BYTE, 0,
                0, comm_.get(), &requests_[w]);
    MPI_Waitall(window, requests_, MPI_STATUSES_IGNORE);
    MPI_Send(&answer_, 1, MPI_CHAR, 0, 0, comm_.get());
  }

  const mpi::Communicator& comm_;
  std::size_t bytes_, step_;
  std::vector<char> send_, receive_;
  MPI_Request requests_[window] = {};
  char answer_ = 0;
};

void compare(const mpi::Communicator& comm, const measure::Timer& timer, std::size_t bytes, int pairs) {
  Band own(comm, bytes, bytes), shared(comm, bytes, 0);
  const auto own_places = [&own](std::uint64_t count) { own(count); };
  const auto one_place = [&shared](std::uint64_t count) { shared(count); };
  const double pilot_s = bench::turn(comm, timer, one_place, 2, 3);
  const auto operations = static_cast<std::uint64_t>(std::clamp(std::ceil(5e-3 / pilot_s), 1.0, 200.0));
  const auto c = bench::compare(comm, timer, own_places, one_place, operations, 5, pairs);
  if (!comm.is_root()) return;
  std::printf("%9zu byte   one place %10.3f us   own places %10.3f us   ratio %.3f  (%.3f .. %.3f)\n", bytes,
              c.theirs_s / window * 1e6, c.ours_s / window * 1e6, c.ratio, c.ratio_low, c.ratio_high);
}

}  // namespace

int main(int argc, char** argv) {
  const int pairs = bench::number_of(argc, argv, 1, 15);
  mpi::Environment environment(&argc, &argv, mpi::ThreadLevel::single);
  const auto pair = mpi::Communicator::world();
  if (pair.size() != 2) {
    if (pair.is_root()) std::fprintf(stderr, "band_places: needs 2 processes\n");
    return 2;
  }
  const auto timer = measure::make_timer(measure::ClockKind::automatic);
  constexpr std::size_t lengths[] = {1024, 16384, 65536, 262144, 1048576};
  for (const std::size_t bytes : lengths) compare(pair, *timer.timer, bytes, pairs);
}
