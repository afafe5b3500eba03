// SPDX-License-Identifier: Apache-2.0
#include "analysis/screening/rule.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "stats/alike.hpp"

namespace steelyard::screening {
namespace {

constexpr std::string_view alone_too = "alone too", in_company = "only under common load",
                           recovered = "well when measured again", not_again = "not measured again";

}  // namespace

std::vector<double> known(const std::vector<double>& visits) {
  std::vector<double> some;
  std::ranges::copy_if(visits, std::back_inserter(some), [](double value) { return value > 0; });
  return some;
}

std::optional<double> typical(const std::vector<double>& values, const Quantity& quantity) {
  const auto some = known(values);
  if (some.empty()) return std::nullopt;
  return screen::good(stats::median(some), quantity);
}

double percent_of(double off, const Quantity& quantity) {
  return 100 * std::expm1(quantity.lower_is_better ? -off : off);
}

double limit_percent(double limit, const Quantity& quantity) {
  return std::abs(percent_of(-limit, quantity));
}

double tolerance_of(const Options& options, const Quantity& quantity) {
  const auto said = options.tolerances.find(quantity.name);
  return said == options.tolerances.end() ? quantity.tolerance : said->second;
}

double spread_of(const Values& values) {
  const auto some = known(values.visits);
  return std::log(std::ranges::max(some) / std::ranges::min(some));
}

std::optional<double> off_again(const Values& values, double off, double gained, const Quantity& quantity) {
  const auto common = typical(values.visits, quantity), alone = typical(values.again, quantity);
  if (!common || !alone) return std::nullopt;
  return *alone - gained - (*common - off);
}

bool is_confirmed(std::optional<double> again, double limit) {
  return again && *again < -limit;
}

std::vector<std::size_t> worse_visits(const std::vector<Visited>& all, double tolerance, double quantile,
                                      const Quantity& quantity) {
  std::vector<std::size_t> counts(all.size());
  std::size_t visits = 0;
  for (const auto& one : all) visits = std::max(visits, one.values->visits.size());
  for (std::size_t visit = 0; visit < visits; ++visit) {
    std::vector<double> offs;
    std::vector<std::size_t> whose;
    for (std::size_t k = 0; k < all.size(); ++k) {
      const auto& values = all[k].values->visits;
      if (visit >= values.size() || !(values[visit] > 0)) continue;
      offs.push_back(screen::good(values[visit], quantity) - all[k].usual);
      whose.push_back(k);
    }
    if (offs.size() < stats::fewest_alike) continue;
    const auto usual = stats::usual(offs);
    const double limit = std::max(std::log1p(tolerance), quantile * usual.spread);
    for (std::size_t k = 0; k < offs.size(); ++k)
      counts[whose[k]] += offs[k] < usual.middle - std::max(limit, all[whose[k]].limit) ? 1U : 0U;
  }
  return counts;
}

void note_again(Finding& finding, std::optional<double> again, double limit, bool always_alone,
                const Quantity& quantity) {
  if (!again) {
    finding.note = not_again;
    return;
  }
  finding.again_percent = percent_of(*again, quantity);
  if (is_confirmed(again, limit)) {
    finding.note = alone_too;
  } else if (always_alone) {
    finding.verdict = Verdict::unstable;
    finding.note = recovered;
  } else {
    finding.note = in_company;
  }
}

void put_words(Finding& finding, std::string_view words) {
  if (!words.empty()) finding.note = std::string(words) + (finding.note.empty() ? "" : ", " + finding.note);
}

}  // namespace steelyard::screening
