// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "options/option_table.hpp"

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

}  // namespace steelyard::cli
