// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "record/records.hpp"

namespace steelyard::campaign {

/// Adds one point to the counts by status; a wrong verification counts besides. `weight` -1 takes it out
/// again.
void count(record::Counts& counts, record::Status status, std::optional<bool> verified, int weight = 1);

/// Points that were attempted.
[[nodiscard]] std::int64_t attempted(const record::Counts& counts);

/// Exit code of a campaign: stopped in order by a signal, the stop file or the deadline 5; records that could
/// not be written, a failed point or a wrong verification 1, or 4 if nothing was attempted; everything
/// skipped 4; else 0. A spent budget is no failure: the campaign took the time that it was given. `cause` is
/// that of the end record.
[[nodiscard]] int exit_code(const record::Counts& counts, std::string_view cause);

}  // namespace steelyard::campaign
