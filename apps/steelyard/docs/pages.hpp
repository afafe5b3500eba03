// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "options/option_table.hpp"

/// Documents written from the option table.
namespace steelyard::cli {

/// Manual page of the program (steelyard.1) and of one subcommand (steelyard-run.1), roff with the man macros.
[[nodiscard]] std::string man_overview(const CommandList& commands);
[[nodiscard]] std::string man_page(const Command& command);

/// One page of the reference in Markdown.
[[nodiscard]] std::string markdown_page(const Command& command);

/// Words of 'steelyard docs', and the shells that it knows.
inline constexpr std::string_view docs_words = "man markdown completion slurm pbs";
inline constexpr std::string_view docs_shells = "bash zsh fish";

enum class Shell { bash, zsh, fish };
[[nodiscard]] std::string completion(const CommandList& commands, Shell shell);

}  // namespace steelyard::cli
