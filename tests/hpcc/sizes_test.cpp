// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/sizes.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "suites/hpcc/congruence.hpp"
#include "suites/hpcc/settings.hpp"

using namespace steelyard::hpcc;

namespace {

constexpr std::int64_t example_memory = 256'000'000;
const Problem example{{8000}, {80}, {{1, 2}}};

}  // namespace

TEST(sizes, order_8000_on_two_processes_gives_the_published_example) {
  EXPECT_EQ(memory_per_process(example), example_memory);
  EXPECT_EQ(ptrans_orders(example, {}), (std::vector<std::int64_t>{4000}));
  EXPECT_EQ(dgemm_order(example_memory), 3265);
  EXPECT_EQ(stream_length(example_memory), 10'666'666);
  EXPECT_EQ(random_access_bits(example_memory), 24);
  EXPECT_EQ(random_access_bits(example_memory, 2), 25);
  EXPECT_EQ(fft_length(example_memory), 1 << 22);
  EXPECT_EQ(global_fft(example_memory, 2), (GlobalFft{2, 1 << 22}));
}

TEST(sizes, memory_follows_the_largest_order_on_the_smallest_grid) {
  EXPECT_EQ(memory_per_process({{10, 1000}, {8}, {{2, 3}, {1, 3}, {4, 4}}}), 2'666'666);
  EXPECT_THROW(static_cast<void>(memory_per_process({{}, {8}, {{1, 1}}})), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(memory_per_process({{8}, {8}, {}})), std::invalid_argument);
}

TEST(sizes, of_a_matrix_beyond_every_address_can_be_counted) {
  const auto memory = memory_per_process({{2147483647}, {8}, {{1, 1}}});
  EXPECT_EQ(memory, std::int64_t{1} << 47);
  EXPECT_EQ(random_access_bits(memory, 1 << 14), 58);
  EXPECT_EQ(random_access_bits(memory, 1 << 20), 58);
  EXPECT_EQ(global_fft(memory, 1 << 16), (GlobalFft{1 << 16, std::int64_t{1} << 57}));
}

TEST(sizes, vector_beyond_two_to_the_thirty_is_cut_only_when_strict) {
  const std::int64_t memory = std::int64_t{3} * 8 * (std::int64_t{1} << 32);
  EXPECT_EQ(stream_length(memory), std::int64_t{1} << 32);
  EXPECT_EQ(stream_length(memory, LengthLimit::strict), std::int64_t{1} << 30);
  EXPECT_EQ(stream_length(3 * 8 * ((std::int64_t{1} << 31) - 1), LengthLimit::strict),
            (std::int64_t{1} << 31) - 1);
}

TEST(sizes, tiny_memory_gives_the_smallest_problem) {
  EXPECT_EQ(vector_length(15, 1, 16, Smoothness::any), 0);
  EXPECT_EQ(vector_length(15, 1, 16, Smoothness::two), 1);
  EXPECT_EQ(random_access_bits(0), 0);
  EXPECT_EQ(dgemm_order(0), 0);
}

TEST(sizes, smooth_lengths_are_the_largest_products_below_the_limit) {
  EXPECT_EQ(largest(Smoothness::two_three_five, 7), 6);
  EXPECT_EQ(largest(Smoothness::two_three_five, 1000), 1000);
  EXPECT_EQ(largest(Smoothness::two_three_five, 1013), 1000);
  EXPECT_EQ(largest(Smoothness::two, 1023), 512);
  EXPECT_EQ(largest(Smoothness::any, 1013), 1013);
  EXPECT_EQ(largest(Smoothness::two_three_five, 0), 0);
}

TEST(sizes, distributed_transform_uses_the_largest_power_of_two_of_the_processes) {
  for (const auto& [world, used] : {std::pair{1, 1}, {2, 2}, {3, 2}, {5, 4}, {7, 4}, {8, 8}}) {
    const auto fft = global_fft(example_memory, world);
    EXPECT_EQ(fft.processes, used);
    EXPECT_EQ(fft.length % (std::int64_t{used} * used), 0);
  }
  EXPECT_EQ(global_fft(example_memory, 7, Smoothness::two_three_five).processes, 6);
  EXPECT_EQ(global_fft(64 * 4 * 2, 7, Smoothness::two_three_five).processes, 6);
  EXPECT_EQ(global_fft(16 * 4 * 2, 7, Smoothness::two_three_five).processes, 2);
}

TEST(sizes, extra_orders_of_ptrans_must_use_most_of_the_memory) {
  const std::int64_t extra[] = {3794, 3795, 9000, 1};
  EXPECT_EQ(ptrans_orders({{8000, 101}, {8}, {}}, extra), (std::vector<std::int64_t>{3795, 9000, 4000, 50}));
  EXPECT_EQ(dropped_ptrans_orders({{8000, 101}, {8}, {}}, extra), (std::vector<std::int64_t>{3794, 1}));
  const std::int64_t blocks[] = {40};
  EXPECT_EQ(ptrans_blocks(example, blocks), (std::vector<std::int64_t>{40, 80}));
}

TEST(sizes, default_grid_is_as_square_as_divisors_allow) {
  EXPECT_EQ(default_grid(1), (Grid{1, 1}));
  EXPECT_EQ(default_grid(2), (Grid{1, 2}));
  EXPECT_EQ(default_grid(12), (Grid{3, 4}));
  EXPECT_EQ(default_grid(16), (Grid{4, 4}));
  EXPECT_EQ(default_grid(19), (Grid{1, 19}));
  EXPECT_EQ(default_grid(23), (Grid{2, 11}));
}

TEST(sizes, default_order_fills_four_fifths_of_the_memory) {
  EXPECT_EQ(default_order(64, {1, 1}), 2560);  // 160 * floor(sqrt(0.8 * 8388608) / 160)
  EXPECT_EQ(default_order(64, {1, 2}), 3520);
  EXPECT_EQ(default_order(1.5, {1, 1}), 320);  // 160 * floor(sqrt(0.8 * 196608) / 160)
  EXPECT_EQ(default_order(0.5, {1, 1}), 160);
  const auto problem = default_problem(64, 2);
  EXPECT_EQ(problem.orders.front() % (2 * problem.blocks.front()), 0);
}

TEST(cache_share, that_nothing_tells_is_assumed_and_one_that_is_told_stays) {
  const auto assumed = CacheShare{}.or_assumed();
  EXPECT_EQ(assumed.alone_byte, 64 << 20);
  EXPECT_EQ(assumed.together_byte, 64 << 20);
  const auto told = CacheShare{300 << 20, 150 << 20}.or_assumed();
  EXPECT_EQ(told.alone_byte, 300 << 20);
  EXPECT_EQ(told.together_byte, 150 << 20);
  EXPECT_EQ((CacheShare{1 << 20, 0}.or_assumed().together_byte), 1 << 20);
}

TEST(sizes, an_order_is_rounded_to_twice_the_block) {
  EXPECT_EQ(rounded_order(2560, 192), 2304);
  EXPECT_EQ(rounded_order(2560, 80), 2560);
  EXPECT_EQ(rounded_order(100, 80), 100);
}

TEST(block_cyclic, every_index_comes_back_and_counts_add_up) {
  Random random(7);
  for (int round = 0; round < 200; ++round) {
    const BlockCyclic map{random.below(300), 1 + random.below(40), 1 + random.below(6)};
    std::int64_t sum = 0;
    for (int part = 0; part < map.parts; ++part) sum += map.count(part);
    ASSERT_EQ(sum, map.n);
    for (std::int64_t g = 0; g < map.n; ++g) {
      ASSERT_LT(map.local(g), map.count(map.owner(g)));
      ASSERT_EQ(map.global(map.owner(g), map.local(g)), g);
    }
  }
}

TEST(block_cyclic, block_sizes_add_up) {
  for (const auto& [n, block] : {std::pair{0, 5}, {5, 5}, {12, 5}, {3, 5}}) {
    const BlockCyclic map{n, block, 2};
    std::int64_t sum = 0;
    for (std::int64_t b = 0; b < map.blocks(); ++b) sum += map.size_of(b);
    EXPECT_EQ(sum, n);
  }
}
