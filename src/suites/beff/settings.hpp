// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "suites/beff/patterns.hpp"
#include "units/quantity.hpp"

namespace steelyard::beff {

// Message lengths of b_eff. Source: b_eff paper, 3.1 and 4, and the b_eff 3.6 page. Pure.

inline constexpr int length_count = 21;
inline constexpr int fixed_lengths = 13;  // 1 byte .. 4 kbyte, doubling
/// Number of the last length that is always measured in full; the last two after it may be shortened.
inline constexpr int last_full_length = length_count - 3;
using Lengths = std::array<Bytes, length_count>;

/// Longest message: 1/128 of the memory per process, given in units of 2^20 byte, but at most 128 Mbyte.
/// Requires mebibytes >= 1.
[[nodiscard]] Bytes longest_message(std::int64_t mebibytes_per_process);

/// Ratio of neighbouring lengths above 4 kbyte: (L_max / 4096)^(1/8).
[[nodiscard]] double growth(Bytes longest);

/// Shortest L_max with which all lengths differ: below it two of the last eight are rounded to the same byte.
inline constexpr Bytes shortest_longest{4104};

/// Lengths 2^k for k = 0..12, then geometric to `longest`. Throws std::domain_error below shortest_longest.
[[nodiscard]] Lengths message_lengths(Bytes longest);

/// Longest message in bytes of which one iteration is sent once more, with contents that differ in every
/// byte, and compared whole.
inline constexpr std::int64_t longest_whole_check = 64 * 1024;

/// Bytes of the send and of the receive buffer of one process: six slots of the longest message, padded.
[[nodiscard]] Bytes buffer_size(Bytes longest);

// Number of iterations of a loop of b_eff. Pure; asked on one rank.
// Source: b_eff paper, 4 (a loop takes between half of T and T, at least one iteration; T was 5 ms); T,
// calibration and the shortened last two lengths as in the published release 3.6, whose T is a share of 0.5 s
// (docs/suites/b-eff.md).

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

  /// Adds a loop of pre_pass_iterations iterations at the shortest length; once per pattern,
  /// before any other call.
  void add_pre_pass(double seconds) { pre_.add(seconds); }
  /// Adds a loop of the current length.
  void add(double seconds) { current_.add(seconds); }

  /// Iterations for length k = 0, 1, ..., asked once for each k in order, after all loops of
  /// the length before.
  [[nodiscard]] std::uint64_t next();

  /// Seconds that the last two lengths would take for `methods` methods on all patterns. Asked after all
  /// loops of the last full length.
  [[nodiscard]] double last_two_estimate_s(int methods) const;

 private:
  struct Mean {
    double sum = 0, min = 0;
    int count = 0;
    void add(double seconds);
    [[nodiscard]] double value() const { return count == 0 ? 0 : sum / count; }
  };
  [[nodiscard]] double shrink() const { return k_ < fixed_lengths ? 2 : rule_.growth; }

  LoopRule rule_;
  Mean pre_, current_;
  std::uint64_t longest_ = 0, length_ = 0;
  int k_ = -1;
};

// Choices of the user.

/// The three programming methods. Source: b_eff paper, 4.
enum class Method { sendrecv, alltoallv, nonblocking };

inline constexpr std::array<Method, 3> methods = {Method::sendrecv, Method::alltoallv, Method::nonblocking};

[[nodiscard]] constexpr std::string_view text(Method method) {
  constexpr std::array<std::string_view, 3> names = {"Sndrcv", "Alltoal", "non-blk"};
  return names[static_cast<std::size_t>(method)];
}

/// Choices of the user; the defaults are the rule.
struct Settings {
  std::int64_t memory_mebibyte = 0;  // per process; needed before a plan is made
  std::optional<Bytes> longest;      // -lmax instead of the memory rule
  std::uint64_t seed = 1;
  int polygons = 30;
  int repetitions = 3;
  std::optional<double> loop_time_s;  // instead of each loop's share of a round
  double last_two_limit_s = 60;
  bool shorten_last_two = true;
  std::vector<Method> without_methods;
  std::vector<std::string>
      without_patterns;               // names of informative patterns, "worst-cyc-1dim" or a family "cyclic"
  std::optional<double> rmax_flop_s;  // of the same processes, for the balance factor
  std::string mark;                   // SHORT, TEST: printed after b_eff; empty otherwise
  std::optional<double> needs_budget_s;  // of a campaign whose budget does not hold it: it is left out
};

/// Settings of -short: 2 repetitions, 6 polygons, loops of 0.5 ms.
/// And of -test: 2 polygons, loops of 0.05 ms, 1 s for the last two lengths.
[[nodiscard]] Settings shortened(Settings settings);
[[nodiscard]] Settings tested(Settings settings);
/// Settings for a campaign of a minute: as -short, and the last two lengths in full only if they
/// take at most a second.
[[nodiscard]] Settings hurried(Settings settings);

/// One sentence per departure from the rule; empty if official.
[[nodiscard]] std::vector<std::string> departures(const Settings& settings);

/// Whether -nopattern names this pattern: its whole name, or the beginning of an informative pattern's name.
[[nodiscard]] bool excluded(const Settings& settings, const Pattern& pattern);

/// Whether the message lengths are determined: by -lmax or by a memory of at least 1 MiB.
[[nodiscard]] bool has_lengths(const Settings& settings);
/// Longest message L_max. Throws std::domain_error without lengths.
[[nodiscard]] Bytes longest(const Settings& settings);
/// Rule for the loops of a method that measures this many patterns.
[[nodiscard]] LoopRule loop_rule(const Settings& settings, std::size_t patterns);
/// Time T of a loop: what the settings say, else the pattern's share of a round.
[[nodiscard]] double loop_time_s(const Settings& settings, std::size_t patterns);

}  // namespace steelyard::beff
