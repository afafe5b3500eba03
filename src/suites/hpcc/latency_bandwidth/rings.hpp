// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

/// Partners in the latency and bandwidth test. Pure. Source: HPCC balance paper, 2; procedure of the
/// published HPC Challenge suite.
namespace steelyard::hpcc {

/// Rule by which one of the two message lengths is measured.
struct RingRule {
  std::int64_t message_byte = 8;
  int ping_pong_loops = 8;
  int ring_loops = 8;
  int measurements = 5;
  int random_rings = 30;
  double ping_pong_budget_s = 10;
};
inline constexpr RingRule latency_rule{};
inline constexpr RingRule bandwidth_rule{2'000'000, 1, 3, 2, 10, 30};

/// Rank at each place of a ring; every measurement sees the same rings. Ring 0 is in the order of ranks.
[[nodiscard]] std::vector<std::vector<int>> ring_patterns(int processes, int random_rings,
                                                          std::uint64_t seed);

struct Neighbours {
  int left = 0, right = 0;
  friend bool operator==(const Neighbours&, const Neighbours&) = default;
};
[[nodiscard]] Neighbours neighbours(const std::vector<int>& ring, int rank);

/// Time from which on a loop is long enough: ten ticks of the clock, whose claim is taken for 1 us to 10 ms.
[[nodiscard]] double shortest_loop_s(double tick_s);
/// Loop length to try next when one was too short.
[[nodiscard]] int longer_loop(int loops);

/// Time of one ping-pong pair with all its measurements, given the one-way time.
[[nodiscard]] double pair_s(const RingRule& rule, double one_way_s);
/// Pairs that the budget allows, given the one-way time between the first and the last process and the
/// shortest loop that tells something.
[[nodiscard]] std::int64_t affordable_pairs(const RingRule& rule, double one_way_s, double shortest_loop_s);

/// Whether all ping-pong together took more than ten times their budget, which is to be told.
[[nodiscard]] bool is_far_beyond_budget(const RingRule& rule, double ping_pong_s);

/// Most clients, and most servers of a client, for so many pairs.
[[nodiscard]] std::int64_t most_pings(std::int64_t pairs);
/// Distance between clients: 1, 3, or more, then a prime where it can be.
[[nodiscard]] int client_stride(int processes, std::int64_t pairs);

/// Ordered pairs (client, server) in the order of measurement.
[[nodiscard]] std::vector<std::pair<int, int>> ping_pong_pairs(int processes, int stride);

}  // namespace steelyard::hpcc
