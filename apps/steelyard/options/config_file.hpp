// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "options/option_table.hpp"
#include "options/values.hpp"

namespace steelyard::cli {

/// Settings of one subcommand in a configuration file. Words are checked against the options' grammars.
struct FileSettings {
  Values values;
  std::vector<Values> steps;  // of [[step]], in order
};

/// Reads TOML. `command` selects the table, `commands` are the tables that may exist. Names of directories and files
/// have ${VAR} and $VAR replaced. Throws UsageError: "FILE:LINE:COLUMN: what is wrong".
[[nodiscard]] FileSettings read_config(const std::filesystem::path& file, const Command& command,
                                       const CommandList& commands);

/// Values that a configuration file may hold, as TOML that read_config reads to the same values.
[[nodiscard]] std::string config_text(const Command& command, const Values& values,
                                      std::span<const Values> steps);

/// Text with $VAR and ${VAR} replaced by the environment, "$$" becomes "$". Throws units::ParseError for a variable that
/// is not set.
[[nodiscard]] std::string expand_variables(std::string_view text);

}  // namespace steelyard::cli
