// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "measure/buffers.hpp"
#include "mpi/communicator.hpp"
#include "survey/rates_store.hpp"
#include "survey/survey.hpp"

/// Parts that the probes of a survey share.
namespace steelyard::survey {

/// The time of a survey. All decisions are those of the first process.
class ProbeClock {
 public:
  ProbeClock(const mpi::Communicator& world, double limit_s) : world_(world), limit_s_(limit_s) {}
  [[nodiscard]] const mpi::Communicator& world() const { return world_; }
  [[nodiscard]] double elapsed_s() const { return MPI_Wtime() - start_s_; }
  /// Whether less than this part of the time has passed. Collective.
  [[nodiscard]] bool before(double part) const { return world_.broadcast(has_time(part)); }
  /// The same by the clock of this process alone.
  [[nodiscard]] bool has_time(double part = 1) const { return elapsed_s() < part * limit_s_; }
  /// A clock that began when this one did, with this part of its time.
  [[nodiscard]] ProbeClock until(double part) const {
    ProbeClock clock = *this;
    clock.limit_s_ *= part;
    return clock;
  }
  /// A clock that begins now, with what is left of this part of the time, and so many seconds at least.
  [[nodiscard]] ProbeClock rest(double part, double least_s) const {
    return {world_, std::max(part * limit_s_ - elapsed_s(), least_s)};
  }

 private:
  const mpi::Communicator& world_;
  double limit_s_;
  double start_s_ = MPI_Wtime();
};

/// Seconds that the slowest process takes for a call that all make at once. Collective.
template <class Call>
double seconds_together(const mpi::Communicator& world, Call call) {
  world.barrier();
  const double start = MPI_Wtime();
  call();
  return world.max(MPI_Wtime() - start);
}

/// Seconds of at most so many trials, which end when the time does; one is always made. Collective.
template <class Trial>
std::vector<double> trials_in_time(const ProbeClock& clock, int most, Trial trial) {
  std::vector<double> seconds{trial()};
  while (std::ssize(seconds) < most && clock.before(1)) seconds.push_back(trial());
  return seconds;
}

/// Seconds that some calls took, and their number.
struct Calls {
  double seconds = 0;
  int made = 0;
};

/// Calls that all make together, with a look at the agreed clock after a few: each may take a slice of time where
/// processors are busy. Collective.
template <class Call>
Calls calls_together(const ProbeClock& clock, int most, int between_looks, Call call) {
  Calls calls;
  do {
    const int some = std::min(between_looks, most - calls.made);
    const double start = MPI_Wtime();
    for (int i = 0; i < some; ++i) call();
    calls.seconds += MPI_Wtime() - start;
    calls.made += some;
  } while (calls.made < most && clock.before(1));
  return calls;
}

/// Seconds of one call, the shortest first, of tries in a row that are long enough: `some(most)` makes so many calls
/// or, where the time ends, fewer. A try that lost a slice of time may be long enough with too few calls; a short one
/// after it asks for more. The best counts that an MPI_Wtime of microseconds can see. Empty without time. Collective.
template <class Some>
std::vector<double> seconds_each(const ProbeClock& clock, double long_enough_s, Some some) {
  constexpr int tries = 3, most_calls = 1 << 24;
  std::vector<double> seconds;
  double shortest_s = std::numeric_limits<double>::infinity();
  const auto& world = clock.world();
  if (clock.before(1)) some(1);  // the first call finds nothing prepared
  for (int count = 1; std::ssize(seconds) < tries && clock.before(1);) {
    world.barrier();
    const Calls calls = some(count);
    const double try_s = world.max(calls.seconds), each_s = world.max(calls.seconds / calls.made);
    const bool long_enough = try_s >= long_enough_s || count >= most_calls;
    if (long_enough || try_s >= long_enough_s / 8) shortest_s = std::min(shortest_s, each_s);
    if (long_enough) {
      seconds.push_back(each_s);
    } else {
      seconds.clear();
      count *= 2;
    }
  }
  if (std::isfinite(shortest_s)) seconds.push_back(shortest_s);
  std::ranges::sort(seconds);
  return seconds;
}

/// Processor time that a process gets while it computes. A quota, or a host whose processes are stopped,
/// takes its part in intervals that are longer than the trials of a survey: most trials see none of it, work
/// of some seconds sees all. So trials are timed in seconds of processors, and rates are multiplied by the
/// part that all trials together were given.
class ProcessorTime {
 public:
  explicit ProcessorTime(const mpi::Communicator& world) : world_(world) {}
  [[nodiscard]] const mpi::Communicator& world() const { return world_; }
  /// Seconds that the slowest process takes for a computation of all at once, as if each had a
  /// processor of its own. Collective.
  template <class Call>
  double seconds_together(Call call) {
    world_.barrier();
    return world_.max(timed(call));
  }
  /// Seconds of a computation of the first process while the others sleep. Collective.
  template <class Call>
  double seconds_alone(Call call) {
    world_.barrier();
    const double seconds = world_.is_root() ? timed(call) : 0;
    world_.sleepy_barrier();
    return world_.broadcast(seconds);
  }
  /// Part of a processor that the process which got least was given, up to 1. Collective.
  [[nodiscard]] double share() const {
    constexpr double least = 0.01;
    return world_.min(wall_ > 0 ? std::max(used_ / wall_, least) : 1.0);
  }

 private:
  template <class Call>
  double timed(Call call) {
    const double start = MPI_Wtime(), start_of_processor = of_processor();
    call();
    const double wall = MPI_Wtime() - start;
    // Threads use several processors; the clock counts while they get more than one.
    const double used = std::min(of_processor() - start_of_processor, wall);
    wall_ += wall;
    used_ += used;
    return used;
  }
  static double of_processor() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  }

  const mpi::Communicator& world_;
  double wall_ = 0, used_ = 0;
};

/// Notes of rates by the seconds of their trials: work over the median, or the median itself for a time. Of a
/// rate that is noted again the better value stays: others' work disturbs many trials in a row.
class RateNotes {
 public:
  explicit RateNotes(Surveyed& surveyed) : surveyed_(surveyed) {}
  void rate(double suites::Rates::*which, double work, std::vector<double> seconds) {
    const double value = work / median(seconds);
    const bool again = std::ranges::find(surveyed_.assumed, name_of(which)) == surveyed_.assumed.end();
    if (!again || value > surveyed_.rates.*which) note(which, value, seconds);
    rates_.push_back(which);
  }
  /// Notes a rate by all trials together: work that is done only once or twice meets the slow ones too.
  void mean_rate(double suites::Rates::*which, double work, std::vector<double> seconds) {
    const double sum_s = std::accumulate(seconds.begin(), seconds.end(), 0.0);
    std::ranges::sort(seconds);
    note(which, work * static_cast<double>(seconds.size()) / std::max(sum_s, shortest_s), seconds);
  }
  /// Note the best of sorted trials: one that lost a slice of its time is no rate. Nothing where there are none.
  void best_time(double suites::Rates::*which, const std::vector<double>& sorted) {
    if (!sorted.empty()) note(which, std::max(sorted.front(), shortest_s), sorted);
  }
  void best_rate(double suites::Rates::*which, double work, const std::vector<double>& sorted) {
    if (!sorted.empty()) note(which, work / std::max(sorted.front(), shortest_s), sorted);
  }
  /// Multiplies every rate that was noted here by this part, which processors give of their time.
  void scale(double share) const {
    for (const auto& field : suites::rate_fields)
      if (std::ranges::find(rates_, field.value) != rates_.end()) surveyed_.rates.*field.value *= share;
  }
  void time(double suites::Rates::*which, std::vector<double> seconds) {
    note(which, median(seconds), seconds);
  }

 private:
  static double median(std::vector<double>& seconds) {
    std::ranges::sort(seconds);
    return std::max(seconds[seconds.size() / 2], shortest_s);
  }
  void note(double suites::Rates::*which, double value, const std::vector<double>& sorted) {
    surveyed_.rates.*which = value;
    const auto name = name_of(which);
    std::erase(surveyed_.assumed, name);
    surveyed_.spread[std::string(name)] = sorted.back() / std::max(sorted.front(), shortest_s) - 1;
  }
  static std::string_view name_of(double suites::Rates::*which) {
    return std::ranges::find(suites::rate_fields, which, &suites::RateField::value)->name;
  }

  static constexpr double shortest_s = 1e-9;
  Surveyed& surveyed_;
  std::vector<double suites::Rates::*> rates_;
};

// The probes of a survey, each in a source of its own. All are collective over the world of the clock and
// leave out what finds no time. They throw mpi::Error.

/// Measures memory that is used for the first time.
void probe_memory(const ProbeClock& clock, const Wishes& wishes, Surveyed& surveyed);
/// Bytes that kernels of a process work on while all processes work, and while the others wait.
struct Reach {
  std::int64_t together_byte = 0, alone_byte = 0;
};
/// Four times the caches, for one process alone three times, within a quarter of a process's memory, and no more than
/// can be used for the first time at this rate while the survey has other things to do; 32 MiB at least where that quarter
/// has them. Pure.
[[nodiscard]] Reach reach_of(const Wishes& wishes, double touch_byte_s);
/// Measures products, triad, random updates and transforms, of all processes at once and of one alone; random
/// updates over all processes.
void probe_kernels(const ProbeClock& clock, const Wishes& wishes, Surveyed& surveyed);
/// Measures panels of the linear solver.
void probe_solver(const ProbeClock& clock, const Wishes& wishes, Surveyed& surveyed);
/// Measures short and long messages near and far, and barriers.
void probe_messages(const ProbeClock& clock, Surveyed& surveyed);
/// Buffers of this process; as many on all processes.
using Buffers = std::span<const std::unique_ptr<measure::Arena>>;
/// Measures messages of neighbours between buffers that no message has met, one after the other. Pages that
/// one process copies out of another for the first time can take ten times as long, on virtual machines.
void probe_first_exchange(const ProbeClock& clock, Buffers buffers, RateNotes& notes);
void probe_one_sided(const ProbeClock& clock, Surveyed& surveyed);
/// Measures transforms of rows that lie on all processes.
void probe_rows(const ProbeClock& clock, Surveyed& surveyed);
/// Measures calls, transfers and synchronisation of a file of each process, and collective calls. Collective
/// over the world; writes for a part of the survey's seconds, however late it is.
void probe_files(const mpi::Communicator& world, const Wishes& wishes, Surveyed& surveyed);

}  // namespace steelyard::survey
