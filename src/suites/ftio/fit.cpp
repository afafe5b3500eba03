// SPDX-License-Identifier: Apache-2.0
#include "suites/ftio/fit.hpp"

#include <array>
#include <limits>

#include "suites/ftio/definition.hpp"

namespace steelyard::ftio {
namespace {

double expected_s(const Settings& settings, const suites::World& world) {
  const std::array names{std::string(benchmark_name)};
  return suites::prescribed_s(Definition(settings), names, world);
}

/// With the largest parameter that fits; its own where that is none.
Settings grown(const Settings& best, double seconds, const suites::World& world) {
  constexpr std::size_t tried = 256;
  Settings settings = best, found = best;
  const int some = processes(best, world.processes);
  if (!best.parameters.empty()) return found;
  for (const auto parameter : valid_parameters(some, default_parameter(some), tried)) {
    settings.parameters = {parameter};
    if (Shape{some, parameter}.matrix() > gibi || expected_s(settings, world) > seconds) break;
    found = settings;
  }
  return found;
}

}  // namespace

Settings fitted(const Settings& best, const suites::TimeShare& time, const suites::World& world) {
  Settings found = grown(best, time.seconds, world);
  while (found.runs > 1 && expected_s(found, world) > time.seconds) --found.runs;
  if (const double one_s = expected_s(found, world); one_s > time.seconds)
    found.needs_budget_s = time.budget_for(one_s);
  return found;
}

suites::TimeRange time_range(const Settings& best, const suites::World& world) {
  Settings once = best;
  once.runs = 1;
  const double all = std::numeric_limits<double>::infinity();
  return {expected_s(once, world), expected_s(grown(best, all, world), world)};
}

}  // namespace steelyard::ftio
