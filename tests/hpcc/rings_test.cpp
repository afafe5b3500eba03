// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/latency_bandwidth/rings.hpp"

#include <gtest/gtest.h>

#include <algorithm>

using namespace steelyard::hpcc;

TEST(ring_patterns, each_ring_holds_every_rank_once) {
  for (const int processes : {2, 3, 5, 17}) {
    auto rings = ring_patterns(processes, 10, 3);
    ASSERT_EQ(rings.size(), 11U);
    EXPECT_TRUE(std::ranges::is_sorted(rings.front()));
    for (auto& ring : rings) {
      std::ranges::sort(ring);
      for (int i = 0; i < processes; ++i) ASSERT_EQ(ring[static_cast<std::size_t>(i)], i);
    }
  }
}

TEST(ring_patterns, same_seed_gives_same_rings) {
  EXPECT_EQ(ring_patterns(9, 4, 1), ring_patterns(9, 4, 1));
  EXPECT_NE(ring_patterns(9, 4, 1), ring_patterns(9, 4, 2));
}

TEST(neighbours, left_and_right_are_the_places_beside) {
  const std::vector<int> ring = {3, 0, 2, 1};
  EXPECT_EQ(neighbours(ring, 3), (Neighbours{1, 0}));
  EXPECT_EQ(neighbours(ring, 2), (Neighbours{0, 1}));
  EXPECT_EQ(neighbours(ring, 1), (Neighbours{2, 3}));
  EXPECT_THROW(static_cast<void>(neighbours(ring, 4)), std::invalid_argument);
}

TEST(neighbours, two_processes_are_each_others_both_sides) {
  EXPECT_EQ(neighbours({0, 1}, 0), (Neighbours{1, 1}));
}

TEST(affordable_pairs, follow_the_cost_of_a_pair) {
  // 2 * 1e-6 * 9 = 18 us per measurement, above 10 ticks of 1 us; 5 measurements, 10 s.
  EXPECT_EQ(affordable_pairs(latency_rule, 1e-6, 1e-5), 111111);
  // the clock: 10 * 10 us * 5 = 500 us per pair
  EXPECT_EQ(affordable_pairs(latency_rule, 1e-6, 1e-4), 20000);
  // 2 * 1 ms * 2 * 2 = 8 ms per pair, 30 s
  EXPECT_EQ(affordable_pairs(bandwidth_rule, 1e-3, 1e-5), 3750);
}

TEST(budget, is_passed_by_far_from_ten_times_on) {
  EXPECT_FALSE(is_far_beyond_budget(latency_rule, 100));
  EXPECT_TRUE(is_far_beyond_budget(latency_rule, 100.1));
  EXPECT_FALSE(is_far_beyond_budget(bandwidth_rule, 100.1));
}

TEST(shortest_loop, is_ten_ticks_of_a_clock_between_1_us_and_10_ms) {
  EXPECT_DOUBLE_EQ(shortest_loop_s(1e-9), 1e-5);
  EXPECT_DOUBLE_EQ(shortest_loop_s(1e-4), 1e-3);
  EXPECT_DOUBLE_EQ(shortest_loop_s(-1e-4), 1e-3);
  EXPECT_DOUBLE_EQ(shortest_loop_s(1), 0.1);
}

TEST(client_stride, one_while_all_pairs_fit_and_prime_beyond) {
  EXPECT_EQ(client_stride(2, 100), 1);
  EXPECT_EQ(client_stride(5, 1), 1);  // 5 pings at least: floor(1 + 0.9)
  EXPECT_EQ(client_stride(100, 10000), 1);
  EXPECT_EQ(client_stride(100, 3600), 3);     // 60 pings: floor(1.67 + 0.9) = 2 becomes 3
  EXPECT_EQ(client_stride(100, 625), 5);      // 25 pings: floor(4.9) = 4 becomes 5
  EXPECT_EQ(client_stride(1000, 3750), 17);   // 61 pings: floor(17.29)
  EXPECT_EQ(client_stride(1000, 10000), 11);  // 100 pings: 10 becomes 11
  EXPECT_EQ(client_stride(10, 0), 3);         // 5 pings: 2 becomes 3
  EXPECT_EQ(client_stride(26, 0), 7);         // 5 pings: 6 becomes 7
  EXPECT_EQ(client_stride(40, 0), 11);        // 5 pings: 8, 9, 10 are no primes
}

TEST(ping_pong_pairs, small_worlds_measure_every_ordered_pair) {
  EXPECT_EQ(ping_pong_pairs(2, 1), (std::vector<std::pair<int, int>>{{0, 1}, {1, 0}}));
  EXPECT_EQ(ping_pong_pairs(5, 1).size(), 20U);
}

TEST(ping_pong_pairs, larger_worlds_measure_clients_and_servers_a_stride_apart) {
  const auto pairs = ping_pong_pairs(100, 5);
  EXPECT_EQ(pairs.size(), 400U);  // clients 0 5 .. 95, servers 4 9 .. 99
  EXPECT_EQ(pairs.front(), (std::pair{0, 4}));
  EXPECT_EQ(pairs.back(), (std::pair{95, 99}));
  const auto many = ping_pong_pairs(1000, 17);
  EXPECT_EQ(many.front(), (std::pair{0, 13}));  // 999 mod 17
  EXPECT_EQ(many.size(), 59U * 59U);
}
