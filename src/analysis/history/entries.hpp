// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "analysis/history/history.hpp"

/// Runs in the order of time, and the entries that they make.
namespace steelyard::history {

/// Days since 1970 of "2026-05-12..."; nullopt for other texts and for days before 1995 or after 2099.
[[nodiscard]] std::optional<std::int64_t> day_of(std::string_view utc);

/// Keeps a run that two files hold once; drops different runs of one id, and notes it as a conflict.
void drop_repeats(std::vector<RunColumns>& runs, History& history);
/// Sorts runs by time and leaves out those without a plausible date.
void order(std::vector<RunColumns>& runs, History& history);
/// Makes the entries: the launches of a series are one entry, at the place of the last. Returns the
/// entry of each run.
[[nodiscard]] std::vector<std::size_t> make_entries(const std::vector<RunColumns>& runs, History& history);
/// Place of the first entry that counts. Throws UnknownSince.
[[nodiscard]] std::size_t place_of_since(const History& history);

}  // namespace steelyard::history
