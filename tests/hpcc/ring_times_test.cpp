// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/latency_bandwidth/ring_times.hpp"

#include <gtest/gtest.h>

#include "mpi/communicator.hpp"

using namespace steelyard;
using namespace steelyard::hpcc;

namespace {

const mpi::Communicator& world() {
  static const auto comm = mpi::Communicator::world();
  return comm;
}

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

TEST(ring_times, are_positive_and_messages_right) {
  for (const auto& rule : {quick_latency, quick_bandwidth}) {
    const auto times = ring_times(world(), rule, 1);
    EXPECT_GT(times.natural_s, 0);
    EXPECT_GT(times.random_s, 0);
    EXPECT_EQ(times.wrong, 0);
  }
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
