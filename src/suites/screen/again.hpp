// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stats/alike.hpp"
#include "suites/screen/definition.hpp"
#include "suites/screen/nodes.hpp"
#include "suites/screen/quantities.hpp"

/// Measuring again what stands out, nodes as well as links: its limits, how values are judged, which links are
/// chosen. Pure.
namespace steelyard::screen {

inline constexpr int again_visits = 3;
inline constexpr std::size_t most_controls = 3;

[[nodiscard]] double tolerance_of(const Settings& settings, std::string_view name);

/// Median of the visits that have a value.
[[nodiscard]] std::optional<double> typical(const std::vector<double>& values);

using Link = std::pair<int, int>;

struct Links {
  std::vector<Link> links;
  std::vector<stats::Between> values;
};
/// `switches`: of every node; empty: all links are of one class.
[[nodiscard]] Links links_of(const std::vector<PairSample>& samples, const Quantity& quantity,
                             const std::vector<std::string>& switches = {});

/// Links that are measured again: those that stand out, some of each node whose links do, and usual ones.
struct Choice {
  std::set<Link> suspects, controls;
};
void choose(const Links& all, const stats::LinkStandings& found, std::size_t most, Choice& choice);
/// Chooses links of a sample: a node that stands out meets usual ones, whether they have met
/// or not. Worst first.
void choose_partners(const Links& all, const stats::LinkStandings& found, Choice& choice);

}  // namespace steelyard::screen
