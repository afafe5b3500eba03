// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "record/records.hpp"

namespace steelyard::analysis {

/// Values of the Summary of HPC Challenge that belong to the run or the machine, not to a test.
struct HpccFrame {
  /// The memory file of the published suite: 1 of all processes, 2 of a thread, 3 of a process.
  struct Memory {
    std::int64_t code = 0;
    double said_mebibyte = 0, process_mebibyte = 0;
  };
  /// Schedule of the tests; what is not told is taken for that of the rules.
  struct Schedule {
    std::optional<std::int64_t> stream_trials, placements, ring_patterns;
    std::optional<double> updates_share, update_bound_s;
  };
  std::string version;                                          // of this program
  std::vector<std::string> benchmarks;                          // of the suite, that the plan has
  std::optional<double> tick_s;                                 // MPI_Wtick
  std::optional<double> threshold;                              // of the checks
  std::optional<std::int64_t> most_processes, least_processes;  // of the grids
  std::optional<Memory> memory;                                 // from which N was derived
  Schedule schedule;                                            // of the tests
  std::string transforms, transforms_version;                   // library; empty: none
  bool smooth_lengths = false;                                  // of transforms: factors 2, 3 and 5
};

/// Reads the frame from a run record.
[[nodiscard]] HpccFrame hpcc_frame(const record::RunRecord& run);

/// Part of the schedule that is shorter than the rules of the suite ask.
struct HpccShortage {
  std::vector<std::string_view> benchmarks;  // that it concerns
  std::string_view figure;                   // the one that it concerns of these; empty: all
  std::string words;                         // "STREAM: fewer than 10 trials"
};

/// What of the schedule is shorter than the rules ask, whichever benchmarks were measured. Pure.
[[nodiscard]] std::vector<HpccShortage> hpcc_shortages(const HpccFrame& frame);

/// The keys that do not belong to a test, Success left out, with their values.
[[nodiscard]] record::Members hpcc_general_values(const HpccFrame& frame, int processes);

/// Median of the times, in s, of all executions of a test on their slowest process, whatever the state of the
/// machine, as `time_s` is of the state with most visits; without the trial of STREAM that warms up. Most rates are of
/// this time, that of STREAM of the shortest execution, that of PTRANS of the slowest placement. That of `time_s` if
/// the record does not tell them; nullopt without either. Of a strict run, whose figures are those of the first
/// execution, its time. Pure.
[[nodiscard]] std::optional<double> hpcc_typical_s(const record::PointRecord& point);

// The Summary of HPC Challenge of one run, from its records alone. Pure.

/// The summary record "hpcc". classic: every key of hpcc::summary_keys() in their order, the initial value where a
/// test was not measured; of several combinations of PTRANS and of the linear solver the fastest gives its
/// keys; after them ours, which begin with Sy_: version, libraries, kind of run, and of every test but
/// LatencyBandwidth the median of its times and their spread, (largest - smallest) / median, and the part of
/// its memory in huge pages. Success is 1 if every point of the plan was measured and verified and residuals
/// had a threshold above 0; that one process exchanges no messages is no failure. official: a base run with the linear
/// solver, every test of the plan measured by the schedule and in the size that the rules ask for, checked and right;
/// what is not is a reason each. values: what a balance
/// analysis needs, in byte/s, flop/s, update/s and s, absent where not measured. Points of other suites are
/// ignored. Returns nullopt if there are none of hpcc.
[[nodiscard]] std::optional<record::SummaryRecord> hpcc_summary(std::span<const record::PointRecord> points,
                                                                const HpccFrame& frame = {});

}  // namespace steelyard::analysis
