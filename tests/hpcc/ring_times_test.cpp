// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/latency_bandwidth/ring_times.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <numeric>

#include "mpi/communicator.hpp"
#include "world.hpp"

namespace steelyard::hpcc {
namespace {

constexpr RingRule quick_latency{8, 2, 2, 2, 3, 1e-3};
constexpr RingRule quick_bandwidth{20'000, 1, 3, 2, 2, 1e-3};

TEST(ping_pong, times_are_ordered_and_messages_right) {
  for (const auto& rule : {quick_latency, quick_bandwidth}) {
    const auto times = ping_pong(world(), rule);
    EXPECT_GT(times.min_s, 0);
    EXPECT_LE(times.min_s, times.mean_s * (1 + 1e-12));
    EXPECT_LE(times.mean_s, times.max_s * (1 + 1e-12));
    EXPECT_EQ(times.wrong, 0);
    EXPECT_EQ(times.possible, std::int64_t{world().size()} * (world().size() - 1));
    EXPECT_GT(times.pairs, 0);
  }
}

TEST(ping_pong, means_are_of_the_times_and_of_the_rates_of_the_pairs) {
  // The first process has a pair at a tenth of the time of all others, which a mean of times hardly shows.
  std::vector<PairTime> own{{world().rank(), 0, 1e-3, 1e-3}};
  if (world().is_root()) own.push_back({0, 0, 1e-4, 1e-4});
  const auto found = over_pairs(world(), own, 1000);
  const double others = world().size();
  EXPECT_EQ(found.pairs, world().size() + 1);
  EXPECT_DOUBLE_EQ(found.min_s, 1e-4);
  EXPECT_DOUBLE_EQ(found.max_s, 1e-3);
  EXPECT_NEAR(found.mean_s, (others * 1e-3 + 1e-4) / (others + 1), 1e-12);
  EXPECT_NEAR(found.mean_byte_s, (others * 1e6 + 1e7) / (others + 1), 1e-3);
}

TEST(ring_times, are_positive_and_messages_right) {
  for (const auto& rule : {quick_latency, quick_bandwidth}) {
    const auto times = ring_times(world(), rule, 1);
    EXPECT_GT(times.natural_s, 0);
    EXPECT_GT(times.random_s, 0);
    EXPECT_EQ(times.wrong, 0);
  }
}

TEST(saturation, asks_for_one_two_four_and_all_processes_of_a_node) {
  const int size = world().size();
  if (size < 2) GTEST_SKIP() << "needs two nodes";
  const int on_node = (size + 1) / 2;  // two nodes, ranks in turn
  const auto found = saturation(world(), {world().rank() / 2, 2, on_node}, quick_bandwidth, 1);
  if (!world().is_root()) {
    EXPECT_TRUE(found.processes.empty());
    return;
  }
  EXPECT_EQ(found.processes.front(), 1);
  EXPECT_EQ(found.processes.back(), on_node);
  ASSERT_EQ(found.node_byte_s.size(), found.processes.size());
  for (const double byte_s : found.node_byte_s) EXPECT_GT(byte_s, 0);
}

TEST(saturation, finds_who_shares_memory) {
  const auto place = place_on_node(world());
  EXPECT_GE(place.nodes, 1);
  EXPECT_LT(place.before, place.most_on_node);
  EXPECT_GE(place.nodes * place.most_on_node, world().size());
}

TEST(marked_buffer, other_content_is_noticed) {
  MarkedBuffer buffer(8);
  buffer.mark(130);
  EXPECT_TRUE(buffer.marked(130));
  EXPECT_TRUE(buffer.marked(2));
  EXPECT_FALSE(buffer.marked(131));
  buffer.data()[7] = static_cast<char>(buffer.data()[7] + 1);
  EXPECT_FALSE(buffer.marked(130));
}

TEST(longer_loop, grows_by_half_and_leaves_one) {
  EXPECT_EQ(longer_loop(1), 2);
  EXPECT_EQ(longer_loop(2), 3);
  EXPECT_EQ(longer_loop(8), 12);
}

/// All pairs of this client, with a time by the places of both.
std::vector<PairTime> pairs(const std::vector<int>& place_of, const std::function<double(int, int)>& time_s) {
  std::vector<PairTime> own;
  for (int server = 0; server < world().size(); ++server) {
    const int client = world().rank();
    if (server == client) continue;
    const double time =
        time_s(place_of[static_cast<std::size_t>(client)], place_of[static_cast<std::size_t>(server)]);
    own.push_back({client, server, time, 1.5 * time});
  }
  return own;
}

std::vector<int> each_its_own() {
  std::vector<int> places(static_cast<std::size_t>(world().size()));
  std::iota(places.begin(), places.end(), 0);
  return places;
}

bool joins(int a, int b, int one, int other) {
  return (a == one && b == other) || (a == other && b == one);
}

TEST(pair_places, find_the_pair_that_is_slow_alone) {
  if (world().size() < 3) GTEST_SKIP() << "needs three processes";
  const auto places = each_its_own();
  const auto own = pairs(places, [](int a, int b) { return joins(a, b, 1, 2) ? 10.0 : 1.0; });
  const PairSpread found = spread_over_places(world(), own, places);
  EXPECT_EQ(found.places, world().size());
  EXPECT_TRUE(joins(found.client, found.server, 1, 2));
  EXPECT_EQ(found.slowest_s, 10);
  EXPECT_EQ(found.typical_s, 1);
  EXPECT_EQ(found.typical_worst_s, 1.5);
  EXPECT_EQ(found.slow, 2);
  EXPECT_EQ(found.between, 2);
  EXPECT_EQ(found.slow_between, 2);
}

TEST(pair_places, find_the_place_whose_every_pair_is_slow) {
  if (world().size() < 3) GTEST_SKIP() << "needs three processes";
  const auto places = each_its_own();
  const auto own = pairs(places, [](int a, int b) { return a == 2 || b == 2 ? 10.0 : 1.0; });
  const PairSpread found = spread_over_places(world(), own, places);
  EXPECT_EQ(found.place_rank, 2);
  EXPECT_EQ(found.place_s, 10);
  EXPECT_EQ(found.typical_s, 1);
  EXPECT_EQ(found.with_place, 2 * (world().size() - 1));
  EXPECT_EQ(found.slow_with_place, found.with_place);
  EXPECT_EQ(found.slow, found.with_place);
}

TEST(pair_places, of_several_processes_count_no_pair_within) {
  if (world().size() < 5) GTEST_SKIP() << "needs five processes";
  std::vector<int> places;
  for (int rank = 0; rank < world().size(); ++rank) places.push_back(rank / 2);
  const auto own = pairs(places, [](int a, int b) { return a == b ? 0.01 : joins(a, b, 0, 1) ? 9.0 : 1.0; });
  const PairSpread found = spread_over_places(world(), own, places);
  EXPECT_EQ(found.places, 3);
  EXPECT_EQ(found.typical_s, 1);
  EXPECT_EQ(found.between, 8);
  EXPECT_EQ(found.slow, 8);
  EXPECT_EQ(found.slow_between, 8);
}

TEST(pair_places, without_a_pair_between_places_know_none) {
  const std::vector<int> places(static_cast<std::size_t>(world().size()), 0);
  const auto own = pairs(places, [](int, int) { return 1.0; });
  EXPECT_EQ(spread_over_places(world(), own, places).places, 0);
}

TEST(places_of_ranks, are_the_ranks_where_all_share_memory) {
  const auto place = world().split_shared();
  if (place.size() != world().size()) GTEST_SKIP() << "needs one host";
  EXPECT_EQ(places_of_ranks(world()), each_its_own());
}

}  // namespace
}  // namespace steelyard::hpcc
