// SPDX-License-Identifier: Apache-2.0
#include "suites/screen/again.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>

#include "machine/topology.hpp"
#include "stats/order.hpp"

namespace steelyard::screen {
namespace {

constexpr std::size_t pairs_of_a_suspect = 3, partners_of_a_suspect = 8;

/// Value of a sample in this quantity; 0: it has none.
double value_of(const PairSample& sample, const Quantity& quantity) {
  return quantity.name == "latency" ? sample.latency_s : sample.byte_s;
}

/// Nodes that are no worse than others in their links, in an order that is always the same.
std::vector<int> usual_ends(const Links& all, const stats::LinkStandings& found) {
  std::set<std::size_t> bad;
  for (std::size_t k = 0; k < all.links.size(); ++k)
    if (found.links[k].worse()) bad.insert({all.values[k].a, all.values[k].b});
  std::vector<int> usual;
  for (std::size_t end = 0; end < found.ends.of.size(); ++end)
    if (!found.ends.of[end].worse() && !bad.contains(end)) usual.push_back(static_cast<int>(end));
  return usual;
}

}  // namespace

Links links_of(const std::vector<PairSample>& samples, const Quantity& quantity,
               const std::vector<std::string>& switches) {
  std::map<Link, std::vector<double>> visits;
  for (const auto& sample : samples)
    if (const double value = value_of(sample, quantity); value > 0)
      visits[{sample.a, sample.b}].push_back(value);
  Links all;
  for (const auto& [link, values] : visits) {
    const auto a = static_cast<std::size_t>(link.first), b = static_cast<std::size_t>(link.second);
    const auto kind = switches.empty() ? 0 : machine::class_between(switches[a], switches[b]);
    all.links.push_back(link);
    all.values.push_back({a, b, good(stats::median(values), quantity), kind});
  }
  return all;
}

void choose_partners(const Links& all, const stats::LinkStandings& found, Choice& choice) {
  std::vector<std::size_t> ends(found.ends.of.size());
  std::iota(ends.begin(), ends.end(), std::size_t{0});
  std::ranges::sort(ends, {}, [&](std::size_t end) { return found.ends.of[end].off; });
  const auto usual = usual_ends(all, found);
  const auto partners = std::min(usual.size(), partners_of_a_suspect);
  for (std::size_t k = 0; k < std::min<std::size_t>(ends.size(), most_again); ++k) {
    if (!found.ends.of[ends[k]].worse()) return;
    const int end = static_cast<int>(ends[k]);
    for (std::size_t p = 0; p < partners; ++p) {
      const int other = usual[(static_cast<std::size_t>(end) + p * usual.size() / partners) % usual.size()];
      choice.suspects.insert({std::min(end, other), std::max(end, other)});
    }
  }
}

void choose(const Links& all, const stats::LinkStandings& found, std::size_t most, Choice& choice) {
  std::vector<std::size_t> order(all.links.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t k) { return found.links[k].off; });
  const auto bad_end = [&](std::size_t k) {
    return found.ends.of[all.values[k].a].worse() || found.ends.of[all.values[k].b].worse();
  };
  std::map<std::size_t, std::size_t> taken;
  for (const std::size_t k : order) {
    if (choice.suspects.size() >= most) break;
    bool wanted = found.links[k].worse();
    for (const std::size_t end : {all.values[k].a, all.values[k].b})
      if (found.ends.of[end].worse() && taken[end] < pairs_of_a_suspect) {
        ++taken[end];
        wanted = true;
      }
    if (wanted) choice.suspects.insert(all.links[k]);
  }
  if (choice.suspects.empty()) return;
  std::ranges::sort(order, {}, [&](std::size_t k) { return std::abs(found.links[k].off); });
  for (const std::size_t k : order) {
    if (choice.controls.size() >= most_controls) return;
    if (!bad_end(k) && !found.links[k].worse() && !choice.suspects.contains(all.links[k]))
      choice.controls.insert(all.links[k]);
  }
}

double tolerance_of(const Settings& settings, std::string_view name) {
  const auto said = settings.tolerances.find(name);
  return said == settings.tolerances.end() ? quantity(name)->tolerance : said->second;
}

std::optional<double> typical(const std::vector<double>& values) {
  std::vector<double> known;
  std::ranges::copy_if(values, std::back_inserter(known), [](double value) { return value > 0; });
  if (known.empty()) return std::nullopt;
  return stats::median(known);
}

}  // namespace steelyard::screen
