// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/latency_bandwidth/saturation.hpp"

#include <algorithm>

#include "suites/hpcc/latency_bandwidth/ring_times.hpp"

namespace steelyard::hpcc {
namespace {

/// 1, 2, 4, ... and `most`.
std::vector<int> numbers_to(int most) {
  std::vector<int> numbers;
  for (int n = 1; n < most; n *= 2) numbers.push_back(n);
  numbers.push_back(most);
  return numbers;
}

}  // namespace

PlaceOnNode place_on_node(const mpi::Communicator& world) {
  const auto node = world.split_shared();
  const std::int64_t leads = node.rank() == 0 ? 1 : 0;
  return {node.rank(), static_cast<int>(world.sum(leads)),
          static_cast<int>(world.max(std::int64_t{node.size()}))};
}

Saturation saturation(const mpi::Communicator& world, const PlaceOnNode& place, const RingRule& rule,
                      std::uint64_t seed) {
  Saturation found;
  for (const int each : numbers_to(place.most_on_node)) {
    const auto some = world.split(place.before < each ? 0 : -1, world.rank());
    if (!some.valid()) continue;
    const auto times = ring_times(some, rule, seed);
    if (!world.is_root()) continue;
    found.processes.push_back(each);
    found.node_byte_s.push_back(static_cast<double>(rule.message_byte) * some.size() / place.nodes /
                                times.random_s);
  }
  return found;
}

}  // namespace steelyard::hpcc
