// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <tuple>
#include <vector>

namespace steelyard::hpcc {

/// A value of one factor together with a value of another.
using ValuePair = std::tuple<std::size_t, int, std::size_t, int>;

/// Every pair of values of different factors; `levels`: how many values each factor has.
inline std::set<ValuePair> all_pairs(std::span<const int> levels) {
  std::set<ValuePair> pairs;
  for (std::size_t f = 0; f < levels.size(); ++f)
    for (std::size_t g = f + 1; g < levels.size(); ++g)
      for (int a = 0; a < levels[f]; ++a)
        for (int b = 0; b < levels[g]; ++b) pairs.insert({f, a, g, b});
  return pairs;
}

inline ValuePair ordered(std::size_t f, int a, std::size_t g, int b) {
  return f < g ? ValuePair{f, a, g, b} : ValuePair{g, b, f, a};
}

/// Few combinations in which every pair of values occurs: each is begun with a pair that is still missing,
/// and the other factors take the value that adds most.
inline std::vector<std::vector<int>> covering_combinations(std::span<const int> levels) {
  auto missing = all_pairs(levels);
  std::vector<std::vector<int>> rows;
  while (!missing.empty()) {
    std::vector<int> row(levels.size(), -1);
    const auto [f, a, g, b] = *missing.begin();
    row[f] = a;
    row[g] = b;
    for (std::size_t h = 0; h < levels.size(); ++h) {
      if (row[h] >= 0) continue;
      std::size_t most = 0;
      row[h] = static_cast<int>(rows.size()) % levels[h];
      for (int value = 0; value < levels[h]; ++value) {
        std::size_t adds = 0;
        for (std::size_t other = 0; other < levels.size(); ++other)
          if (other != h && row[other] >= 0) adds += missing.count(ordered(h, value, other, row[other]));
        if (adds <= most) continue;
        most = adds;
        row[h] = value;
      }
    }
    for (std::size_t i = 0; i < row.size(); ++i)
      for (std::size_t j = i + 1; j < row.size(); ++j) missing.erase({i, row[i], j, row[j]});
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace steelyard::hpcc
