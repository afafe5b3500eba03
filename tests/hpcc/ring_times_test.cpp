// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/latency_bandwidth/ring_times.hpp"

#include <gtest/gtest.h>

#include "mpi/communicator.hpp"
#include "world.hpp"

using namespace steelyard;
using namespace steelyard::hpcc;

namespace {

constexpr RingRule quick_latency{8, 2, 2, 2, 3, 1e-3};
constexpr RingRule quick_bandwidth{20'000, 1, 3, 2, 2, 1e-3};

}  // namespace

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
