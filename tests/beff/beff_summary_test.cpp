// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/beff_run.hpp"
#include "beff_points.hpp"
#include "record/json.hpp"

namespace steelyard::analysis {
namespace {

using record::SummaryRecord;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

std::optional<double> value(const SummaryRecord& summary, const std::string& name) {
  for (const auto& [own, metric] : summary.values)
    if (const auto* number = std::get_if<double>(&metric); own == name && number != nullptr) return *number;
  return std::nullopt;
}

bool has(const SummaryRecord& summary, const std::string& name) {
  return std::ranges::any_of(summary.values, [&](const auto& one) { return one.first == name; });
}

SummaryRecord summary_of(const BeffExperiment& experiment) {
  return beff_summary(BeffRun(beff_points(experiment)), beff_frame(beff_run_record(experiment)));
}

}  // namespace

TEST(beff_frame, reads_the_configuration_of_the_suite) {
  const auto frame = beff_frame(beff_run_record({.mark = "MOD", .because = "one\ntwo"}));
  EXPECT_EQ(frame.memory_per_process_byte, 134217728);
  EXPECT_EQ(frame.longest_byte, 1048576);
  EXPECT_EQ(frame.seed, 1);
  EXPECT_EQ(frame.polygons, 30);
  EXPECT_EQ(frame.mark, "MOD");
  EXPECT_THAT(frame.not_official_because, testing::ElementsAre("one", "two"));
}

TEST(beff_frame, of_a_run_without_the_suite_is_empty) {
  const auto frame = beff_frame(record::RunRecord{});
  EXPECT_FALSE(frame.seed.has_value());
  EXPECT_THAT(frame.not_official_because, IsEmpty());
}

TEST(beff_summary, of_a_complete_run_is_official_and_has_every_value) {
  const auto summary = summary_of({});
  EXPECT_EQ(summary.name, "b_eff");
  EXPECT_EQ(summary.official, true);
  EXPECT_EQ(summary.verified, true);
  EXPECT_EQ(summary.inputs_used, (48 * 3 + 1) * 21);
  EXPECT_EQ(summary.inputs_missing, 0);
  for (const auto& [name, metric] : summary.values) {
    EXPECT_NE(record::metric_name(name), nullptr) << name;
    EXPECT_TRUE(std::holds_alternative<double>(metric)) << name;
  }
  EXPECT_NEAR(*value(summary, "b_eff_per_process_byte_s") * 8, *value(summary, "b_eff_byte_s"), 1e-3);
  EXPECT_NEAR(*value(summary, "memory_communication_time_s"), 8 * 134217728 / *value(summary, "b_eff_byte_s"),
              1e-9);
  EXPECT_FALSE(has(summary, "balance_factor"));
}

TEST(beff_summary, knows_the_balance_where_the_solver_rate_is_known) {
  auto frame = beff_frame(beff_run_record({}));
  frame.rmax_flop_s = 1e12;
  const auto summary = beff_summary(BeffRun(beff_points({})), frame);
  EXPECT_NEAR(*value(summary, "balance_factor"), *value(summary, "b_eff_byte_s") / 1e12, 1e-15);
}

TEST(beff_summary, tells_departures_of_the_configuration) {
  const auto summary = summary_of({.polygons = 2, .because = "2 random polygons instead of 30"});
  EXPECT_EQ(summary.official, false);
  EXPECT_THAT(summary.not_official_because, testing::ElementsAre("2 random polygons instead of 30"));
}

TEST(beff_summary, shortened_last_two_stay_official) {
  const auto summary = summary_of({.shortened = true});
  EXPECT_EQ(summary.official, true);
  EXPECT_EQ(summary.inputs_used, (48 * 3 + 1) * 21 - 48 * 2 * 2);
}

TEST(beff_summary, is_not_official_when_records_are_missing) {
  auto points = beff_points({});
  std::erase_if(points,
                [](const auto& p) { return record::number(*record::find(p.params, "message_byte")) == 64; });
  const auto summary = beff_summary(BeffRun(points), beff_frame(beff_run_record({})));
  EXPECT_EQ(summary.official, false);
  EXPECT_TRUE(has(summary, "b_eff_byte_s"));
  EXPECT_FALSE(value(summary, "b_eff_byte_s").has_value());
  EXPECT_THAT(summary.not_official_because, Contains(HasSubstr("20 of 21 message lengths")));
}

TEST(beff_summary, is_not_official_when_polygons_or_repetitions_are_missing) {
  const auto frame = beff_frame(beff_run_record({}));
  EXPECT_THAT(beff_summary(BeffRun(beff_points({.polygons = 29})), frame).not_official_because,
              Contains(HasSubstr("29 of 30 random polygons")));
  EXPECT_THAT(beff_summary(BeffRun(beff_points({.repetitions = 2})), frame).not_official_because,
              Contains(HasSubstr("2 of 3 repetitions")));
}

TEST(beff_summary, of_more_processes_than_processors_is_not_official) {
  auto points = beff_points({});
  points[5].flags = {"oversubscribed"};
  const auto summary = beff_summary(BeffRun(points), beff_frame(beff_run_record({})));
  EXPECT_EQ(summary.official, false);
  EXPECT_THAT(summary.not_official_because, testing::ElementsAre("more processes than processors"));
}

TEST(beff_summary, is_not_official_when_a_message_was_wrong_or_a_loop_was_cut) {
  auto points = beff_points({});
  points[5].verified = false;
  points[6].status = record::Status::partial;
  const auto summary = beff_summary(BeffRun(points), beff_frame(beff_run_record({})));
  EXPECT_EQ(summary.official, false);
  EXPECT_EQ(summary.verified, false);
  EXPECT_THAT(summary.not_official_because, Contains(HasSubstr("message check failed")));
  EXPECT_THAT(summary.not_official_because, Contains(HasSubstr("1 loops ended")));
}

}  // namespace steelyard::analysis
