// SPDX-License-Identifier: Apache-2.0
// A whole run of b_eff: records, summary, stop, resume.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "analysis/beff_run.hpp"
#include "beff_campaign.hpp"
#include "campaign/resume.hpp"
#include "record/json.hpp"

using namespace steelyard;
using namespace steelyard::beff;
using testing::HasSubstr;

namespace {

/// On rank 0: the same as the summary of the file, from the file's points.
std::string recomputed(const test::Told& told) {
  const analysis::BeffRun run(told.points);
  return test::line_of(analysis::beff_summary(run, analysis::beff_frame(told.head)));
}

}  // namespace

TEST(beff_campaign, summary_of_the_run_is_what_its_file_gives_again) {
  const auto world = mpi::Communicator::world();
  test::Campaign campaign(test::tiny(), world);
  const auto result = campaign.run();
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.counts.partial + result.counts.failed + result.counts.left, 0);
  if (!world.is_root()) return;
  const auto told = campaign.told();
  ASSERT_EQ(told.summaries.size(), 1U);
  EXPECT_EQ(told.types_at_the_end, (std::vector<std::string>{"summary", "end"}));
  const auto& summary = told.summaries.front();
  EXPECT_EQ(summary.verified, true);
  EXPECT_EQ(summary.official, false);
  EXPECT_GT(std::get<double>(summary.values.front().second), 0);
  EXPECT_EQ(test::line_of(summary), recomputed(told));
}

TEST(beff_campaign, shortened_last_two_lengths_are_told_and_no_reason_against_the_value) {
  const auto world = mpi::Communicator::world();
  auto settings = test::tiny();
  settings.last_two_limit_s = 1e-9;
  test::Campaign campaign(settings, world);
  const auto result = campaign.run();
  EXPECT_EQ(result.exit_code, 0);
  if (!world.is_root()) return;
  const auto told = campaign.told();
  const auto& summary = told.summaries.front();
  EXPECT_EQ(*record::find(summary.classic, "shortened"), record::Value(true));
  EXPECT_EQ(summary.inputs_missing, 0);
  EXPECT_EQ(summary.inputs_used, result.counts.ok);
  for (const auto& reason : summary.not_official_because) EXPECT_THAT(reason, Not(HasSubstr("skipped")));
  EXPECT_TRUE(std::holds_alternative<double>(summary.values.front().second));
}

TEST(beff_campaign, stop_leaves_partial_points_and_a_resume_measures_the_experiment_again) {
  const auto world = mpi::Communicator::world();
  auto settings = test::tiny();
  settings.repetitions = 1000;
  settings.shorten_last_two = false;
  test::Campaign campaign(settings, world);
  campaign.stop_after_first_repetition("beff-stop-np" + std::to_string(world.size()));
  const auto stopped = campaign.run();
  EXPECT_EQ(stopped.exit_code, 5);  // although every point has a record
  EXPECT_EQ(stopped.stop_cause, "stop_file");
  std::optional<campaign::ResumeState> state;
  if (world.is_root()) {
    const auto told = campaign.told();
    EXPECT_EQ(stopped.counts.partial, static_cast<std::int64_t>(told.points.size()));
    EXPECT_EQ(stopped.counts.left, 0);
    EXPECT_FALSE(told.end.resume.empty());
    EXPECT_EQ(told.summaries.size(), 1U);
    for (const auto& summary : told.summaries) EXPECT_EQ(summary.official, false);
    state = campaign.state_to_resume(told);
    EXPECT_TRUE(state->keep.empty());
    EXPECT_EQ(state->kept.ok + state->kept.partial, 0);
  }
  campaign.stop_after_first_repetition({});
  campaign.settings().repetitions = 1;
  const auto resumed = campaign.run(state);
  EXPECT_EQ(resumed.exit_code, 0);
  EXPECT_EQ(resumed.counts.partial + resumed.counts.left, 0);
}

TEST(beff_campaign, deadline_that_leaves_no_time_for_the_experiment_lets_it_not_begin) {
  const auto world = mpi::Communicator::world();
  auto settings = test::tiny();
  settings.loop_time_s = 1;
  test::Campaign campaign(settings, world);
  campaign.stop_after_s(60);
  const auto stopped = campaign.run();
  EXPECT_EQ(stopped.stop_cause, "deadline");
  EXPECT_EQ(stopped.counts.partial, 0);
}

TEST(beff_campaign, no_loop_is_confirmed_apart_from_the_experiment) {
  const auto world = mpi::Communicator::world();
  test::Campaign campaign(test::tiny(), world);
  campaign.options().confirm = 2;
  EXPECT_EQ(campaign.run().exit_code, 0);
}

TEST(beff_campaign, no_memory_for_the_buffers_fails_every_point_for_that_reason) {
  const auto world = mpi::Communicator::world();
  auto settings = test::tiny();
  settings.longest = Bytes{std::int64_t{1} << 27};
  test::Campaign campaign(settings, world, std::int64_t{1} << 20);
  EXPECT_EQ(campaign.run().exit_code, 4);
  if (!world.is_root()) return;
  const auto told = campaign.told();
  ASSERT_FALSE(told.points.empty());
  EXPECT_EQ(told.points.front().reason->code, record::ReasonCode::memory);
  EXPECT_TRUE(told.summaries.empty());
}
