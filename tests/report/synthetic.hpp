// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "record/file.hpp"

/// Records of a run that nobody has measured, for the report.
namespace steelyard::synthetic {

struct Wish {
  std::string name = "alpha";
  std::size_t points = 400;  // of IMB, about
  double factor = 1;         // on all times
  bool suites = true;        // also b_eff, b_eff_io, HPC Challenge with summaries, overlap, pairs
};

/// FTIO of three sizes, rings by the processes of a node, times of the same work, an event about a cache.
void add_extras(record::Run& run);
/// When each point was measured, how fast the processors were, how far the clocks agreed; one partial point, one
/// with marks.
void add_times(record::Run& run);

/// One run with end record. Times follow latency + length / bandwidth with a repeatable wobble.
[[nodiscard]] record::Run run(const Wish& wish);

/// A screening of so many nodes: lion0017 (and every 64th after it) slow in triad, lion0018 in dgemm, lion0019 in chase;
/// the link from lion0003 to lion0040 at half its bandwidth.
[[nodiscard]] record::Run screening(int nodes);
/// The same with four switches, node by node in turn; links between them have 80 % of the bandwidth.
[[nodiscard]] record::Run screening_of_switches(int nodes);

/// A text that must stay a text: ends elements, starts comments, quotes, breaks lines, is not UTF-8, is a
/// token.
[[nodiscard]] std::string hostile();
/// The same run with that text wherever a record holds one.
[[nodiscard]] record::Run hostile_run();

/// Writes the run as a result file of a new directory.
void write(const record::Run& run, const std::string& directory);

}  // namespace steelyard::synthetic
