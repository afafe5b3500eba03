// SPDX-License-Identifier: Apache-2.0
#include "analysis/history/change_points.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <iostream>
#include <random>

#include "stats/order.hpp"

namespace steelyard::history {
namespace {

using Logs = std::vector<double>;
using Draw = std::function<double(std::mt19937_64&)>;

double normal(std::mt19937_64& dice) {
  return std::normal_distribution<double>(0, 1)(dice);
}

Logs series(std::size_t n, const Draw& draw, std::mt19937_64& dice) {
  Logs logs(n);
  for (double& x : logs) x = draw(dice);
  return logs;
}

/// Share of series without a change in which one is found, at any size.
double alarms(std::size_t n, int count, double alpha, const Draw& draw) {
  std::mt19937_64 dice(n);
  RankSums ranks;
  int found = 0;
  for (int i = 0; i < count; ++i)
    found += find_changes(series(n, draw, dice), {alpha, 0}, ranks).changes.empty() ? 0 : 1;
  const double share = static_cast<double>(found) / count;
  std::cout << "n " << n << ", alpha " << alpha << ": " << found << " of " << count << '\n';
  return share;
}

/// A rate of `rate` gives no more than this share of `count` in 999 of 1000 cases.
double bound(double rate, int count) {
  return rate + 3.1 * std::sqrt(rate * (1 - rate) / count);
}

TEST(Ranks, ExactProbabilities) {
  Logs logs;
  for (int i = 0; i < 27; ++i) logs.push_back((i * 7) % 27);
  for (int i = 0; i < 3; ++i) logs.push_back(100 + i);
  RankSums ranks;
  const auto p = ranks.cuts(logs);
  ASSERT_EQ(p.size(), 25U);
  EXPECT_NEAR(p.back(), 2.0 / 4060, 1e-12);
  const Findings found = find_changes(logs, {0.05, 0}, ranks);
  EXPECT_NEAR(found.p, 25 * 2 * 2.0 / 4060, 1e-9);
  EXPECT_NEAR(RankSums::least(26, 4), 2.0 / 27405, 1e-15);
  Logs four(logs.begin() + 1, logs.end());
  four.push_back(103);
  EXPECT_NEAR(find_changes(four, {0.01, 0}, ranks).p, 25 * 2 * 2.0 / 27405, 1e-9);
  EXPECT_EQ(find_changes(four, {0.01, 0}, ranks).changes.size(), 1U);
}

TEST(Ranks, TiesHaveTheDistributionOfTheirMidranks) {
  RankSums ranks;
  const Logs logs{1, 1, 1, 2, 2, 2};  // 3 against 3: one choice of 20 is as low, one as high
  EXPECT_NEAR(ranks.cuts(logs).front(), 2.0 / 20, 1e-12);
  EXPECT_EQ(ranks.cuts(Logs(30, 1.0)).front(), 1);
}

/// Of all choices of so many ranks, the share with a sum as far out as that of the first ones, on the nearer side, twice.
double share_as_far(const Logs& logs, std::size_t cut) {
  const auto rank = [&](double x) {
    double doubled = 1;
    for (const double other : logs) doubled += other < x ? 2 : other == x ? 1 : 0;
    return doubled;
  };
  const auto sum_of = [&](unsigned chosen) {
    double sum = 0;
    for (std::size_t i = 0; i < logs.size(); ++i) sum += (chosen >> i & 1U) != 0 ? rank(logs[i]) : 0;
    return sum;
  };
  const double mine = sum_of((1U << cut) - 1);
  int all = 0, below = 0, above = 0;
  for (unsigned chosen = 0; chosen < 1U << logs.size(); ++chosen) {
    if (static_cast<std::size_t>(std::popcount(chosen)) != cut) continue;
    ++all;
    below += sum_of(chosen) <= mine ? 1 : 0;
    above += sum_of(chosen) >= mine ? 1 : 0;
  }
  return std::min(1.0, 2.0 * std::min(below, above) / all);
}

TEST(Ranks, TiesAreCountedAsAllChoicesAre) {
  std::mt19937_64 dice(23);
  RankSums ranks;
  for (int i = 0; i < 30; ++i) {
    const Logs logs = series(
        11, [](auto& d) { return std::floor(2 * normal(d)); }, dice);
    const auto p = ranks.cuts(logs);
    for (std::size_t k = 0; k < p.size(); ++k)
      EXPECT_NEAR(p[k], share_as_far(logs, k + least_side), 1e-12) << i << ' ' << k;
  }
}

TEST(Ranks, ALongSideIsExactWhereTheOtherIsShort) {
  RankSums ranks;
  Logs logs;
  for (int i = 0; i < 197; ++i) logs.push_back(i % 100 + i * 1e-6);
  for (int i = 0; i < 3; ++i) logs.push_back(1000 + i);
  EXPECT_NEAR(ranks.cuts(logs).back() / RankSums::least(197, 3), 1, 1e-9);
}

TEST(Ranks, ZOfProbabilities) {
  EXPECT_NEAR(z_of(0.05), 1.959964, 1e-5);
  for (const double p : {1e-9, 1e-4, 0.3}) EXPECT_NEAR(two_sided_of(z_of(p)) / p, 1, 1e-9);
}

TEST(Changes, HowManyEntriesAreNeeded) {
  const std::pair<std::size_t, std::size_t> known[] = {{10, 7}, {15, 5}, {20, 5}, {30, 4}};
  for (const auto& [before, after] : known) EXPECT_EQ(entries_needed(before, 0.01, 1), after) << before;
  EXPECT_EQ(entries_needed(26, 0.01 / 24, 1), 6U);
  EXPECT_EQ(entries_needed(12, 0.01 / 24, 1), 10U);
}

TEST(Changes, FalseAlarmsOfAnyDistribution) {
  constexpr int count = 4000;
  const std::pair<const char*, Draw> kinds[] = {
      {"normal", normal},
      {"log-normal", [](auto& dice) { return std::exp(normal(dice)); }},
      {"Cauchy", [](auto& dice) { return std::cauchy_distribution<double>()(dice); }}};
  for (const auto& [name, draw] : kinds) EXPECT_LE(alarms(30, count, 0.01, draw), bound(0.01, count)) << name;
  EXPECT_LE(alarms(30, count, 0.05, normal), 0.05);
}

TEST(Changes, FalseAlarmsWithTies) {
  EXPECT_LE(
      alarms(30, 1000, 0.01,
             [](auto& dice) { return static_cast<double>(std::uniform_int_distribution<int>(0, 4)(dice)); }),
      bound(0.01, 1000));
}

TEST(Changes, FalseAlarmsOfLongSeries) {
  EXPECT_LE(alarms(60, 1000, 0.01, normal), 0.019);
  EXPECT_LE(alarms(200, 400, 0.01, normal), bound(0.01, 400));
}

/// A series in which each entry keeps this share of the one before.
Logs resembling(std::size_t n, double correlation, double spread, std::mt19937_64& dice) {
  Logs logs;
  double x = spread * normal(dice) / std::sqrt(1 - correlation * correlation);
  for (std::size_t k = 0; k < n; ++k) logs.push_back(x = correlation * x + spread * normal(dice));
  return logs;
}

TEST(Changes, FalseAlarmsOfNeighboursThatResemble) {
  RankSums ranks;
  constexpr int count = 2000;
  const std::pair<double, double> most[] = {{0.3, 0.03}, {0.5, 0.04}, {0.8, 0.06}};
  for (const auto& [correlation, share] : most) {
    std::mt19937_64 dice(5);
    int found = 0;
    for (int i = 0; i < count; ++i)
      found += find_changes(resembling(30, correlation, 1, dice), {0.01, 0}, ranks).changes.empty() ? 0 : 1;
    std::cout << "correlation " << correlation << ": " << found << " of " << count << '\n';
    EXPECT_LE(found, count * share) << correlation;
  }
}

struct Power {
  double found = 0, inside = 0;
};

Power power(double step, std::size_t after, int count, std::size_t n = 30) {
  std::mt19937_64 dice(after);
  RankSums ranks;
  int found = 0, inside = 0;
  for (int i = 0; i < count; ++i) {
    Logs logs = series(
        n, [](auto& d) { return 0.02 * normal(d); }, dice);
    for (std::size_t k = n - after; k < n; ++k) logs[k] += std::log1p(step);
    const auto changes = find_changes(logs, {0.01, 0.02}, ranks).changes;
    if (changes.empty()) continue;
    ++found;
    inside += changes.back().first <= n - after && n - after <= changes.back().last ? 1 : 0;
  }
  std::cout << "step " << step << ", " << after << " after: found " << found << " of " << count
            << ", true cut in the range " << inside << '\n';
  return {static_cast<double>(found) / count, found > 0 ? static_cast<double>(inside) / found : 0};
}

TEST(Changes, StepsAreFound) {
  const Power ten = power(0.10, 8, 500);
  EXPECT_GE(ten.found, 0.90);
  EXPECT_GE(ten.inside, 0.95);
  EXPECT_GE(power(0.05, 8, 500).found, 0.70);
  EXPECT_GE(power(0.10, 4, 500).found, 0.65);
  EXPECT_GE(power(-0.10, 8, 200).found, 0.90);
}

TEST(Changes, TheRatioIsTheMedianOfAllDifferences) {
  std::mt19937_64 dice(5);
  RankSums ranks;
  for (const std::size_t after : {7U, 8U, 30U}) {
    Logs logs = series(
        20 + after, [](auto& d) { return std::round(normal(d)) / 100; }, dice);
    for (std::size_t k = 20; k < logs.size(); ++k) logs[k] -= 1;
    const auto changes = find_changes(logs, {}, ranks).changes;
    ASSERT_EQ(changes.size(), 1U);
    ASSERT_EQ(changes[0].cut, 20U);
    Logs differences;
    for (std::size_t a = 0; a < 20; ++a)
      for (std::size_t b = 20; b < logs.size(); ++b) differences.push_back(logs[b] - logs[a]);
    std::ranges::sort(differences);
    EXPECT_DOUBLE_EQ(changes[0].ratio, std::exp(stats::median(differences)));
    ASSERT_TRUE(changes[0].interval);
    const auto holds = [&](double ratio) {
      return std::ranges::any_of(differences, [&](double one) { return std::exp(one) == ratio; });
    };
    EXPECT_TRUE(holds(changes[0].interval->low) && holds(changes[0].interval->high));
    EXPECT_LT(changes[0].interval->low, changes[0].interval->high);
  }
}

TEST(Changes, ABumpThatGoesIsTwoChanges) {
  std::mt19937_64 dice(11);
  RankSums ranks;
  constexpr int count = 100;
  int two = 0;
  for (int i = 0; i < count; ++i) {
    Logs logs = series(
        100, [](auto& d) { return 0.02 * normal(d); }, dice);
    for (std::size_t k = 50; k < 60; ++k) logs[k] += std::log(1.15);
    const auto changes = find_changes(logs, {}, ranks).changes;
    two += changes.size() == 2 && std::abs(std::log(changes[0].ratio * changes[1].ratio)) < 0.03 ? 1 : 0;
  }
  std::cout << "bumps: " << two << " of " << count << '\n';
  EXPECT_GE(two, 90);
}

/// Share of series with a change among those of `n` entries that rise by `step` at each of the places, with noise of 1 %.
double found_steps(std::size_t n, const std::vector<std::size_t>& places, double step) {
  std::mt19937_64 dice(n);
  RankSums ranks;
  constexpr int count = 100;
  int found = 0;
  for (int i = 0; i < count; ++i) {
    Logs logs = series(
        n, [](auto& d) { return 0.01 * normal(d); }, dice);
    for (std::size_t k = 0; k < n; ++k)
      for (const std::size_t place : places) logs[k] += k >= place ? std::log1p(step) : 0;
    found += find_changes(logs, {}, ranks).changes.empty() ? 0 : 1;
  }
  std::cout << places.size() << " steps of " << step << " in " << n << ": " << found << " of " << count
            << '\n';
  return static_cast<double>(found) / count;
}

TEST(Changes, StepsDoNotHideEachOther) {
  EXPECT_GE(found_steps(29, {20, 26}, 0.20), 0.70);
  EXPECT_GE(found_steps(32, {20, 26}, 0.20), 0.95);
  EXPECT_GE(found_steps(40, {20, 25}, 0.06), 0.95);
  EXPECT_GE(found_steps(40, {15, 20, 25, 30}, 0.06), 0.95);
}

constexpr std::size_t stepped_at = 22;

/// 22 entries, and 8 some 20 % above them, in thousandths.
Logs logs_of(const std::vector<int>& thousandths) {
  Logs logs;
  for (const int x : thousandths) logs.push_back(x / 1000.0);
  return logs;
}

/// By ranks alone the best cut is two entries earlier, since the two before the step are the highest of theirs.
TEST(Changes, ExtremesBesideAStepDoNotHideIt) {
  const std::vector<int> known[] = {{-9, 17, -1,  0, -5, 3, -13, -6,  2,   7,   6,   -2,  1,   -12, -13,
                                     8,  5,  -14, 2, 7,  9, 14,  197, 189, 175, 184, 176, 189, 180, 173},
                                    {-8, 4,   0,  -2, -10, -4, -17, 5,   1,   -10, -18, 4,   -17, 10,  -6,
                                     8,  -12, -3, -5, -2,  9,  16,  191, 172, 173, 174, 176, 193, 198, 194},
                                    {9,  6,  -12, -3, 19, 2,  -5, 0,   -2,  -10, 4,   8,   4,   6,   1,
                                     -8, -7, 6,   9,  2,  12, 17, 161, 181, 176, 171, 190, 194, 168, 151}};
  RankSums ranks;
  for (const auto& one : known) {
    const auto found = find_changes(logs_of(one), {}, ranks);
    ASSERT_EQ(found.changes.size(), 1U);
    EXPECT_EQ(found.changes[0].cut, stepped_at);
    EXPECT_LE(found.changes[0].first, stepped_at);
    EXPECT_GE(found.changes[0].last, stepped_at);
    EXPECT_FALSE(found.suspicion);
  }
}

TEST(Changes, AStepThatIsNoProofIsSuspectedInItsPlace) {
  const std::vector<int> known[] = {{-2,  9,  -6, 19, 7,  0,  10, 3,   -13, -16, -3,  13,  8,   -5,  -1,
                                     -13, -5, -2, -8, 17, 18, 3,  174, 184, 169, 175, 200, 190, 190, 190},
                                    {2, -4, -4, -19, 7,   -12, -8, 0,   -13, -4,  -3,  20,  0,   7,   24,
                                     3, 10, 7,  -4,  -15, -2,  5,  193, 179, 165, 173, 180, 189, 191, 191}};
  RankSums ranks;
  for (const auto& one : known) {
    const auto found = find_changes(logs_of(one), {}, ranks);
    EXPECT_TRUE(found.dependent);
    EXPECT_TRUE(found.changes.empty());
    ASSERT_TRUE(found.suspicion);
    EXPECT_EQ(found.suspicion->entries, one.size() - stepped_at);
    EXPECT_NEAR(found.suspicion->ratio, 1.2, 0.02);
  }
}

TEST(Changes, ALastingStepIsToldInItsPlace) {
  std::mt19937_64 dice(13);
  RankSums ranks;
  constexpr int count = 500;
  int found = 0, suspected = 0;
  for (int i = 0; i < count; ++i) {
    Logs logs = series(
        30, [](auto& d) { return 0.01 * normal(d); }, dice);
    for (std::size_t k = 22; k < 30; ++k) logs[k] += std::log(1.2);
    const auto told = find_changes(logs, {}, ranks);
    found += !told.changes.empty() && told.changes[0].cut == 22 ? 1 : 0;
    suspected += told.changes.empty() && told.suspicion && told.suspicion->entries == 8 ? 1 : 0;
  }
  std::cout << "lasting steps: " << found << " found, " << suspected << " suspected of " << count << '\n';
  EXPECT_EQ(found + suspected, count);
  EXPECT_GE(found, 450);
}

TEST(Changes, AnEntryFarOutDoesNotDrawTheCut) {
  std::mt19937_64 dice(14);
  RankSums ranks;
  constexpr int count = 100;
  int found = 0;
  for (int i = 0; i < count; ++i) {
    Logs logs = series(
        30, [](auto& d) { return 0.01 * normal(d); }, dice);
    for (std::size_t k = 15; k < 30; ++k) logs[k] += std::log(1.2);
    logs[8] += 3;
    const auto changes = find_changes(logs, {}, ranks).changes;
    found += changes.size() == 1 && changes[0].cut == 15 ? 1 : 0;
  }
  EXPECT_GE(found, 90);
}

TEST(Changes, SmallOnesAreNone) {
  std::mt19937_64 dice(3);
  RankSums ranks;
  Logs logs = series(
      30, [](auto& d) { return 0.005 * normal(d); }, dice);
  for (std::size_t k = 20; k < 30; ++k) logs[k] += std::log(1.04);
  EXPECT_TRUE(find_changes(logs, {}, ranks).changes.empty());
}

TEST(Changes, AFreshOneIsSuspected) {
  std::mt19937_64 dice(3);
  RankSums ranks;
  Logs logs = series(
      20, [](auto& d) { return 0.02 * normal(d); }, dice);
  logs.push_back(std::log(1.3));
  const auto found = find_changes(logs, {}, ranks);
  EXPECT_TRUE(found.changes.empty());
  ASSERT_TRUE(found.suspicion);
  EXPECT_EQ(found.suspicion->entries, 1U);
}

TEST(Changes, SlowDriftIsATrend) {
  std::mt19937_64 dice(4);
  RankSums ranks;
  int drifts = 0, changes = 0;
  for (int i = 0; i < 50; ++i) {
    Logs logs = series(
        24, [](auto& d) { return 0.02 * normal(d); }, dice);
    for (std::size_t k = 0; k < logs.size(); ++k) logs[k] += 0.003 * static_cast<double>(k);
    const auto found = find_changes(logs, {}, ranks);
    drifts += found.trend ? 1 : 0;
    changes += found.changes.empty() ? 0 : 1;
    if (found.trend) {
      EXPECT_TRUE(found.changes.empty());
      EXPECT_GT(found.trend->ratio, 1.04);
    }
  }
  std::cout << "drifts: " << drifts << ", steps: " << changes << " of 50\n";
  EXPECT_GE(drifts + changes, 25);
}

/// How many of `count` series of this length that rise in a line by `rise` in all, with noise of 1 %, drift.
int drifting(std::size_t n, double rise, int count) {
  std::mt19937_64 dice(n);
  RankSums ranks;
  int drifts = 0;
  for (int i = 0; i < count; ++i) {
    Logs logs = series(
        n, [](auto& d) { return 0.01 * normal(d); }, dice);
    for (std::size_t k = 0; k < n; ++k)
      logs[k] += std::log1p(rise * static_cast<double>(k) / static_cast<double>(n - 1));
    const auto found = find_changes(logs, {}, ranks);
    drifts += found.changes.empty() && found.trend && std::abs(found.trend->ratio - 1 - rise) < 0.05 ? 1 : 0;
  }
  std::cout << "rise " << rise << " in " << n << ": " << drifts << " of " << count << " drift\n";
  return drifts;
}

TEST(Changes, ASteadyDriftIsNoDependence) {
  EXPECT_GE(drifting(40, 0.26, 40), 39);
  EXPECT_GE(drifting(60, 0.50, 40), 39);
}

TEST(Changes, FalseTrendsOfNeighboursThatResemble) {
  std::mt19937_64 dice(6);
  RankSums ranks;
  constexpr int count = 1000;
  const std::pair<double, double> most[] = {{0, 0.014}, {0.5, 0.03}, {0.8, 0.05}};
  for (const auto& [correlation, share] : most) {
    int found = 0;
    for (int i = 0; i < count; ++i)
      found += find_changes(resembling(30, correlation, 0.03, dice), {}, ranks).trend ? 1 : 0;
    std::cout << "correlation " << correlation << ": " << found << " of " << count << " drift\n";
    EXPECT_LE(found, count * share) << correlation;
  }
}

TEST(Changes, FewEntriesAreNotTested) {
  RankSums ranks;
  EXPECT_EQ(find_changes(Logs{1, 1, 1, 1, 9, 9, 9}, {}, ranks).tested, 0U);
}

}  // namespace
}  // namespace steelyard::history
