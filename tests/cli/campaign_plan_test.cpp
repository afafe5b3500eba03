// SPDX-License-Identifier: Apache-2.0
// Campaigns of every suite: what of each fits into one budget.
#include <gmock/gmock.h>

#include <algorithm>

#include "measuring/config_record.hpp"
#include "measuring/prepared.hpp"
#include "suites/beff/settings.hpp"
#include "suites/beffio/settings.hpp"
#include "words.hpp"
#include "words/resume_words.hpp"

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
  return prepared.suites.hpcc.problem.orders.front();
}

TEST(whole_campaign, takes_every_suite_experiments_first) {
  std::vector<std::string> suites;
  for (const auto& suite : prepared({}).plan.suites) suites.push_back(suite.suite);
  EXPECT_THAT(suites, ElementsAre("hpcc", "b-eff", "b-eff-io", "ftio", "imb-mpi1", "imb-ext", "imb-io"));
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
  EXPECT_THAT(beff::departures(quick.suites.beff), Not(IsEmpty()));
  EXPECT_THAT(beff::departures(official.suites.beff), IsEmpty());
  EXPECT_LT(quick.suites.beffio.total_s, standard.suites.beffio.total_s);
  EXPECT_LT(standard.suites.beffio.total_s, official.suites.beffio.total_s);
  EXPECT_EQ(official.suites.beffio.total_s, beffio::Settings{}.total_s);
  EXPECT_LT(order(quick), order(standard));
  EXPECT_LT(order(standard), order(official));
}

TEST(whole_campaign, is_smaller_in_every_part_with_less_time) {
  const Prepared minute = prepared({}), hurried = prepared({"--budget", "8s"});
  EXPECT_LT(order(hurried), order(minute));
  EXPECT_LT(hurried.suites.beffio.total_s, minute.suites.beffio.total_s);
  EXPECT_LT(part(hurried, "b-eff").estimate_s, part(minute, "b-eff").estimate_s);
  for (const char* suite : {"hpcc", "b-eff", "b-eff-io"}) EXPECT_GT(part(hurried, suite).points, 0U) << suite;
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
  EXPECT_EQ(other.suites.beff.longest, 64 * kibi);
  EXPECT_EQ(other.suites.beffio.largest, 2 * mebi);
  EXPECT_THAT(beff::departures(other.suites.beff), Not(IsEmpty()));
  EXPECT_THAT(beffio::departures(other.suites.beffio), Not(IsEmpty()));
}

TEST(whole_campaign, keeps_its_sizes_when_it_is_resumed_with_another_budget) {
  const Invocation first = invoke("run", {"--budget", "20s"});
  const ConfigRecord kept = config_record(first);
  const Invocation second = with_configuration_of(kept.config, kept.sources,
                                                  invoke("run", {"--resume", "-o", "d", "--budget", "1h"}));
  EXPECT_EQ(second.values.duration("budget")->value(), 3600);
  EXPECT_EQ(prepare_run(second, place(2)).plan.hash, prepare_run(first, place(2)).plan.hash);
  EXPECT_NE(prepared({"--budget", "1h"}).plan.hash, prepare_run(first, place(2)).plan.hash);
}

}  // namespace
}  // namespace steelyard::cli
