// SPDX-License-Identifier: Apache-2.0
// Medians of the suite's operations against hand-written loops of the same MPI calls, in one process,
// alternating. Both sides use buffers of their own with the same alignment, four placements in turn.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "bench/pairs.hpp"

using namespace steelyard;

namespace {

struct HandMade {
  MPI_Comm comm;
  int rank;
  int size;
  int bytes;
  char* send;
  char* receive;
  int left() const { return (rank + size - 1) % size; }
  int right() const { return (rank + 1) % size; }
};

using Loop = void (*)(const HandMade&, std::uint64_t first, std::uint64_t count);

void pingpong(const HandMade& h, std::uint64_t, std::uint64_t count) {
  for (std::uint64_t i = 0; i != count; ++i) {
    if (h.rank == 0) {
      MPI_Send(h.send, h.bytes, MPI_BYTE, 1, 1, h.comm);
      MPI_Recv(h.receive, h.bytes, MPI_BYTE, 1, 1, h.comm, MPI_STATUS_IGNORE);
    } else {
      MPI_Recv(h.receive, h.bytes, MPI_BYTE, 0, 1, h.comm, MPI_STATUS_IGNORE);
      MPI_Send(h.send, h.bytes, MPI_BYTE, 0, 1, h.comm);
    }
  }
}

void sendrecv(const HandMade& h, std::uint64_t, std::uint64_t count) {
  for (std::uint64_t i = 0; i != count; ++i)
    MPI_Sendrecv(h.send, h.bytes, MPI_BYTE, h.right(), 1, h.receive, h.bytes, MPI_BYTE, h.left(), 1, h.comm,
                 MPI_STATUS_IGNORE);
}

void exchange(const HandMade& h, std::uint64_t, std::uint64_t count) {
  for (std::uint64_t i = 0; i != count; ++i) {
    MPI_Request requests[2];
    MPI_Isend(h.send, h.bytes, MPI_BYTE, h.right(), 1, h.comm, &requests[0]);
    MPI_Isend(h.send + h.bytes, h.bytes, MPI_BYTE, h.left(), 1, h.comm, &requests[1]);
    MPI_Recv(h.receive, h.bytes, MPI_BYTE, h.left(), 1, h.comm, MPI_STATUS_IGNORE);
    MPI_Recv(h.receive, h.bytes, MPI_BYTE, h.right(), 1, h.comm, MPI_STATUS_IGNORE);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  }
}

void allreduce(const HandMade& h, std::uint64_t, std::uint64_t count) {
  for (std::uint64_t i = 0; i != count; ++i)
    MPI_Allreduce(h.send, h.receive, h.bytes / 4, MPI_FLOAT, MPI_SUM, h.comm);
}

void bcast(const HandMade& h, std::uint64_t first, std::uint64_t count) {
  int root = static_cast<int>(first % static_cast<std::uint64_t>(h.size));
  for (std::uint64_t i = 0; i != count; ++i) {
    MPI_Bcast(h.rank == root ? h.send : h.receive, h.bytes, MPI_BYTE, root, h.comm);
    if (++root == h.size) root = 0;
  }
}

void alltoall(const HandMade& h, std::uint64_t, std::uint64_t count) {
  for (std::uint64_t i = 0; i != count; ++i)
    MPI_Alltoall(h.send, h.bytes, MPI_BYTE, h.receive, h.bytes, MPI_BYTE, h.comm);
}

void barrier(const HandMade& h, std::uint64_t, std::uint64_t count) {
  for (std::uint64_t i = 0; i != count; ++i) MPI_Barrier(h.comm);
}

const std::map<std::string, Loop> loops = {
    {"PingPong", pingpong}, {"Sendrecv", sendrecv}, {"Exchange", exchange}, {"Allreduce", allreduce},
    {"Bcast", bcast},       {"Alltoall", alltoall}, {"Barrier", barrier}};

constexpr int placements = 4;
constexpr std::size_t page = 4096;
constexpr std::size_t after_guard = 64;  // where in its page a buffer of the suite begins

char* area(std::size_t bytes) {
  void* memory = nullptr;
  if (posix_memalign(&memory, page, bytes + after_guard) != 0) throw std::bad_alloc();
  char* text = static_cast<char*>(memory) + after_guard;
  for (std::size_t i = 0; i < bytes; ++i) text[i] = static_cast<char>(i + 1);
  return text;
}

/// Operations of one turn: about 5 ms, at least 5, and an even number so that every root has its share.
std::uint64_t operations(double op_s) {
  const double wanted = std::clamp(std::ceil(2e-4 / op_s), 2.0, 2000.0);
  return 2 * static_cast<std::uint64_t>(wanted / 2);
}

void versus(const mpi::Communicator& world, const measure::Timer& timer, const std::string& name, Bytes size,
            int pairs) {
  const bench::OpenBlock block(world, name, {size});
  if (!block.takes_part()) return;
  const auto& comm = block.comm();
  const int bytes = static_cast<int>(size.count());
  const std::size_t need =
      2 * static_cast<std::size_t>(std::max(bytes, 4)) * static_cast<std::size_t>(comm.size());
  // The hand-made side, and ours, take the next placement at each turn.
  std::vector<HandMade> hands;
  std::vector<std::shared_ptr<measure::Workload>> workloads;
  for (int p = 0; p < placements; ++p) {
    hands.push_back({comm.get(), comm.rank(), comm.size(), bytes, area(need), area(need)});
    workloads.push_back(block.task(0).open(p % block.task(0).placements));
  }
  const Loop loop = loops.at(name);
  // Both sides walk over as many placements, so that their buffers are equally warm.
  const auto offered = static_cast<std::size_t>(std::min(placements, block.task(0).placements));
  std::uint64_t ours_done = 0;
  std::uint64_t theirs_done = 0;
  std::size_t ours_place = 0;
  std::size_t theirs_place = 0;
  const bench::Variant ours = [&](std::uint64_t count) {
    mpi::check(workloads[ours_place++ % placements]->run(ours_done, count), name.c_str());
    ours_done += count;
  };
  const bench::Variant theirs = [&](std::uint64_t count) {
    loop(hands[theirs_place++ % offered], theirs_done, count);
    theirs_done += count;
  };
  const double pilot = bench::turn(comm, timer, theirs, 20, 5);
  const auto c = bench::compare(comm, timer, ours, theirs, operations(pilot), 24, pairs);
  if (comm.is_root())
    std::printf("%-10s %10lld byte   hand %10.3f us   suite %10.3f us   ratio %.4f  (%.4f .. %.4f)%s\n",
                name.c_str(), static_cast<long long>(size.count()), c.theirs_s * 1e6, c.ours_s * 1e6, c.ratio,
                c.ratio_low, c.ratio_high, c.theirs_s > 1e-6 ? "" : "   below 1 us");
  for (auto& hand : hands) {
    std::free(hand.send - after_guard);
    std::free(hand.receive - after_guard);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int pairs = bench::number_of(argc, argv, 1, 15);
  mpi::Environment environment(&argc, &argv, mpi::ThreadLevel::single);
  const auto world = mpi::Communicator::world();
  const auto timer = measure::make_timer(measure::ClockKind::automatic);
  for (const auto* name : {"PingPong", "Sendrecv", "Exchange", "Allreduce", "Bcast", "Alltoall"})
    for (const std::int64_t size : {64, 1024, 16384, 65536, 262144, 1048576, 4194304})
      versus(world, *timer.timer, name, Bytes{size}, pairs);
  versus(world, *timer.timer, "Barrier", Bytes{0}, pairs);
}
