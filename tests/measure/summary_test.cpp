// SPDX-License-Identifier: Apache-2.0
#include "measure/summary.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "stats/order.hpp"

namespace steelyard::measure {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

constexpr double near_state_s = 43e-9, far_state_s = 105e-9;

VisitSamples visit(std::vector<double> batches, std::optional<double> c2c_s = {}) {
  VisitSamples v;
  v.batches = std::move(batches);
  v.probe.c2c_s = c2c_s;
  return v;
}

/// Batches around `center` with 1 % noise.
class Noisy {
 public:
  std::vector<double> batches(double center, int count = 20) {
    std::vector<double> values;
    for (int i = 0; i < count; ++i) values.push_back(center * (1 + normal_(random_)));
    return values;
  }
  std::vector<VisitSamples> visits(int count, double center, std::optional<double> c2c_s = {}) {
    std::vector<VisitSamples> all;
    for (int i = 0; i < count; ++i) all.push_back(visit(batches(center), c2c_s));
    return all;
  }

 private:
  std::mt19937_64 random_{11};
  std::normal_distribution<double> normal_{0, 0.01};
};

std::vector<VisitSamples> operator+(std::vector<VisitSamples> a, const std::vector<VisitSamples>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST(summary, nothing_measured_is_empty) {
  const Summary summary = summarise({});
  EXPECT_FALSE(summary.statistics.n);
  EXPECT_THAT(summary.flags, IsEmpty());
  EXPECT_FALSE(summarise(std::vector{visit({})}).statistics.median);
}

TEST(summary, statistics_of_one_visit) {
  const Summary summary = summarise(std::vector{visit({3, 1, 4, 1, 5, 9, 2, 6, 5, 3})});
  const record::Statistics& s = summary.statistics;
  EXPECT_EQ(s.n, 10);
  EXPECT_DOUBLE_EQ(*s.median, 3.5);
  EXPECT_DOUBLE_EQ(*s.p05, 1);
  EXPECT_DOUBLE_EQ(*s.p25, 2.25);
  EXPECT_DOUBLE_EQ(*s.p75, 5);
  EXPECT_DOUBLE_EQ(*s.p95, 7.65);
  EXPECT_DOUBLE_EQ(*s.p99, 8.73);
  EXPECT_DOUBLE_EQ(*s.min, 1);
  EXPECT_DOUBLE_EQ(*s.max, 9);
  EXPECT_DOUBLE_EQ(*s.mean, 3.9);
  EXPECT_NEAR(*s.sd, std::sqrt(54.9 / 9), 1e-12);
  EXPECT_EQ(s.ci, std::pair(1.0, 6.0));
  EXPECT_EQ(s.ci_level, 0.95);
  EXPECT_FALSE(s.ci_visits);
  EXPECT_THAT(s.visit_medians, ElementsAre(3.5));
  EXPECT_THAT(s.batches, ElementsAre(3, 1, 4, 1, 5, 9, 2, 6, 5, 3));
  EXPECT_FALSE(s.batches_thinned);
  EXPECT_TRUE(s.over_ranks.empty());
  EXPECT_THAT(summary.states, IsEmpty());
  EXPECT_THAT(summary.flags, Contains("few_visits"));
}

TEST(summary, time_is_divided_but_not_the_time_of_an_operation) {
  const Summary summary = summarise(std::vector{visit({2, 4, 6, 8, 10, 12})}, {0, 2, BatchesKept::all});
  EXPECT_DOUBLE_EQ(*summary.statistics.median, 3.5);
  EXPECT_THAT(summary.statistics.batches, ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_DOUBLE_EQ(summary.median_op_s, 7);
}

/// What a schedule is told of the visits in the state with most of them.
std::optional<double> half_width_told(const std::vector<VisitSamples>& visits, double half_grid_s = 0) {
  std::vector<double> medians;
  for (const auto& v : visits) medians.push_back(stats::median(v.batches));
  return half_width_of(visits, medians, in_dominant_state(visits), half_grid_s);
}

TEST(convergence, half_width_is_that_of_the_interval_of_the_summary) {
  EXPECT_FALSE(half_width_told({}));
  EXPECT_DOUBLE_EQ(half_width_told({visit({2, 4, 6, 8, 10, 12})}).value(), 5.0 / 7);
  EXPECT_NEAR(half_width_told(std::vector(8, visit(std::vector<double>(10, 1.0))), 0.01).value(), 0.01,
              1e-15);
  Noisy noise;
  const auto visits = noise.visits(10, 1.0, near_state_s) + noise.visits(7, 3.0, far_state_s);
  const record::Statistics s = summarise(visits).statistics;
  EXPECT_DOUBLE_EQ(half_width_told(visits).value(), (s.ci->second - s.ci->first) / (2 * *s.median));
}

TEST(convergence, visits_of_the_state_with_most_of_them_are_chosen) {
  Noisy noise;
  const auto visits = noise.visits(3, 3.0, far_state_s) + noise.visits(10, 1.0, near_state_s);
  std::vector<bool> near(13, true);
  near[0] = near[1] = near[2] = false;
  EXPECT_EQ(in_dominant_state(visits), near);
  EXPECT_EQ(in_dominant_state(noise.visits(2, 1.0)), std::vector<bool>(2, true)) << "nothing was probed";
}

TEST(summary, interval_is_never_narrower_than_the_grid) {
  const std::vector<VisitSamples> visits(8, visit(std::vector<double>(10, 1.0)));
  const Summary summary = summarise(visits, {0.01, 2});
  EXPECT_NEAR(summary.statistics.ci->first, 0.5 - 0.005, 1e-15);
  EXPECT_NEAR(summary.statistics.ci->second, 0.5 + 0.005, 1e-15);
}

TEST(summary, batches_are_thinned_left_out_or_kept) {
  Noisy noise;
  const auto visits = noise.visits(10, 1.0);
  const Summary thinned = summarise(visits);
  EXPECT_LE(thinned.statistics.batches.size(), 32U);
  EXPECT_GE(thinned.statistics.batches.size(), 25U);
  EXPECT_TRUE(thinned.statistics.batches_thinned);
  EXPECT_THAT(summarise(visits, {0, 1, BatchesKept::none}).statistics.batches, IsEmpty());
  EXPECT_EQ(summarise(visits, {0, 1, BatchesKept::all}).statistics.batches.size(), 200U);
}

TEST(summary, at_most_64_visit_medians_are_recorded) {
  Noisy noise;
  EXPECT_EQ(summarise(noise.visits(64, 1.0)).statistics.visit_medians.size(), 64U);
  EXPECT_LE(summarise(noise.visits(100, 1.0)).statistics.visit_medians.size(), 64U);
}

TEST(summary, quiet_point_has_no_flags) {
  Noisy noise;
  EXPECT_THAT(summarise(noise.visits(8, 1.0)).flags, IsEmpty());
}

TEST(summary, dominant_state_alone_gives_the_statistics) {
  Noisy noise;
  const auto visits = noise.visits(10, 1.0, near_state_s) + noise.visits(7, 3.0, far_state_s);
  const Summary summary = summarise(visits);
  EXPECT_NEAR(*summary.statistics.median, 1.0, 0.01);
  EXPECT_LT(*summary.statistics.max, 1.2);
  EXPECT_EQ(summary.statistics.n, 200);
  ASSERT_EQ(summary.states.size(), 2U);
  EXPECT_DOUBLE_EQ(*summary.states[0].c2c_s, near_state_s);
  EXPECT_FALSE(summary.states[0].chain_s);
  EXPECT_EQ(summary.states[1].visits, 7);
  EXPECT_NEAR(summary.states[1].share, 7.0 / 17, 1e-12);
  EXPECT_NEAR(summary.states[1].median, 3.0, 0.03);
  EXPECT_TRUE(summary.states[1].ci);
  EXPECT_THAT(summary.flags, Contains("mixed_states"));
  EXPECT_THAT(summary.flags, Not(Contains("noisy")));
}

TEST(summary, dominant_share_of_four_fifths_is_not_mixed) {
  Noisy noise;
  const auto near = noise.visits(12, 1.0, near_state_s);
  EXPECT_THAT(summarise(near + noise.visits(3, 3.0, far_state_s)).flags, Not(Contains("mixed_states")));
  EXPECT_THAT(summarise(near + noise.visits(4, 3.0, far_state_s)).flags, Contains("mixed_states"));
}

TEST(summary, state_with_fewer_than_six_visits_is_flagged) {
  Noisy noise;
  const auto visits = noise.visits(5, 1.0, near_state_s) + noise.visits(4, 3.0, far_state_s);
  EXPECT_THAT(summarise(visits).flags, Contains("single_state_short"));
  EXPECT_THAT(summarise(visits).flags, Not(Contains("few_visits")));
}

TEST(summary, visit_medians_far_apart_are_noisy) {
  Noisy noise;
  EXPECT_THAT(summarise(noise.visits(7, 1.0) + noise.visits(1, 1.25)).flags, Contains("noisy"));
  EXPECT_THAT(summarise(noise.visits(7, 1.0) + noise.visits(1, 1.15)).flags, Not(Contains("noisy")));
}

TEST(summary, every_tenth_batch_disturbed_is_noisy) {
  Noisy noise;
  auto visits = noise.visits(10, 1.0);
  for (auto& v : visits) v.batches[3] = v.batches[12] = 9;
  const Summary summary = summarise(visits);
  EXPECT_NEAR(*summary.disturbed_share, 0.1, 0.011);
  EXPECT_THAT(summary.flags, Contains("noisy"));
  EXPECT_EQ(*summary.statistics.max, 9) << "nothing is dropped";
  EXPECT_EQ(summary.statistics.n, 200);
}

TEST(summary, batches_of_preempted_visits_are_disturbed) {
  const std::vector<double> even(20, 1.0);
  std::vector<VisitSamples> visits(8, visit(even));
  visits[0].preempted = visits[1].preempted = true;
  EXPECT_DOUBLE_EQ(*summarise(visits).disturbed_share, 0.25);
  EXPECT_THAT(summarise(visits).flags, Not(Contains("preempted")));
  for (int i = 0; i < 5; ++i) visits[static_cast<std::size_t>(i)].preempted = true;
  EXPECT_THAT(summarise(visits).flags, Contains("preempted"));
}

TEST(summary, slow_wave_within_visits_is_autocorrelated) {
  std::vector<VisitSamples> visits;
  for (int v = 0; v < 8; ++v) {
    std::vector<double> batches;
    for (int i = 0; i < 40; ++i) batches.push_back(1 + 0.01 * std::sin(0.2 * i));
    visits.push_back(visit(batches));
  }
  const Summary summary = summarise(visits);
  EXPECT_GT(*summary.statistics.rho, 0.3);
  EXPECT_THAT(summary.flags, Contains("autocorrelated"));
}

TEST(summary, interval_over_visits_widens_that_over_batches) {
  Noisy noise;
  std::vector<VisitSamples> visits;
  for (const double center : {0.96, 0.98, 1.0, 1.0, 1.01, 1.02, 1.03, 1.05})
    visits.push_back(visit(noise.batches(center)));
  const record::Statistics s = summarise(visits).statistics;
  ASSERT_TRUE(s.ci_visits && s.ci_batches);
  EXPECT_LT(s.ci_visits->first, s.ci_batches->first);
  EXPECT_EQ(s.ci->first, s.ci_visits->first);
  EXPECT_EQ(s.ci->second, s.ci_visits->second);
}

}  // namespace
}  // namespace steelyard::measure
