// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "suites/beff/lengths.hpp"
#include "suites/beff/patterns.hpp"
#include "units/quantity.hpp"

namespace steelyard::beff {

/// The three programming methods. Source: 000_ea2d91109a99d1ca.txt section 4.
enum class Method { sendrecv, alltoallv, nonblocking };

inline constexpr std::array<Method, 3> methods = {Method::sendrecv, Method::alltoallv, Method::nonblocking};

[[nodiscard]] constexpr std::string_view text(Method method) {
  constexpr std::array<std::string_view, 3> names = {"Sndrcv", "Alltoal", "non-blk"};
  return names[static_cast<std::size_t>(method)];
}

/// What a user chose; the defaults are the rule.
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

/// -short: 2 repetitions, 6 polygons, loops of 0.5 ms. -test: 2 polygons, loops of 0.05 ms, 1 s for the last
/// two lengths.
[[nodiscard]] Settings shortened(Settings settings);
[[nodiscard]] Settings tested(Settings settings);
/// For a campaign of a minute: as -short, and the last two lengths in full only if they take a second.
[[nodiscard]] Settings hurried(Settings settings);

/// One sentence per departure from the rule; empty = official.
[[nodiscard]] std::vector<std::string> departures(const Settings& settings);

/// Whether -nopattern names this pattern: its whole name, or the beginning of an informative pattern's name.
[[nodiscard]] bool excluded(const Settings& settings, const Pattern& pattern);
/// Names that -nopattern accepts.
[[nodiscard]] std::vector<std::string> excludable_patterns();

/// Whether the message lengths are determined: by -lmax or by a memory of at least 1 MiB.
[[nodiscard]] bool has_lengths(const Settings& settings);
/// L_max. Throws std::domain_error without lengths.
[[nodiscard]] Bytes longest(const Settings& settings);
/// For a method that measures this many patterns.
[[nodiscard]] LoopRule loop_rule(const Settings& settings, std::size_t patterns);
/// T: what the settings say, else the pattern's share of a round.
[[nodiscard]] double loop_time_s(const Settings& settings, std::size_t patterns);

}  // namespace steelyard::beff
