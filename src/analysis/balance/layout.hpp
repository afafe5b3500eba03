// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "analysis/balance/system.hpp"

/// How much of the random ring stays inside nodes. Source: 004_d8fcc96de81908c2.txt section 4.
namespace steelyard::balance {

/// seed: 1/n where any node holds 2 or more processes. expected: mean over all random orders, sum of
/// m (m - 1) / (P (P - 1)). exact: counted in the orders that were measured.
enum class IntraNode { seed, expected, exact };

/// Share of connections inside nodes by the first two rules; nothing if there are fewer than two processes.
[[nodiscard]] std::optional<double> intra_node_fraction(std::span<const int> processes_per_node,
                                                        IntraNode method);

/// The same counted: rings of ranks, and the node of each rank. Mean over the rings.
[[nodiscard]] double intra_node_fraction(std::span<const std::vector<int>> rings,
                                         std::span<const int> node_of_rank);

struct InterNode {
  double intra_fraction = 0;
  double per_process_byte_s = 0, per_node_byte_s = 0;
};
/// Bandwidth between nodes, given the share that stays inside them.
[[nodiscard]] std::optional<InterNode> inter_node(const System& system);

}  // namespace steelyard::balance
