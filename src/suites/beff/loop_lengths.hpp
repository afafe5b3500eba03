// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

/// How many iterations one loop of b_eff has. Pure; asked on one rank.
/// Source: 000_ea2d91109a99d1ca.txt section 4 (a loop takes between half of T and T, at least one iteration;
/// T was 5 ms); T, calibration and the shortened last two lengths as in the published release 3.6, whose T is
/// a share of 0.5 s (docs/suites/b-eff.md).
namespace steelyard::beff {

inline constexpr std::uint64_t pre_pass_iterations = 10;
/// Loops per pattern, method and repetition that estimates allow for: warm-up and calibration count too.
inline constexpr double loops_allowed = 4;
/// Repetitions in which the longest messages are measured when the last two lengths are shortened.
inline constexpr int repetitions_of_longest = 2;

struct LoopRule {
  double loop_time_s = 5e-3;  // T
  double growth = 2;          // a: ratio of neighbouring lengths above 4 kbyte
  int repetitions = 3;
  double last_two_limit_s = 60;
  bool shorten_last_two = true;
};

/// Loop lengths of one method in one repetition. Times are of the slowest process.
class LoopLengths {
 public:
  explicit LoopLengths(const LoopRule& rule) : rule_(rule) {}

  /// Loop of pre_pass_iterations iterations at the shortest length; once per pattern, before any other call.
  void add_pre_pass(double seconds) { pre_.add(seconds); }
  /// A loop of the current length has taken this long.
  void add(double seconds) { current_.add(seconds); }

  /// Iterations for length k = 0, 1, ..., asked once for each k in order, when all loops of k - 1 were added.
  [[nodiscard]] std::uint64_t next();

  /// Seconds that the last two lengths would take for `methods` methods on all patterns; after all loops of
  /// the last full length.
  [[nodiscard]] double last_two_estimate_s(int methods) const;

 private:
  struct Mean {
    double sum = 0, min = 0;
    int count = 0;
    void add(double seconds);
    [[nodiscard]] double value() const { return count == 0 ? 0 : sum / count; }
  };
  [[nodiscard]] double shrink() const;

  LoopRule rule_;
  Mean pre_, current_;
  std::uint64_t longest_ = 0, length_ = 0;
  int k_ = -1;
};

}  // namespace steelyard::beff
