// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/acceptance/estimate.hpp"
#include "analysis/acceptance/judge.hpp"

/// What limits mean for an item. Of this folder alone.
namespace steelyard::acceptance {

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
