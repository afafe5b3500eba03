// SPDX-License-Identifier: Apache-2.0
#include "suites/beff/fit.hpp"

#include <algorithm>
#include <array>

#include "suites/beff/definition.hpp"
#include "suites/expected_time.hpp"

namespace steelyard::beff {
namespace {

double expected_s(const Settings& settings, int processes) {
  const std::array names{std::string(benchmark_name)};
  return suites::prescribed_s(Definition(settings), names, processes);
}

/// As -short, but loops of 2 ms.
Settings long_loops(const Settings& best) {
  Settings settings = hurried(best);
  settings.loop_time_s = 2e-3;
  return settings;
}

/// As -short, but a fifteenth of the polygons; then only messages up to a length.
Settings few_polygons(const Settings& best, Bytes most = {}) {
  Settings settings = hurried(best);
  settings.polygons = 2;
  if (most > Bytes{} && has_lengths(settings)) settings.longest = std::min(most, longest(settings));
  return settings;
}

Settings least(const Settings& best) {
  return tested(few_polygons(best, 64 * kibi));
}

}  // namespace

Settings fitted(const Settings& best, double seconds, int processes) {
  const bool hurries = best.loop_time_s.has_value();
  const Settings steps[] = {best, hurries ? best : long_loops(best), hurried(best), few_polygons(best),
                            few_polygons(best, 32 * mebi), few_polygons(best, 8 * mebi)};
  const auto fits = [&](const Settings& settings) { return expected_s(settings, processes) <= seconds; };
  const auto found = std::ranges::find_if(steps, fits);
  return found == std::end(steps) ? least(best) : *found;
}

}  // namespace steelyard::beff
