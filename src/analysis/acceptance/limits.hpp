// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/acceptance/judge.hpp"
#include "analysis/acceptance/selection.hpp"
#include "stats/order.hpp"

/// Estimates from the launches of one value. Internal to this folder.
namespace steelyard::acceptance {

/// Spread between launches that is believed without proof, as in a comparison.
inline constexpr double least_spread = 0.02;

struct Estimate {
  double value = 0;
  std::optional<stats::Interval> interval = {};  // nullopt: the values themselves decide
  double spread = 0;                             // sd of ln between launches that the interval was made with
  std::size_t pooled = 1;                        // values that such a spread is of
  std::size_t launches = 0;
  std::size_t decisive = 0;  // launch that gives the value, for best, worst and every
};

/// sd of ln between the launches of an item, as they were measured; least_spread, which is assumed, for fewer than two.
[[nodiscard]] double seen_spread(const Item& item);

/// How far its interval reaches; nothing without one.
[[nodiscard]] Reach reach_of(const Estimate& found);

/// Half of the interval in ln that so many launches will have that scatter as those of the item did.
[[nodiscard]] double half_of_launches(const Item& item, const Estimate& found, double level,
                                      std::size_t launches);

/// Estimate of an item's value. Median of 6 or more launches: interval by order statistics. Fewer, a mean, or too few
/// for the confidence: by Student's t in ln, with the larger of their own spread and the pooled one, no less than with
/// 2 % that are assumed; a single launch has its own interval beside it. `best`, `worst`, `every`: no interval.
/// Requires a reading.
[[nodiscard]] Estimate estimate(const Item& item, Combine combine, double level, const Pool& pool);

/// The launch that is nearest to a bound or furthest beyond it: the largest value for an upper one, else the
/// smallest. No interval. Requires a reading.
[[nodiscard]] Estimate outermost(const Item& item, bool upper);

/// Interval of the value that includes the uncertainty of a reference beside it: by the distribution of ranks
/// if both are medians of 5 launches or more, and of enough for the level, else both joined in ln.
[[nodiscard]] std::optional<stats::Interval> against(const Estimate& value, const Item& of,
                                                     const Estimate& reference, const Item& reference_of,
                                                     Combine combine, double level);

/// How far a value is from its limit, and what makes that uncertain: all in ln, none negative.
struct Distance {
  double log = 0;
  double spread = 0;       // sd between launches
  std::size_t pooled = 1;  // values that it is pooled over
  double other = 0;        // how far the interval of a reference reaches
};

/// Launches, two or more, after which a value so far from the limit would be decided with power 80 %, by the interval that so many
/// have; nullopt if more than 100 are needed.
[[nodiscard]] std::optional<int> launches_needed(const Distance& distance, Combine combine, double level);

// Limits resolved for an item. Internal to this folder.

/// A limit as a number in the unit of the item, or why there is none.
struct Threshold {
  double base = 0;  // X, of which the limit is a share; of an amount the amount itself
  double value = 0;
  std::string missing;  // why X is not known; empty: it is
  std::optional<Item> reference_item = {};
  std::optional<Estimate> reference = {};
};

/// Sources in which limits are looked up.
struct Sources {
  const Criteria& criteria;
  const Named& references;
  const std::vector<balance::System>& published;
  Launches launches;
  std::optional<double> median;  // of the items of a table
};

/// Resolves a limit. Throws BadCriteria for a unit of another kind and for an unknown reference or system.
[[nodiscard]] Threshold resolve(const Limit& limit, const Criterion& criterion, const Item& item,
                                const Sources& sources);

}  // namespace steelyard::acceptance
