// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "options/option_table.hpp"
#include "options/values.hpp"
#include "process/launched.hpp"

namespace steelyard::cli {

/// Words of one subcommand, sorted. Flags hold "on" once per time they were given.
struct Words {
  std::map<std::string, std::vector<std::string>, std::less<>> options;
  std::vector<std::string> bare;
};

/// Sorts the words after the subcommand's name. Throws UsageError for unknown options (all of them in one message),
/// missing values, values of flags, and words that fail their option's grammar.
[[nodiscard]] Words parse_words(const Command& command, std::span<const std::string> words);

/// Throws UsageError: "unknown option '--foo'", with the nearest valid one.
[[noreturn]] void refuse_unknown_options(const Command& command, std::span<const std::string> unknown);

/// A word that a preset says for an option of `run`.
struct PresetWord {
  std::string_view option, word;
};

/// Sizes, counts and budgets of one preset of `run`, as words of its options.
struct Preset {
  std::string_view name;
  std::string_view summary;
  std::string_view duration;  // expected one
  std::span<const std::string_view> select;
  std::span<const PresetWord> words;
};

[[nodiscard]] std::span<const Preset> presets();

/// A subcommand with everything that was said about it.
struct Invocation {
  const Command* command = nullptr;
  std::vector<std::string> argv;          // as typed, program first
  Values values;                          // bare words under the positional's name in lower case
  std::vector<Values> steps;              // of the configuration file's [[step]]
  std::optional<FromParent> from_parent;  // set if our own launching parent has started it
};

/// Resolves the values: built-in default < preset < configuration file < environment < command line. `commands`: those
/// whose tables a configuration file may have. Throws UsageError.
[[nodiscard]] Invocation resolve(const Command& command, const Words& words, std::vector<std::string> argv,
                                 const CommandList& commands, const Variables& read = variable);

/// Replaces older words that an option still understands by those of today.
void use_current_words(Invocation& invocation);

/// A line for each variable of `set` that begins with STEELYARD_ and belongs to no option of these subcommands,
/// with the nearest one that does. Those of the tests, STEELYARD_TEST_..., are left out.
[[nodiscard]] std::vector<std::string> unknown_variables(const std::vector<std::string>& set,
                                                         const CommandList& commands);

}  // namespace steelyard::cli
