// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "suites/hpcc/form.hpp"
#include "suites/hpcc/hpl/options.hpp"
#include "suites/hpcc/latency_bandwidth/rings.hpp"
#include "suites/hpcc/ptrans/data.hpp"
#include "suites/hpcc/sizes.hpp"
#include "suites/hpcc/stream/loops.hpp"

namespace steelyard::hpcc {

/// The user's choice of the BLAS, in the words of --blas.
struct BlasWish {
  enum class Kind { fastest, as_linked, named };
  Kind kind = Kind::as_linked;
  std::string file = {}, kernel = {};  // of a named one; kernel: empty if none was given
  bool operator==(const BlasWish&) const = default;
};
/// "fastest", "as-linked", "FILE:KERNEL"
[[nodiscard]] std::string text(const BlasWish& wish);

struct BlasInUse;

/// The memory that the problem was derived from, in the words of the published suite's memory file.
struct MemoryRule {
  int code = 0;  // 1: given for all processes, 2: for a thread, 3: for a process
  double said_mebibyte = 0;
  double process_mebibyte = 0;
};

/// Last-level cache that a process has by itself, and its share of it while all processes of
/// the node work. 0: not known.
struct CacheShare {
  std::int64_t alone_byte = 0, together_byte = 0;
  /// These sizes, or an assumed one, more than most cores have, where the machine tells none.
  [[nodiscard]] constexpr CacheShare or_assumed() const {
    constexpr std::int64_t assumed_byte = 64 << 20;
    if (alone_byte <= 0) return {assumed_byte, assumed_byte};
    return {alone_byte, together_byte > 0 ? together_byte : alone_byte};
  }
};

/// Repetitions and extent of the tests. The defaults are those of the published suite.
struct Effort {
  int repetitions = 3;  // of all tests whose number of trials has no rule
  int stream_trials = hpcc::stream_trials;
  int placements = ptrans_placements;
  double updates_share = 1;   // of the updates that the size of a table of RandomAccess asks for
  int cheap_repetitions = 0;  // at least, where passes are cheap beside making and checking the data
  friend bool operator==(const Effort&, const Effort&) = default;
};

/// Choices of the user. The sizes of all tests follow from the problem of the linear solver.
struct Settings {
  Problem problem;
  /// Memory of a process from which the sizes of the other tests follow where a budget decides; nullopt:
  /// they follow from the problem.
  std::optional<std::int64_t> memory_byte;
  std::int64_t most_byte = 0;  // that a process may use; 0: not known
  CacheShare cache;
  bool long_vectors = false;    // those of STREAM are as long as the cache asks
  bool representative = false;  // no test is smaller than it must be to stand for the machine
  /// Tests that a budget cannot hold, with the seconds of the whole campaign's budget that each needs.
  std::map<std::string, double, std::less<>> left_out;
  std::vector<std::int64_t> extra_orders, extra_blocks;  // of PTRANS alone
  hpl::Options solver;                                   // of the linear solver beyond the problem
  double threshold = default_threshold;
  std::optional<MemoryRule> memory;  // nullopt: no such file was used
  std::string derivation;            // a sentence: how the problem was found if nobody gave it
  std::uint64_t seed = 1;
  Form form = Form::optimized;
  LengthLimit limit = LengthLimit::wide;
  Smoothness fft = Smoothness::two;
  Effort effort;
  int solver_repetitions = 1;      // of each combination of the linear solver
  bool solver_detail = false;      // whether it tells the time of its phases
  bool solver_timeline = false;    // whether it tells when each process did what in one iteration
  std::optional<int> single_rank;  // nullopt: drawn by the seed
  double update_bound_s = 60;      // of one execution of MPIRandomAccess
  RingRule latency = latency_rule, bandwidth = bandwidth_rule;
  std::int64_t node_share_byte = 0;  // of all memory of the node, for one process; 0: not known
  int nodes = 1;                     // on which the processes lie
  int threads = 1;                   // of a process, for kernels that can use them
  BlasWish blas_wish;
  bool blas = true;       // whether there is one that can compute
  std::string blas_lack;  // why none can; empty where the program was built without one
  /// The BLAS that was chosen when the processes had started, the same on all of them; nullptr, as in a plan
  /// without processes: the one that the program was built with.
  std::shared_ptr<const BlasInUse> blas_in_use = {};
};

/// Rank that runs the Single tests: not 0 if there are others. Throws
/// std::invalid_argument for a choice outside.
[[nodiscard]] int single_rank(const Settings& settings, int world);

}  // namespace steelyard::hpcc
