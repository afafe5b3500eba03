// SPDX-License-Identifier: Apache-2.0
#include "options/config_file.hpp"

#include <gmock/gmock.h>

#include "scratch.hpp"
#include "words.hpp"

namespace steelyard::cli {
namespace {

using test::refusal;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

class ConfigFile : public testing::Test {
 protected:
  [[nodiscard]] FileSettings read(const std::string& text, const char* command = "export") const {
    return read_config(scratch_.file("c.toml", text), *commands().find(command), commands());
  }
  [[nodiscard]] std::string wrong(const std::string& text, const char* command = "export") const {
    return refusal([&] { return read(text, command).values; });
  }
  test::Scratch scratch_;
};

TEST_F(ConfigFile, top_level_keys_belong_to_every_subcommand) {
  EXPECT_EQ(read("color = \"never\"").values.word("color"), "never");
}

TEST_F(ConfigFile, table_of_the_subcommand_counts_and_others_do_not) {
  const Values values = read("[export]\nmetrics = \"primary\"\n[list]\nlong = true").values;
  EXPECT_EQ(values.word("metrics"), "primary");
  EXPECT_EQ(values.find("long"), nullptr);
}

TEST_F(ConfigFile, tables_of_other_subcommands_are_checked_too) {
  EXPECT_THAT(wrong("[list]\nlng = true"),
              HasSubstr("c.toml:2:1: unknown option 'lng' in [list]; did you mean 'long'?"));
}

TEST_F(ConfigFile, all_unknown_keys_are_told_with_their_places) {
  const std::string text = wrong("[export]\nmetrix = \"all\"\npartal = true\n[exprt]\n");
  EXPECT_THAT(text, HasSubstr("c.toml:2:1: unknown option 'metrix' in [export]; did you mean 'metrics'?"));
  EXPECT_THAT(text, HasSubstr("c.toml:3:1: unknown option 'partal' in [export]; did you mean 'partial'?"));
  EXPECT_THAT(text, HasSubstr("unknown table [exprt]; did you mean 'export'?"));
}

TEST_F(ConfigFile, front_ends_read_no_file_and_have_no_table) {
  if (commands().measures())
    EXPECT_THAT(wrong("[imb-mpi1]\nnpmin = 2"), HasSubstr("unknown table [imb-mpi1]"));
}

TEST_F(ConfigFile, measuring_tables_are_passed_over_without_mpi) {
  if (!commands().measures())
    EXPECT_EQ(wrong("[run]\nci = 0.1\n[[step]]\nselect = [\"imb-mpi1\"]"), "accepted");
}

TEST_F(ConfigFile, syntax_errors_have_a_place) {
  EXPECT_THAT(wrong("[export]\nmetrics = = 1\n"), HasSubstr("c.toml:2:11: "));
}

TEST_F(ConfigFile, letters_beyond_ascii_stand_within_quotes_however_deep) {
  if (!commands().measures()) GTEST_SKIP() << "there are no such tables";
  for (const char* text :
       {"[run]\nlabel = [\"a=ü\", # ü\n  'b=ö']\n", "[run]\nlabel = [\n\"a=ü\"\n]\nname = \"ä\"\n",
        "[\"ü\"]\n", "[run]\nx = [{a.\"ü\" = 1, b = [\"ö\"]}, {\"ä\" = 2}]\n"})
    EXPECT_THAT(wrong(text), Not(HasSubstr("ASCII"))) << text;
  for (const char* text :
       {"[run]\nname = ü\n", "[run]\nlabel = [\n3.\"ü\n", "[run]\nlabel = [1, [2], 3.\"ü\"]\n"})
    EXPECT_THAT(wrong(text), HasSubstr("a character that is not ASCII stands outside of quotes")) << text;
}

TEST_F(ConfigFile, missing_file_is_named) {
  EXPECT_EQ(
      refusal([] { return read_config("/nonexistent/c.toml", *commands().find("list"), commands()).values; }),
      "cannot read '/nonexistent/c.toml': No such file or directory");
}

TEST_F(ConfigFile, directory_is_no_file) {
  const auto directory = std::filesystem::temp_directory_path();
  EXPECT_EQ(refusal([&] { return read_config(directory, *commands().find("list"), commands()).values; }),
            "cannot read '" + directory.string() + "': Is a directory");
}

TEST_F(ConfigFile, table_says_more_than_what_stands_above_all_of_them) {
  EXPECT_FALSE(read("verbose = true\n[export]\nverbose = false").values.on("verbose"));
  EXPECT_FALSE(read("quiet = true\n[export]\nquiet = false").values.on("quiet"));
}

TEST_F(ConfigFile, step_has_two_brackets) {
  EXPECT_THAT(wrong("[step]\nnp = 2"), EndsWith(": every step has a head of its own, [[step]]"));
  EXPECT_THAT(wrong("step = []"), EndsWith("every step has a head of its own, [[step]]"));
}

TEST_F(ConfigFile, flags_are_truths_and_nothing_else) {
  EXPECT_TRUE(read("[export]\npartial = true").values.on("partial"));
  EXPECT_FALSE(read("[export]\npartial = false").values.on("partial"));
  EXPECT_THAT(wrong("[export]\npartial = \"yes\""),
              EndsWith("partial: the type of the value does not fit true or false"));
  EXPECT_THAT(wrong("[export]\nmetrics = true"), EndsWith("does not fit WORD"));
}

TEST_F(ConfigFile, values_are_checked_by_their_grammar) {
  EXPECT_THAT(wrong("[export]\nmetrics = \"most\""),
              HasSubstr("c.toml:2:1: metrics: 'most' is not one of all, primary"));
}

TEST_F(ConfigFile, repeatable_options_are_arrays_also_over_several_lines) {
  EXPECT_THAT(read("[export]\nselect = [\n  \"a\",\n  \"b\"\n]\nmetrics = \"all\"").values.list("select"),
              ElementsAre("a", "b"));
  EXPECT_THAT(wrong("[export]\nmetrics = [\"all\", \"primary\"]"), EndsWith("metrics: takes one value"));
}

TEST_F(ConfigFile, variables_are_replaced_in_names_of_files_only) {
  setenv("STEELYARD_TEST_DIR", "/data", 1);
  const Values values =
      read("[export]\noutput = \"${STEELYARD_TEST_DIR}/x\"\nrun = \"$STEELYARD_TEST_DIR\"").values;
  EXPECT_EQ(values.word("output"), "/data/x");
  EXPECT_EQ(values.word("run"), "$STEELYARD_TEST_DIR");
}

TEST(variables, are_replaced_with_and_without_braces) {
  setenv("STEELYARD_TEST_DIR", "d", 1);
  EXPECT_EQ(expand_variables("a/$STEELYARD_TEST_DIR/b"), "a/d/b");
  EXPECT_EQ(expand_variables("${STEELYARD_TEST_DIR}x$"), "dx$");
}

// "$SCRATCH/first" would be /first.
TEST_F(ConfigFile, variable_that_is_not_set_is_refused_by_name) {
  unsetenv("STEELYARD_TEST_UNSET");
  EXPECT_THAT(
      wrong("[export]\noutput = \"$STEELYARD_TEST_UNSET/first\""),
      EndsWith("c.toml:2:1: output: the variable STEELYARD_TEST_UNSET is not set ($$ stands for a $)"));
  setenv("STEELYARD_TEST_EMPTY", "", 1);
  EXPECT_EQ(expand_variables("a${STEELYARD_TEST_EMPTY}b"), "ab");
}

TEST(variables, are_names_alone) {
  setenv("STEELYARD_TEST_DIR", "d", 1);
  EXPECT_EQ(expand_variables("${STEELYARD_TEST_DIR-x}/${STEELYARD_TEST_DIR}"), "${STEELYARD_TEST_DIR-x}/d");
  EXPECT_EQ(expand_variables("${STEELYARD_TEST_DIR"), "${STEELYARD_TEST_DIR");
  EXPECT_EQ(expand_variables("a$$STEELYARD_TEST_DIR/$$$STEELYARD_TEST_DIR"), "a$STEELYARD_TEST_DIR/$d");
}

TEST_F(ConfigFile, printed_names_of_files_are_read_to_the_same_names) {
  const Values values = test::invoke("export", {"in$HOME", "--output", "out/${HOME}$"}).values;
  const Values again = read(config_text(*commands().find("export"), values, {})).values;
  EXPECT_EQ(again.word("output"), "out/${HOME}$");
  EXPECT_THAT(again.list("input"), ElementsAre("in$HOME"));
}

/// Words that a configuration file may hold, with their option.
std::map<std::string, test::Strings> kept_words(const Command& command, const Values& values) {
  std::map<std::string, test::Strings> kept;
  for (const auto& [name, given] : values.all()) {
    const Option* option = find_option(command, name);
    if (option == nullptr || option->in_file == InFile::yes) kept[name] = given.words;
  }
  return kept;
}

TEST_F(ConfigFile, what_every_subcommand_prints_is_read_to_the_same_words) {
  for (const Command* command : commands()) {
    const Positional& bare = command->positional;
    if (find_option(*command, "config") == nullptr) continue;
    test::Strings words{"one", "two"};
    words.resize(bare.name.empty() ? 0 : bare.repeat == Repeat::many ? 2 : 1);
    const std::string name(command->name);
    const auto first = test::invoke(name.c_str(), words);
    const std::string file = scratch_.file("c.toml", config_text(*command, first.values, first.steps));
    const auto again = test::invoke(name.c_str(), {"--config", file});
    EXPECT_EQ(kept_words(*command, again.values), kept_words(*command, first.values)) << name;
    if (!words.empty()) EXPECT_EQ(again.values.list(positional_key(*command)), words) << name;
  }
}

TEST_F(ConfigFile, bare_words_of_two_kinds_have_a_key_with_a_dash_or_one_in_quotes) {
  for (const char* key : {"base-new", "\"base new\""})
    EXPECT_THAT(
        read("[compare]\n" + std::string(key) + " = [\"a\", \"b\"]", "compare").values.list("base-new"),
        ElementsAre("a", "b"))
        << key;
}

class RunConfigFile : public ConfigFile {
 protected:
  void SetUp() override {
    if (!commands().measures()) GTEST_SKIP() << "needs MPI";
  }
};

TEST_F(RunConfigFile, numbers_and_lists_become_words_of_the_grammar) {
  const Values values =
      read(
          "[run]\nci = 0.01\nmemory = 1048576\nnp = [2, 4]\nsizes = \"0,1..64\"\nbudget = 90\n"
          "deadline = 2026-11-20T18:00:00\nselect = [\"imb-mpi1/*\"]",
          "run")
          .values;
  EXPECT_DOUBLE_EQ(*values.ratio("ci"), 0.01);
  EXPECT_EQ(values.size("memory"), Bytes{1048576});
  EXPECT_THAT(values.counts("np")->values, ElementsAre(2, 4));
  EXPECT_EQ(values.sizes("sizes")->size(), 8U);
  EXPECT_EQ(values.duration("budget"), Seconds{90});
  EXPECT_EQ(values.word("deadline"), "2026-11-20T18:00:00");
  EXPECT_THAT(values.list("select"), ElementsAre("imb-mpi1/*"));
}

TEST_F(RunConfigFile, steps_keep_their_order_and_what_they_choose) {
  const FileSettings settings =
      read("[[step]]\nselect = [\"imb-mpi1/A*\"]\nnp = [2]\n[[step]]\nselect = [\"imb-mpi1/B*\"]", "run");
  ASSERT_EQ(settings.steps.size(), 2U);
  EXPECT_THAT(settings.steps[0].list("select"), ElementsAre("imb-mpi1/A*"));
  EXPECT_EQ(settings.steps[1].find("np"), nullptr);
}

TEST_F(RunConfigFile, steps_refuse_what_holds_for_the_whole_run) {
  EXPECT_THAT(wrong("[[step]]\nci = 0.1", "run"),
              HasSubstr("c.toml:2:1: 'ci' cannot differ between steps; put it into [run]"));
  EXPECT_THAT(wrong("[[step]]\nnq = 2", "run"), HasSubstr("unknown option 'nq' in [step]"));
}

TEST_F(RunConfigFile, steps_are_checked_and_passed_over_by_other_subcommands) {
  EXPECT_THAT(read("[[step]]\nselect = [\"imb-mpi1/A*\"]\nnp = [2]").steps, testing::IsEmpty());
  EXPECT_THAT(wrong("[[step]]\nnq = 2"), HasSubstr("unknown option 'nq' in [step]"));
}

TEST_F(RunConfigFile, selection_names_something) {
  EXPECT_THAT(wrong("[run]\nselect = []", "run"), EndsWith("c.toml:2:1: select: names nothing"));
  EXPECT_THAT(wrong("[[step]]\nselect = []", "run"), EndsWith("c.toml:2:1: select: names nothing"));
  EXPECT_EQ(wrong("[run]\nexclude = []", "run"), "accepted");
}

TEST_F(RunConfigFile, what_is_on_or_off_is_a_truth_too) {
  EXPECT_TRUE(read("[run]\nhpl-equil = true", "run").values.on("hpl-equil"));
  EXPECT_THAT(wrong("[run]\nhpl-equil = \"on\"", "run"), EndsWith("does not fit true or false"));
}

TEST_F(RunConfigFile, actions_are_no_configuration) {
  EXPECT_THAT(wrong("[run]\nplan = true", "run"), HasSubstr("unknown option 'plan' in [run]"));
}

}  // namespace
}  // namespace steelyard::cli
