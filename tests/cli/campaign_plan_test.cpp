// SPDX-License-Identifier: Apache-2.0
// Campaigns of every suite: what of each fits into one budget.
#include <gmock/gmock.h>

#include <algorithm>

#include "measuring/config_record.hpp"
#include "measuring/measured_suite.hpp"
#include "run/plan.hpp"
#include "scratch.hpp"
#include "suites/beff/definition.hpp"
#include "suites/beffio/definition.hpp"
#include "suites/hpcc/definition.hpp"
#include "words.hpp"

namespace steelyard::cli {
namespace {

using test::invoke;
using test::Strings;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

Place place(int processes) {
  constexpr std::int64_t gibibyte = std::int64_t{1} << 30;
  return {processes, gibibyte, {16 << 20, 64}, 2 * gibibyte};
}
Prepared prepared(const Strings& words, int processes = 2) {
  return prepare_run(invoke("run", words), place(processes));
}
const campaign::SuitePlan& part(const Prepared& prepared, std::string_view suite) {
  return *std::ranges::find(prepared.plan.suites, suite, &campaign::SuitePlan::suite);
}
std::int64_t order(const Prepared& prepared) {
  return prepared.settings<hpcc::Definition>("hpcc").problem.orders.front();
}

TEST(whole_campaign, takes_every_suite_experiments_first) {
  std::vector<std::string> suites;
  for (const auto& suite : prepared({}).plan.suites) suites.push_back(suite.suite);
  EXPECT_THAT(suites, ElementsAre("hpcc", "b-eff", "b-eff-io", "ftio", "imb-mpi1", "imb-ext", "imb-io"));
}

TEST(whole_campaign, of_a_quarter_of_an_hour_takes_the_most_asked_collectives_with_overlap) {
  const auto names = [](const Prepared& all) {
    std::vector<std::string> list;
    for (const auto& block : all.plan.blocks)
      if (block.suite == "imb-nbc" && (list.empty() || list.back() != block.benchmark))
        list.push_back(block.benchmark);
    return list;
  };
  EXPECT_THAT(names(prepared({"--preset", "standard"})), ElementsAre("Iallreduce", "Ialltoall"));
  EXPECT_EQ(names(prepared({"--preset", "official"})).size(), 13U);
}

TEST(whole_campaign, fits_into_its_budget_whatever_the_number_of_processes) {
  for (const auto& [preset, budget_s] : {std::pair{"quick", 60.0}, {"standard", 900.0}})
    for (const int processes : {1, 2, 3, 8, 64}) {
      const Prepared all = prepared({"--preset", preset}, processes);
      EXPECT_LE(all.plan.longest_s, 1.01 * budget_s) << preset << ' ' << processes;
      EXPECT_LE(all.plan.estimate_s, all.plan.longest_s * (1 + 1e-9));
      for (const char* suite : {"hpcc", "b-eff-io", "ftio", "imb-mpi1"})
        EXPECT_GT(part(all, suite).points, 0U) << preset << ' ' << processes << ' ' << suite;
    }
}

TEST(whole_campaign, reduces_what_is_prescribed_and_tells_it) {
  const Prepared quick = prepared({"--preset", "quick"}), standard = prepared({"--preset", "standard"}),
                 official = prepared({"--preset", "official"});
  EXPECT_THAT(beff::departures(quick.settings<beff::Definition>("b-eff")), Not(IsEmpty()));
  EXPECT_THAT(beff::departures(official.settings<beff::Definition>("b-eff")), IsEmpty());
  EXPECT_LT(quick.settings<beffio::Definition>("b-eff-io").total_s,
            standard.settings<beffio::Definition>("b-eff-io").total_s);
  EXPECT_LT(standard.settings<beffio::Definition>("b-eff-io").total_s,
            official.settings<beffio::Definition>("b-eff-io").total_s);
  EXPECT_EQ(official.settings<beffio::Definition>("b-eff-io").total_s, beffio::Settings{}.total_s);
  EXPECT_LT(order(quick), order(standard));
  EXPECT_LE(order(standard), order(official));  // the memory holds no more
}

TEST(whole_campaign, takes_less_of_everything_with_less_time_and_names_the_budget_of_what_is_left_out) {
  const Prepared minute = prepared({}), hurried = prepared({"--budget", "8s"});
  EXPECT_LE(order(hurried), order(minute));
  for (const char* suite : {"hpcc", "b-eff", "b-eff-io", "ftio"})
    EXPECT_LT(part(hurried, suite).estimate_s, part(minute, suite).estimate_s) << suite;
  EXPECT_GT(part(hurried, "hpcc").points, 0U);
  for (const auto& block : hurried.plan.blocks)
    for (const auto& point : block.points)
      if (point.skip == record::ReasonCode::time)
        EXPECT_THAT(point.skip_text, testing::HasSubstr("needs --budget ")) << point.key;
}

TEST(whole_campaign, leaves_sizes_alone_that_the_user_says) {
  EXPECT_EQ(order(prepared({"--hpcc-n", "777", "--budget", "8s"})), 777);
  EXPECT_EQ(order(prepared({"--memory", "64Mi", "--budget", "8s"})), order(prepared({"--memory", "64Mi"})));
}

TEST(prescribed_sizes, are_left_only_where_that_is_permitted) {
  const auto answer = [](const Strings& words) {
    return test::refusal([&] { return prepared(words).plan.hash; });
  };
  EXPECT_THAT(answer({"b-eff", "--sizes", "64K"}), testing::HasSubstr("--sizes: b-eff prescribes its sizes"));
  EXPECT_THAT(answer({"--sizes", "64K"}), testing::HasSubstr("--not-official"));
  EXPECT_EQ(answer({"imb-mpi1", "--sizes", "64K"}), "accepted");
  const Prepared other = prepared({"b-eff", "b-eff-io", "--sizes", "1K,64K", "--not-official"});
  EXPECT_EQ(other.settings<beff::Definition>("b-eff").longest, 64 * kibi);
  EXPECT_EQ(other.settings<beffio::Definition>("b-eff-io").largest, 2 * mebi);
  EXPECT_THAT(beff::departures(other.settings<beff::Definition>("b-eff")), Not(IsEmpty()));
  EXPECT_THAT(beffio::departures(other.settings<beffio::Definition>("b-eff-io")), Not(IsEmpty()));
}

TEST(whole_campaign, keeps_its_sizes_when_it_is_resumed_with_another_budget) {
  const Invocation first = invoke("run", {"--budget", "20s"});
  const ConfigRecord kept = config_record(first);
  const Invocation second = with_configuration_of({kept.config, kept.sources, {}},
                                                  invoke("run", {"--resume", "-o", "d", "--budget", "1h"}));
  EXPECT_EQ(second.values.duration("budget")->value(), 3600);
  EXPECT_EQ(prepare_run(second, place(2)).plan.hash, prepare_run(first, place(2)).plan.hash);
  EXPECT_NE(prepared({"--budget", "1h"}).plan.hash, prepare_run(first, place(2)).plan.hash);
}

TEST(whole_campaign, keeps_its_sizes_through_any_number_of_sessions_and_budgets) {
  const Invocation first = invoke("run", {"--budget", "20s"});
  const auto hash = prepare_run(first, place(2)).plan.hash;
  auto inputs = plan_inputs(first.values, place(2));
  ConfigRecord kept = config_record(first);
  for (const char* budget : {"1h", "7s", "90s"}) {
    const Invocation next = with_configuration_of({kept.config, kept.sources, inputs},
                                                  invoke("run", {"--resume", "-o", "d", "--budget", budget}));
    Place other = place(2);
    other.memory_byte /= 3;
    other.cache.cache_byte *= 2;
    other.node_share_byte /= 5;
    const Place planned_with = place_planned_with(inputs, other);
    EXPECT_EQ(prepare_run(next, planned_with).plan.hash, hash) << budget;
    kept = config_record(next);
    inputs = plan_inputs(next.values, planned_with);
  }
}

TEST(whole_campaign, without_a_budget_gets_none_by_a_resume_with_one) {
  const Invocation first = invoke("run", {"--preset", "official", "--schedule", "adaptive"});
  const ConfigRecord kept = config_record(first);
  const auto inputs = plan_inputs(first.values, place(2));
  const Invocation second = with_configuration_of({kept.config, kept.sources, inputs},
                                                  invoke("run", {"--resume", "-o", "d", "--budget", "10s"}));
  EXPECT_EQ(prepare_run(second, place(2)).plan.hash, prepare_run(first, place(2)).plan.hash);
}

TEST(whole_campaign, is_resumed_with_its_own_budget_and_no_deadline) {
  const auto resumed = [](const Invocation& run, const record::Document& inputs) {
    const ConfigRecord kept = config_record(run);
    return with_configuration_of({kept.config, kept.sources, inputs}, invoke("run", {"--resume", "-o", "d"}));
  };
  const Invocation first = invoke("run", {"--budget", "20s"});
  const auto inputs = plan_inputs(first.values, place(2));
  const Invocation second = invoke("run", {"--budget", "1s", "--deadline", "+5s"});
  EXPECT_EQ(resumed(second, inputs).values.duration("budget"), Seconds{20});
  EXPECT_FALSE(resumed(second, inputs).values.word("deadline"));
  const Invocation official = invoke("run", {"--preset", "official"});
  EXPECT_FALSE(resumed(official, plan_inputs(official.values, place(2))).values.duration("budget"));
}

TEST(whole_campaign, of_steps_shares_its_budget_among_them) {
  const test::Scratch scratch;
  const std::string file =
      scratch.file("c.toml", "[[step]]\nselect = [\"hpcc/HPL\"]\n[[step]]\nselect = [\"b-eff\"]\n");
  const Prepared both = prepare_run(invoke("run", {"--config", file, "--budget", "60s"}), place(2));
  EXPECT_TRUE(both.plan.budget);
  EXPECT_LT(both.plan.estimate_s, 70);
}

}  // namespace
}  // namespace steelyard::cli
