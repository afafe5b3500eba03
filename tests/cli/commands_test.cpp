// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>

#include "commands/program.hpp"

namespace steelyard::cli {
namespace {

TEST(commands, are_found_by_their_own_name_only) {
  ASSERT_NE(commands().find("list"), nullptr);
  EXPECT_EQ(commands().find("list")->name, "list");
  EXPECT_EQ(commands().find("lis"), nullptr);
  EXPECT_EQ(commands().find("List"), nullptr);
}

TEST(commands, every_one_has_a_summary_three_examples_or_a_hidden_life) {
  for (const Command* command : commands()) {
    EXPECT_FALSE(command->summary.empty()) << command->name;
    EXPECT_FALSE(command->exit_codes.empty()) << command->name;
    EXPECT_NE(command->run, nullptr) << command->name;
    if (command->visibility == Visibility::shown) EXPECT_GE(command->examples.size(), 3U) << command->name;
  }
}

TEST(commands, no_option_is_there_twice) {
  for (const Command* command : commands()) {
    std::set<std::string_view> names;
    std::set<char> letters;
    for (const Group& group : all_groups(*command))
      for (const Option& option : group.options) {
        EXPECT_TRUE(names.insert(option.name).second) << command->name << ' ' << option.name;
        if (option.letter != 0)
          EXPECT_TRUE(letters.insert(option.letter).second) << command->name << ' ' << option.letter;
      }
  }
}

TEST(commands, defaults_are_words_of_their_own_grammar) {
  for (const Command* command : commands())
    for (const Group& group : all_groups(*command))
      for (const Option& option : group.options)
        if (!option.fallback.empty()) EXPECT_NO_THROW(check_word(option, option.fallback)) << option.name;
}

TEST(program_names, select_the_front_end_in_any_case_and_with_a_suffix) {
  const bool measures = commands().measures();
  for (const char* name :
       {"IMB-MPI1", "imb_mpi1", "/usr/lib/steelyard/bin/IMB-MPI1", "imb-mpi1.mpich", "./Imb_Mpi1.openmpi"}) {
    const Command* command = commands().front_end(name);
    ASSERT_EQ(command != nullptr, measures) << name;
    if (measures) EXPECT_EQ(command->name, "imb-mpi1");
  }
}
TEST(program_names, every_part_of_imb_has_its_own) {
  const Command* command = commands().front_end("IMB-EXT");
  ASSERT_EQ(command != nullptr, commands().measures());
  if (command != nullptr) EXPECT_EQ(command->name, "imb-ext");
  EXPECT_TRUE(is_measuring_name("imb_ext"));
}
TEST(program_names, others_are_the_program_itself) {
  for (const char* name : {"steelyard", "steelyard.mpich", "IMB-MPI", "xIMB-MPI1", ""})
    EXPECT_EQ(commands().front_end(name), nullptr) << name;
}

TEST(measuring_names, are_known_in_builds_without_mpi_too) {
  EXPECT_TRUE(is_measuring_name("run"));
  EXPECT_TRUE(is_measuring_name("IMB-MPI1"));
  EXPECT_FALSE(is_measuring_name("list"));
}

}  // namespace
}  // namespace steelyard::cli
