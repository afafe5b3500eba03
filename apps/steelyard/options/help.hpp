// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "options/option_table.hpp"

namespace steelyard::cli {

/// Help of one subcommand, from its table, in lines of at most `width` characters.
[[nodiscard]] std::string help_text(const Command& command, int width);

/// Usage of the program: one line per subcommand, three examples.
[[nodiscard]] std::string overview(const CommandList& commands, int width);

/// "steelyard run [OPTION...] [SELECT...]".
[[nodiscard]] std::string usage_line(const Command& command);

/// Sentence about options given by variables; stands once in every help text and man page.
inline constexpr std::string_view variables_sentence =
    "What a configuration file may hold can also be given by a variable: STEELYARD_POINT_BUDGET is "
    "--point-budget, STEELYARD_OUT --out. The command line is stronger.";

/// "[default: 2 s; repeatable]"; empty if there is nothing to say.
[[nodiscard]] std::string remarks(const Option& option);

/// Columns of the terminal behind standard output, COLUMNS, else 100.
[[nodiscard]] int help_width();

/// Words broken into lines that begin with `indent` blanks, but for the first.
[[nodiscard]] std::string wrapped(std::string_view text, int width, int indent);

}  // namespace steelyard::cli
