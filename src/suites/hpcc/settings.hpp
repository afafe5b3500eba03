// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "suites/hpcc/form.hpp"
#include "suites/hpcc/hpl/options.hpp"
#include "suites/hpcc/latency_bandwidth/rings.hpp"
#include "suites/hpcc/sizes.hpp"

namespace steelyard::hpcc {

/// Which BLAS computes: the one that the program was built with, or the fastest of those installed
/// (--blas-trial).
enum class BlasChoice { linked, fastest };

/// The memory that the problem was derived from, in the words of the published suite's memory file.
struct MemoryRule {
  int code = 0;  // 1: said of all processes, 2: of a thread, 3: of a process
  double said_mebibyte = 0;
  double process_mebibyte = 0;
};

/// What the user may choose. The sizes of all tests follow from the problem of the linear solver.
struct Settings {
  Problem problem;
  std::vector<std::int64_t> extra_orders, extra_blocks;  // of PTRANS alone
  hpl::Options solver;                                   // of the linear solver beyond the problem
  double threshold = default_threshold;
  std::optional<MemoryRule> memory;  // nothing: no such file was used
  std::string derivation;            // how the problem came about where nobody said it, a sentence
  std::uint64_t seed = 1;
  Form form = Form::optimized;
  LengthLimit limit = LengthLimit::wide;
  Smoothness fft = Smoothness::two;
  int repetitions = 3;                     // of all tests whose number of trials has no rule
  int solver_repetitions = 1;              // of each combination of the linear solver
  bool solver_detail = false;              // whether it tells the time of its phases
  bool solver_timeline = false;            // whether it tells when each process did what in one iteration
  std::optional<int> single_rank;          // nothing: drawn by the seed
  double update_bound_s = 60;              // of one execution of MPIRandomAccess
  std::int64_t last_level_cache_byte = 0;  // 0: vectors of STREAM by memory alone
  RingRule latency = latency_rule, bandwidth = bandwidth_rule;
  std::int64_t node_share_byte = 0;  // of all memory of the node, for one process; 0: not known
  int threads = 1;                   // of a process, for kernels that can use them
  BlasChoice blas_choice = BlasChoice::linked;
  bool blas = true;                   // whether the program was built with one
};

/// The rank that runs the Single tests: not 0 if there are others. Throws std::invalid_argument for a choice
/// outside.
[[nodiscard]] int single_rank(const Settings& settings, int world);

}  // namespace steelyard::hpcc
