// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "record/whereabouts.hpp"

namespace steelyard::record {

/// Number of a host (index into `hosts`) and number of consecutive ranks on it.
using RankStretches = std::vector<std::pair<int, int>>;

/// Stretches of `layout.ranks` in rank order, those of repeated hosts one by one. Empty if the layout does not tell them,
/// or tells more ranks than there are processes.
[[nodiscard]] RankStretches rank_stretches(const Whereabouts& where);

}  // namespace steelyard::record
