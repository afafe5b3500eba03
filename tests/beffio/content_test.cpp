// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>

#include "suites/beffio/patterns.hpp"

using namespace steelyard::beffio;

namespace {

constexpr std::int64_t words = 16, chunks = 3;
constexpr std::uint64_t call = 7;

/// The memory of one call of three chunks as a process writes it.
std::vector<std::uint64_t> written(const Origin& origin) {
  std::vector<std::uint64_t> memory(words * chunks);
  Body(origin).fill(memory);
  const Stamps stamps(origin);
  for (std::int64_t k = 0; k < chunks; ++k) {
    memory[static_cast<std::size_t>(k * words)] = stamps.first(call, k);
    memory[static_cast<std::size_t>(k * words + words - 1)] = stamps.last(call, k);
  }
  return memory;
}

std::int64_t errors(std::span<const std::uint64_t> chunk, std::int64_t number, const Origin& origin,
                    std::uint64_t expected_call = call) {
  Mismatches wrong;
  compare({expected_call, number, words, 0, chunk}, origin, wrong);
  return wrong.result().errors;
}

const Origin mine{.rank = 2, .pattern = 5, .generation = 0};

}  // namespace

TEST(content, what_was_written_is_right) {
  const auto memory = written(mine);
  for (std::int64_t k = 0; k < chunks; ++k)
    EXPECT_EQ(errors(std::span(memory).subspan(static_cast<std::size_t>(k * words), words), k, mine), 0);
}

TEST(content, data_of_others_are_wrong) {
  const auto memory = written(mine);
  const auto chunk = std::span(memory).first(words);
  EXPECT_EQ(errors(chunk, 0, {.rank = 1, .pattern = 5, .generation = 0}), words);
  EXPECT_EQ(errors(chunk, 0, {.rank = 2, .pattern = 6, .generation = 0}), words);
  EXPECT_EQ(errors(chunk, 0, {.rank = 2, .pattern = 5, .generation = 1}), words);
  EXPECT_EQ(errors(chunk, 1, mine), words);
  EXPECT_EQ(errors(chunk, 0, mine, call + 1), 2);  // the stamps
}

TEST(content, a_flipped_bit_is_found_and_told) {
  auto memory = written(mine);
  memory[words + 4] ^= 1ULL << 40;
  Mismatches wrong;
  compare({call, 1, words, 0, std::span(memory).subspan(words, words)}, mine, wrong);
  EXPECT_EQ(wrong.result().errors, 1);
  EXPECT_NE(wrong.result().first.find("pattern 5, data of rank 2, call 7, chunk 1, word 4"),
            std::string::npos)
      << wrong.result().first;
}

TEST(content, as_many_errors_are_told_as_wanted) {
  Mismatches wrong(2);
  for (int i = 0; i < 5; ++i) wrong.add(mine, 0, 0, i, 1, 2);
  EXPECT_EQ(wrong.result().errors, 5);
  EXPECT_NE(wrong.result().first.find("word 1"), std::string::npos);
  EXPECT_EQ(wrong.result().first.find("word 2"), std::string::npos);
}

TEST(stamps, tell_calls_chunks_ends_and_generations_apart) {
  std::set<std::uint64_t> seen;
  for (const int generation : {0, 1})
    for (const std::uint64_t c : {0u, 1u, 1023u, 60'000'000u})
      for (const std::int64_t k : {0, 1, 1023}) {
        const Stamps stamps({.rank = 0, .pattern = 0, .generation = generation});
        EXPECT_TRUE(seen.insert(stamps.first(c, k)).second);
        EXPECT_TRUE(seen.insert(stamps.last(c, k)).second);
      }
  EXPECT_FALSE(seen.contains(0));
}
