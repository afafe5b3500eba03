// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <vector>

#include "suites/beff/settings.hpp"

using namespace steelyard::beff;

namespace {

/// Loop lengths for 48 patterns whose iterations take latency + bytes / rate.
std::vector<std::uint64_t> simulate(const LoopRule& rule, double latency_s, double byte_s,
                                    std::vector<double>& loop_s) {
  LoopLengths lengths(rule);
  constexpr int patterns = 48;
  for (int p = 0; p < patterns; ++p) lengths.add_pre_pass(10 * latency_s);
  std::vector<std::uint64_t> chosen;
  double bytes = 1;
  for (int k = 0; k < 21; ++k) {
    const auto n = lengths.next();
    chosen.push_back(n);
    loop_s.push_back(static_cast<double>(n) * (latency_s + bytes / byte_s));
    for (int p = 0; p < patterns; ++p) lengths.add(loop_s.back());
    bytes *= k < 12 ? 2 : rule.growth;
  }
  return chosen;
}

}  // namespace

TEST(loop_lengths, keep_a_loop_between_half_and_the_whole_of_the_time) {
  std::vector<double> loop_s;
  const LoopRule rule{.growth = 3.5};
  const auto chosen = simulate(rule, 1e-6, 5e9, loop_s);
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    EXPECT_GE(chosen[k], 1U);
    if (chosen[k] > 1) {
      EXPECT_LE(loop_s[k], 1.3 * rule.loop_time_s) << k;
      EXPECT_GE(loop_s[k], 0.25 * rule.loop_time_s) << k;
    }
  }
}

TEST(loop_lengths, never_exceed_what_the_pre_pass_allows_and_end_at_one) {
  std::vector<double> loop_s;
  const auto chosen = simulate({.growth = 3.668}, 2e-6, 1e9, loop_s);
  for (const auto n : chosen) EXPECT_LE(n, 2500U);
  EXPECT_EQ(chosen.back(), 1U);
}

TEST(loop_lengths, start_with_half_of_the_longest_loop) {
  LoopLengths lengths({});
  lengths.add_pre_pass(5e-3 / 1024);
  EXPECT_EQ(lengths.next(), 5120U);
}

TEST(loop_lengths, a_slow_machine_gets_at_least_ten_in_the_longest_loop) {
  LoopLengths lengths({});
  lengths.add_pre_pass(1.0);
  EXPECT_EQ(lengths.next(), 5U);
  lengths.add(0.5);
  EXPECT_EQ(lengths.next(), 2U);
}

TEST(loop_lengths, estimate_the_last_two_lengths_from_the_fastest_pattern) {
  LoopLengths lengths({.growth = 3});
  lengths.add_pre_pass(10 * 5e-3);
  EXPECT_EQ(lengths.next(), 5U);
  lengths.add(0.2);
  lengths.add(0.1);
  EXPECT_NEAR(lengths.last_two_estimate_s(3), 0.1 / 5 * 2 * 4 * (3 + 9) * 3 * 3, 1e-12);
}
