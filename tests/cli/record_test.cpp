// SPDX-License-Identifier: Apache-2.0
// The configuration in the run record, and its way back for a resume.
#include <gmock/gmock.h>

#include "measuring/config_record.hpp"
#include "measuring/measured_suite.hpp"
#include "record/json.hpp"
#include "run/plan.hpp"
#include "scratch.hpp"
#include "words.hpp"

namespace steelyard::cli {
namespace {

using test::invoke;
using testing::ElementsAre;

Place place() {
  return {4, std::int64_t{1} << 30, {16 << 20, 64}};
}

TEST(config_record, sizes_are_bytes_and_durations_seconds) {
  const auto config = config_record(invoke("run", {"--memory", "64K", "--budget", "1.5m", "--sizes", "0,1..4",
                                                   "--ci", "5%", "--label", "a=b", "--anonymous"}))
                          .config;
  const record::Json& json = config.json();
  EXPECT_EQ(json["memory_byte"], 65536);
  EXPECT_EQ(json["budget_s"], 90.0);
  EXPECT_EQ(json["sizes_byte"], record::Json({0, 1, 2, 4}));
  EXPECT_EQ(json["ci"], 0.05);
  EXPECT_EQ(json["label"], record::Json({"a=b"}));
  EXPECT_EQ(json["anonymous"], true);
  EXPECT_THAT(json["select"], testing::Contains("imb-mpi1"));
  EXPECT_FALSE(json.contains("plan"));
}

TEST(config_record, sources_are_told_beside_every_member) {
  const auto both = config_record(invoke("run", {"--seed", "3"}, {{"STEELYARD_OUT", "d"}}));
  const record::Json& sources = both.sources.json();
  EXPECT_EQ(sources["seed"], "command line");
  EXPECT_EQ(sources["out"], "environment");
  EXPECT_EQ(sources["ci"], "preset");
  EXPECT_EQ(sources["min_batches"], "default");
  for (const auto& [name, value] : both.config.json().items()) EXPECT_TRUE(sources.contains(name)) << name;
}

TEST(config_record, leads_back_to_the_same_plan) {
  const Invocation first = invoke("run", {"imb-mpi1/A*", "--np", "2,4", "--sizes", "0,1..1Ki", "--ci", "3%",
                                          "--point-budget", "250ms", "--off-cache", "auto", "--seed", "9"});
  const auto told = config_record(first);
  const Invocation now =
      with_configuration_of({told.config, told.sources, {}}, invoke("run", {"--resume", "-o", "d"}));
  EXPECT_EQ(prepare_run(now, place()).plan.hash, prepare_run(first, place()).plan.hash);
  EXPECT_TRUE(now.values.on("resume"));
  EXPECT_EQ(now.values.word("out"), "d");
}

TEST(config_record, what_is_said_now_wins_where_it_may) {
  const auto told = config_record(invoke("run", {"--budget", "60", "--table", "seed"}));
  const Invocation now = with_configuration_of({told.config, told.sources, {}},
                                               invoke("run", {"--resume", "-o", "d", "--budget", "30"}));
  EXPECT_EQ(now.values.duration("budget"), Seconds{30});
  EXPECT_EQ(now.values.word("table"), "original");
}

TEST(config_record, steps_come_back_too) {
  const test::Scratch scratch;
  const std::string file = scratch.file("c.toml", "[[step]]\nselect = [\"imb-mpi1/Bcast\"]\nnp = [4]\n");
  const Invocation first = invoke("run", {"--config", file});
  const auto told = config_record(first);
  const Invocation now =
      with_configuration_of({told.config, told.sources, {}}, invoke("run", {"--resume", "-o", "d"}));
  ASSERT_EQ(now.steps.size(), 1U);
  EXPECT_EQ(prepare_run(now, place()).plan.hash, prepare_run(first, place()).plan.hash);
}

}  // namespace
}  // namespace steelyard::cli
