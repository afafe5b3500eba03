// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "campaign/progress.hpp"
#include "formats/live/table.hpp"
#include "words/values.hpp"

/// Terminals, colours and progress of rank 0.
namespace steelyard::cli {

/// --color, NO_COLOR, CLICOLOR_FORCE, TERM; `terminal` says what the stream in question is.
[[nodiscard]] bool use_colour(const Values& values, bool terminal);

/// Whether the locale's characters are UTF-8 (LC_ALL, LC_CTYPE, LANG).
[[nodiscard]] bool locale_is_utf8();

/// Style of the tables of `run` on standard output, by --table and --color; `terminal` says whether it is one.
[[nodiscard]] formats::TableStyle table_style(const Values& values, bool terminal);

/// Progress on standard error as --progress and --quiet ask; nothing for none. Where --progress has no default
/// (front-ends) and nobody says it, a bar on a terminal alone.
[[nodiscard]] std::unique_ptr<campaign::Progress> make_progress(const Values& values, bool under_launcher,
                                                                campaign::LaunchNumber launch = {});

}  // namespace steelyard::cli
