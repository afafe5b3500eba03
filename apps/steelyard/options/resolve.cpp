// SPDX-License-Identifier: Apache-2.0
#include "options/resolve.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <cctype>

#include "options/config_file.hpp"
#include "process/errors.hpp"
#include "suites/suite_list.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

// The option that a word such as "--sizes=4" or "-o" names.
const Option* named_by(const Command& command, std::string_view word) {
  if (word.size() == 2 && word[0] == '-') return find_option(command, word[1]);
  if (!word.starts_with("--")) return nullptr;
  return find_option(command, word.substr(2, word.find('=') - 2));
}

/// An option as these words have it: by its letter, if its name stands nowhere.
std::string as_written(const Option& option, std::span<const std::string> words) {
  const std::string name = "--" + std::string(option.name);
  const bool by_name = std::ranges::any_of(
      words, [&](const std::string& word) { return word.substr(0, word.find('=')) == name; });
  return option.letter == 0 || by_name ? dashed(option) : std::string{'-', option.letter};
}

// Whether words[i], which names the option, has its value in the word behind it.
bool takes_next_word(const Option* option, std::span<const std::string> words, std::size_t i) {
  if (option == nullptr || option->kind == Kind::flag || words[i].find('=') != std::string::npos)
    return false;
  if (option->kind == Kind::on_off && option->value == Presence::optional) return false;  // it follows "="
  const bool followed_by_option = i + 1 < words.size() && words[i + 1].starts_with('-');
  return !(option->value == Presence::optional && followed_by_option);
}

bool is_switch(std::string_view word) {
  try {
    static_cast<void>(units::parse_bool(word));
    return true;
  } catch (const units::ParseError&) {
    return false;
  }
}

// Gives switches that may stand alone their word, "--check=on": a word behind them is theirs only if it is one of a
// switch.
std::vector<std::string> with_switched(const Command& command, std::span<const std::string> words) {
  std::vector<std::string> out;
  std::size_t i = 0;
  for (; i < words.size() && words[i] != "--"; ++i) {
    const Option* option = named_by(command, words[i]);
    out.push_back(words[i]);
    const bool alone =
        option != nullptr && option->kind == Kind::on_off && option->value == Presence::optional;
    if (alone && words[i].find('=') == std::string::npos) {
      const bool followed = i + 1 < words.size() && is_switch(words[i + 1]);
      out.back() += '=' + (followed ? words[++i] : std::string("on"));
    } else if (takes_next_word(option, words, i) && i + 1 < words.size()) {
      out.push_back(words[++i]);
    }
  }
  out.insert(out.end(), words.begin() + static_cast<std::ptrdiff_t>(i), words.end());
  return out;
}

// Words without those options that a later one replaces.
std::vector<std::string> without_replaced(const Command& command, std::span<const std::string> words) {
  std::vector<std::pair<const Option*, std::vector<std::string>>> kept;
  std::size_t i = 0;
  for (; i < words.size() && words[i] != "--"; ++i) {
    const Option* option = named_by(command, words[i]);
    if (option != nullptr)
      std::erase_if(kept, [&](const auto& before) {
        return before.first != nullptr && std::ranges::count(option->replaces, before.first->name) > 0;
      });
    auto& own = kept.emplace_back(option, std::vector{words[i]}).second;
    if (takes_next_word(option, words, i) && i + 1 < words.size()) own.push_back(words[++i]);
  }
  std::vector<std::string> out;
  for (const auto& [option, own] : kept) out.insert(out.end(), own.begin(), own.end());
  out.insert(out.end(), words.begin() + static_cast<std::ptrdiff_t>(i), words.end());
  return out;
}

// Whether all letters behind one dash, as in "-qv", are flags.
bool only_flags(const Command& command, std::string_view letters) {
  return std::ranges::all_of(letters, [&](char letter) {
    const Option* option = find_option(command, letter);
    return option != nullptr && option->kind == Kind::flag;
  });
}

// Whether a word such as "-npmin" or "-npmin=2" is a long name behind one dash. The front-ends have such names; there
// no value of a letter begins with letters. Elsewhere only a known name counts as one.
bool is_single_dash_name(const Command& command, std::string_view word) {
  if (word.size() < 3 || word[0] != '-' || std::isalpha(static_cast<unsigned char>(word[1])) == 0)
    return false;
  const std::string_view name = word.substr(1, word.find('=') - 1);
  if (find_option(command, name) != nullptr && name.size() > 1) return true;
  if (command.dashes == DashStyle::gnu || only_flags(command, name)) return false;
  return std::isalpha(static_cast<unsigned char>(word[2])) != 0;
}

// Puts the name of an option into small letters if the command takes any case; a value behind "=" stays.
void lower_name(const Command& command, std::string& word) {
  if (command.names == NameCase::as_written || word.size() < 3 || word[0] != '-') return;
  const std::size_t end = std::min(word.find('='), word.size());
  word.replace(0, end, units::lower(word.substr(0, end)));
}

// CLI11 reads "-npmin" as "-n pmin": long names behind a single dash get a second dash first. The value of an
// option is passed over, so that a file may be called "-multi".
std::vector<std::string> with_two_dashes(const Command& command, std::span<const std::string> words) {
  std::vector<std::string> out(words.begin(), words.end());
  std::vector<std::string> refused;
  for (std::size_t i = 0; i < out.size() && out[i] != "--"; ++i) {
    lower_name(command, out[i]);
    if (is_single_dash_name(command, out[i])) {
      if (command.dashes == DashStyle::gnu) refused.push_back(out[i]);
      out[i].insert(0, "-");
    }
    if (takes_next_word(named_by(command, out[i]), out, i)) ++i;
  }
  if (!refused.empty()) refuse_unknown_options(command, refused);
  return out;
}

// Rewritten words as the user wrote them.
std::vector<std::string> as_typed(std::vector<std::string> rewritten, std::span<const std::string> words) {
  for (std::string& word : rewritten)
    if (std::ranges::find(words, word) == words.end()) word.erase(0, 1);
  return rewritten;
}

void refuse_values_of_flags(const Command& command, std::span<const std::string> words) {
  for (const std::string& word : words) {
    if (word == "--") return;
    const Option* option = named_by(command, word);
    if (option != nullptr && option->kind == Kind::flag && word.find('=') != std::string::npos)
      throw UsageError(dashed(*option) + ": takes no value");
  }
}

// One CLI11 application for the words of one subcommand; values are gathered as they are.
class Cutter {
 public:
  explicit Cutter(const Command& command) {
    app_.set_help_flag();
    app_.allow_extras();
    for (const Group& group : all_groups(command))
      for (const Option& option : group.options) add(option);
    app_.add_option("words", keep(bare_))->expected(0, -1)->allow_extra_args();
  }

  Words cut(std::vector<std::string> words) {
    std::reverse(words.begin(), words.end());
    app_.parse(std::move(words));
    std::erase_if(options_, [](const auto& entry) { return entry.second.empty(); });
    return {std::move(options_), std::move(bare_)};
  }

  // Unknown words. CLI11 counts the end of options, "--", among them.
  [[nodiscard]] std::vector<std::string> unknown() const {
    std::vector<std::string> words = app_.remaining();
    std::erase(words, "--");
    return words;
  }

 private:
  void add(const Option& option) {
    std::string names;
    if (option.letter != 0) names.append({'-', option.letter, ','});
    names.append("--").append(option.name);
    if (option.kind == Kind::flag) {
      app_.add_flag_function(names, [this, &option](std::int64_t times) {
        options_[std::string(option.name)].assign(static_cast<std::size_t>(times), "on");
      });
      return;
    }
    CLI::Option* added = app_.add_option(names, keep(options_[std::string(option.name)]))->take_all();
    if (option.value == Presence::optional) added->expected(0, 1);
  }

  static CLI::callback_t keep(std::vector<std::string>& place) {
    return [&place](const CLI::results_t& given) {
      place = given;
      return true;
    };
  }

  CLI::App app_;
  std::map<std::string, std::vector<std::string>, std::less<>> options_;
  std::vector<std::string> bare_;
};

/// Refuses an option in the place of a name: "-o --resume" would begin a run in a directory of that name.
void refuse_option_as_name(const Command& command, const Option& option, const std::string& value,
                           const std::string& written) {
  const bool is_name = option.kind == Kind::directory || option.kind == Kind::file;
  if (!is_name || !value.starts_with("--") || find_option(command, value.substr(2)) == nullptr) return;
  throw UsageError(written + ": lacks its value " + std::string(argument_of(option)) + ": '" + value +
                   "' is an option ('./" + value + "' is a name)");
}

void check_values(const Command& command, const Words& words, std::span<const std::string> rewritten) {
  for (const auto& [name, values] : words.options) {
    const Option& option = *find_option(command, name);
    if (option.kind == Kind::flag) continue;
    const std::string written = as_written(option, rewritten);
    try {
      for (const std::string& value : values) {
        refuse_option_as_name(command, option, value, written);
        check_word(option, value);
      }
    } catch (const units::ParseError& error) {
      throw UsageError(written + ": " + error.what());
    }
  }
}

void check_bare_words(const Command& command, const Words& words) {
  const Positional& positional = command.positional;
  const std::size_t most = positional.name.empty()             ? 0
                           : positional.repeat == Repeat::once ? 1
                                                               : words.bare.size();
  if (words.bare.size() > most) throw UsageError("unexpected word '" + words.bare[most] + "'");
}

// "--quick" is no option, but --preset takes the word.
std::optional<std::string> option_with_word(const Command& command, std::string_view word) {
  word.remove_prefix(std::min(word.find_first_not_of('-'), word.size()));
  for (const Group& group : all_groups(command))
    for (const Option& option : group.options)
      if (const auto valid = words_of(option); std::ranges::find(valid, word) != valid.end())
        return dashed(option) + ' ' + std::string(word);
  return std::nullopt;
}

std::optional<std::string> meant(const Command& command, std::string_view word,
                                 std::span<const std::string> valid) {
  if (auto value = option_with_word(command, word)) return value;
  // Launchers have the number of processes behind it; --np means something else.
  if (word == "-np" && find_option(command, 'n') != nullptr) return "-n";
  return units::nearest(word.substr(0, word.find('=')), valid);
}

// Words that a preset takes from the rows of the suite list; the suite's name if a row says nothing.
std::vector<std::string_view> selected(std::string_view suites::SuiteEntry::*of_preset) {
  std::vector<std::string_view> all;
  for (const suites::SuiteEntry& suite : suites::suite_list()) {
    const std::string_view words = (suite.*of_preset).empty() ? suite.name : suite.*of_preset;
    if (words == suites::left_out_of_preset) continue;
    for (std::size_t at = 0; at < words.size();) {
      const std::size_t end = std::min(words.find(' ', at), words.size());
      all.push_back(words.substr(at, end - at));
      at = end + 1;
    }
  }
  return all;
}

constexpr PresetWord quick[] = {
    {"schedule", "adaptive"}, {"ci", "5%"}, {"budget", "60s"}, {"point-budget", "1s"}, {"np", "pow2"}};
constexpr PresetWord standard[] = {
    {"schedule", "adaptive"}, {"ci", "2%"}, {"budget", "15m"}, {"point-budget", "2s"}, {"np", "pow2"}};
constexpr PresetWord official[] = {{"schedule", "suite"}, {"np", "pow2"}};

constexpr std::string_view variable_prefix = "STEELYARD_", test_prefix = "STEELYARD_TEST_";
constexpr std::string_view told_of_terminal = "STEELYARD_TTY";  // told by a launching parent to its children

template <class Do>
void for_each_option(const Command& command, Do act) {
  for (const Group& group : all_groups(command))
    for (const Option& option : group.options) act(option);
}

void add_defaults(const Command& command, Values& values) {
  for_each_option(command, [&](const Option& option) {
    if (!option.fallback.empty())
      values.set(option.name, {{std::string(option.fallback)}, Source::fallback, dashed(option)});
  });
}

void add_command_line(const Command& command, const Words& words, Values& values) {
  for (const auto& [name, given] : words.options)
    values.set(name, {given, Source::command_line, dashed(*find_option(command, name))});
  if (!words.bare.empty())
    values.set(positional_key(command),
               {words.bare, Source::command_line, std::string(command.positional.name)});
}

void add_environment(const Command& command, const Variables& read, Values& values) {
  for_each_option(command, [&](const Option& option) {
    if (!has_variable(option)) return;
    const std::string name = environment_name(option);
    const auto word = read(name.c_str());
    if (!word || word->empty()) return;
    try {
      check_word(option, *word);
      if (option.kind == Kind::flag) static_cast<void>(units::parse_bool(*word));
    } catch (const units::ParseError& error) {
      throw UsageError(name + ": " + error.what());
    }
    values.set(option.name, {{*word}, Source::environment, name});
  });
}

/// Settings of a file that the words of `config` name. Whoever said no --config is told where the file comes from.
FileSettings read_named(const OptionWords& config, const std::string& file, const Command& command,
                        const CommandList& commands) {
  try {
    return read_config(file, command, commands);
  } catch (const UsageError& error) {
    if (config.source != Source::environment) throw;
    throw UsageError(config.origin + ": " + error.what());
  }
}

void add_files(const CommandList& commands, Invocation& invocation) {
  const Values& said = invocation.values;
  const OptionWords* config = said.find("config");
  if (config == nullptr) return;
  if (said.on("no-config") && config->source == Source::environment) return;
  for (const std::string& file : std::vector<std::string>(config->words)) {
    FileSettings settings = read_named(*config, file, *invocation.command, commands);
    for (const auto& [name, given] : settings.values.all()) invocation.values.set(name, given);
    if (!settings.steps.empty()) invocation.steps = std::move(settings.steps);
  }
}

// What a variable or the command line says holds for every step.
void take_from_steps(Invocation& invocation) {
  for (Values& step : invocation.steps)
    for (const auto& [name, given] : invocation.values.all())
      if (given.source > Source::file) step.forget(name);
}

void refuse_steps_with(const Values& values, std::string_view name, std::string_view shown) {
  if (values.typed(name))
    throw UsageError(std::string(shown) +
                     ": cannot be combined with the [[step]] tables of a configuration file");
}

// Names without their common beginning, which would make all of them alike.
std::vector<std::string> without_prefix(std::vector<std::string> names) {
  for (std::string& name : names) name.erase(0, variable_prefix.size());
  return names;
}

/// Preset of this name; nullptr if there is none.
const Preset* find_preset(std::string_view name) {
  for (const Preset& preset : presets())
    if (preset.name == name) return &preset;
  return nullptr;
}

// Adds the words of the preset. Steps inherit those that they do not say themselves.
void add_preset(Invocation& invocation) {
  Values& values = invocation.values;
  if (find_option(*invocation.command, "preset") == nullptr) return;
  if (!invocation.steps.empty()) refuse_steps_with(values, "select", "SELECT");
  const Preset& preset = *find_preset(values.need("preset"));
  const std::string origin = "preset " + std::string(preset.name);
  for (const PresetWord& word : preset.words)
    values.set(word.option, {{std::string(word.word)}, Source::preset, origin});
  const bool steps_choose =
      !invocation.steps.empty() && std::ranges::all_of(invocation.steps, [](const Values& step) {
        return step.find("select") != nullptr;
      });
  if (!steps_choose)
    values.set("select", {{preset.select.begin(), preset.select.end()}, Source::preset, origin});
}

}  // namespace

void refuse_unknown_options(const Command& command, std::span<const std::string> unknown) {
  std::vector<std::string> valid, near;
  for (const Group& group : all_groups(command))
    for (const Option& option : group.options) valid.push_back(dashed(option));
  for (const std::string& word : unknown)
    if (const auto one = meant(command, word, valid)) near.push_back(*one);
  throw UsageError(
      (unknown.size() > 1 ? "unknown options " : "unknown option ") + units::joined_in_quotes(unknown),
      near.empty() ? "" : "did you mean " + units::joined_in_quotes(near) + '?');
}

Words parse_words(const Command& command, std::span<const std::string> words) {
  const std::vector<std::string> rewritten =
      without_replaced(command, with_switched(command, with_two_dashes(command, words)));
  refuse_values_of_flags(command, rewritten);
  Cutter cutter(command);
  Words cut;
  try {
    cut = cutter.cut(rewritten);
  } catch (const CLI::ParseError&) {
    // The only way to fail with extras allowed and text values: the last option lacks its value.
    const Option* option = named_by(command, rewritten.back());
    if (option == nullptr) throw UsageError("'" + rewritten.back() + "' lacks a value");
    throw UsageError(as_written(*option, rewritten) + ": lacks its value " +
                     std::string(argument_of(*option)));
  }
  if (!cutter.unknown().empty()) refuse_unknown_options(command, as_typed(cutter.unknown(), words));
  check_values(command, cut, rewritten);
  check_bare_words(command, cut);
  return cut;
}

std::span<const Preset> presets() {
  static const auto everything = selected(&suites::SuiteEntry::official),
                    usual = selected(&suites::SuiteEntry::standard),
                    everything_once = selected(&suites::SuiteEntry::once);
  static const Preset all[] = {
      {"quick", "every resource once, in a minute at most: small sizes, prescribed rules shortened",
       "up to 1 min", everything_once, quick},
      {"standard",
       "the same and what is asked most of later suites, adaptive schedule, as much of the rules as fits",
       "up to 15 min", usual, standard},
      {"official", "everything by the rules of its own and with their durations",
       "as long as the rules ask, hours", everything, official},
  };
  return all;
}

std::vector<std::string> unknown_variables(const std::vector<std::string>& set, const CommandList& commands) {
  std::vector<std::string> known{std::string(told_of_terminal)};
  for (const Command* command : commands)
    for_each_option(*command, [&](const Option& option) {
      if (has_variable(option)) known.push_back(environment_name(option));
    });
  std::vector<std::string> lines;
  for (const std::string& name : set) {
    const bool ours = name.starts_with(variable_prefix) && !name.starts_with(test_prefix);
    if (!ours || std::ranges::find(known, name) != known.end()) continue;
    const auto near = units::nearest(name.substr(variable_prefix.size()), without_prefix(known));
    lines.push_back(name + " is not read: no option has this variable" +
                    (near ? "; did you mean " + std::string(variable_prefix) + *near + "?" : ""));
  }
  return lines;
}

void use_current_words(Invocation& invocation) {
  for_each_option(*invocation.command, [&](const Option& option) {
    const OptionWords* given = option.former.empty() ? nullptr : invocation.values.find(option.name);
    if (given == nullptr) return;
    OptionWords current = *given;
    for (std::string& word : current.words) word = current_word(option, word);
    invocation.values.set(option.name, std::move(current));
  });
}

Invocation resolve(const Command& command, const Words& words, std::vector<std::string> argv,
                   const CommandList& commands, const Variables& read) {
  Invocation invocation{&command, std::move(argv), {}, {}, {}};
  add_defaults(command, invocation.values);
  add_command_line(command, words, invocation.values);
  add_environment(command, read, invocation.values);
  add_files(commands, invocation);
  take_from_steps(invocation);
  add_preset(invocation);
  use_current_words(invocation);
  return invocation;
}

}  // namespace steelyard::cli
