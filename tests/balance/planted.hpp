// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "record/file.hpp"

/// Runs of a machine whose weakness is known, as records.
namespace steelyard::planted {

/// 8 nodes of 16 processes in which arithmetic, memory and network matter about equally.
struct Machine {
  int nodes = 8, each = 16;
  double flop_s = 25e9, peak_flop_s = 30e9, memory_byte_s = 9e9, ring_byte_s = 0.3e9, ring_latency_s = 3e-6;
  double node_memory_byte = 256e9;
  double slow_host_share = 1;  // of arithmetic and memory that the third host has
  double slow_host_link = 1;   // times as long that its messages take
  double slow_pair = 1;        // times as long that messages between the second and the fourth place take
  double scatter = 0.02;       // of repetitions, of hosts and of pairs
  double io_byte_s = 0, io_volume_byte = 0;  // 0: no files were measured
  double quota_cores = 0;                    // 0: none
  bool slow_blas = false;
  [[nodiscard]] int processes() const { return nodes * each; }
};

[[nodiscard]] record::Run run_of(const Machine& machine);

/// Marks the points of a benchmark as not representative.
void withhold(record::Run& run, const std::string& benchmark, const std::string& condition);
/// Takes the points of a benchmark away.
void remove(record::Run& run, const std::string& benchmark);

}  // namespace steelyard::planted
