// SPDX-License-Identifier: Apache-2.0
// The two timing loops with a scripted clock: known costs in, exact stamps out.
#include "measure/clock.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <stdexcept>
#include <vector>

#include "fake_clock.hpp"
#include "measure/counter.hpp"

namespace steelyard::measure {
namespace {

using testing::ElementsAre;
using testing::Pair;

Ticks hundred(std::uint64_t) {
  return 100;
}

struct Bench {
  fake::Time time;
  TimerOf<fake::Source> timer{fake::Source{&time}};
};

TEST(contiguous_timing, batches_share_their_stamps) {
  Bench b;
  b.time.read_cost = 7;
  fake::Work work(b.time, hundred);
  std::vector<Ticks> stamps(4);
  EXPECT_EQ(b.timer.contiguous(work, 5, 3, stamps), 0);
  EXPECT_THAT(stamps, ElementsAre(7, 314, 621, 928));
  EXPECT_THAT(work.calls, ElementsAre(Pair(5, 3), Pair(8, 3), Pair(11, 3)));
}

TEST(contiguous_timing, completion_is_inside_the_last_batch_only) {
  Bench b;
  fake::Work work(b.time, hundred);
  work.completion = 50;
  std::vector<Ticks> stamps(3);
  EXPECT_EQ(b.timer.contiguous(work, 0, 2, stamps), 0);
  EXPECT_THAT(stamps, ElementsAre(0, 200, 450));
  EXPECT_EQ(work.completions, 1);
}

TEST(contiguous_timing, operations_are_told_apart_by_their_index) {
  Bench b;
  fake::Work work(b.time, [](std::uint64_t i) { return static_cast<Ticks>(10 * i); });
  std::vector<Ticks> stamps(3);
  EXPECT_EQ(b.timer.contiguous(work, 1, 2, stamps), 0);
  EXPECT_THAT(stamps, ElementsAre(0, 30, 100));
}

TEST(contiguous_timing, coarse_clock_and_detour_show_in_the_stamps) {
  Bench b;
  b.time.step = 1000;
  b.time.detours[2] = 5000;
  fake::Work work(b.time, hundred);
  std::vector<Ticks> stamps(4);
  EXPECT_EQ(b.timer.contiguous(work, 0, 6, stamps), 0);
  EXPECT_THAT(stamps, ElementsAre(0, 0, 6000, 6000));
}

TEST(contiguous_timing, first_error_is_returned_and_all_batches_run) {
  Bench b;
  fake::Work work(b.time, hundred);
  work.run_code = 17;
  work.complete_code = 3;
  std::vector<Ticks> stamps(3);
  EXPECT_EQ(b.timer.contiguous(work, 0, 1, stamps), 17);
  EXPECT_EQ(work.calls.size(), 2U);
  work.run_code = 0;
  EXPECT_EQ(b.timer.contiguous(work, 0, 1, stamps), 3);
}

TEST(single_timing, synchronisation_is_outside_the_interval) {
  Bench b;
  b.time.read_cost = 7;
  fake::Work work(b.time, hundred);
  work.completion = 5;
  fake::Sync sync(b.time, 1000);
  std::vector<Ticks> begin(2), end(2);
  EXPECT_EQ(b.timer.each(work, sync, 40, begin, end), 0);
  EXPECT_THAT(begin, ElementsAre(1007, 2126));
  EXPECT_THAT(end, ElementsAre(1119, 2238));
  EXPECT_THAT(work.calls, ElementsAre(Pair(40, 1), Pair(41, 1)));
}

TEST(single_timing, error_of_the_synchronisation_comes_first) {
  Bench b;
  fake::Work work(b.time, hundred);
  work.run_code = 2;
  fake::Sync sync(b.time, 0);
  std::vector<Ticks> begin(1), end(1);
  EXPECT_EQ(b.timer.each(work, sync, 0, begin, end), 2);
  sync.code = 9;
  EXPECT_EQ(b.timer.each(work, sync, 0, begin, end), 9);
}

TEST(make_timer, gives_what_was_asked_for_and_says_its_source) {
  const ChosenTimer raw = make_timer(ClockKind::raw);
  EXPECT_EQ(raw.kind, ClockKind::raw);
  EXPECT_EQ(raw.source, "clock_gettime(CLOCK_MONOTONIC_RAW)");
  const ChosenTimer mono = make_timer(ClockKind::mono);
  EXPECT_EQ(mono.kind, ClockKind::mono);
  EXPECT_EQ(mono.source, "clock_gettime(CLOCK_MONOTONIC)");
  const Ticks start = raw.timer->now();
  EXPECT_GE(raw.timer->now(), start);
  EXPECT_DOUBLE_EQ(raw.timer->seconds(250), 250e-9);
}

TEST(make_timer, automatic_is_one_of_the_kernel_clocks) {
  const ChosenTimer timer = make_timer(ClockKind::automatic);
  EXPECT_TRUE(timer.kind == ClockKind::raw || timer.kind == ClockKind::mono);
  EXPECT_TRUE(timer.fallback.empty());
}

TEST(make_timer, counter_is_used_or_the_reason_is_given) {
  const ChosenTimer timer = make_timer(ClockKind::tsc);
  EXPECT_EQ(timer.kind == ClockKind::tsc, timer.fallback.empty()) << timer.fallback;
  const ChosenTimer raw = make_timer(ClockKind::raw);
  const Ticks raw_start = raw.timer->now(), start = timer.timer->now();
  while (raw.timer->seconds(raw.timer->now() - raw_start) < 5e-3) continue;
  EXPECT_GE(timer.timer->seconds(timer.timer->now() - start), 4.9e-3);
}

TEST(make_timer, clock_of_mpi_needs_the_measuring_half) {
  EXPECT_THROW(static_cast<void>(make_timer(ClockKind::mpi)), std::invalid_argument);
}

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

/// A client whose clock is ahead of the reference by `offset` at time 0 and runs faster by `drift`.
struct TwoClocks {
  double offset_s = 0, drift = 0, half_trip_s = 1e-6;

  [[nodiscard]] double client(double reference_s) const {
    return reference_s + offset_s + drift * reference_s;
  }
  [[nodiscard]] Exchange exchange(double at_s, double there_s, double back_s) const {
    return {client(at_s), at_s + there_s, client(at_s + there_s + back_s)};
  }
  [[nodiscard]] double error_of(const ClockModel& model, double at_s) const {
    return std::abs(model.global(client(at_s)) - at_s);
  }
};

std::vector<Exchange> over(const TwoClocks& clocks, int points, double span_s) {
  std::vector<Exchange> exchanges;
  for (int i = 0; i < points; ++i) {
    exchanges.push_back(clocks.exchange(span_s * i / (points - 1), clocks.half_trip_s, clocks.half_trip_s));
  }
  return exchanges;
}

TEST(clock_fit, offset_and_drift_are_found_exactly_without_noise) {
  const TwoClocks clocks{3.25, 23e-6, 1e-6};
  const ClockModel model = fit_clock(over(clocks, 30, 0.3));
  EXPECT_NEAR(model.slope, 23e-6, 1e-9);
  EXPECT_LT(clocks.error_of(model, 0.15), 1e-9);
  EXPECT_LT(clocks.error_of(model, 1.3), 2e-9);
}

TEST(clock_fit, short_span_gives_no_slope) {
  const TwoClocks clocks{-1.5, 50e-6, 1e-6};
  const ClockModel model = fit_clock(over(clocks, 30, 0.09));
  EXPECT_EQ(model.slope, 0);
  EXPECT_LT(clocks.error_of(model, 0.045), 1e-7);
}

TEST(clock_fit, delayed_and_asymmetric_exchanges_stay_within_three_half_trips) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> unit(0, 1);
  for (int launch = 0; launch < 200; ++launch) {
    const TwoClocks clocks{20 * unit(random) - 10, 200e-6 * unit(random) - 100e-6, 1e-6};
    std::vector<Exchange> exchanges;
    for (int i = 0; i < 30; ++i) {
      const double there_s = clocks.half_trip_s * (1 + 0.3 * unit(random));
      const double late_s = unit(random) < 0.05 ? 1e-3 * unit(random) : 0;
      exchanges.push_back(clocks.exchange(0.01 * i, there_s + late_s, clocks.half_trip_s));
    }
    const ClockModel model = fit_clock(exchanges);
    for (const double at_s : {0.0, 0.1, 0.29}) {
      EXPECT_LE(clocks.error_of(model, at_s), 3 * clocks.half_trip_s) << launch << " at " << at_s;
    }
  }
}

TEST(clock_fit, half_of_the_exchanges_late_are_left_out) {
  const TwoClocks clocks{1, 0, 1e-6};
  std::vector<Exchange> exchanges = over(clocks, 30, 0.3);
  for (std::size_t i = 0; i < exchanges.size(); i += 2) {
    exchanges[i] = clocks.exchange(exchanges[i].reference_s, 1e-6, 5e-3);
  }
  EXPECT_LT(clocks.error_of(fit_clock(exchanges), 0.2), 1e-7);
}

TEST(clock_fit, fewer_quick_ones_than_ten_takes_the_best_ten) {
  const TwoClocks clocks{1, 0, 1e-6};
  std::vector<Exchange> exchanges = over(clocks, 20, 0.3);
  for (std::size_t i = 1; i < exchanges.size(); ++i) {
    exchanges[i] = clocks.exchange(exchanges[i].reference_s, 2e-6, 2e-6 + 1e-8 * static_cast<double>(i));
  }
  const ClockModel model = fit_clock(exchanges);
  EXPECT_LT(clocks.error_of(model, 0.1), 1e-6);
  EXPECT_NEAR(model.x0_s, 1 + exchanges[9].reference_s / 2, 1e-3);
}

TEST(clock_fit, one_exchange_gives_its_offset) {
  const ClockModel model = fit_clock(std::vector<Exchange>{{10, 3, 12}});
  EXPECT_DOUBLE_EQ(model.offset_s, 8);
  EXPECT_EQ(model.slope, 0);
}

TEST(clock_fit, no_exchange_throws) {
  EXPECT_THROW(static_cast<void>(fit_clock({})), std::invalid_argument);
}

}  // namespace
}  // namespace steelyard::measure
