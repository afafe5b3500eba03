// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/latency_bandwidth/rings.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "suites/hpcc/congruence.hpp"

namespace steelyard::hpcc {
namespace {

constexpr std::int64_t fewest_pings = 5;
constexpr double ticks_per_loop = 10;

std::vector<int> random_ring(int processes, Random& random) {
  constexpr int vacant = -1;
  std::vector<int> ring(static_cast<std::size_t>(processes), vacant);
  for (int rank = 0; rank < processes; ++rank) {
    auto place = static_cast<std::size_t>(random.below(processes));
    while (ring[place] != vacant) place = (place + 1) % ring.size();
    ring[place] = rank;
  }
  return ring;
}

bool is_prime(int n) {
  for (int d = 2; d * d <= n; ++d)
    if (n % d == 0) return false;
  return n > 1;
}

}  // namespace

std::vector<std::vector<int>> ring_patterns(int processes, int random_rings, std::uint64_t seed) {
  std::vector<std::vector<int>> rings(1, std::vector<int>(static_cast<std::size_t>(processes)));
  std::iota(rings.front().begin(), rings.front().end(), 0);
  Random random(seed);
  for (int i = 0; i < random_rings; ++i) rings.push_back(random_ring(processes, random));
  return rings;
}

Neighbours neighbours(const std::vector<int>& ring, int rank) {
  const auto found = std::ranges::find(ring, rank);
  if (found == ring.end()) throw std::invalid_argument("a rank that is not in the ring");
  const auto place = static_cast<std::size_t>(found - ring.begin());
  return {ring[(place + ring.size() - 1) % ring.size()], ring[(place + 1) % ring.size()]};
}

double shortest_loop_s(double tick_s) {
  return ticks_per_loop * std::clamp(std::abs(tick_s), 1e-6, 1e-2);
}

int longer_loop(int loops) {
  return loops == 1 ? 2 : static_cast<int>(1.5 * loops);
}

double pair_s(const RingRule& rule, double one_way_s) {
  return 2 * one_way_s * (rule.ping_pong_loops + 1) * rule.measurements;
}

std::int64_t affordable_pairs(const RingRule& rule, double one_way_s, double shortest_loop_s) {
  const double cost = std::max(pair_s(rule, one_way_s), shortest_loop_s * rule.measurements);
  return static_cast<std::int64_t>(rule.ping_pong_budget_s / cost);
}

bool is_far_beyond_budget(const RingRule& rule, double ping_pong_s) {
  constexpr double far = 10;
  return ping_pong_s > far * rule.ping_pong_budget_s;
}

std::int64_t most_pings(std::int64_t pairs) {
  const auto root =
      static_cast<std::int64_t>(std::sqrt(static_cast<double>(std::max<std::int64_t>(pairs, 0))));
  return std::max(fewest_pings, root);
}

int client_stride(int processes, std::int64_t pairs) {
  const auto pings = static_cast<double>(most_pings(pairs));
  int stride = std::max(1, static_cast<int>(processes / pings + 0.9));
  if (stride == 2) return 3;
  while (stride > 3 && !is_prime(stride) && stride <= processes / 3) ++stride;
  return stride;
}

std::vector<std::pair<int, int>> ping_pong_pairs(int processes, int stride) {
  std::vector<std::pair<int, int>> pairs;
  for (int client = 0; client < processes; client += stride)
    for (int server = (processes - 1) % stride; server < processes; server += stride)
      if (client != server) pairs.emplace_back(client, server);
  return pairs;
}

}  // namespace steelyard::hpcc
