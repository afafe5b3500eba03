// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/select.hpp"

/// How the budget of a campaign is divided among its suites before their sizes are chosen. Pure.
namespace steelyard::campaign {

/// What of a campaign is a suite's.
struct Share {
  std::vector<std::string> benchmarks;  // selected ones, in their order
  double seconds = 0;
};

/// How much of a campaign is a suite's, relative to other suites.
[[nodiscard]] double part_of(std::string_view suite);

/// Shares of the selected suites: parts of the budget that experiments which are made as a whole may take,
/// and of which the points that are measured until their interval is narrow take what is left. They sum to
/// the budget less what starting, the noise records and the end of a campaign take. Suites that are not
/// selected leave their parts to the others.
[[nodiscard]] std::map<std::string, Share, std::less<>> shares(std::span<const Selected> selected,
                                                               Seconds budget);

}  // namespace steelyard::campaign
