// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "record/records.hpp"

/// Lines that the live tables of several suites say alike.
namespace steelyard::formats {

/// "  what   text", ended; `text` begins in column 39.
[[nodiscard]] std::string summary_line(std::string_view what, std::string_view text);
/// A number of the summary, if it holds one of that name.
[[nodiscard]] std::optional<double> summary_value(const record::SummaryRecord& summary,
                                                  std::string_view name);
/// Whether the summary is official, with a line for every reason why not, or brief: the first one and how many
/// more there are. Empty if it does not tell.
[[nodiscard]] std::string official_lines(const record::SummaryRecord& summary, bool brief = false);
/// That its files may have lain in memory, and why. Empty if the summary does not say so.
[[nodiscard]] std::string page_cache_line(const record::SummaryRecord& summary);
/// Wrong data with where they begin, or the failure with its reason, on one line.
[[nodiscard]] std::string what_is_wrong(const record::PointRecord& point);

}  // namespace steelyard::formats
