// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <random>

#include "stats/compare.hpp"

namespace steelyard::stats {
namespace {

using Alike = std::vector<double>;

Alike alike_values(std::size_t n, double sd, std::mt19937_64& dice) {
  std::normal_distribution<double> normal(0, sd);
  Alike logs(n);
  for (double& log : logs) log = normal(dice);
  return logs;
}

std::size_t worse_of(const Standings& all) {
  std::size_t count = 0;
  for (const Standing& one : all.of) count += one.worse() ? 1U : 0U;
  return count;
}

TEST(AlarmQuantile, IsThatOfTheRule) {
  EXPECT_NEAR(alarm_quantile(16 * 5), 3.66, 0.011);
  EXPECT_NEAR(alarm_quantile(64 * 5), 4.00, 0.011);
  EXPECT_NEAR(alarm_quantile(1000 * 5), 4.61, 0.011);
  EXPECT_NEAR(alarm_quantile(10'000 * 5), 5.07, 0.011);
}

TEST(AlikeUsual, IsNotMovedByAFew) {
  std::mt19937_64 dice(1);
  auto logs = alike_values(1000, 0.01, dice);
  const Usual before = usual(logs);
  for (int k = 0; k < 50; ++k) logs[static_cast<std::size_t>(k)] = -5;
  const Usual after = usual(logs);
  EXPECT_NEAR(after.middle, before.middle, 0.002);
  EXPECT_NEAR(after.spread / before.spread, 1, 0.15);
}

TEST(AlikeStandings, SaySomethingAmongFiveAndNothingAmongFour) {
  const auto of = [](std::size_t n) {
    Alike logs(n, 0.0);
    logs[1] = -1;
    return standings(logs, 0.05, 1);
  };
  EXPECT_EQ(worse_of(of(4)), 0U);
  EXPECT_FALSE(of(4).of[1].judged);
  EXPECT_TRUE(of(5).of[1].worse());
  EXPECT_EQ(worse_of(of(5)), 1U);
  EXPECT_TRUE(standings({}, 0.05, 1).of.empty());
}

TEST(AlikeStandings, OfMachinesWithoutASlowNodeRaiseFewAlarms) {
  std::mt19937_64 dice(3);
  for (const std::size_t nodes : {8U, 16U, 64U, 1024U}) {
    constexpr int machines = 400, tests = 5;
    int alarms = 0, split = 0;
    for (int machine = 0; machine < machines; ++machine) {
      bool alarm = false;
      for (int test = 0; test < tests; ++test) {
        // Far beyond the tolerance, so that it hides nothing.
        const auto all = standings(alike_values(nodes, 0.5, dice), 0.05, tests);
        alarm |= worse_of(all) > 0;
        split += all.two_groups() ? 1 : 0;
      }
      alarms += alarm ? 1 : 0;
    }
    std::cout << nodes << " nodes: " << alarms << " of " << machines << " machines with an alarm, " << split
              << " of " << machines * tests << " tests in two groups\n";
    // 1 % and what small samples add; of 400 machines by chance some more.
    EXPECT_LE(alarms, nodes < 64 ? 28 : 16) << nodes;
    EXPECT_LE(split, 20) << nodes;
  }
}

TEST(AlikeStandings, OfTenThousandNodesFindThreeSlowOnesAndNoOther) {
  int exact = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    std::mt19937_64 dice(seed);
    auto logs = alike_values(10'000, 0.01, dice);
    for (const std::size_t slow : {17U, 4000U, 9999U}) logs[slow] += std::log(0.9);
    const auto all = standings(logs, 0.05, 5);
    exact += worse_of(all) == 3 && all.of[17].worse() && all.of[4000].worse() && all.of[9999].worse() ? 1 : 0;
  }
  EXPECT_EQ(exact, 20);
}

TEST(AlikeStandings, TellTwoGroupsAndJudgeEachByItself) {
  for (const std::size_t nodes : {64U, 1000U}) {
    std::mt19937_64 dice(nodes);
    auto logs = alike_values(nodes, 0.01, dice);
    for (std::size_t k = 0; k < nodes * 2 / 5; ++k) logs[k] += std::log(0.9);
    auto all = standings(logs, 0.05, 5);
    EXPECT_TRUE(all.two_groups()) << nodes;
    EXPECT_EQ(worse_of(all), 0U) << nodes;
    logs[nodes - 1] = std::log(0.8);  // below the worse group
    all = standings(logs, 0.05, 5);
    EXPECT_TRUE(all.two_groups());
    EXPECT_EQ(worse_of(all), 1U);
  }
}

TEST(AlikeStandings, OneSlowOfFewIsNoGroup) {
  std::mt19937_64 dice(5);
  for (const std::size_t nodes : {5U, 6U, 8U, 10U}) {
    auto logs = alike_values(nodes, 0.005, dice);
    logs[2] = std::log(0.7);
    const auto all = standings(logs, 0.05, 5);
    EXPECT_FALSE(all.two_groups()) << nodes;
    EXPECT_TRUE(all.of[2].worse()) << nodes;
  }
}

TEST(MedianPolish, FindsLevelsEffectsAndOneLink) {
  constexpr std::size_t ends = 12;
  std::vector<Between> values;
  std::vector<double> truth(ends, 0.0);
  truth[7] = std::log(0.7);
  std::size_t slow = 0;
  for (std::size_t a = 0; a < ends; ++a)
    for (std::size_t b = a + 1; b < ends; ++b) {
      const std::size_t kind = a % 2 == b % 2 ? 0 : 1;
      double log = (kind == 0 ? 0.0 : std::log(0.8)) + truth[a] + truth[b];
      if (a == 3 && b == 4) {
        log += std::log(0.5);
        slow = values.size();
      }
      values.push_back({a, b, log, kind});
    }
  const auto fit = median_polish(values, ends);
  EXPECT_NEAR(fit.levels[0], 0, 1e-6);
  EXPECT_NEAR(fit.levels[1], std::log(0.8), 1e-6);
  EXPECT_NEAR(fit.effects[7], std::log(0.7), 1e-6);
  for (std::size_t k = 0; k < values.size(); ++k) {
    EXPECT_NEAR(fit.residuals[k], k == slow ? std::log(0.5) : 0, 1e-6) << k;
  }
}

/// Every end with every other, whose logarithms scatter by sd; the first end is off.
std::vector<Between> noisy_links(std::size_t ends, double sd, double off, std::mt19937_64& dice) {
  std::normal_distribution<double> normal(0, sd);
  std::vector<Between> values;
  for (std::size_t a = 0; a < ends; ++a)
    for (std::size_t b = a + 1; b < ends; ++b) values.push_back({a, b, normal(dice) + (a == 0 ? off : 0), 0});
  return values;
}

TEST(LinkStandings, EndsOfLinksThatScatterRaiseFewAlarmsAndASlowOneIsFound) {
  std::mt19937_64 dice(11);
  for (const std::size_t ends : {6U, 8U, 32U}) {
    constexpr int machines = 500, tests = 5;
    int alarms = 0, found = 0;
    for (int machine = 0; machine < machines; ++machine) {
      const auto noisy = noisy_links(ends, 0.4, 0, dice);
      alarms += worse_of(link_standings(noisy, ends, 0.2, tests).ends) > 0 ? 1 : 0;
      const auto slow = noisy_links(ends, 0.03, std::log(0.5), dice);
      const auto all = link_standings(slow, ends, 0.2, tests);
      found += all.ends.of[0].worse() && worse_of(all.ends) == 1 ? 1 : 0;
    }
    std::cout << ends << " ends: " << alarms << " alarms in " << machines
              << " machines, the slow end found in " << found << '\n';
    EXPECT_LE(alarms, 10) << ends;
    EXPECT_EQ(found, machines) << ends;
  }
}

/// Every end with every other, as good as the worse of two ends: of the first `fast` better ones and the others.
std::vector<Between> links_of_the_worse_end(std::size_t ends, std::size_t fast, std::mt19937_64& dice) {
  auto values = noisy_links(ends, 0.01, 0, dice);
  for (Between& value : values)
    if (value.a >= fast || value.b >= fast) value.log += std::log(0.5);
  return values;
}

TEST(BetterAmongThemselves, AreEndsWhoseLinksToOneAnotherAlone) {
  std::mt19937_64 dice(17);
  for (const std::size_t fast : {5U, 8U, 9U, 11U}) {
    const auto found = better_among_themselves(links_of_the_worse_end(16, fast, dice), 16, 0.1);
    ASSERT_EQ(found.size(), 16U) << fast;
    for (std::size_t end = 0; end < 16; ++end) EXPECT_EQ(found[end], end < fast) << end;
  }
  // Fewer than five on a side are no group.
  EXPECT_TRUE(better_among_themselves(links_of_the_worse_end(16, 4, dice), 16, 0.1).empty());
  EXPECT_TRUE(better_among_themselves(links_of_the_worse_end(16, 12, dice), 16, 0.1).empty());
  EXPECT_TRUE(better_among_themselves(noisy_links(16, 0.01, 0, dice), 16, 0.1).empty());
  EXPECT_TRUE(better_among_themselves(noisy_links(16, 0.4, 0, dice), 16, 0.1).empty());
  EXPECT_TRUE(better_among_themselves({}, 16, 0.1).empty());
  // Two islands: all have better links, not all of them to one another.
  auto islands = noisy_links(16, 0.01, 0, dice);
  for (Between& value : islands)
    if (value.a / 8 != value.b / 8) value.log += std::log(0.5);
  EXPECT_TRUE(better_among_themselves(islands, 16, 0.1).empty());
}

TEST(LinkStandings, OfEndsThatAreBetterAmongThemselvesAreApart) {
  std::mt19937_64 dice(18);
  auto values = links_of_the_worse_end(16, 8, dice);
  for (Between& value : values) {
    if (value.a == 2 && value.b == 5) value.log += std::log(0.5);  // as slow as links of the others
    if (value.a == 12 || value.b == 12) value.log += std::log(0.7);
  }
  const auto all = link_standings(values, 16, 0.1, 5);
  ASSERT_TRUE(all.ends.two_groups());
  for (std::size_t end = 0; end < 16; ++end) {
    EXPECT_EQ(all.ends.of[end].group, end < 8 ? 0 : 1) << end;
    EXPECT_EQ(all.ends.of[end].worse(), end == 12) << end;
  }
  for (std::size_t k = 0; k < values.size(); ++k)
    EXPECT_EQ(all.links[k].worse(), values[k].a == 2 && values[k].b == 5) << k;
  EXPECT_NEAR(*all.level({0, 1, 0, 0}), 0, 0.02);
  EXPECT_NEAR(*all.level({0, 15, 0, 0}), std::log(0.5), 0.02);
  EXPECT_FALSE(all.level({0, 1, 0, 7}).has_value());
}

TEST(LinkStandings, AreThoseOfTheEndsThatHaveLinks) {
  std::mt19937_64 dice(19);
  auto values = noisy_links(16, 0.01, 0, dice);
  for (Between& value : values) {
    if (value.a == 3 && value.b == 9) value.log += std::log(0.5);
    value.a *= 8;  // first ranks of nodes with eight processes each
    value.b *= 8;
  }
  const auto all = link_standings(values, 121, 0.1, 1);
  for (std::size_t k = 0; k < values.size(); ++k)
    EXPECT_EQ(all.links[k].worse(), values[k].a == 24 && values[k].b == 72) << k;
  EXPECT_TRUE(all.ends.of[8].judged);
  EXPECT_FALSE(all.ends.of[9].judged);
}

TEST(MedianPolish, OfNothingIsNothing) {
  const auto fit = median_polish({}, 3);
  EXPECT_EQ(fit.effects, std::vector<double>(3, 0.0));
  EXPECT_TRUE(fit.residuals.empty());
}

}  // namespace
}  // namespace steelyard::stats
