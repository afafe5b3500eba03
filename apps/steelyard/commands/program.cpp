// SPDX-License-Identifier: Apache-2.0
#include "commands/program.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <system_error>

#include "options/config_file.hpp"
#include "options/resolve.hpp"
#include "process/errors.hpp"
#include "process/launched.hpp"
#include "process/version.hpp"

namespace steelyard::cli {
namespace {

constexpr const Command* reading_commands[] = {
    &report_command,  &balance_command, &compare_command, &accept_command, &history_command, &screen_command,
    &systems_command, &export_command,  &list_command,    &import_command, &doctor_command,  &docs_command};

using Strings = std::vector<std::string>;

bool contains(const Strings& words, std::string_view a, std::string_view b) {
  const auto end = std::find(words.begin(), words.end(), "--");
  return std::any_of(words.begin(), end, [&](const std::string& word) { return word == a || word == b; });
}

void print(const std::string& text) {
  if (speaks_for_all()) std::cout << text << std::flush;
}

bool wants_json(const Strings& words) {
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i] == "--format=json" ||
        (words[i] == "--format" && i + 1 < words.size() && words[i + 1] == "json"))
      return true;
  return false;
}

int answer_version(const Strings& words) {
  const bool in_detail = contains(words, "--verbose", "-v");
  print(wants_json(words) ? version_json() : in_detail ? version_details() : version_text());
  return exit_code::done;
}

// Answers -help OPTION of the classic front-ends.
int answer_help_of_option(const Command& command, const std::string& word) {
  const Option* option =
      find_option(command, word.substr(std::min(word.find_first_not_of('-'), word.size())));
  if (option == nullptr) refuse_unknown_options(command, std::vector{word});
  print(spelling(*option) + ' ' + std::string(argument_of(*option)) + "\n  " + std::string(option->help) +
        ' ' + remarks(*option) + '\n');
  return exit_code::done;
}

int answer_help(const Command& command, const Strings& words) {
  const bool asks_for_option =
      command.dashes == DashStyle::one_or_two && words.size() == 2 && words[0] == "-help";
  if (asks_for_option) return answer_help_of_option(command, words[1]);
  print(help_text(command, help_width()));
  return exit_code::done;
}

// Whether a word of the command line or of a variable names something that this process reads before MPI starts, or the
// command reads a file that nobody has named.
bool names_what_is_read(const Command& command, const Words& words) {
  for (const Group& group : all_groups(command))
    for (const Option& option : group.options) {
      const bool is_name = option.kind == Kind::file || option.kind == Kind::directory;
      if (!is_name || option.name == "out") continue;
      const bool by_variable = has_variable(option) && variable(environment_name(option).c_str());
      const bool by_itself = option.name == "input" && !option.fallback_text.empty();  // hpccinf.txt, HPL.dat
      if (words.options.contains(option.name) || by_variable || by_itself) return true;
    }
  return false;
}

// Words that print something and end, on some processes or all of them, without MPI.
bool only_prints(const Words& words) {
  constexpr std::string_view printing[] = {"list", "plan", "print-config", "processes-check"};
  return std::ranges::any_of(printing, [&](auto name) { return words.options.contains(name); });
}

// Whether the exception being handled follows from the words alone, which all processes have.
bool is_of_words() {
  try {
    throw;
  } catch (const UsageError&) {
    return true;
  } catch (const units::ParseError&) {
    return true;
  } catch (...) {
    return false;
  }
}

bool is_to_measure(const Command& command, const Words& words) {
  const auto measuring = measuring_commands();
  const bool measures =
      command.visibility == Visibility::shown && std::ranges::find(measuring, &command) != measuring.end();
  return measures && !only_prints(words);
}

// Whether the exception being handled, met before MPI starts, may be met by some of the processes that a launcher has
// started, while the others wait in MPI_Init.
bool others_may_wait(const Command& command, const Words& words) {
  if (!is_to_measure(command, words) || !under_launcher() || launcher_size() == 1) return false;
  return !is_of_words() || names_what_is_read(command, words);
}

class Program {
 public:
  explicit Program(Strings argv) : argv_(std::move(argv)) {
    if (argv_.size() > 1) from_parent_ = read_launched_word(argv_[1]);
    if (from_parent_) argv_.erase(argv_.begin() + 1);
  }

  int run() {
    Strings words(argv_.begin() + std::min<std::ptrdiff_t>(1, std::ssize(argv_)), argv_.end());
    if (!argv_.empty()) {
      if (const Command* front_end = commands().front_end(argv_[0])) return command(*front_end, words);
      refuse_without_mpi(argv_[0]);
    }
    const auto first = first_bare(words);
    if (first == words.end()) return without_subcommand(words);
    const std::string name = *first;
    words.erase(first);
    if (name == "help") return help(words);
    const Command* found = commands().find(name);
    if (found == nullptr) refuse_name(name);
    return command(*found, words);
  }

  [[nodiscard]] const std::string& help_name() const { return help_name_; }
  [[nodiscard]] bool measures() const { return measures_; }

 private:
  // Options of every subcommand may stand before its name.
  static Strings::iterator first_bare(Strings& words) {
    static constexpr Command common{};
    auto at = words.begin();
    while (at != words.end() && at->starts_with('-')) {
      const std::string_view word = *at;
      if (word == "--version" || word == "-V") return words.end();
      const Option* option = word.starts_with("--") ? find_option(common, word.substr(2)) : nullptr;
      const bool takes_next = option != nullptr && option->kind != Kind::flag;
      at += takes_next && words.end() - at > 1 ? 2 : 1;
    }
    return at;
  }

  static int without_subcommand(const Strings& words) {
    if (contains(words, "--version", "-V")) return answer_version(words);
    if (contains(words, "--help", "-h")) {
      print(overview(commands(), help_width()));
      return exit_code::done;
    }
    if (!words.empty()) {
      static constexpr Command common{};
      static_cast<void>(parse_words(common, words));
      throw UsageError("a subcommand is missing", "'steelyard help' lists them");
    }
    if (speaks_for_all()) std::cerr << overview(commands(), help_width());
    return exit_code::usage;
  }

  int help(const Strings& words) {
    if (words.empty() || words[0] == "help") {
      print(overview(commands(), help_width()));
      return exit_code::done;
    }
    const Command* found = commands().find(words[0]);
    if (found == nullptr) refuse_name(words[0]);
    return answer_help(*found, {});
  }

  static void refuse_without_mpi(std::string_view name) {
    if (is_measuring_name(name) && !commands().measures()) throw Refused("this build has no MPI");
  }

  [[noreturn]] static void refuse_name(const std::string& name) {
    refuse_without_mpi(name);
    Strings valid{"help"};
    for (const Command* known : commands())
      if (known->visibility == Visibility::shown) valid.emplace_back(known->name);
    const auto near = units::nearest(name, valid);
    throw UsageError("unknown subcommand '" + name + "'",
                     near ? "did you mean '" + *near + "'?" : "'steelyard help' lists them");
  }

  int command(const Command& chosen, const Strings& words) {
    help_name_ = chosen.name;
    const bool short_help = contains(words, "--help", "-h") ||
                            (chosen.dashes == DashStyle::one_or_two && contains(words, "-help", "-help"));
    Words cut;
    try {
      cut = parse_words(chosen, words);
    } catch (const UsageError&) {
      if (short_help) return answer_help(chosen, words);
      if (contains(words, "--version", "-V")) return answer_version(words);
      throw;
    }
    if (cut.options.contains("help")) return answer_help(chosen, words);
    if (cut.options.contains("version")) return answer_version(words);
    measures_ = is_to_measure(chosen, cut);
    try {
      return start(chosen, cut);
    } catch (const Ended&) {
      throw;
    } catch (...) {
      return explain_failure(help_name_, others_may_wait(chosen, cut));
    }
  }

  int start(const Command& chosen, const Words& cut) {
    Invocation invocation = resolve(chosen, cut, argv_, commands());
    invocation.from_parent = from_parent_;
    if (chosen.visibility == Visibility::shown && !from_parent_) tell_unknown_variables();
    if (invocation.values.on("print-config")) {
      print(config_text(chosen, invocation.values, invocation.steps));
      return exit_code::done;
    }
    refuse_without_directory(chosen);
    return chosen.run(invocation);
  }

  // Refuses a current directory that is gone: MPI libraries would end the program with words of their own.
  static void refuse_without_directory(const Command& chosen) {
    std::error_code error;
    static_cast<void>(std::filesystem::current_path(error));
    if (error && is_measuring_name(chosen.name))
      throw Refused("the current directory is not there any more: " + error.message());
  }

  // Warns of variables that no option reads. A build without MPI does not know those of the measuring commands.
  static void tell_unknown_variables() {
    if (!speaks_for_all() || !commands().measures()) return;
    for (const std::string& line : unknown_variables(variable_names(), commands()))
      std::cerr << "steelyard: warning: " << line << '\n';
    std::cerr << std::flush;
  }

  Strings argv_;
  std::optional<FromParent> from_parent_;
  std::string help_name_;
  bool measures_ = false;
};

}  // namespace

const CommandList& commands() {
  static const CommandList all(measuring_commands(), reading_commands);
  return all;
}

ProgramEnd run_program(std::vector<std::string> argv) {
  Program program(std::move(argv));
  int code = exit_code::done;
  try {
    code = program.run();
  } catch (...) {
    code = explain_current_exception(program.help_name());
  }
  return {code, program.measures()};
}

}  // namespace steelyard::cli
