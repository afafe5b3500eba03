// SPDX-License-Identifier: Apache-2.0
#include "options/help.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace steelyard::cli {
namespace {

constexpr int indent = 2, right_column = 30, narrowest = 60;

constexpr std::array<std::string_view, 4> sections{"Measure", "Read results", "This machine",
                                                   "Classic programs"};

std::string padded(std::string text, int to) {
  if (static_cast<int>(text.size()) < to) text.resize(static_cast<std::size_t>(to), ' ');
  return text;
}

std::string left_side(const Option& option) {
  const std::string_view argument = argument_of(option);
  std::string text = std::string(indent, ' ') + spelling(option);
  if (!argument.empty()) text += ' ' + std::string(argument);
  return text;
}

std::string option_lines(const Option& option, int width) {
  std::string left = left_side(option);
  const std::string notes = remarks(option);
  const std::string right = std::string(option.help) + (notes.empty() ? "" : " " + notes);
  left = static_cast<int>(left.size()) + 2 > right_column ? left + '\n' + std::string(right_column, ' ')
                                                          : padded(left, right_column);
  return left + wrapped(right, width - right_column, right_column) + '\n';
}

std::string row(std::string_view left, std::string_view right, int width) {
  constexpr int column = 16;
  std::string text = std::string(indent, ' ') + std::string(left);
  text = static_cast<int>(text.size()) + 1 > column ? text + '\n' + std::string(column, ' ')
                                                    : padded(std::move(text), column);
  return text + wrapped(right, width - column, column) + '\n';
}

std::string exit_codes(const Command& command, int width) {
  std::string text = "\nExit codes\n";
  for (const int code : command.exit_codes) text += row(std::to_string(code), exit_code_text(code), width);
  return text;
}

}  // namespace

int help_width() {
  winsize size{};
  if (isatty(STDOUT_FILENO) != 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return std::max<int>(size.ws_col, narrowest);
  const char* columns = std::getenv("COLUMNS");
  const int said = columns == nullptr ? 0 : std::atoi(columns);
  return said > 0 ? std::max(said, narrowest) : 100;
}

std::string wrapped(std::string_view text, int width, int indent_by) {
  std::string out;
  int used = 0;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    const int length = static_cast<int>(end);
    if (used > 0 && used + 1 + length > width) {
      out += '\n' + std::string(static_cast<std::size_t>(indent_by), ' ');
      used = 0;
    } else if (used > 0) {
      out += ' ';
      ++used;
    }
    out += rest.substr(0, end);
    used += length;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return out;
}

std::string remarks(const Option& option) {
  std::string text;
  const auto add = [&](const std::string& remark) { text += (text.empty() ? "[" : "; ") + remark; };
  if (option.kind == Kind::word) {
    std::string words;
    for (const std::string_view word : words_of(option))
      words += (words.empty() ? "" : ", ") + std::string(word);
    add(words);
  }
  if (option.kind == Kind::count && option.high > option.low)
    add(std::to_string(option.low) + " to " + std::to_string(option.high));
  const std::string_view fallback = option.fallback_text.empty() ? option.fallback : option.fallback_text;
  if (!fallback.empty()) add("default: " + std::string(fallback));
  if (option.repeat == Repeat::many) add("repeatable");
  return text.empty() ? text : text + "]";
}

std::string usage_line(const Command& command) {
  std::string line = "steelyard " + std::string(command.name) + " [OPTION...]";
  if (command.positional.name.empty()) return line;
  const std::string name(command.positional.name);
  if (command.positional.repeat == Repeat::many) return line + " [" + name + "...]";
  return line + (command.positional.presence == Presence::optional ? " [" + name + ']' : ' ' + name);
}

std::string help_text(const Command& command, int width) {
  std::string text = "usage: " + usage_line(command) + "\n\n";
  text += wrapped(command.description, width, 0) + '\n';
  if (!command.positional.name.empty())
    text += '\n' + row(command.positional.name, command.positional.help, width);
  for (const Group& group : all_groups(command)) {
    text += '\n' + std::string(group.title) + '\n';
    for (const Option& option : group.options) text += option_lines(option, width);
  }
  text += '\n' + wrapped(variables_sentence, width, 0) + '\n';
  text += "\nExamples\n";
  for (const std::string_view example : command.examples) text += "  " + std::string(example) + '\n';
  text += exit_codes(command, width);
  if (!command.see_also.empty()) text += "\nSee also: " + std::string(command.see_also) + '\n';
  return text;
}

std::string overview(const CommandList& commands, int width) {
  std::string text =
      "usage: steelyard SUBCOMMAND [OPTION...]\n\n" +
      wrapped("Weighs a parallel machine: measures what it can do and whether its parts are in balance.",
              width, 0) +
      '\n';
  for (const std::string_view section : sections) {
    std::string rows;
    for (const Command* command : commands)
      if (command->section == section && command->visibility == Visibility::shown)
        rows += row(command->name, command->summary, width);
    if (!rows.empty()) text += '\n' + std::string(section) + '\n' + rows;
  }
  text += "\n" + row("help", "'steelyard help SUBCOMMAND' explains a subcommand", width);
  text += "\nExamples\n";
  if (commands.measures()) text += "  steelyard run -n 2 -o steelyard-results/first\n";
  text +=
      "  steelyard list --long\n  steelyard doctor\n  steelyard export steelyard-results/first --to csv\n";
  return text;
}

}  // namespace steelyard::cli
