// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

/// Quantities that a screening compares among nodes and links. Pure; readers that judge records use it too.
namespace steelyard::screen {

inline constexpr std::string_view suite_name = "screen";

struct Quantity {
  std::string_view name;  // in tables, options and verdicts; that of its benchmark but for pairs
  std::string_view unit;
  bool lower_is_better = false;
  double tolerance = 0.05;  // smaller differences do not count
  bool of_pairs = false;
};

inline constexpr auto quantities = std::to_array<Quantity>({
    {"dgemm", "flop/s"},
    {"fma", "flop/s"},
    {"triad", "byte/s"},
    {"numa_triad", "byte/s"},
    {"random_access", "update/s", false, 0.1},
    {"chase", "s", true, 0.1},
    {"disk", "byte/s", false, 0.2},
    {"bandwidth", "byte/s", false, 0.1, true},
    {"latency", "s", true, 0.2, true},
});

/// Number of tests of a node, without those of a disk and of NUMA domains, which many nodes lack: how far off
/// a node may be follows from it, whichever of them were selected.
inline constexpr int tests_of_nodes = 5;

/// Largest number of nodes whose links are measured one after the other, if nodes are; with more
/// there are too many.
inline constexpr int most_nodes_of_links_alone = 32;

/// Returns nullptr for another name.
[[nodiscard]] constexpr const Quantity* quantity(std::string_view name) {
  const auto found = std::ranges::find(quantities, name, &Quantity::name);
  return found == quantities.end() ? nullptr : &*found;
}

/// Logarithm of a value, signed such that more is better.
[[nodiscard]] inline double good(double value, const Quantity& quantity) {
  return quantity.lower_is_better ? -std::log(value) : std::log(value);
}

// Names of the tables of a run.
inline constexpr std::string_view node_table = "screen_nodes", node_again_table = "screen_nodes_again",
                                  pair_table = "pingpong_pairs", pair_again_table = "pingpong_pairs_again",
                                  verdict_table = "screen_verdicts";

}  // namespace steelyard::screen
