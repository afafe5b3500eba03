// SPDX-License-Identifier: Apache-2.0
#include "campaign/shares.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake_suite.hpp"

namespace steelyard::campaign {
namespace {

using testing::benchmark;
using testing::FakeSuite;

class shares_of_a_budget : public ::testing::Test {
 protected:
  FakeSuite hpcc_{"hpcc", {benchmark("HPL"), benchmark("PTRANS")}};
  FakeSuite beff_{"b-eff", {benchmark("b_eff")}};
  FakeSuite other_{"new", {benchmark("x")}};
  std::vector<Selected> all_{{&hpcc_, "HPL"}, {&beff_, "b_eff"}, {&hpcc_, "PTRANS"}, {&other_, "x"}};

  static double sum(const std::map<std::string, Share, std::less<>>& shares) {
    double seconds = 0;
    for (const auto& [suite, share] : shares) seconds += share.seconds;
    return seconds;
  }
};

TEST_F(shares_of_a_budget, sum_to_less_than_the_budget_and_hold_the_benchmarks) {
  const auto three = shares(all_, Seconds{60});
  EXPECT_EQ(three.size(), 3u);
  EXPECT_LT(sum(three), 60);
  EXPECT_GT(sum(three), 0.9 * 60);
  EXPECT_THAT(three.at("hpcc").benchmarks, ::testing::ElementsAre("HPL", "PTRANS"));
  EXPECT_GT(three.at("hpcc").seconds, three.at("b-eff").seconds);
  EXPECT_GT(three.at("new").seconds, 0);
}

TEST_F(shares_of_a_budget, of_suites_that_are_not_selected_go_to_the_others) {
  const std::vector<Selected> one{{&beff_, "b_eff"}};
  EXPECT_GT(shares(one, Seconds{60}).at("b-eff").seconds, shares(all_, Seconds{60}).at("b-eff").seconds);
  EXPECT_DOUBLE_EQ(sum(shares(one, Seconds{60})), sum(shares(all_, Seconds{60})));
}

TEST_F(shares_of_a_budget, are_never_negative) {
  for (const auto& [suite, share] : shares(all_, Seconds{0.1})) EXPECT_EQ(share.seconds, 0) << suite;
}

}  // namespace
}  // namespace steelyard::campaign
