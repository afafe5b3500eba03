// SPDX-License-Identifier: Apache-2.0
#include "campaign/shares.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace steelyard::campaign {
namespace {

// Relative to one another: HPC Challenge answers most questions of a verdict, and its largest tests have few
// passes.
constexpr auto parts = std::to_array<std::pair<std::string_view, double>>({
    {"hpcc", 36},
    {"b-eff", 14},
    {"b-eff-io", 14},
    {"ftio", 8},
    {"imb-mpi1", 16},
    {"imb-ext", 8},
    {"imb-io", 8},
});
constexpr double part_of_others = 8;

// Of the budget, for all that is not measuring: what comes at the start and the end, and what lies between
// points.
constexpr double frame_share = 0.05;
constexpr double frame_s = 1;

}  // namespace

double part_of(std::string_view suite) {
  const auto found = std::ranges::find(parts, suite, &std::pair<std::string_view, double>::first);
  return found == parts.end() ? part_of_others : found->second;
}

std::map<std::string, Share, std::less<>> shares(std::span<const Selected> selected, Seconds budget) {
  std::map<std::string, Share, std::less<>> all;
  for (const Selected& one : selected)
    all[std::string(one.suite->name())].benchmarks.push_back(one.benchmark);
  double sum = 0;
  for (const auto& [suite, share] : all) sum += part_of(suite);
  const double usable_s = std::max(0.0, budget.value() * (1 - frame_share) - frame_s);
  for (auto& [suite, share] : all) share.seconds = usable_s * part_of(suite) / sum;
  return all;
}

}  // namespace steelyard::campaign
