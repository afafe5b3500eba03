// SPDX-License-Identifier: Apache-2.0
#include "campaign/plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <sstream>

#include "campaign/budget.hpp"
#include "fake_suite.hpp"

namespace steelyard::campaign {
namespace {

using testing::benchmark;
using ::testing::ElementsAre;
using testing::FakeSuite;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class plan_of_a_campaign : public ::testing::Test {
 protected:
  FakeSuite imb_{"imb-mpi1", {benchmark("PingPong"), benchmark("Allreduce")}};
  FakeSuite hpcc_{"hpcc", {benchmark("HPL")}};
  PlanOptions options_;

  void SetUp() override {
    imb_.sizes = testing::usual_sizes();
    options_.half_width = 0.05;
    options_.processes = 8;
  }
  Plan plan(const std::vector<Selected>& selected) { return make_plan(selected, options_, "adaptive"); }
  Plan plan() { return plan({{&imb_, "PingPong"}, {&imb_, "Allreduce"}}); }
  /// Minimum of the whole when nothing is left out.
  double whole_s() {
    const auto budget = std::exchange(options_.budget, std::nullopt);
    const double sum = minimum_s(plan().blocks);
    options_.budget = budget;
    return sum;
  }
  static std::set<std::int64_t> measured_sizes(const Plan& plan) {
    std::set<std::int64_t> sizes;
    for (const auto& block : plan.blocks)
      for (const auto& point : block.points)
        if (point.measurable()) sizes.insert(point.bytes);
    return sizes;
  }
};

TEST_F(plan_of_a_campaign, without_budget_everything_is_measured) {
  const Plan all = plan();
  EXPECT_EQ(all.points(), 48u);
  EXPECT_EQ(all.measurable(), 48u);
  EXPECT_THAT(all.shrunk, IsEmpty());
  EXPECT_EQ(all.min_visits, 6);
  EXPECT_THAT(all.sequence, ElementsAre("imb-mpi1/PingPong", "imb-mpi1/Allreduce"));
}

TEST_F(plan_of_a_campaign, point_that_needs_more_memory_is_skipped_with_both_numbers) {
  options_.memory_byte = std::int64_t{4} << 20;
  const Plan small = plan();
  const auto& largest = small.blocks.front().points.back();
  EXPECT_EQ(largest.skip, record::ReasonCode::memory);
  EXPECT_EQ(largest.needed_byte, std::int64_t{8} << 20);
  EXPECT_EQ(largest.available_byte, std::int64_t{4} << 20);
  EXPECT_EQ(small.measurable(), 46u);
}

TEST_F(plan_of_a_campaign, ample_budget_takes_no_step_and_is_never_exceeded_by_the_points) {
  options_.budget = Seconds{4 * whole_s()};
  const Plan some = plan();
  EXPECT_THAT(some.shrunk, IsEmpty());
  const double left_s = points_s(*options_.budget);
  EXPECT_LE(left_s + survey_s(*options_.budget), options_.budget->value());
  EXPECT_LE(some.longest_s, left_s * (1 + 1e-9));
  EXPECT_LE(some.point_budget.value() * static_cast<double>(some.measurable()), left_s);
  EXPECT_GT(some.longest_s, 0.9 * left_s);
  EXPECT_LT(some.estimate_s, some.longest_s);
}

TEST(survey_time, most_of_the_budget_far_beyond_its_part_tells_busy_processors) {
  EXPECT_TRUE(survey_met_busy_processors(Seconds{40}, 21));
  EXPECT_FALSE(survey_met_busy_processors(Seconds{40}, 19)) << "less than half";
  EXPECT_FALSE(survey_met_busy_processors(Seconds{0.001}, 0.5)) << "no survey is so short";
  EXPECT_FALSE(survey_met_busy_processors(Seconds{4}, survey_s(Seconds{4})));
}

TEST_F(plan_of_a_campaign, first_step_halves_the_visits_and_leaves_every_point) {
  options_.budget = Seconds{0.9 * whole_s()};
  const Plan shrunk = plan();
  EXPECT_THAT(shrunk.shrunk, ElementsAre("3 visits of a point instead of 6"));
  EXPECT_EQ(shrunk.min_visits, 3);
  EXPECT_EQ(shrunk.measurable(), 48u);
}

TEST_F(plan_of_a_campaign, points_of_a_timed_schedule_take_their_time_and_no_step_gives_them_fewer_visits) {
  constexpr double time_s = 0.5;
  options_.timed = true;
  options_.point_budget = Seconds{time_s};
  EXPECT_NEAR(plan().estimate_s, 48 * time_s / (1 - setup_share), time_s);
  options_.budget = Seconds{10};
  const Plan some = plan();
  EXPECT_EQ(some.min_visits, 6);
  EXPECT_THAT(some.shrunk.front(), StartsWith("every second size"));
  EXPECT_GE(some.measurable(), 8u);
  EXPECT_TRUE(measured_sizes(some).contains(imb_.sizes.back()));  // which takes no longer than the others
  EXPECT_LE(static_cast<double>(some.measurable()) * time_s, 10);
  EXPECT_NEAR(some.estimate_s, static_cast<double>(some.measurable()) * time_s / (1 - setup_share), time_s);
}

TEST_F(plan_of_a_campaign, second_step_drops_every_second_size_but_not_the_ends) {
  hpcc_.sizes = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};  // 12 are not more than 12
  options_.budget = Seconds{0.5 * whole_s()};
  const Plan shrunk = plan({{&imb_, "PingPong"}, {&imb_, "Allreduce"}, {&hpcc_, "HPL"}});
  ASSERT_EQ(shrunk.shrunk.size(), 2u);
  EXPECT_EQ(shrunk.shrunk[1], "every second size of tables with more than 12 left out (22 points)");
  std::vector<std::int64_t> kept;
  for (const auto& point : shrunk.blocks.front().points)
    if (point.measurable()) kept.push_back(point.bytes);
  EXPECT_THAT(kept, ElementsAre(0, 1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304));
  EXPECT_EQ(shrunk.measurable(), 26u + 12u);
  EXPECT_EQ(shrunk.points(), 60u);
  EXPECT_EQ(shrunk.blocks.front().points[2].skip, record::ReasonCode::time);
  EXPECT_THAT(shrunk.blocks.front().points[2].skip_text, HasSubstr("the budget of"));
  EXPECT_THAT(shrunk.blocks.front().points[2].skip_text, HasSubstr("; needs --budget "));
}

TEST_F(plan_of_a_campaign, experiment_is_neither_split_nor_thinned_and_takes_its_time_from_the_others) {
  FakeSuite beff("b-eff", {benchmark("b_eff")});
  for (std::int64_t size = 1; size <= 100; ++size) beff.sizes.push_back(1024 + size);
  beff.prescribed_s = 0.05;
  const std::vector<Selected> both{{&beff, "b_eff"}, {&imb_, "PingPong"}};
  options_.budget = Seconds{0.05 * static_cast<double>(beff.sizes.size()) + 2};
  const Plan some = plan(both);
  ASSERT_GE(some.blocks.size(), 2u);
  EXPECT_EQ(some.blocks.front().points.size(), beff.sizes.size());
  for (const auto& point : some.blocks.front().points) EXPECT_TRUE(point.measurable());
  EXPECT_LE(some.longest_s, options_.budget->value() / (1 - setup_share));
  EXPECT_LT(some.point_budget.value(), 2.0 / 20);
  options_.budget = Seconds{1};  // less than the experiment alone: the first suite stays, and that is said
  const Plan least = plan(both);
  for (const auto& point : least.blocks.front().points) EXPECT_TRUE(point.measurable());
  EXPECT_THAT(least.shrunk.back(), StartsWith("even so the least takes"));
  const std::vector<Selected> last{{&imb_, "PingPong"}, {&beff, "b_eff"}};
  const Plan without = plan(last);
  for (const auto& point : without.blocks.back().points) EXPECT_FALSE(point.measurable());
}

TEST_F(plan_of_a_campaign, budget_measures_the_shortest_experiments_first) {
  FakeSuite solver("hpcc", {benchmark("HPL")}), memory("hpcc", {benchmark("StarSTREAM")});
  solver.prescribed_s = 0.4;
  memory.prescribed_s = 0.1;
  const std::vector<Selected> all{{&imb_, "PingPong"}, {&solver, "HPL"}, {&memory, "StarSTREAM"}};
  const auto order = [&] {
    std::vector<std::string> names;
    for (const auto& block : plan(all).blocks)
      if (names.empty() || names.back() != block.benchmark) names.push_back(block.benchmark);
    return names;
  };
  EXPECT_THAT(order(), ElementsAre("PingPong", "HPL", "StarSTREAM"));
  options_.budget = Seconds{1e6};
  EXPECT_THAT(order(), ElementsAre("PingPong", "StarSTREAM", "HPL"));
}

TEST_F(plan_of_a_campaign, third_step_drops_the_largest_sizes_where_the_transfer_dominates) {
  options_.budget = Seconds{0.2 * whole_s()};
  const Plan shrunk = plan();
  ASSERT_EQ(shrunk.shrunk.size(), 3u);
  EXPECT_THAT(shrunk.shrunk[2], StartsWith("sizes from "));
  const auto sizes = measured_sizes(shrunk);
  EXPECT_LT(*sizes.rbegin(), std::int64_t{4} << 20);
  EXPECT_TRUE(sizes.contains(0));
  EXPECT_LE(minimum_s(shrunk.blocks), options_.budget->value());
}

TEST_F(plan_of_a_campaign, fourth_step_drops_process_numbers_between_the_ends) {
  imb_.sizes = {0, 8};  // latency dominates: no size can go
  imb_.process_numbers = {2, 4, 8, 16};
  options_.budget = Seconds{0.35 * whole_s()};
  const Plan shrunk = plan();
  EXPECT_THAT(shrunk.shrunk,
              ElementsAre("3 visits of a point instead of 6",
                          "process numbers between the smallest and the largest left out (8 points)"));
  for (const auto& block : shrunk.blocks)
    EXPECT_EQ(block.points.front().measurable(), block.processes == 2 || block.processes == 16);
}

TEST_F(plan_of_a_campaign, fifth_step_drops_whole_suites_from_the_end_and_never_the_first) {
  imb_.sizes = {0};
  hpcc_.sizes = {0};
  options_.budget = Seconds{1e-9};
  const Plan shrunk = plan({{&imb_, "PingPong"}, {&hpcc_, "HPL"}});
  EXPECT_THAT(shrunk.shrunk, ElementsAre("3 visits of a point instead of 6", "suite hpcc left out (1 point)",
                                         StartsWith("even so the least takes ")));
  EXPECT_EQ(shrunk.measurable(), 1u);
}

/// Files take much longer than messages.
class plan_of_two_suites : public plan_of_a_campaign {
 protected:
  FakeSuite files_{"imb-io", {benchmark("S_Write_Indv"), benchmark("P_Write_Indv")}};
  std::vector<Selected> both_ = {
      {&imb_, "PingPong"}, {&imb_, "Allreduce"}, {&files_, "S_Write_Indv"}, {&files_, "P_Write_Indv"}};

  void SetUp() override {
    plan_of_a_campaign::SetUp();
    files_.sizes = testing::usual_sizes();
    files_.cost.latency_s = 1e-2;
    options_.divided = true;
  }
  static const SuitePlan& of(const Plan& plan, const std::string& suite) {
    return *std::ranges::find(plan.suites, suite, &SuitePlan::suite);
  }
  double least_s(const std::string& suite) {
    const auto budget = std::exchange(options_.budget, std::nullopt);
    auto blocks = plan(both_).blocks;
    options_.budget = budget;
    std::erase_if(blocks, [&](const auto& block) { return block.suite != suite; });
    return minimum_s(blocks);
  }
};

TEST_F(plan_of_two_suites, dear_one_takes_neither_sizes_nor_precision_from_the_other) {
  const double messages_s = least_s("imb-mpi1"), files_s = least_s("imb-io");
  ASSERT_GT(files_s, 20 * messages_s);
  options_.budget = Seconds{1.15 * (files_s + messages_s)};
  const Plan some = plan(both_);
  EXPECT_EQ(of(some, "imb-mpi1").skipped, 0u);
  EXPECT_GT(of(some, "imb-mpi1").longest_s, 3 * messages_s);
  EXPECT_EQ(of(some, "imb-io").skipped, 0u);
  EXPECT_LE(some.longest_s, options_.budget->value());
}

TEST_F(plan_of_two_suites, dear_one_leaves_out_sizes_where_the_other_needs_its_part) {
  imb_.cost.byte_s = 1e8;
  const double messages_s = least_s("imb-mpi1"), files_s = least_s("imb-io");
  options_.budget = Seconds{0.8 * (files_s + messages_s)};
  const Plan some = plan(both_);
  EXPECT_GT(of(some, "imb-mpi1").longest_s, 1.5 * messages_s);
  EXPECT_EQ(of(some, "imb-mpi1").skipped, 0u);
  EXPECT_GT(of(some, "imb-io").skipped, 0u);
  EXPECT_GT(some.longest_s, 0.8 * options_.budget->value());
}

/// Keys of the points of the first table that the plan measures.
std::set<std::string> first_table(const Plan& plan) {
  std::set<std::string> keys;
  for (const auto& point : plan.blocks.front().points)
    if (point.measurable()) keys.insert(point.key);
  return keys;
}

TEST_F(plan_of_a_campaign, resume_with_less_time_leaves_out_of_what_is_left) {
  options_.budget = Seconds{0.9 * whole_s()};
  const Plan first = plan();
  options_.kept = first_table(first);
  options_.first_budget = options_.budget;
  const double both_s = minimum_s(first.blocks);
  options_.budget = Seconds{0.8 * both_s};
  const Plan rest = plan();
  EXPECT_EQ(first_table(rest), first_table(first));
  EXPECT_EQ(rest.measurable(), first.measurable()) << "what is left fits";
  EXPECT_LT(rest.estimate_s, options_.budget->value());
  EXPECT_EQ(rest.kept, options_.kept.size());
  EXPECT_EQ(points_to_measure(rest), std::to_string(rest.measurable() - rest.kept) + " points of " +
                                         std::to_string(rest.measurable()));
  options_.budget = Seconds{0.4 * both_s};
  const Plan less = plan();
  EXPECT_EQ(first_table(less), first_table(first));
  EXPECT_LT(less.measurable(), first.measurable());
  EXPECT_GT(less.measurable(), first_table(first).size());
  EXPECT_THAT(less.shrunk.back(), StartsWith("of what is left: "));
  options_.kept.clear();
  EXPECT_LT(first_table(plan()).size(), first_table(first).size());
}

TEST_F(plan_of_a_campaign, resume_of_a_run_without_budget_leaves_out_of_what_is_left) {
  options_.kept = first_table(plan());
  options_.first_budget = Seconds{std::numeric_limits<double>::infinity()};
  options_.budget = Seconds{0.3 * whole_s()};
  const Plan rest = plan();
  EXPECT_EQ(first_table(rest), options_.kept);
  EXPECT_LT(rest.measurable(), 48u);
}

TEST_F(plan_of_a_campaign, classic_rule_keeps_its_operations) {
  options_.half_width.reset();
  options_.budget = Seconds{0.2 * whole_s()};
  const Plan shrunk = plan();
  EXPECT_THAT(shrunk.shrunk.front(), StartsWith("every second size"));
}

TEST_F(plan_of_a_campaign, hash_depends_on_keys_rule_and_seed_but_not_on_the_budget) {
  const std::string hash = plan().hash;
  EXPECT_THAT(hash, StartsWith("sha256:"));
  EXPECT_EQ(plan().hash, hash);
  options_.budget = Seconds{0.2 * whole_s()};
  EXPECT_EQ(plan().hash, hash);
  options_.seed = 2;
  EXPECT_NE(plan().hash, hash);
  options_.seed = 1;
  imb_.sizes.pop_back();
  EXPECT_NE(plan().hash, hash);
  const std::vector<Selected> one{{&imb_, "PingPong"}};
  EXPECT_NE(make_plan(one, options_, "adaptive").hash, make_plan(one, options_, "fixed:100").hash);
}

TEST_F(plan_of_a_campaign, long_table_is_cut_into_blocks_of_at_most_64_points) {
  imb_.sizes.clear();
  for (std::int64_t i = 0; i < 150; ++i) imb_.sizes.push_back(i);
  options_.point_budget = Seconds{0.1};
  const Plan cut = plan({{&imb_, "PingPong"}});
  ASSERT_EQ(cut.blocks.size(), 3u);
  EXPECT_EQ(cut.blocks[0].points.size(), 64u);
  EXPECT_EQ(cut.blocks[2].points.size(), 22u);
  EXPECT_EQ(cut.blocks[0].part, 0u);
  EXPECT_EQ(cut.blocks[2].part, 2u);
}

TEST_F(plan_of_a_campaign, table_of_a_suites_own_rule_stays_whole_because_the_rule_looks_back) {
  imb_.sizes.clear();
  for (std::int64_t i = 0; i < 150; ++i) imb_.sizes.push_back(i);
  options_.half_width.reset();
  EXPECT_EQ(plan({{&imb_, "PingPong"}}).blocks.size(), 1u);
  options_.fixed = true;
  EXPECT_EQ(plan({{&imb_, "PingPong"}}).blocks.size(), 3u);
}

TEST_F(plan_of_a_campaign, block_of_the_adaptive_rule_holds_at_most_a_minute) {
  options_.point_budget = Seconds{10};
  for (const auto& block : plan({{&imb_, "PingPong"}}).blocks) EXPECT_LE(block.points.size(), 6u);
}

TEST_F(plan_of_a_campaign, random_order_is_a_permutation_decided_by_the_seed) {
  imb_.process_numbers = {2, 3, 4, 5, 6, 7, 8};
  const Plan ordered = plan();
  options_.random_order = true;
  const Plan first = plan();
  EXPECT_EQ(plan().hash, first.hash);
  EXPECT_NE(first.hash, ordered.hash);
  std::multiset<int> a, b;
  for (const auto& block : ordered.blocks) a.insert(block.processes);
  for (const auto& block : first.blocks) b.insert(block.processes);
  EXPECT_EQ(a, b);
}

TEST_F(plan_of_a_campaign, text_has_a_line_per_block_the_sum_and_what_was_left_out) {
  options_.budget = Seconds{0.45 * whole_s()};
  const Plan shrunk = plan();
  std::ostringstream out;
  print_plan(out, shrunk, options_);
  const std::string text = out.str();
  EXPECT_THAT(text, HasSubstr("imb-mpi1/PingPong"));
  EXPECT_THAT(text, HasSubstr("0 B .. 4 MiB"));
  EXPECT_THAT(text, HasSubstr("sum (memory: largest)"));
  EXPECT_THAT(text, HasSubstr("not measured: 22 points, reason time"));
  EXPECT_THAT(text, HasSubstr("to fit the budget: every second size of tables with more than 12"));
  EXPECT_THAT(text, HasSubstr("estimate: 26 points in about "));
}

}  // namespace
}  // namespace steelyard::campaign
