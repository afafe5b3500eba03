// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "suites/imb/io/file_check.hpp"

namespace steelyard::imb {
namespace {

// Blocks of letters, by rank and number.
using Blocks = std::vector<std::vector<std::string>>;

std::int64_t explained_part(const std::string& stream, const Blocks& blocks) {
  std::vector<std::size_t> counts;
  for (const auto& rank : blocks) counts.push_back(rank.size());
  return explained(static_cast<std::int64_t>(stream.size()), counts,
                   [&](std::int64_t position, std::size_t rank, std::size_t number) {
                     const auto& block = blocks[rank][number];
                     const auto rest = std::string_view(stream).substr(static_cast<std::size_t>(position));
                     return rest.starts_with(block) ? static_cast<std::int64_t>(block.size()) : 0;
                   });
}

TEST(stream, of_all_blocks_in_any_order_of_ranks_is_explained) {
  const Blocks blocks{{"aaa", "bb"}, {"cc", "d"}};
  EXPECT_EQ(explained_part("aaabbccd", blocks), 8);
  EXPECT_EQ(explained_part("ccaaadbb", blocks), 8);
}

TEST(stream, with_the_blocks_of_one_rank_exchanged_is_not) {
  const Blocks blocks{{"aaa", "bb"}, {"cc", "d"}};
  EXPECT_EQ(explained_part("bbaaaccd", blocks), 0);
  EXPECT_EQ(explained_part("ccbbaaad", blocks), 2);
}

TEST(stream, with_a_spoilt_lost_or_doubled_block_is_not) {
  const Blocks blocks{{"aaa", "bb"}, {"cc", "d"}};
  EXPECT_LT(explained_part("aaabxccd", blocks), 8);
  EXPECT_LT(explained_part(std::string("aaa") + std::string(2, 0) + "ccd", blocks), 8);
  EXPECT_LT(explained_part("aaaaaccd", blocks), 8);
}

TEST(stream, where_a_block_could_be_of_two_ranks_is_explained_by_the_one_that_fits) {
  // First taken for "a" and "b" of rank 0, which leaves "xab" unexplained.
  EXPECT_EQ(explained_part("abxab", {{"a", "b"}, {"ab", "x"}}), 5);
}

TEST(stream, of_blocks_that_an_int_cannot_count_is_explained) {
  constexpr std::int64_t gibibyte = std::int64_t{1} << 30;
  const std::vector<std::size_t> counts{1, 1, 1};
  const std::vector<std::int64_t> starts{3 * gibibyte, 8 * gibibyte, 0};
  const std::vector<std::int64_t> lengths{5 * gibibyte, 2 * gibibyte, 3 * gibibyte};
  const auto length = [&](std::int64_t position, std::size_t rank, std::size_t) {
    return position == starts[rank] ? lengths[rank] : 0;
  };
  EXPECT_EQ(explained(10 * gibibyte, counts, length), 10 * gibibyte);
  EXPECT_EQ(explained(11 * gibibyte, counts, length), 10 * gibibyte);
}

TEST(stream, with_empty_blocks_is_explained_by_the_others) {
  EXPECT_EQ(explained_part("ab", {{"a", "b"}, {"", ""}}), 2);
}

}  // namespace
}  // namespace steelyard::imb
