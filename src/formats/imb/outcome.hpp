// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "formats/imb/setup.hpp"

namespace steelyard::formats {

/// A whole benchmark that cannot run with the processes at hand: no table, one line.
[[nodiscard]] bool lacks_processes(const record::PointRecord& point);
[[nodiscard]] std::string lacks_processes_line(const record::PointRecord& point);

/// Whether the time limit of its table ended it before this row, which the later releases tell once.
[[nodiscard]] bool timed_out(const record::PointRecord& point);
/// Whether a plan left the row out to fit a budget: nothing was tried.
[[nodiscard]] bool left_out(const record::PointRecord& point);
/// A comment about rows of a table that were left out for one reason; `rows` names them.
[[nodiscard]] std::string left_out_line(const std::string& rows, const std::string& reason);

/// What stands behind the size where there is no result: out-of-mem., time-out., failed; TEXT, skipped; TEXT.
[[nodiscard]] std::string no_result_text(const record::PointRecord& point);

/// "[ 1.00, 2.00, ... ]" of the twelve quantiles in microseconds; empty if the point has none.
[[nodiscard]] std::string tail_line(const record::PointRecord& point);

/// Whether the check of the results found something.
[[nodiscard]] bool unsuccessful(const record::PointRecord& point);

/// The last lines: success only if every point was measured without failure and nothing was left.
[[nodiscard]] std::string imb_end(const record::EndRecord& end);

}  // namespace steelyard::formats
