// SPDX-License-Identifier: Apache-2.0
#include "options/resolve.hpp"

#include <algorithm>

#include "options/config_file.hpp"
#include "process/errors.hpp"
#include "suites/suite_list.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

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

}  // namespace

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

const Preset* find_preset(std::string_view name) {
  for (const Preset& preset : presets())
    if (preset.name == name) return &preset;
  return nullptr;
}

namespace {

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

bool chooses(const Values& step) {
  return step.find("select") != nullptr;
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
  const bool steps_choose = !invocation.steps.empty() && std::ranges::all_of(invocation.steps, chooses);
  if (!steps_choose)
    values.set("select", {{preset.select.begin(), preset.select.end()}, Source::preset, origin});
}

}  // namespace

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
