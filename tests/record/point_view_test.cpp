// SPDX-License-Identifier: Apache-2.0
#include "record/point_view.hpp"

#include <gtest/gtest.h>

namespace steelyard::record {
namespace {

PointRecord point() {
  PointRecord point;
  point.params = {{"pattern", std::int64_t{3}}, {"type", "MPI_BYTE"}, {"chunk_byte", std::int64_t{1024}}};
  point.classic = {{"pattern", std::int64_t{4}},  {"rate", 2.5},  {"none", nullptr},
                   {"list", std::vector{1., 2.}}, {"fine", true}, {"words", "some words"}};
  Statistics time;
  time.median = 2e-6;
  time.mean = 3e-6;
  time.headline = "mean";
  point.metrics = {{"time_s", time}, {"bandwidth_byte_s", 5e8}, {"overlap_percent", nullptr}};
  point.flags = {"noisy"};
  return point;
}

TEST(point_view, figures_are_of_points_that_were_measured_at_least_in_part) {
  auto one = point();
  for (const auto status : {Status::ok, Status::partial}) EXPECT_TRUE((one.status = status, measured(one)));
  for (const auto status : {Status::failed, Status::skipped})
    EXPECT_FALSE((one.status = status, measured(one)));
  EXPECT_TRUE(has_flag(one, "noisy"));
  EXPECT_FALSE(has_flag(one, "late"));
}

TEST(point_view, a_value_of_another_kind_is_as_good_as_none) {
  const auto one = point();
  const auto classic = [&](std::string_view name) { return find(one.classic, name); };
  EXPECT_EQ(number_of(classic("rate")), 2.5);
  EXPECT_EQ(number_of(classic("pattern")), 4);
  EXPECT_EQ(whole_of(classic("pattern")), 4);
  EXPECT_EQ(word_of(classic("words")), "some words");
  EXPECT_TRUE(is_true(classic("fine")));
  EXPECT_EQ(list_of(classic("list"))->size(), 2U);
  for (const std::string_view name : {"none", "list", "fine", "words", "absent"}) {
    EXPECT_EQ(number_of(classic(name)), std::nullopt) << name;
    EXPECT_EQ(whole_of(classic(name)), std::nullopt) << name;
  }
  for (const std::string_view name : {"rate", "none", "absent"}) {
    EXPECT_EQ(whole_of(classic(name)), std::nullopt) << name;
    EXPECT_EQ(word_of(classic(name)), "") << name;
    EXPECT_EQ(list_of(classic(name)), nullptr) << name;
    EXPECT_FALSE(is_true(classic(name))) << name;
  }
}

TEST(point_view, classic_values_come_before_parameters) {
  const auto one = point();
  EXPECT_EQ(number_in(one, "pattern"), 4);
  EXPECT_EQ(number_in(one, "chunk_byte"), 1024);
  EXPECT_EQ(word_in(one, "type"), "MPI_BYTE");
  EXPECT_EQ(member(one, "absent"), nullptr);
}

TEST(point_view, the_length_is_the_parameter_that_a_curve_runs_over) {
  EXPECT_EQ(length_of(point().params), 1024);
  EXPECT_EQ(length_of({{"message_byte", std::int64_t{0}}}), 0);
  EXPECT_EQ(length_of({{"transfer_byte", std::int64_t{7}}}), 7);
  EXPECT_EQ(length_of({{"pattern", std::int64_t{7}}}), std::nullopt);
  for (const auto name : length_names) EXPECT_TRUE(is_told_elsewhere(name)) << name;
  EXPECT_TRUE(is_told_elsewhere("pairs"));
  EXPECT_FALSE(is_told_elsewhere("pattern"));
}

TEST(point_view, a_figure_is_the_number_that_stands_for_its_metric) {
  const auto one = point();
  EXPECT_EQ(figure(one, "time_s"), 3e-6);
  EXPECT_EQ(figure(one, "bandwidth_byte_s"), 5e8);
  EXPECT_EQ(figure(one, "overlap_percent"), std::nullopt);
  EXPECT_EQ(figure(one, "absent"), std::nullopt);
  EXPECT_EQ(statistics(one, "time_s")->median, 2e-6);
  EXPECT_EQ(statistics(one, "bandwidth_byte_s"), nullptr);
  EXPECT_NE(metric(one, "overlap_percent"), nullptr);
}

TEST(point_view, timing_is_told_in_words) {
  PointRecord one;
  one.primary = "time_s";
  EXPECT_EQ(timing_words(one), "");
  one.schedule.emplace();
  const auto told = [&](const char* ranks, const char* sync, const char* timing) {
    Statistics time;
    time.over_ranks = ranks;
    one.metrics = {{"time_s", time}};
    one.schedule->sync = sync;
    one.schedule->timing = timing;
    return timing_words(one);
  };
  EXPECT_EQ(told("max", "barrier", "each"), "max over ranks, each after a barrier");
  EXPECT_EQ(told("max", "none", "batch"), "max over ranks, back to back");
  EXPECT_EQ(told("one", "none", "each"), "on one rank, each by itself");
  EXPECT_EQ(told("mean", "barrier2", "batch"), "mean over ranks, after two barriers");
  EXPECT_EQ(told("max", "dissemination", "each"), "max over ranks, each after a dissemination");
  EXPECT_EQ(told("global", "window", "each"), "first start to last end, each from an agreed start");
  EXPECT_EQ(told("", "", ""), "");  // of another program
  one.primary = "bandwidth_byte_s";
  EXPECT_EQ(timing_words(one), "");
}

}  // namespace
}  // namespace steelyard::record
