// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "suites/imb/io/file_check.hpp"

namespace steelyard::imb {
namespace {

// Blocks of letters, by rank and number.
using Blocks = std::vector<std::vector<std::string>>;

std::size_t explained_part(const std::string& stream, const Blocks& blocks) {
  std::vector<std::size_t> counts;
  for (const auto& rank : blocks) counts.push_back(rank.size());
  return explained(std::as_bytes(std::span(stream)), counts, [&](std::size_t rank, std::size_t number) {
    return std::as_bytes(std::span(blocks[rank][number]));
  });
}

TEST(stream, of_all_blocks_in_any_order_of_ranks_is_explained) {
  const Blocks blocks{{"aaa", "bb"}, {"cc", "d"}};
  EXPECT_EQ(explained_part("aaabbccd", blocks), 8U);
  EXPECT_EQ(explained_part("ccaaadbb", blocks), 8U);
}

TEST(stream, with_the_blocks_of_one_rank_exchanged_is_not) {
  const Blocks blocks{{"aaa", "bb"}, {"cc", "d"}};
  EXPECT_EQ(explained_part("bbaaaccd", blocks), 0U);
  EXPECT_EQ(explained_part("ccbbaaad", blocks), 2U);
}

TEST(stream, with_a_spoilt_lost_or_doubled_block_is_not) {
  const Blocks blocks{{"aaa", "bb"}, {"cc", "d"}};
  EXPECT_LT(explained_part("aaabxccd", blocks), 8U);
  EXPECT_LT(explained_part(std::string("aaa") + std::string(2, 0) + "ccd", blocks), 8U);
  EXPECT_LT(explained_part("aaaaaccd", blocks), 8U);
}

TEST(stream, where_a_block_could_be_of_two_ranks_is_explained_by_the_one_that_fits) {
  // First taken for "a" and "b" of rank 0, which leaves "xab" unexplained.
  EXPECT_EQ(explained_part("abxab", {{"a", "b"}, {"ab", "x"}}), 5U);
}

TEST(stream, with_empty_blocks_is_explained_by_the_others) {
  EXPECT_EQ(explained_part("ab", {{"a", "b"}, {"", ""}}), 2U);
}

}  // namespace
}  // namespace steelyard::imb
