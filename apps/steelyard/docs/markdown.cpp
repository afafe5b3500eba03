// SPDX-License-Identifier: Apache-2.0
#include "docs/pages.hpp"
#include "words/help.hpp"

namespace steelyard::cli {
namespace {

std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

std::string option_row(const Option& option) {
  const std::string argument(argument_of(option));
  const std::string left = spelling(option) + (argument.empty() ? "" : " " + argument);
  return "| `" + cell(left) + "` | " + cell(option.help) + " | " + cell(remarks(option)) + " |\n";
}

}  // namespace

std::string markdown_page(const Command& command) {
  std::string text = "# steelyard " + std::string(command.name) + "\n\n    " + usage_line(command) + "\n\n";
  text += std::string(command.description) + '\n';
  if (!command.positional.name.empty())
    text +=
        "\n`" + std::string(command.positional.name) + "`: " + std::string(command.positional.help) + '\n';
  for (const Group& group : all_groups(command)) {
    text += "\n## " + std::string(group.title) + "\n\n| option | meaning | values |\n|---|---|---|\n";
    for (const Option& option : group.options) text += option_row(option);
  }
  text += "\n## Examples\n\n";
  for (const std::string_view example : command.examples) text += "    " + std::string(example) + '\n';
  text += "\n## Exit codes\n\n| code | meaning |\n|---|---|\n";
  for (const int code : command.exit_codes)
    text += "| " + std::to_string(code) + " | " + std::string(exit_code_text(code)) + " |\n";
  return text;
}

}  // namespace steelyard::cli
