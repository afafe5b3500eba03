// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "analysis/history/collection.hpp"

/// History of the nodes and links that screenings have named. Pure.
namespace steelyard::history {

/// A node, or a link between two, over the screenings that it was in.
struct NodeHistory {
  std::string machine, who;
  std::size_t named = 0, screened = 0;
  std::size_t in_a_row = 0;                       // newest screenings in a row that named it
  std::string first, last;                        // days on which it was named
  std::string verdict;                            // weightiest of all
  std::map<std::string, std::size_t> quantities;  // findings by quantity
  double worst_percent = 0;                       // the farthest off; 0: none was told
};

struct NodeHistories {
  std::vector<NodeHistory> nodes;  // those that were named most often first
  std::size_t screenings = 0;
  std::size_t nameless = 0;  // whose nodes have numbers for names: they cannot be followed
};

/// Histories from runs in the order of time.
[[nodiscard]] NodeHistories node_histories(std::span<const RunColumns> runs);

}  // namespace steelyard::history
