// SPDX-License-Identifier: Apache-2.0
// default < preset < configuration file < environment < command line
#include <gmock/gmock.h>

#include "scratch.hpp"
#include "words.hpp"

namespace steelyard::cli {
namespace {

using test::invoke;
using test::refusal;
using testing::ElementsAre;

Source source(const Invocation& invocation, const char* option) {
  return invocation.values.find(option)->source;
}

class Precedence : public testing::Test {
 protected:
  test::Scratch scratch_;
};

TEST_F(Precedence, default_file_environment_and_command_line_of_one_option) {
  const std::string file = scratch_.file("c.toml", "color = \"never\"\n");
  const std::map<std::string, std::string> set{{"STEELYARD_COLOR", "always"}};
  EXPECT_EQ(invoke("list", {}).values.word("color"), "auto");
  EXPECT_EQ(invoke("list", {"--config", file}).values.word("color"), "never");
  EXPECT_EQ(invoke("list", {"--config", file}, set).values.word("color"), "always");
  EXPECT_EQ(invoke("list", {"--config", file, "--color", "auto"}, set).values.word("color"), "auto");
}

TEST_F(Precedence, sources_are_kept_beside_the_values) {
  const std::string file = scratch_.file("c.toml", "color = \"never\"\n");
  EXPECT_EQ(source(invoke("list", {}), "color"), Source::fallback);
  EXPECT_EQ(source(invoke("list", {"--config", file}), "color"), Source::file);
  EXPECT_EQ(source(invoke("list", {}, {{"STEELYARD_COLOR", "never"}}), "color"), Source::environment);
  EXPECT_EQ(source(invoke("list", {"--color", "never"}), "color"), Source::command_line);
}

TEST_F(Precedence, configuration_may_come_from_the_environment_and_be_ignored) {
  const std::string file = scratch_.file("c.toml", "color = \"never\"\n");
  EXPECT_EQ(invoke("list", {}, {{"STEELYARD_CONFIG", file}}).values.word("color"), "never");
  EXPECT_EQ(invoke("list", {"--no-config"}, {{"STEELYARD_CONFIG", file}}).values.word("color"), "auto");
}

TEST_F(Precedence, later_file_wins) {
  const std::string a = scratch_.file("a.toml", "color = \"never\"\nquiet = true");
  const std::string b = scratch_.file("b.toml", "color = \"always\"");
  const Values values = invoke("list", {"--config", a, "--config", b}).values;
  EXPECT_EQ(values.word("color"), "always");
  EXPECT_TRUE(values.on("quiet"));
}

TEST_F(Precedence, every_option_that_a_file_may_hold_has_a_variable_and_actions_have_none) {
  EXPECT_EQ(invoke("list", {}, {{"STEELYARD_FORMAT", "json"}}).values.word("format"), "json");
  EXPECT_TRUE(invoke("list", {}, {{"STEELYARD_QUIET", "1"}}).values.on("quiet"));
  EXPECT_FALSE(invoke("list", {}, {{"STEELYARD_PRINT_CONFIG", "1"}}).values.on("print-config"));
  EXPECT_FALSE(invoke("doctor", {}, {{"STEELYARD_CLEAN", "/scratch"}}).values.word("clean"));
}

TEST_F(Precedence, variable_of_a_flag_is_a_yes_or_a_no) {
  EXPECT_THAT(refusal([] {
                return invoke("list", {}, {{"STEELYARD_QUIET", "perhaps"}}).values;
              }),
              testing::StartsWith("STEELYARD_QUIET: "));
}

TEST_F(Precedence, unknown_variables_are_told_with_the_nearest_and_those_of_others_are_not) {
  EXPECT_THAT(unknown_variables({"STEELYARD_FROMAT", "STEELYARD_COLOR", "STEELYARD_TTY",
                                 "STEELYARD_TEST_FAULT", "PATH", "STEELYARD_QQQQQQQQQQQQQQ"},
                                commands()),
              ElementsAre("STEELYARD_FROMAT is not read: no option has this variable; did you mean "
                          "STEELYARD_FORMAT?",
                          "STEELYARD_QQQQQQQQQQQQQQ is not read: no option has this variable"));
}

TEST_F(Precedence, bad_variable_is_named) {
  EXPECT_EQ(refusal([] {
              return invoke("list", {}, {{"STEELYARD_COLOR", "blue"}}).values;
            }),
            "STEELYARD_COLOR: 'blue' is not one of auto, always, never");
}

TEST_F(Precedence, empty_variable_counts_as_unset) {
  EXPECT_EQ(source(invoke("list", {}, {{"STEELYARD_COLOR", ""}}), "color"), Source::fallback);
}

class RunPrecedence : public Precedence {
 protected:
  void SetUp() override {
    if (!commands().measures()) GTEST_SKIP() << "needs MPI";
  }
};

TEST_F(RunPrecedence, preset_lies_between_default_and_file) {
  const std::string file = scratch_.file("c.toml", "[run]\nci = 0.03\n");
  EXPECT_EQ(source(invoke("run", {}), "ci"), Source::preset);
  EXPECT_DOUBLE_EQ(*invoke("run", {}).values.ratio("ci"), 0.05);
  EXPECT_EQ(source(invoke("run", {}), "min-batches"), Source::fallback);
  EXPECT_DOUBLE_EQ(*invoke("run", {"--config", file}).values.ratio("ci"), 0.03);
  EXPECT_DOUBLE_EQ(*invoke("run", {"--config", file, "--ci", "1%"}).values.ratio("ci"), 0.01);
}

TEST_F(RunPrecedence, variables_choose_preset_budget_and_interval) {
  const Values values =
      invoke("run", {},
             {{"STEELYARD_PRESET", "standard"}, {"STEELYARD_BUDGET", "3m"}, {"STEELYARD_CI", "7%"}})
          .values;
  EXPECT_EQ(values.word("preset"), "standard");
  EXPECT_DOUBLE_EQ(values.duration("budget")->value(), 180);
  EXPECT_DOUBLE_EQ(*values.ratio("ci"), 0.07);
  EXPECT_EQ(values.find("budget")->origin, "STEELYARD_BUDGET");
}

TEST_F(RunPrecedence, words_of_seed_programs_have_no_variable) {
  EXPECT_FALSE(invoke("imb-mpi1", {}, {{"STEELYARD_NPMIN", "1"}}).values.said("npmin"));
}

TEST_F(RunPrecedence, preset_may_be_chosen_by_the_file) {
  const std::string file = scratch_.file("c.toml", "[run]\npreset = \"standard\"\n");
  EXPECT_DOUBLE_EQ(*invoke("run", {"--config", file}).values.ratio("ci"), 0.02);
  EXPECT_DOUBLE_EQ(*invoke("run", {"--config", file, "--preset", "quick"}).values.ratio("ci"), 0.05);
}

TEST_F(RunPrecedence, selection_replaces_that_of_the_preset) {
  EXPECT_THAT(invoke("run", {}).values.list("select"), testing::IsSupersetOf({"imb-mpi1", "b-eff"}));
  EXPECT_THAT(invoke("run", {"imb-mpi1/Bcast"}).values.list("select"), ElementsAre("imb-mpi1/Bcast"));
}

TEST_F(RunPrecedence, steps_inherit_the_preset) {
  const std::string file = scratch_.file("c.toml", "[[step]]\nselect = [\"imb-mpi1/Bcast\"]\n");
  const Invocation quick = invoke("run", {"--config", file});
  EXPECT_EQ(source(quick, "ci"), Source::preset);
  EXPECT_EQ(quick.values.word("schedule"), "adaptive");
  EXPECT_TRUE(quick.values.duration("budget"));
  const Invocation official = invoke("run", {"--config", file, "--preset", "official"});
  EXPECT_EQ(official.values.word("schedule"), "suite");
  EXPECT_FALSE(official.values.duration("budget"));
}

TEST_F(RunPrecedence, step_that_selects_nothing_inherits_the_selection) {
  const std::string file =
      scratch_.file("c.toml", "[[step]]\nnp = [2]\n[[step]]\nselect = [\"imb-mpi1/Bcast\"]\n");
  EXPECT_THAT(invoke("run", {"--config", file}).values.list("select"), testing::IsSupersetOf({"imb-mpi1"}));
}

TEST_F(RunPrecedence, variable_and_command_line_hold_for_every_step) {
  const std::string file = scratch_.file(
      "c.toml", "[run]\nsizes = 8\n[[step]]\nselect = [\"imb-mpi1/Bcast\"]\nnp = [2]\nsizes = 16\n");
  EXPECT_EQ(invoke("run", {"--config", file}).steps[0].word("np"), "2");
  const Invocation typed = invoke("run", {"--config", file, "--np", "4"});
  EXPECT_FALSE(typed.steps[0].word("np"));
  EXPECT_EQ(typed.values.word("np"), "4");
  EXPECT_EQ(typed.steps[0].word("sizes"), "16");
  const Invocation set = invoke("run", {"--config", file}, {{"STEELYARD_SIZES", "32"}});
  EXPECT_FALSE(set.steps[0].word("sizes"));
  EXPECT_EQ(set.values.word("sizes"), "32");
}

TEST_F(RunPrecedence, steps_leave_no_room_for_a_selection) {
  const std::string file = scratch_.file("c.toml", "[[step]]\nselect = [\"imb-mpi1/Bcast\"]\n");
  EXPECT_EQ(refusal([&] {
              return invoke("run", {"--config", file, "imb-mpi1"}).values;
            }),
            "SELECT: cannot be combined with the [[step]] tables of a configuration file");
}

}  // namespace
}  // namespace steelyard::cli
