// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>

#include "commands/commands.hpp"
#include "docs/pages.hpp"
#include "machine/environment.hpp"
#include "words/help.hpp"

namespace steelyard::cli {
namespace {

// Backslashes and dashes as roff wants them; a control character at the beginning of a line is disarmed.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

std::string upper(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return out;
}

std::string header(const std::string& title) {
  return ".TH " + upper(title) + " 1 \"\" \"steelyard " + machine::version() + "\" \"User Commands\"\n";
}

std::string section(std::string_view title) {
  return ".SH " + std::string(upper(title)) + '\n';
}

std::string option_entry(const Option& option) {
  std::string text = ".TP\n.B " + roff(spelling(option));
  if (!argument_of(option).empty()) text += " \\fI" + roff(argument_of(option)) + "\\fR";
  text += '\n' + roff(option.help) + '\n';
  const std::string notes = remarks(option);
  return notes.empty() ? text : text + roff(notes) + '\n';
}

std::string examples(const Command& command) {
  std::string text = section("Examples") + ".nf\n";
  for (const std::string_view example : command.examples) text += roff(example) + '\n';
  return text + ".fi\n";
}

std::string exit_status(const Command& command) {
  std::string text = section("Exit status");
  for (const int code : command.exit_codes)
    text += ".TP\n.B " + std::to_string(code) + '\n' + roff(exit_code_text(code)) + '\n';
  return text;
}

}  // namespace

std::string man_page(const Command& command) {
  const std::string name = "steelyard-" + std::string(command.name);
  std::string text = header(name) + section("Name") + roff(name) + " \\- " + roff(command.summary) + '\n';
  text += section("Synopsis") + ".B " + roff(usage_line(command)) + '\n';
  text += section("Description") + roff(command.description) + '\n';
  if (!command.positional.name.empty())
    text += ".TP\n.I " + roff(command.positional.name) + '\n' + roff(command.positional.help) + '\n';
  text += section("Options");
  for (const Group& group : all_groups(command)) {
    text += ".SS " + std::string(group.title) + '\n';
    for (const Option& option : group.options) text += option_entry(option);
  }
  text += section("Environment") + roff(variables_sentence) + '\n';
  return text + examples(command) + exit_status(command) + section("See also") + ".BR steelyard (1)\n";
}

std::string man_overview() {
  std::string text = header("steelyard") + section("Name") + "steelyard \\- weighs a parallel machine\n";
  text += section("Synopsis") + ".B steelyard\n.I SUBCOMMAND\n[OPTION...]\n";
  text += section("Description") +
          "Measures message passing on a parallel machine and says how far each number can be trusted. Every "
          "run leaves "
          "one file of records, from which all tables and texts are derived.\n";
  text += section("Subcommands");
  for (const Command* command : commands())
    if (command->visibility == Visibility::shown)
      text += ".TP\n.BR steelyard\\-" + roff(command->name) + " (1)\n" + roff(command->summary) + '\n';
  return text;
}

}  // namespace steelyard::cli
