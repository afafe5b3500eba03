// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/select.hpp"
#include "suites/expected_time.hpp"

/// How the budget of a campaign is divided among its suites before their sizes are chosen. Pure.
namespace steelyard::campaign {

/// What of a campaign is a suite's.
struct Share {
  std::vector<std::string> benchmarks;  // selected ones, in their order
  suites::TimeShare time;
};
using Shares = std::map<std::string, Share, std::less<>>;

/// Seconds that a suite can use with these of its benchmarks; nothing: any time, as its points are measured
/// until their interval is narrow.
using RangeOf = std::function<std::optional<suites::TimeRange>(std::string_view suite,
                                                               std::span<const std::string> benchmarks)>;

/// Shares of the selected suites. They sum to the budget less what starting, the survey, the noise records and
/// the end of a campaign take, as far as the suites can use it. Each gets its part; what one cannot use, and
/// what it lacks for its least, is taken from the others in proportion.
[[nodiscard]] Shares shares(std::span<const Selected> selected, Seconds budget, const RangeOf& range_of);

/// Seconds that the survey of rates may take.
[[nodiscard]] double survey_s(Seconds budget);

}  // namespace steelyard::campaign
