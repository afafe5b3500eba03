// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "mpi/communicator.hpp"
#include "survey/surveyed.hpp"

/// What the probes of a survey share.
namespace steelyard::survey {

/// The time of a survey. All decisions are those of the first process.
class ProbeClock {
 public:
  ProbeClock(const mpi::Communicator& world, double limit_s) : world_(world), limit_s_(limit_s) {}
  [[nodiscard]] const mpi::Communicator& world() const { return world_; }
  [[nodiscard]] double elapsed_s() const { return MPI_Wtime() - start_s_; }
  /// Whether less than this part of the time has passed. Collective.
  [[nodiscard]] bool before(double part) const { return world_.broadcast(elapsed_s() < part * limit_s_); }

 private:
  const mpi::Communicator& world_;
  double limit_s_;
  double start_s_ = MPI_Wtime();
};

/// Seconds of a call that all processes make at once, of the slowest one. Collective.
template <class Call>
double seconds_together(const mpi::Communicator& world, Call call) {
  world.barrier();
  const double start = MPI_Wtime();
  call();
  return world.max(MPI_Wtime() - start);
}

/// Seconds of a call of the first process while the others sleep. Collective.
template <class Call>
double seconds_alone(const mpi::Communicator& world, Call call) {
  double seconds = 0;
  world.barrier();
  if (world.is_root()) {
    const double start = MPI_Wtime();
    call();
    seconds = MPI_Wtime() - start;
  }
  world.sleepy_barrier();
  return world.broadcast(seconds);
}

/// Notes a rate by the seconds of its trials: work over the median, or the median itself for a time. Of a
/// rate that is noted again the better one stays: others' work disturbs many trials in a row.
class RateNotes {
 public:
  explicit RateNotes(Surveyed& surveyed) : surveyed_(surveyed) {}
  void rate(double suites::Rates::* which, double work, std::vector<double> seconds) {
    const double value = work / median(seconds);
    const bool again = std::ranges::find(surveyed_.assumed, name_of(which)) == surveyed_.assumed.end();
    if (!again || value > surveyed_.rates.*which) note(which, value, seconds);
  }
  void time(double suites::Rates::* which, std::vector<double> seconds) {
    note(which, median(seconds), seconds);
  }

 private:
  static double median(std::vector<double>& seconds) {
    std::ranges::sort(seconds);
    return std::max(seconds[seconds.size() / 2], shortest_s);
  }
  void note(double suites::Rates::* which, double value, const std::vector<double>& sorted) {
    surveyed_.rates.*which = value;
    const auto name = name_of(which);
    std::erase(surveyed_.assumed, name);
    surveyed_.spread[std::string(name)] = sorted.back() / std::max(sorted.front(), shortest_s) - 1;
  }
  static std::string_view name_of(double suites::Rates::* which) {
    return std::ranges::find(suites::rate_fields, which, &suites::RateField::value)->name;
  }

  static constexpr double shortest_s = 1e-9;
  Surveyed& surveyed_;
};

}  // namespace steelyard::survey
