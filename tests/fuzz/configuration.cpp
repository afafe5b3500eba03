// SPDX-License-Identifier: Apache-2.0
#include "options/checks.hpp"
#include "options/config_file.hpp"
#include "process/errors.hpp"
#include "targets.hpp"

namespace steelyard::fuzz {
namespace {

using namespace cli;

/// An option of every kind.
constexpr Option options[] = {
    {"config", Kind::file, "", InFile::no},
    {"flag", ""},
    {"size", Kind::size, ""},
    {"sizes", Kind::sizes, ""},
    {"duration", Kind::duration, ""},
    {"count", Kind::count, "", Within{-5, 1 << 20}},
    {"number", Kind::number, ""},
    {"ratio", Kind::ratio, ""},
    {"np", Kind::counts, ""},
    {"switch", Kind::on_off, ""},
    {"word", Kind::word, "", OneOf{"one two three"}},
    {"exclude", Kind::pattern, "", Repeat::many},
    {"out", Kind::directory, ""},
    {"text", Kind::text, ""},
    {"map", Kind::special, "", parses<parse_map>},
};
constexpr Group groups[] = {{"All", options}};
constexpr Command run{.name = "run",
                      .section = {},
                      .summary = {},
                      .description = {},
                      .positional = {"SELECT", Kind::pattern, Repeat::many},
                      .groups = groups};
const Command* const known[] = {&run};

FileSettings settings_of(std::string_view text) {
  const TextFile file(text);
  return read_config(file.path(), run, CommandList({}, known));
}

/// What a file says is what the text of its values says; variables of the environment are read once only.
void same_again(std::string_view input) {
  const auto first = settings_of(input);
  if (input.find('$') != std::string_view::npos) return;
  const std::string text = config_text(run, first.values, first.steps);
  const auto second = settings_of(text);
  require(config_text(run, second.values, second.steps) == text, "a configuration is printed as another");
  require(second.steps.size() == first.steps.size(), "steps are lost");
  require(second.values.all().size() == first.values.all().size(), "values are lost");
}

/// FILE:LINE:COLUMN
void require_place(const std::string& what) {
  const auto line = what.find(':');
  const auto column = line == std::string::npos ? line : what.find(':', line + 1);
  require(column != std::string::npos && names_line(what.substr(0, column + 1), what.substr(0, line + 1)) &&
              names_line(std::string_view(what).substr(0, what.find(':', column + 1) + 1),
                         what.substr(0, column + 1)),
          "an error without its place: " + what);
}

}  // namespace

void read_configuration(std::string_view input) {
  accepts<UsageError>([&] { same_again(input); }, require_place);
}

}  // namespace steelyard::fuzz
