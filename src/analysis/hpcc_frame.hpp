// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "record/records.hpp"

namespace steelyard::analysis {

/// What the Summary of HPC Challenge says of the run and the machine rather than of a test.
struct HpccFrame {
  /// The memory file of the published suite: 1 of all processes, 2 of a thread, 3 of a process.
  struct Memory {
    std::int64_t code = 0;
    double said_mebibyte = 0, process_mebibyte = 0;
  };
  std::string version;                                          // of this program
  std::vector<std::string> benchmarks;                          // of the suite, that the plan has
  std::optional<double> tick_s;                                 // MPI_Wtick
  std::optional<double> threshold;                              // of the checks
  std::optional<std::int64_t> most_processes, least_processes;  // of the grids
  std::optional<Memory> memory;                                 // from which N was derived
  std::string transforms, transforms_version;                   // library; empty: none
  bool smooth_lengths = false;                                  // of transforms: factors 2, 3 and 5
};

/// Reads the frame from a run record.
[[nodiscard]] HpccFrame hpcc_frame(const record::RunRecord& run);

/// The keys that do not belong to a test, Success left out, with their values.
[[nodiscard]] record::Members hpcc_general_values(const HpccFrame& frame, int processes);

}  // namespace steelyard::analysis
