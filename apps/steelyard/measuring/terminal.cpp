// SPDX-License-Identifier: Apache-2.0
#include "measuring/terminal.hpp"

#include <algorithm>
#include <iostream>

#include "process/launched.hpp"

namespace steelyard::cli {
namespace {

campaign::ProgressMode mode_of(const std::string& word) {
  using enum campaign::ProgressMode;
  if (word == "bar") return bar;
  if (word == "lines") return lines;
  if (word == "json") return json;
  return word == "none" ? none : automatic;
}

bool set(const char* name) {
  const auto value = variable(name);
  return value && !value->empty();
}

/// Whether the locale's characters are UTF-8 (LC_ALL, LC_CTYPE, LANG).
bool locale_is_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    if (!set(name)) continue;
    const std::string value = *variable(name);
    return value.find("UTF-8") != std::string::npos || value.find("utf8") != std::string::npos;
  }
  return false;
}

}  // namespace

bool use_colour(const Values& values, bool terminal) {
  const std::string when = values.word_or("color", "auto");
  if (when != "auto") return when == "always";
  if (set("NO_COLOR")) return false;
  return variable("CLICOLOR_FORCE") == "1" || (terminal && variable("TERM") != "dumb");
}

std::size_t brief_columns(bool terminal) {
  constexpr std::size_t least = 60;
  const auto found = campaign::find_terminal(under_launcher());
  if (!terminal || found.mode != campaign::ProgressMode::bar) return formats::brief_columns;
  return std::clamp(static_cast<std::size_t>(std::max(found.columns, 0)), least, formats::brief_columns);
}

formats::TableStyle table_style(const Values& values, bool terminal) {
  const std::string length = values.need("table");
  return {.colour = use_colour(values, terminal),
          .utf8 = terminal && locale_is_utf8(),
          .brief = length == "short" || (length == "steelyard" && terminal),
          .columns = brief_columns(terminal)};
}

bool shows_on_terminal(const Invocation& invocation) {
  if (invocation.from_parent) return invocation.from_parent->terminal;
  return campaign::shows_on_terminal(under_launcher());
}

std::ostream& talk(const Invocation& invocation) {
  const bool records = invocation.values.word_or("out", "") == "-";  // nothing else may stand there
  const bool both = !records && shows_on_terminal(invocation) &&
                    campaign::find_terminal(under_launcher()).mode == campaign::ProgressMode::bar;
  return both ? std::cout : std::cerr;
}

std::unique_ptr<campaign::Progress> make_progress(const Values& values, std::ostream& out,
                                                  campaign::LaunchNumber launch) {
  if (values.on("quiet")) return nullptr;
  campaign::Terminal terminal = campaign::find_terminal(under_launcher());
  const bool is_terminal = terminal.mode == campaign::ProgressMode::bar;
  const auto word = values.word("progress");
  if (!word && !is_terminal) return nullptr;
  if (const auto asked = mode_of(word.value_or("auto")); asked != campaign::ProgressMode::automatic)
    terminal.mode = asked;
  if (terminal.mode == campaign::ProgressMode::none) return nullptr;
  return campaign::make_progress(terminal.mode, out, terminal.columns, use_colour(values, is_terminal),
                                 launch);
}

}  // namespace steelyard::cli
