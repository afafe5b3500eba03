// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "analysis/history/rank_sums.hpp"
#include "stats/order.hpp"

/// Changes of a series, with a bound of the false alarms that holds for any distribution: rank tests over all
/// cuts, in the whole, in its parts and in windows (docs/history.md).
namespace steelyard::history {

struct Method {
  double alpha = 0.01;
  double threshold = 0.05;  // smaller changes do not count
};

/// Fewest entries that are tested.
inline constexpr std::size_t fewest_entries = 8;

struct Change {
  std::size_t cut = 0;  // the first entry after the change
  std::size_t first = 0,
              last = 0;  // cuts that are as likely: the change lies between entry first - 1 and entry last
  double p = 1;          // over all cuts of both stretches beside it, dependence counted
  double ratio = 1;      // after / before
  std::optional<stats::Interval> interval;  // of the ratio, 95 %, with 5 entries or more on both sides
  bool clear = false;  // the newest one: as far off the stretch before it as a suspicion has to be
};

struct Suspicion {
  std::size_t entries = 0;  // the newest ones: up to 4, more where an earlier cut explains the series better
  double ratio = 1;
};

struct Trend {
  double p = 1;
  double ratio = 1;  // over the whole series
};

struct Findings {
  std::vector<Change> changes;  // oldest first
  double p = 1;                 // of the whole series
  std::size_t tested = 0;       // stretches
  bool dependent = false;       // neighbours resemble one another
  std::optional<Suspicion> suspicion;
  std::optional<Trend> trend;
};

/// `logs`: natural logarithms in the order of time. A series with fewer than 8 is not tested.
[[nodiscard]] Findings find_changes(std::span<const double> logs, const Method& method, RankSums& ranks);

/// Number of entries after a clear change that are needed to prove it, given the number of those before it.
/// `tested`: stretches that are tested beside its two sides, by which p is multiplied as well as by these.
[[nodiscard]] std::size_t entries_needed(std::size_t before, double alpha, std::size_t tested);

}  // namespace steelyard::history
