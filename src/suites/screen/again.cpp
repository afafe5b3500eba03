// SPDX-License-Identifier: Apache-2.0
#include "suites/screen/again.hpp"

#include <algorithm>
#include <iterator>

#include "stats/order.hpp"
#include "suites/screen/quantities.hpp"

namespace steelyard::screen {

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
