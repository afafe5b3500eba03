// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <ostream>

#include "campaign/progress.hpp"
#include "formats/live/table.hpp"
#include "options/resolve.hpp"
#include "options/values.hpp"

/// Terminals, colours and progress of rank 0.
namespace steelyard::cli {

/// Whether to use colours, by --color, NO_COLOR, CLICOLOR_FORCE and TERM; `terminal` says whether the stream is one.
[[nodiscard]] bool use_colour(const Values& values, bool terminal);

/// Columns of the short tables of `run`: those of the terminal, if it is one, up to the usual ones.
[[nodiscard]] std::size_t brief_columns(bool terminal);

/// Style of the tables of `run` on standard output, by --table and --color; `terminal` says whether it is one.
[[nodiscard]] formats::TableStyle table_style(const Values& values, bool terminal);

/// Whether standard output ends on a terminal: that of the launching parent, if there is one.
[[nodiscard]] bool shows_on_terminal(const Invocation& invocation);

/// Stream on which a run tells of itself while it measures: standard error, but standard output if both end on a
/// terminal: through a launcher the two come by pipes of their own, which keep no order between them.
[[nodiscard]] std::ostream& talk(const Invocation& invocation);

/// Progress on `out` as --progress and --quiet ask; nullptr for none. If --progress has no default (front-ends) and is
/// not given, a bar on a terminal alone.
[[nodiscard]] std::unique_ptr<campaign::Progress> make_progress(const Values& values, std::ostream& out,
                                                                campaign::LaunchNumber launch = {});

}  // namespace steelyard::cli
