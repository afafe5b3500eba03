// SPDX-License-Identifier: Apache-2.0
#include "suites/beff/control.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "suites/beff/settings.hpp"

namespace steelyard::beff {
namespace {

Settings settings_with(double last_two_limit_s) {
  Settings settings;
  settings.memory_mebibyte = 1024;
  settings.polygons = 2;
  settings.last_two_limit_s = last_two_limit_s;
  return settings;
}

/// Which loops were run in each repetition, and their lengths, on a machine whose loops take latency + L /
/// rate; the non-blocking method is twice as fast as the others.
struct Played {
  std::map<std::tuple<int, std::size_t, std::size_t, Method>, std::uint64_t> loops;
};

Played play(const Settings& settings) {
  const PatternTable table(4, {.seed = settings.seed, .polygons = settings.polygons});
  const auto lengths = message_lengths(longest(settings));
  const auto all = places(table, settings);
  const auto iteration_s = [&](const Place& place) {
    const double slow = place.method == Method::nonblocking ? 1 : 2;
    return slow * (1e-6 + static_cast<double>(lengths[place.length].count()) / 1e9);
  };
  std::array<std::vector<double>, 3> pre_pass;
  for (const auto& place : all)
    if (place.length == 0)
      pre_pass[static_cast<std::size_t>(place.method)].push_back(10 * iteration_s(place));
  Control control(settings, pre_pass);
  Played played;
  for (int r = 1; r <= settings.repetitions; ++r)
    for (const auto& place : all) {
      const auto n = control.iterations(place);
      if (!n) continue;
      played.loops[{r, place.length, place.pattern, place.method}] = *n;
      control.measured(place, *n, static_cast<double>(*n) * iteration_s(place));
    }
  return played;
}

TEST(control, measures_every_loop_when_the_last_two_lengths_are_quick) {
  const auto settings = settings_with(1e6);
  const PatternTable table(4, {.seed = 1, .polygons = 2});
  EXPECT_EQ(play(settings).loops.size(), 3 * places(table, settings).size());
}

TEST(control, shortens_the_last_two_lengths_to_the_best_method) {
  const auto played = play(settings_with(1e-3));
  for (const auto& [where, n] : played.loops) {
    const auto& [r, k, p, method] = where;
    if (k < 19) continue;
    EXPECT_EQ(n, 1U);
    EXPECT_LE(r, k == 20 ? 2 : 3);
    const PatternTable table(4, {.seed = 1, .polygons = 2});
    EXPECT_EQ(method, table.patterns()[p].sendrecv_only ? Method::sendrecv : Method::nonblocking);
  }
  const auto loops_at = [&](int r, std::size_t k) {
    return std::ranges::count_if(
        played.loops, [&](const auto& l) { return std::get<0>(l.first) == r && std::get<1>(l.first) == k; });
  };
  const PatternTable table(4, {.seed = 1, .polygons = 2});
  EXPECT_EQ(loops_at(3, 19), static_cast<long>(table.patterns().size()));
  EXPECT_EQ(loops_at(2, 20), static_cast<long>(table.patterns().size()));
  EXPECT_EQ(loops_at(3, 20), 0);
}

TEST(control, is_never_shortened_when_told_not_to) {
  auto settings = settings_with(1e-3);
  settings.shorten_last_two = false;
  const PatternTable table(4, {.seed = 1, .polygons = 2});
  EXPECT_EQ(play(settings).loops.size(), 3 * places(table, settings).size());
}

TEST(control, a_slow_pre_pass_lasts_for_one_repetition_only) {
  Settings settings = settings_with(60);
  settings.loop_time_s = 5e-3;
  const PatternTable table(4, {.seed = 1, .polygons = 2});
  const auto all = places(table, settings);
  std::array<std::vector<double>, 3> pre_pass;
  for (const auto& place : all)
    if (place.length == 0) pre_pass[static_cast<std::size_t>(place.method)].push_back(1.0);  // stood still
  Control control(settings, pre_pass);
  constexpr double iteration_s = 1e-6;
  std::vector<std::uint64_t> shortest;
  for (int r = 1; r <= 2; ++r)
    for (const auto& place : all) {
      const auto n = control.iterations(place).value_or(1);
      if (place.length == 0 && place.pattern == 0 && place.method == Method::sendrecv) shortest.push_back(n);
      control.measured(place, n, static_cast<double>(n) * iteration_s);
    }
  EXPECT_EQ(shortest[0], 5U);
  EXPECT_NEAR(static_cast<double>(shortest[1]), 0.5 * *settings.loop_time_s / iteration_s, 1);
}

TEST(places, run_over_lengths_then_patterns_then_methods) {
  const auto settings = settings_with(60);
  const PatternTable table(8, {.seed = 1, .polygons = 30});
  const auto all = places(table, settings);
  EXPECT_EQ(all.size(), 21 * (3 * table.patterns().size() - 2));
  for (std::size_t i = 1; i < all.size(); ++i) {
    const auto order = [](const Place& p) { return std::tuple(p.length, p.pattern, p.method); };
    ASSERT_LT(order(all[i - 1]), order(all[i]));
  }
}

TEST(settings, patterns_of_a_method_share_half_a_second) {
  Settings settings = settings_with(60);
  EXPECT_DOUBLE_EQ(loop_rule(settings, 50).loop_time_s, 0.01);
  EXPECT_DOUBLE_EQ(loop_rule(settings, 0).loop_time_s, 0.5);
  settings.loop_time_s = 3e-3;
  EXPECT_DOUBLE_EQ(loop_rule(settings, 50).loop_time_s, 3e-3);
}

TEST(settings, departures_are_named_and_nothing_else) {
  Settings settings;
  settings.memory_mebibyte = 1024;
  EXPECT_TRUE(departures(settings).empty());
  settings.seed = 7;
  EXPECT_TRUE(departures(settings).empty());
  EXPECT_EQ(departures(shortened(settings)).size(), 3U);
  EXPECT_EQ(departures(tested(settings)).size(), 3U);
  settings.without_methods = {Method::alltoallv};
  settings.longest = Bytes{1 << 20};
  EXPECT_EQ(departures(settings).size(), 2U);
}

TEST(settings, excluded_patterns_are_informative_ones_only) {
  Settings settings;
  settings.memory_mebibyte = 1024;
  settings.without_patterns = {"cyclic", "best-bi-section"};
  const PatternTable table(8, {});
  for (const auto& pattern : table.patterns()) {
    const bool out = pattern.name.starts_with("cyclic") || pattern.name == "best  bi-section";
    EXPECT_EQ(excluded(settings, pattern), out) << pattern.name;
  }
}

TEST(plan, has_a_key_of_its_own_for_every_loop) {
  Settings settings;
  settings.memory_mebibyte = 1024;
  const Definition definition(settings);
  const std::string names[] = {"b_eff"};
  for (const int p : {2, 3, 5, 8, 16}) {
    const auto blocks = definition.plan(names, p);
    ASSERT_EQ(blocks.size(), 1U);
    std::set<std::string> keys;
    for (const auto& point : blocks[0].points) keys.insert(point.key);
    EXPECT_EQ(keys.size(), blocks[0].points.size());
    EXPECT_TRUE(blocks[0].indivisible);
  }
  EXPECT_EQ(definition.plan(names, 1)[0].points[0].skip, record::ReasonCode::processes);
}

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

}  // namespace
}  // namespace steelyard::beff
