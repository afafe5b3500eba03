// SPDX-License-Identifier: Apache-2.0
#include <mpi.h>

#include <cstddef>
#include <span>
#include <stdexcept>
#include <vector>

#include "mpi/error.hpp"
#include "mpi/handle.hpp"
#include "suites/imb/check_data.hpp"
#include "survey/probes.hpp"

namespace steelyard::survey {
namespace {

using suites::Rates;

constexpr int tag = 71, short_byte = 8, long_byte = 1 << 20, message_trials = 3, queued_puts = 100;
constexpr std::size_t checked_byte = 4 << 20;  // beyond what a library keeps for the next use
constexpr double long_enough_s = 1e-3;

/// Two processes that talk to one another; one that has nobody talks to itself.
class Pair {
 public:
  Pair(const mpi::Communicator& world, int distance) : world_(world), other_(partner(world, distance)) {}

  /// Sends a message to and fro; a process that has nobody exchanges with itself.
  void turn(std::span<std::byte> out, std::span<std::byte> in) const {
    if (other_ == world_.rank()) return exchange(out, in);
    const bool first = world_.rank() < other_;
    if (first) send(out);
    receive(in);
    if (!first) send(out);
  }
  void exchange(std::span<std::byte> out, std::span<std::byte> in) const {
    mpi::check(
        MPI_Sendrecv(out.data(), static_cast<int>(out.size()), MPI_BYTE, other_, tag, in.data(),
                     static_cast<int>(in.size()), MPI_BYTE, other_, tag, world_.get(), MPI_STATUS_IGNORE),
        "MPI_Sendrecv");
  }

 private:
  /// Rank at this distance in blocks of twice the distance; the own one if there is none.
  static int partner(const mpi::Communicator& world, int distance) {
    const int rank = world.rank(), block = rank / (2 * distance) * 2 * distance;
    const int other = rank - block < distance ? rank + distance : rank - distance;
    return other < world.size() ? other : rank;
  }
  void send(std::span<std::byte> out) const {
    mpi::check(MPI_Send(out.data(), static_cast<int>(out.size()), MPI_BYTE, other_, tag, world_.get()),
               "MPI_Send");
  }
  void receive(std::span<std::byte> in) const {
    mpi::check(MPI_Recv(in.data(), static_cast<int>(in.size()), MPI_BYTE, other_, tag, world_.get(),
                        MPI_STATUS_IGNORE),
               "MPI_Recv");
  }

  const mpi::Communicator& world_;
  int other_;
};

/// Seconds of one call, in several trials that are each long enough.
template <class Call>
std::vector<double> seconds_each(const mpi::Communicator& world, Call call) {
  int count = 1;
  const auto some = [&] {
    for (int i = 0; i < count; ++i) call();
  };
  while (seconds_together(world, some) < long_enough_s) count *= 2;
  std::vector<double> seconds;
  for (int i = 0; i < message_trials; ++i) seconds.push_back(seconds_together(world, some) / count);
  return seconds;
}

void probe_pairs(const mpi::Communicator& world, int distance, double Rates::*message_s,
                 double Rates::*exchange_byte_s, RateNotes& notes) {
  const Pair pair(world, distance);
  std::vector<std::byte> out(short_byte, std::byte{1}), in(short_byte);
  auto turns = seconds_each(world, [&] { pair.turn(out, in); });
  for (double& seconds : turns) seconds /= 2;
  notes.time(message_s, turns);
  out.assign(long_byte, std::byte{1});
  in.assign(long_byte, std::byte{0});
  notes.rate(exchange_byte_s, long_byte, seconds_each(world, [&] { pair.exchange(out, in); }));
}

/// Seconds to fill fresh memory with the contents of a message and to compare it with them.
double checking_s(const mpi::Communicator& world) {
  return seconds_together(world, [&] {
    std::vector<std::byte> sent(checked_byte), arrived(checked_byte);
    imb::fill_bytes(world.rank(), 0, 0, sent);
    imb::fill_bytes(world.rank(), 0, 0, arrived);
    if (sent != arrived) throw std::logic_error("one message has two contents");
  });
}

void probe_checks(const mpi::Communicator& world, RateNotes& notes) {
  std::vector<double> seconds;
  for (int i = 0; i < message_trials; ++i) seconds.push_back(checking_s(world));
  notes.rate(&Rates::checked_byte_s, 2 * static_cast<double>(checked_byte), seconds);
}

/// Memory of every process that the others write to. If one process cannot make its part there is none.
class Window {
 public:
  explicit Window(const mpi::Communicator& world) : memory_(short_byte) {
    const int code =
        mpi::noted(MPI_Win_create(memory_.data(), short_byte, 1, MPI_INFO_NULL, world.get(), &window_),
                   "MPI_Win_create");
    made_ = !world.any(code != MPI_SUCCESS);
    if (made_) mpi::return_errors(window_);
  }
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;
  ~Window() {
    if (made_) MPI_Win_free(&window_);
  }

  [[nodiscard]] bool made() const { return made_; }

  /// Puts so many times between two fences.
  void put(const std::vector<char>& out, int target, int times) const {
    fence();
    for (int i = 0; i < times; ++i)
      mpi::check(MPI_Put(out.data(), short_byte, MPI_BYTE, target, 0, short_byte, MPI_BYTE, window_),
                 "MPI_Put");
    fence();
  }

 private:
  void fence() const { mpi::check(MPI_Win_fence(0, window_), "MPI_Win_fence"); }
  std::vector<char> memory_;
  MPI_Win window_ = MPI_WIN_NULL;
  bool made_ = false;
};

}  // namespace

void probe_messages(const ProbeClock& clock, Surveyed& surveyed) {
  const auto& world = clock.world();
  RateNotes notes(surveyed);
  probe_pairs(world, 1, &Rates::message_s, &Rates::exchange_byte_s, notes);
  probe_pairs(world, std::max(world.size() / 2, 1), &Rates::far_message_s, &Rates::far_exchange_byte_s,
              notes);
  notes.time(&Rates::barrier_s, seconds_each(world, [&] { world.barrier(); }));
  probe_checks(world, notes);
}

void probe_first_exchange(const mpi::Communicator& world, Buffers buffers, RateNotes& notes) {
  if (buffers.empty()) return;
  const Pair pair(world, 1);
  std::vector<double> seconds;
  for (const auto& buffer : buffers)
    seconds.push_back(seconds_together(world, [&] { pair.exchange(buffer->send(0), buffer->receive(0)); }));
  notes.mean_rate(&Rates::first_exchange_byte_s, static_cast<double>(buffers.front()->send(0).size()),
                  seconds);
}

void probe_one_sided(const ProbeClock& clock, Surveyed& surveyed) {
  const auto& world = clock.world();
  RateNotes notes(surveyed);
  const Window window(world);
  if (!window.made()) return;  // the benchmarks will tell the error
  std::vector<double> made;
  for (int i = 0; i < message_trials; ++i)
    made.push_back(seconds_together(world, [&] { const Window one(world); }));
  notes.time(&Rates::window_s, made);
  const std::vector<char> out(short_byte, 1);
  const int target = (world.rank() + 1) % world.size();
  const auto puts_s = [&](int times) {
    auto seconds = seconds_each(world, [&] { window.put(out, target, times); });
    for (double& each : seconds) each /= times;
    return seconds;
  };
  notes.time(&Rates::one_sided_s, puts_s(1));
  notes.time(&Rates::queued_put_s, puts_s(queued_puts));
}

}  // namespace steelyard::survey
