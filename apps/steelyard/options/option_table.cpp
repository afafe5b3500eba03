// SPDX-License-Identifier: Apache-2.0
#include "options/option_table.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <utility>

#include "options/checks.hpp"
#include "suites/suite_list.hpp"
#include "units/text.hpp"

namespace steelyard::cli {

namespace {

constexpr Option everywhere[] = {
    {"help", "this text", 'h', OnResume::allowed, InFile::no},
    {"version",
     "version, build and libraries; with --verbose all build options, with --format json an object", 'V',
     OnResume::allowed, InFile::no},
    {"quiet", "no progress and no informational lines; warnings and errors stay", 'q', OnResume::allowed},
    {"verbose", "one line per decision, and of run one before each point begins", 'v', OnResume::allowed},
    {"color", Kind::word, "colours: on a terminal unless NO_COLOR is set, always, or never", Argument{"WHEN"},
     Fallback{"auto"}, OneOf{"auto always never"}, OnResume::allowed},
    {"config", Kind::file, "configuration file; a later one wins", Repeat::many, OnResume::allowed,
     InFile::no},
    {"no-config", "ignore STEELYARD_CONFIG", OnResume::allowed, InFile::no},
    {"print-config", "print the resolved configuration in a form that --config reads, and end",
     OnResume::allowed, InFile::no},
};
constexpr Group everywhere_group{"Every subcommand", everywhere};

std::string upper_with_underscores(std::string_view name) {
  std::string out;
  for (const char c : name)
    out += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return out;
}

constexpr std::pair<Kind, void (*)(std::string_view)> checks_of_kinds[] = {
    {Kind::size, parses<units::parse_size>},
    {Kind::sizes, parses<units::parse_sizes>},
    {Kind::duration, parses<units::parse_duration>},
    {Kind::number, parses<units::parse_number>},
    {Kind::ratio, parses<units::parse_ratio>},
    {Kind::counts, parses<units::parse_counts>},
    {Kind::on_off, parses<units::parse_bool>},
    {Kind::directory, check_not_empty},
    {Kind::file, check_not_empty}};

// Names that measure, besides those of suites.
constexpr std::array<std::string_view, 3> measuring_names{"run", "selftest", "hpl"};

// IMB-MPI1.mpich -> imb_mpi1
std::string plain_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  std::string name(slash == std::string_view::npos ? path : path.substr(slash + 1));
  name.erase(std::min(name.find('.'), name.size()));
  for (char& c : name) c = c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name;
}

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

std::vector<Group> all_groups(const Command& command) {
  std::vector<Group> groups(command.groups.begin(), command.groups.end());
  if (command.dashes == DashStyle::gnu) groups.push_back(everywhere_group);
  return groups;
}

std::string positional_key(const Command& command) {
  std::string key = units::lower(command.positional.name);
  std::ranges::replace(key, ' ', '-');
  return key;
}

const Option* find_option(const Command& command, std::string_view name) {
  for (const Group& group : all_groups(command))
    for (const Option& option : group.options)
      if (option.name == name) return &option;
  return nullptr;
}

const Option* find_option(const Command& command, char letter) {
  for (const Group& group : all_groups(command))
    for (const Option& option : group.options)
      if (option.letter == letter) return &option;
  return nullptr;
}

std::string dashed(const Option& option) {
  return (option.origin == Origin::classic ? "-" : "--") + std::string(option.name);
}

std::string spelling(const Option& option) {
  std::string text;
  if (option.letter != 0) text.append({'-', option.letter, ',', ' '});
  return text + dashed(option);
}

std::string_view argument_of(const Option& option) {
  if (!option.argument.empty()) return option.argument;
  switch (option.kind) {
    case Kind::flag: return "";
    case Kind::size: return "SIZE";
    case Kind::sizes: return "SIZES";
    case Kind::duration: return "DURATION";
    case Kind::count: return "N";
    case Kind::number: return "NUMBER";
    case Kind::ratio: return "RATIO";
    case Kind::counts: return "COUNTS";
    case Kind::on_off: return "on|off";
    case Kind::word: return "WORD";
    case Kind::pattern: return "PATTERN";
    case Kind::directory: return "DIR";
    case Kind::file: return "FILE";
    case Kind::text:
    case Kind::special: return "TEXT";
  }
  return "";
}

bool has_variable(const Option& option) {
  return option.origin == Origin::ours && (option.in_file == InFile::yes || option.name == "config");
}

std::string environment_name(const Option& option) {
  return "STEELYARD_" + upper_with_underscores(option.name);
}

std::vector<std::string_view> words_of(const Option& option) {
  std::vector<std::string_view> words;
  for (std::string_view rest = option.words; !rest.empty();) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    if (end > 0) words.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return words;
}

std::string_view current_word(const Option& option, std::string_view word) {
  const std::size_t equal = option.former.find('=');
  return equal != std::string_view::npos && word == option.former.substr(0, equal)
             ? option.former.substr(equal + 1)
             : word;
}

std::string_view exit_code_text(int code) {
  switch (code) {
    case 0: return "done as asked, also where the run's own budget ended it before everything was measured";
    case 1:
      return "finished, but a point failed, a verification was wrong or one of several inputs could not be read";
    case 2: return "nothing started: wrong words, unreadable input, nothing selected";
    case 3: return "a judgement that was asked for is negative";
    case 4:
      return "the surroundings refuse: output not writable, file exists, MPI missing, too few processes, or a "
             "budget that no point fits into";
    case 5:
      return "stopped in order by a signal, the stop file or the deadline; what 'run' began can be resumed";
    default: return "internal error";
  }
}

void check_word(const Option& option, std::string_view word) {
  if (option.kind == Kind::count) static_cast<void>(units::parse_count(word, option.low, option.high));
  if (option.kind == Kind::word)
    static_cast<void>(units::parse_word(current_word(option, word), words_of(option)));
  for (const auto& [kind, check] : checks_of_kinds)
    if (option.kind == kind) check(word);
  if (option.check != nullptr) option.check(word);
}

CommandList::CommandList(std::span<const Command* const> measuring, std::span<const Command* const> reading)
    : all_(measuring.begin(), measuring.end()), measures_(!measuring.empty()) {
  all_.insert(all_.end(), reading.begin(), reading.end());
}

const Command* CommandList::find(std::string_view name) const {
  const auto found = std::ranges::find(all_, name, &Command::name);
  return found == all_.end() ? nullptr : *found;
}

const Command* CommandList::front_end(std::string_view argv0) const {
  const auto found = std::ranges::find_if(all_, [&](const Command* one) { return is_link_of(*one, argv0); });
  return found == all_.end() ? nullptr : *found;
}

bool is_link_of(const Command& command, std::string_view argv0) {
  return !command.link.empty() && plain_name(argv0) == plain_name(command.link);
}

bool is_measuring_name(std::string_view name) {
  const auto is_name = [&](std::string_view known) { return plain_name(known) == plain_name(name); };
  return std::ranges::any_of(measuring_names, is_name) ||
         std::ranges::any_of(suites::suite_list(), is_name, &suites::SuiteEntry::name);
}

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
