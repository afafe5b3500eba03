// SPDX-License-Identifier: Apache-2.0
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <vector>

#include "mpi/error.hpp"
#include "mpi/handle.hpp"
#include "suites/imb/sides.hpp"
#include "survey/probes.hpp"

namespace steelyard::survey {
namespace {

using suites::Rates;

constexpr int tag = 71, short_byte = 8, long_byte = 1 << 20, message_trials = 3, queued_puts = 100;
constexpr std::size_t checked_byte = 4 << 20;  // beyond what a library keeps for the next use
constexpr double long_enough_s = 1e-3;
// Of a kind of messages, however late it comes: enough on a quiet machine.
constexpr double least_s = 0.05;
// Where processors are busy each call may take some slices of time; a look of all processes is a call of its own.
constexpr int calls_between_looks = 4, calls_between_common_looks = 16;

/// What a process sends and receives; the first byte is not free.
struct Messages {
  explicit Messages(std::size_t bytes) : out(bytes, std::byte{1}), in(bytes) {}
  std::vector<std::byte> out, in;
};

/// Two processes that talk to one another; one that has nobody talks to itself.
class Pair {
 public:
  Pair(const mpi::Communicator& world, int distance) : world_(world), other_(partner(world, distance)) {}

  /// Calls in which a message goes to and fro; a process that has nobody exchanges with itself.
  [[nodiscard]] Calls turns(const ProbeClock& clock, int most, Messages& messages) const {
    return repeated(clock, most, messages, [&] {
      if (other_ == world_.rank()) return exchange(messages.out, messages.in);
      if (decides()) send(messages.out);
      receive(messages.in);
      if (!decides()) send(messages.out);
    });
  }
  [[nodiscard]] Calls exchanges(const ProbeClock& clock, int most, Messages& messages) const {
    return repeated(clock, most, messages, [&] { exchange(messages.out, messages.in); });
  }
  void exchange(std::span<std::byte> out, std::span<std::byte> in) const {
    mpi::check(
        MPI_Sendrecv(out.data(), static_cast<int>(out.size()), MPI_BYTE, other_, tag, in.data(),
                     static_cast<int>(in.size()), MPI_BYTE, other_, tag, world_.get(), MPI_STATUS_IGNORE),
        "MPI_Sendrecv");
  }

 private:
  /// The first of a pair looks at its clock and tells the other in each message whether another one follows: both make
  /// as many calls, without a call of all processes between them.
  template <class Call>
  Calls repeated(const ProbeClock& clock, int most, Messages& messages, Call call) const {
    Calls calls;
    const double start = MPI_Wtime();
    for (bool more = true; more; ++calls.made) {
      const bool looks = calls.made % calls_between_looks == calls_between_looks - 1;
      more = calls.made + 1 < most && (!decides() || !looks || clock.has_time());
      messages.out.front() = std::byte{more};
      call();
      if (!decides()) more = messages.in.front() == std::byte{true};
    }
    calls.seconds = MPI_Wtime() - start;
    return calls;
  }
  [[nodiscard]] bool decides() const { return world_.rank() <= other_; }
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

/// Rates of the messages between processes at one distance, by the shortest try of each.
struct PairRates {
  int distance;
  double Rates::*message_s;
  double Rates::*exchange_byte_s;
};

/// The first half of the time is that of the short messages. Collective.
void probe_pairs(const ProbeClock& clock, double from, double to, const PairRates& rates, RateNotes& notes) {
  const Pair pair(clock.world(), rates.distance);
  Messages small(short_byte), large(long_byte);
  const auto first = clock.until((from + to) / 2), second = clock.until(to);
  auto turns = seconds_each(first, long_enough_s, [&](int most) { return pair.turns(first, most, small); });
  for (double& seconds : turns) seconds /= 2;
  notes.best_time(rates.message_s, turns);
  notes.best_rate(rates.exchange_byte_s, long_byte, seconds_each(second, long_enough_s, [&](int most) {
                    return pair.exchanges(second, most, large);
                  }));
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

void probe_checks(const ProbeClock& clock, RateNotes& notes) {
  if (!clock.before(1)) return;
  const auto seconds = trials_in_time(clock, message_trials, [&] { return checking_s(clock.world()); });
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

void probe_messages(const ProbeClock& survey, Surveyed& surveyed) {
  constexpr double part_of_survey = 0.4, near_end = 0.3, far_end = 0.6, barrier_end = 0.8;
  const auto clock = survey.rest(part_of_survey, least_s);
  const int half = std::max(clock.world().size() / 2, 1);
  RateNotes notes(surveyed);
  probe_pairs(clock, 0, near_end, {1, &Rates::message_s, &Rates::exchange_byte_s}, notes);
  probe_pairs(clock, near_end, far_end, {half, &Rates::far_message_s, &Rates::far_exchange_byte_s}, notes);
  const auto barriers = clock.until(barrier_end);
  notes.best_time(&Rates::barrier_s, seconds_each(barriers, long_enough_s, [&](int most) {
    return calls_together(barriers, most, calls_between_common_looks, [&] { clock.world().barrier(); });
  }));
  probe_checks(clock, notes);
}

void probe_first_exchange(const ProbeClock& clock, Buffers buffers, RateNotes& notes) {
  if (buffers.empty()) return;
  const Pair pair(clock.world(), 1);
  auto buffer = buffers.begin();
  const auto seconds = trials_in_time(clock, static_cast<int>(buffers.size()), [&] {
    const auto& one = **buffer++;
    return seconds_together(clock.world(), [&] { pair.exchange(one.send(0), one.receive(0)); });
  });
  notes.mean_rate(&Rates::first_exchange_byte_s, static_cast<double>(buffers.front()->send(0).size()),
                  seconds);
}

void probe_one_sided(const ProbeClock& survey, Surveyed& surveyed) {
  constexpr double until = 0.5, windows_end = 0.8, puts_end = 0.9;
  const auto clock = survey.rest(until, least_s);
  const auto& world = clock.world();
  RateNotes notes(surveyed);
  const Window window(world);
  if (!window.made()) return;  // the benchmarks will tell the error
  notes.time(&Rates::window_s, trials_in_time(clock.until(windows_end), message_trials, [&] {
    return seconds_together(world, [&] { const Window one(world); });
  }));
  const std::vector<char> out(short_byte, 1);
  const int target = (world.rank() + 1) % world.size();
  const auto puts_s = [&](double end, int times) {
    const auto puts = clock.until(end);
    auto seconds = seconds_each(puts, long_enough_s, [&](int most) {
      return calls_together(puts, most, calls_between_common_looks, [&] { window.put(out, target, times); });
    });
    for (double& each : seconds) each /= times;
    return seconds;
  };
  notes.best_time(&Rates::one_sided_s, puts_s(puts_end, 1));
  notes.best_time(&Rates::queued_put_s, puts_s(1, queued_puts));
}

}  // namespace steelyard::survey
