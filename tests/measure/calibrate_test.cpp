// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <vector>

#include "fake_clock.hpp"
#include "measure/clock.hpp"
#include "measure/counter.hpp"

namespace steelyard::measure {
namespace {

std::vector<Ticks> repeated(std::vector<std::pair<Ticks, int>> counts) {
  std::vector<Ticks> values;
  for (const auto& [value, count] : counts)
    values.insert(values.end(), static_cast<std::size_t>(count), value);
  return values;
}

/// Differences of a clock with that step, read every `cost` ticks plus up to `jitter`.
std::vector<Ticks> readings(Ticks step, Ticks cost, Ticks jitter, double detours, Ticks unit_of_detours = 1) {
  std::mt19937_64 random(3);
  std::uniform_int_distribution<Ticks> extra(0, jitter), detour(1000, 20000);
  std::bernoulli_distribution detoured(detours);
  std::vector<Ticks> differences;
  Ticks time = 0, last = 0;
  for (int i = 0; i < 200'000; ++i) {
    time += cost + extra(random) + (detoured(random) ? detour(random) * unit_of_detours : 0);
    const Ticks now = time / step * step;
    differences.push_back(now - last);
    last = now;
  }
  return differences;
}

TEST(find_step, measured_clusters_give_their_smallest_distance) {
  EXPECT_DOUBLE_EQ(find_step(repeated({{1, 1000}, {26, 8700}, {51, 300}}), 2), 25);
}

TEST(find_step, rounding_of_units_stays_within_a_cluster) {
  const auto differences =
      repeated({{0, 300}, {1, 700}, {25, 2000}, {26, 5000}, {27, 1700}, {51, 200}, {52, 100}});
  EXPECT_NEAR(find_step(differences, 2), 25, 0.7);
}

TEST(find_step, zero_counts_when_it_is_frequent) {
  EXPECT_DOUBLE_EQ(find_step(repeated({{0, 98}, {1000, 2}}), 2), 1000);
}

TEST(find_step, rare_values_do_not_make_a_centre) {
  EXPECT_DOUBLE_EQ(find_step(repeated({{20, 9000}, {30, 900}, {33, 50}, {90, 50}}), 2), 10);
}

TEST(find_step, single_value_is_an_upper_bound) {
  EXPECT_DOUBLE_EQ(find_step(repeated({{40, 500}}), 2), 40);
}

TEST(find_step, clock_that_hardly_ever_moves_has_the_step_that_it_makes) {
  EXPECT_DOUBLE_EQ(find_step(repeated({{0, 199'995}, {1'000'000, 5}}), 2), 1'000'000);
  EXPECT_DOUBLE_EQ(find_step(repeated({{0, 199'990}, {999'999, 3}, {1'000'001, 5}, {9'000'000, 2}}), 2),
                   999'999);
  EXPECT_DOUBLE_EQ(find_step(repeated({{-500, 2}, {0, 199'995}, {1000, 3}}), 2), 1000);
  EXPECT_DOUBLE_EQ(find_step(repeated({{0, 200'000}}), 2), 1) << "it never moved";
}

TEST(find_step, nothing_read_is_one_tick) {
  EXPECT_DOUBLE_EQ(find_step({}, 2), 1);
}

struct StepCase {
  Ticks step, cost, jitter;
};

class find_step_of_clock : public testing::TestWithParam<StepCase> {};

TEST_P(find_step_of_clock, is_found_with_and_without_detours) {
  const StepCase c = GetParam();
  EXPECT_DOUBLE_EQ(find_step(readings(c.step, c.cost, c.jitter, 0), 2), static_cast<double>(c.step));
  EXPECT_DOUBLE_EQ(find_step(readings(c.step, c.cost, c.jitter, 0.02), 2), static_cast<double>(c.step));
}

INSTANTIATE_TEST_SUITE_P(steps, find_step_of_clock,
                         testing::Values(StepCase{1, 20, 3}, StepCase{10, 19, 2}, StepCase{26, 50, 4},
                                         StepCase{1000, 20, 3}, StepCase{2, 20, 3}));

TEST(calibrate, scripted_cost_and_step_are_found) {
  fake::Time time;
  time.read_cost = 25;
  time.step = 10;
  const TimerOf<fake::Source> timer(fake::Source{&time});
  const ClockQuality quality = calibrate(timer, "scripted");
  EXPECT_EQ(quality.source, "scripted");
  EXPECT_NEAR(quality.cost_s, 25e-9, 1e-11);
  EXPECT_NEAR(quality.cost_min_s, 25e-9, 1e-10);
  EXPECT_DOUBLE_EQ(quality.resolution_s, 10e-9);
  EXPECT_NEAR(quality.back_to_back_s, 25e-9, 5.1e-9);
  EXPECT_DOUBLE_EQ(quality.tick_claimed_s, 1e-9);
  EXPECT_EQ(quality.backwards, 0);
  EXPECT_EQ(quality.detour_share, 0);
  EXPECT_EQ(quality.counter_hz, 0);
}

TEST(calibrate, detours_do_not_change_the_cost_but_are_counted) {
  fake::Time time;
  time.read_cost = 25;
  for (std::uint64_t read = 1; read < 310'000; read += 1000) time.detours[read] = 4000;
  const ClockQuality quality = calibrate(TimerOf<fake::Source>(fake::Source{&time}), "scripted");
  EXPECT_NEAR(quality.cost_s, 29e-9, 1e-10) << "one detour in each group of 1000 reads";
  EXPECT_NEAR(quality.detour_share, 1e-3, 1e-5);
  EXPECT_DOUBLE_EQ(quality.detour_max_s, 4025e-9);
  EXPECT_NEAR(quality.back_to_back_s, 25e-9, 1e-12);
}

TEST(calibrate, coarse_clocks_have_their_step) {
  for (const Ticks step : {1'000'000, 4'000'000, 10'000'000}) {
    fake::Time time;
    time.read_cost = 25;
    time.step = step;
    const ClockQuality quality = calibrate(TimerOf<fake::Source>(fake::Source{&time}), "scripted");
    EXPECT_DOUBLE_EQ(quality.resolution_s, static_cast<double>(step) * 1e-9);
    EXPECT_LE(time.at, 50'000'000);
  }
}

TEST(calibrate, clock_that_steps_back_is_noticed) {
  fake::Time time;
  time.read_cost = 25;
  time.detours[250'000] = -1'000'000;
  EXPECT_EQ(calibrate(TimerOf<fake::Source>(fake::Source{&time}), "scripted").backwards, 1);
}

TEST(calibrate, slow_clock_takes_at_most_50_ms) {
  fake::Time time;
  time.read_cost = 700;
  static_cast<void>(calibrate(TimerOf<fake::Source>(fake::Source{&time}), "scripted"));
  EXPECT_LE(time.at, 50'000'000);
}

TEST(calibrate, clock_of_this_machine_is_plausible) {
  const ChosenTimer chosen = make_timer(ClockKind::raw);
  const ClockQuality quality = calibrate(*chosen.timer, chosen.source);
  EXPECT_GT(quality.cost_s, 1e-10);
  EXPECT_GE(quality.cost_s, quality.cost_min_s);
  EXPECT_GE(quality.resolution_s, 1e-9);
  EXPECT_EQ(quality.backwards, 0);
  EXPECT_GT(quality.tick_claimed_s, 0);
}

CounterFacts good_counter() {
  CounterSurvey survey;
  survey.facts = {true, true, true, "tsc", 2.5e9, 2.5e9, 0};
#if defined(__aarch64__)
  survey.facts.kernel_source = "arch_sys_counter";
#elif defined(__powerpc64__)
  survey.facts.kernel_source = "timebase";
#elif !defined(__x86_64__)
  survey.facts.kernel_source.clear();  // no counter is known
#endif
  return survey.facts;
}

TEST(counter_conditions, all_met_gives_no_objection) {
  EXPECT_FALSE(objection(good_counter()));
}

TEST(counter_conditions, each_one_broken_is_an_objection) {
  for (const auto& spoil : std::vector<void (*)(CounterFacts&)>{
           [](CounterFacts& f) { f.present = false; },
           [](CounterFacts& f) { f.constant = false; },
           [](CounterFacts& f) { f.nonstop = false; },
           [](CounterFacts& f) { f.kernel_source = "hpet"; },
           [](CounterFacts& f) { f.second_hz *= 1 + 25e-6; },
           [](CounterFacts& f) { f.first_hz = 0; },
           [](CounterFacts& f) { f.backwards = 1; },
           [](CounterFacts& f) { f.pairs = 999, f.compared = 25; },
           [](CounterFacts& f) { f.pairs = 1, f.compared = 0; },
       }) {
    CounterFacts facts = good_counter();
    spoil(facts);
    EXPECT_TRUE(objection(facts));
  }
}

TEST(counter_conditions, pairs_that_cannot_be_used_or_few_that_were_held_by_others_are_accepted) {
  CounterFacts facts = good_counter();
  facts.pairs = 8, facts.compared = 6;
  EXPECT_FALSE(objection(facts));
}

TEST(counter_conditions, neighbours_are_compared_within_their_time) {
  CounterFacts facts;
  const auto start = std::chrono::steady_clock::now();
  compare_neighbours(facts);
  EXPECT_LE(facts.compared, facts.pairs);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  EXPECT_EQ(facts.backwards, 0);
}

TEST(counter_conditions, rates_within_20_ppm_are_accepted) {
  CounterFacts facts = good_counter();
  facts.second_hz *= 1 + 15e-6;
  EXPECT_FALSE(objection(facts));
}

TEST(counter_frequency, is_the_slope_of_the_pairs) {
  std::vector<CounterPair> pairs;
  for (std::int64_t i = 0; i < 20; ++i)
    pairs.push_back({9'000'000'000'000 + 26 * i, 5'000'000'000'000 + 10 * i});
  EXPECT_NEAR(counter_frequency(pairs), 2.6e9, 1);
}

}  // namespace
}  // namespace steelyard::measure
