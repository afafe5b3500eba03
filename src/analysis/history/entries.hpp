// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "analysis/history/history.hpp"

/// The runs in the order of time, and the entries that they make.
namespace steelyard::history {

/// Days since 1970 of "2026-05-12..."; nothing for other texts, before 1995 and after the end of the century.
[[nodiscard]] std::optional<std::int64_t> day_of(std::string_view utc);

/// The same run in two files counts once; two different ones of one id are refused.
void drop_repeats(std::vector<RunColumns>& runs, History& history);
/// Leaves out those without a date that can be right.
void order(std::vector<RunColumns>& runs, History& history);
/// The launches of a series are one entry, at the place of the last. Returns the entry of each run.
[[nodiscard]] std::vector<std::size_t> make_entries(const std::vector<RunColumns>& runs, History& history);
/// The first entry that counts. Throws UnknownSince.
[[nodiscard]] std::size_t place_of_since(const History& history);

}  // namespace steelyard::history
