// SPDX-License-Identifier: Apache-2.0
#include "campaign/shares.hpp"

#include <algorithm>
#include <limits>

#include "suites/suite_list.hpp"

namespace steelyard::campaign {
namespace {

// Of the budget, for all that is not measuring: what comes at the start and the end, and what lies between
// points.
constexpr double frame_share = 0.04;
constexpr double frame_s = 1;

constexpr double survey_share = 0.03, longest_survey_s = 8;

/// A suite while the budget is divided.
struct Claim {
  double part = 0;
  suites::TimeRange range{0, std::numeric_limits<double>::infinity()};
  double seconds = 0;
  bool settled = false;
};
using Claims = std::map<std::string, Claim, std::less<>>;

/// Divides what is left among those that are not settled, by their parts; true if none of them gets less than
/// its least or more than its most, else those that do are settled.
bool divide(Claims& claims, double usable_s) {
  double left_s = usable_s, sum = 0;
  for (const auto& [name, claim] : claims) {
    if (claim.settled)
      left_s -= claim.seconds;
    else
      sum += claim.part;
  }
  bool done = true;
  for (auto& [name, claim] : claims) {
    if (claim.settled) continue;
    claim.seconds = std::max(0.0, left_s) * claim.part / sum;
    const double bounded = std::clamp(claim.seconds, claim.range.least_s, claim.range.most_s);
    if (bounded == claim.seconds) continue;
    claim.seconds = bounded;
    claim.settled = true;
    done = false;
  }
  return done;
}

}  // namespace

double survey_s(Seconds budget) {
  return std::min(longest_survey_s, survey_share * budget.value());
}

Shares shares(std::span<const Selected> selected, Seconds budget, const RangeOf& range_of) {
  Shares all;
  for (const Selected& one : selected)
    all[std::string(one.suite->name())].benchmarks.push_back(one.benchmark);
  const double usable_s = std::max(0.0, budget.value() * (1 - frame_share) - frame_s - survey_s(budget));
  Claims claims;
  double least_s = 0;
  for (const auto& [suite, share] : all) {
    Claim& claim = claims[suite];
    claim.part = suites::suite_info(suite).share;
    if (const auto range = range_of(suite, share.benchmarks)) claim.range = *range;
    claim.range.most_s = std::max(claim.range.most_s, claim.range.least_s);
    least_s += claim.range.least_s;
  }
  // Where there is not enough for the least of all, each suite sees how far its own part goes.
  if (least_s > usable_s)
    for (auto& [suite, claim] : claims) claim.range.least_s = 0;
  while (!divide(claims, usable_s)) {
  }
  for (auto& [suite, share] : all) share.time = {claims.at(suite).seconds, budget.value()};
  return all;
}

}  // namespace steelyard::campaign
