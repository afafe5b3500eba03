// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/acceptance/judge.hpp"
#include "analysis/acceptance/selection.hpp"
#include "stats/order.hpp"

/// What some launches say of one value. Of this folder alone.
namespace steelyard::acceptance {

/// Spread between launches that is believed without proof, as in a comparison.
inline constexpr double least_spread = 0.02;

struct Estimate {
  double value = 0;
  std::optional<stats::Interval> interval;  // nothing: the values themselves decide
  double spread = 0;                        // sd of ln between launches that the interval was made with
  std::size_t launches = 0;
  std::size_t decisive = 0;  // launch of the value, of best, worst and every
};

/// Median of 6 or more: order statistics. 2 to 5, or a mean: normal in ln with the largest of their own spread, the
/// pooled one and 2 %. One: its own interval and a spread of 2 %. `best`, `worst`, `every`: no interval.
/// At least one reading.
[[nodiscard]] Estimate estimate(const Item& item, Combine combine, double level, double pooled);

/// The same of the ratio to another estimate, as an interval of value: by the distribution of ranks where both have 5
/// launches or more and are medians, else normal in ln.
[[nodiscard]] std::optional<stats::Interval> against(const Estimate& value, const Item& of,
                                                     const Estimate& reference, const Item& reference_of,
                                                     Combine combine);

/// Launches after which a value that is so far from the limit (as a ratio) would be decided with power 80 %; nothing
/// for more than 100.
[[nodiscard]] std::optional<int> launches_needed(double value_over_limit, double spread, double level);

// What limits mean for an item. Of this folder alone.

/// A limit as a number in the unit of the item, or why there is none.
struct Threshold {
  double base = 0;  // X; of an amount the amount
  double value = 0;
  std::string missing;  // why X is not known; empty: it is
  std::optional<Item> reference_item = {};
  std::optional<Estimate> reference = {};
};

/// What limits are looked up in.
struct Sources {
  const Criteria& criteria;
  const Named& references;
  const std::vector<balance::System>& published;
  Launches launches;
  std::optional<double> median;  // of the items of a table
};

/// Throws BadCriteria for a unit of another kind and for a reference or system that nobody named.
[[nodiscard]] Threshold resolve(const Limit& limit, const Criterion& criterion, const Item& item,
                                const Sources& sources);

}  // namespace steelyard::acceptance
