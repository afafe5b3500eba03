// SPDX-License-Identifier: Apache-2.0
#include "analysis/balance/layout.hpp"

#include <algorithm>
#include <numeric>

namespace steelyard::balance {

void set_layout(System& system, std::vector<int> processes_per_node) {
  system.inputs.set(Quantity::nodes, static_cast<double>(processes_per_node.size()));
  system.processes_per_node = std::move(processes_per_node);
}

std::optional<double> intra_node_fraction(std::span<const int> processes_per_node, IntraNode method) {
  double processes = 0, pairs = 0;
  for (const int m : processes_per_node) {
    processes += m;
    pairs += static_cast<double>(m) * (m - 1);
  }
  if (processes < 2) return std::nullopt;
  if (method == IntraNode::expected) return pairs / (processes * (processes - 1));
  return pairs > 0 ? 1 / static_cast<double>(processes_per_node.size()) : 0;
}

double intra_node_fraction(std::span<const std::vector<int>> rings, std::span<const int> node_of_rank) {
  std::size_t inside = 0, all = 0;
  const auto node = [&](int rank) { return node_of_rank[static_cast<std::size_t>(rank)]; };
  for (const auto& ring : rings) {
    for (std::size_t i = 0; i < ring.size(); ++i)
      if (node(ring[i]) == node(ring[(i + 1) % ring.size()])) ++inside;
    all += ring.size();
  }
  return all == 0 ? 0 : static_cast<double>(inside) / static_cast<double>(all);
}

std::optional<InterNode> inter_node(const System& system) {
  const auto share = system.inputs.get(Quantity::inter_node_share);
  const auto ring = system.inputs.get(Quantity::random_ring_byte_s);
  const auto nodes = system.nodes();
  if (!share || !ring || !nodes) return std::nullopt;
  const double per_process = *share * *ring;
  return InterNode{1 - *share, per_process, per_process * system.processes() / *nodes};
}

}  // namespace steelyard::balance
