// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <sstream>

#include "commands/program.hpp"
#include "docs/pages.hpp"
#include "options/option_table.hpp"

namespace steelyard::cli {
namespace {

using testing::HasSubstr;

std::string without_backslashes(std::string text) {
  std::erase(text, '\\');
  return text;
}

template <class Act>
void for_each_option(Act act) {
  for (const Command* command : commands())
    for (const Group& group : all_groups(*command))
      for (const Option& option : group.options) act(*command, option);
}

TEST(documents, every_option_is_in_help_man_page_reference_and_completion) {
  const std::string bash = completion(commands(), Shell::bash);
  const std::string fish = completion(commands(), Shell::fish);
  for_each_option([&](const Command& command, const Option& option) {
    EXPECT_THAT(help_text(command, 100), HasSubstr(spelling(option)));
    EXPECT_THAT(without_backslashes(man_page(command)), HasSubstr(spelling(option)));
    EXPECT_THAT(markdown_page(command), HasSubstr(spelling(option)));
    if (command.visibility == Visibility::hidden) return;
    EXPECT_THAT(bash, HasSubstr(dashed(option)));
    EXPECT_THAT(fish, HasSubstr(std::string(option.name)));
  });
}

TEST(documents, defaults_are_told_everywhere) {
  for_each_option([](const Command& command, const Option& option) {
    const std::string notes = remarks(option);
    if (!option.fallback.empty() && option.fallback_text.empty())
      EXPECT_THAT(notes, HasSubstr("default: " + std::string(option.fallback)));
    if (!notes.empty()) EXPECT_THAT(without_backslashes(man_page(command)), HasSubstr(notes));
  });
}

TEST(documents, man_pages_disarm_backslashes_and_leading_dots) {
  for (const Command* command : commands()) {
    std::istringstream lines(man_page(*command));
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with('.'))
        EXPECT_THAT(line, testing::MatchesRegex("\\.(TH|SH|SS|TP|B|BR|I|nf|fi).*")) << command->name;
  }
}

TEST(help, lines_fit_the_width) {
  for (const int width : {60, 80, 100})
    for (const Command* command : commands()) {
      std::istringstream lines(help_text(*command, width));
      for (std::string line; std::getline(lines, line);)
        if (!line.starts_with("  steelyard ") && !line.starts_with("  mpiexec ") &&
            !line.starts_with("usage:"))
          EXPECT_LE(static_cast<int>(line.size()), width) << command->name << ": " << line;
    }
}

TEST(help, a_blank_or_a_line_end_stands_between_a_bare_word_and_what_it_is) {
  for (const Command* command : commands()) {
    const std::string_view name = command->positional.name, help = command->positional.help;
    if (name.empty()) continue;
    const std::string text = help_text(*command, 100);
    const std::size_t at = text.find("\n  " + std::string(name), text.find('\n'));
    ASSERT_NE(at, std::string::npos) << command->name;
    const std::size_t behind = at + 3 + name.size();
    EXPECT_THAT(text.substr(behind, 1), testing::AnyOf(" ", "\n")) << command->name;
    const std::size_t first = text.find_first_not_of(" \n", behind);
    EXPECT_EQ(text.substr(first, 8), help.substr(0, 8)) << command->name;
    EXPECT_EQ(first - text.rfind('\n', first), 17U) << command->name;
  }
}

TEST(help, overview_lists_what_is_shown_and_hides_the_rest) {
  const std::string text = overview(commands(), 100);
  for (const Command* command : commands())
    EXPECT_EQ(text.find("\n  " + std::string(command->name) + " ") != std::string::npos,
              command->visibility == Visibility::shown)
        << command->name;
}

TEST(help, overview_fits_into_eighty_columns) {
  std::istringstream text(overview(commands(), 80));
  for (std::string line; std::getline(text, line);) EXPECT_LE(line.size(), 80U) << line;
}

TEST(wrapped, breaks_between_words_and_indents) {
  EXPECT_EQ(wrapped("aa bb cc", 5, 2), "aa bb\n  cc");
  EXPECT_EQ(wrapped("", 5, 2), "");
  EXPECT_EQ(wrapped("aaaaaaaa b", 5, 1), "aaaaaaaa\n b");
}

}  // namespace
}  // namespace steelyard::cli
