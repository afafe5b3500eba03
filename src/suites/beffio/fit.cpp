// SPDX-License-Identifier: Apache-2.0
#include "suites/beffio/fit.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "suites/beffio/definition.hpp"
#include "suites/expected_time.hpp"

namespace steelyard::beffio {
namespace {

constexpr double step = 0.85;
constexpr double least_share = 0.2;  // of the time, scheduled: below it chunks are too large

double expected_s(const Settings& settings, int processes) {
  const std::array names{std::string(benchmark_name)};
  return suites::prescribed_s(Definition(settings), names, processes);
}

/// The same chunks, less time.
std::optional<Settings> shortened(Settings settings, double seconds, int processes) {
  if (expected_s(settings, processes) <= seconds) return settings;
  for (settings.total_s = std::min(settings.total_s, seconds); settings.total_s > least_share * seconds;
       settings.total_s *= step)
    if (expected_s(settings, processes) <= seconds) return settings;
  return std::nullopt;
}

}  // namespace

Settings fitted(const Settings& best, double seconds, int processes) {
  if (auto found = shortened(best, seconds, processes)) return *found;
  Settings settings = hurried(best, processes);
  settings.total_s = std::min(best.total_s, seconds);
  if (auto found = shortened(settings, seconds, processes)) return *found;
  settings.total_s = least_share * seconds;
  return settings;
}

}  // namespace steelyard::beffio
