// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "record/records.hpp"

/// What the engine answers.
namespace steelyard::measure {

/// IMB's statistics over ranks of each rank's mean over everything timed.
struct RankSpread {
  double min_s = 0, max_s = 0, mean_s = 0;
  int slowest_rank = 0;       // in the active communicator
  double mean_rate_op_s = 0;  // mean over ranks of 1 / time; of a single pass
};

/// Mean rate of the ranks of a host.
struct HostRate {
  int rank = 0;  // its first, in the active communicator
  double rate_op_s = 0;
};

/// One repetition of a classic rule at one point. Not divided by time_divisor.
struct PassValues {
  int pass = 1;
  std::uint64_t ops = 0;
  RankSpread ranks;
  std::vector<HostRate> hosts = {};  // where the task asks for them and there are several
};

/// What was measured at one point, on rank 0 of the active communicator (others get an empty one).
struct Outcome {
  record::Status status = record::Status::ok;
  std::optional<record::Reason> reason;
  record::Schedule schedule;
  record::Statistics time;           // seconds per operation, divided by time_divisor; of the dominant state
  RankSpread classic;                // over all groups, divided
  std::vector<RankSpread> by_group;  // one per group
  std::vector<PassValues> passes;    // of a classic schedule: one per pass that measured the point
  std::vector<record::State> states;
  std::optional<record::Check> check;
  std::vector<double> single_times_s;  // of this rank, in the order of time, divided
  std::optional<double> disturbed_share, preempted_s, late_share;
  /// Median before the correction for the clock, where the flag clock_corrected is set; divided.
  std::optional<double> uncorrected_median_s;
  std::vector<std::string> flags;
  /// Spent on this point: timed, warm-up, everything else (trials, synchronisation, reduction, verification).
  double timed_s = 0, warmup_s = 0, overhead_s = 0;
};

/// Classic values of one pass, on rank 0 of the active communicator.
struct ClassicValues {
  RankSpread all;
  std::vector<RankSpread> by_group;
  std::vector<HostRate> hosts = {};  // of a single pass
};
/// Called on rank 0 of the active communicator when a point is finished, in the order in which points finish
/// (classic schedules), or in plan order as soon as those before it are (interleaved ones).
using Sink = std::function<void(std::size_t task, Outcome outcome)>;

/// Called on rank 0 of the active communicator now and then while points are measured in rounds: what is
/// known so far of those that were not handed over yet, finished or not (status partial), in plan order. A
/// process may be killed before they are.
struct SoFar {
  std::size_t task = 0;
  Outcome outcome;
};
using Keep = std::function<void(std::vector<SoFar>)>;

/// Asked on rank 0 of the active communicator between batches; true = stop in order.
using StopRequest = std::function<bool()>;

}  // namespace steelyard::measure
