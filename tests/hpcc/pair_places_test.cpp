// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/latency_bandwidth/pair_places.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <numeric>

#include "world.hpp"

namespace steelyard::hpcc {
namespace {

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
