// SPDX-License-Identifier: Apache-2.0
#include "suites/ftio/fit.hpp"

#include <array>

#include "suites/expected_time.hpp"
#include "suites/ftio/definition.hpp"

namespace steelyard::ftio {
namespace {

double expected_s(const Settings& settings, int world) {
  const std::array names{std::string(benchmark_name)};
  return suites::prescribed_s(Definition(settings), names, world);
}

}  // namespace

Settings fitted(const Settings& best, double seconds, int world) {
  constexpr std::size_t tried = 256;
  Settings settings = best, found = best;
  const int some = processes(best, world);
  if (best.parameters.empty())
    for (const auto parameter : valid_parameters(some, default_parameter(some), tried)) {
      settings.parameters = {parameter};
      if (Shape{some, parameter}.matrix() > gibi || expected_s(settings, world) > seconds) break;
      found = settings;
    }
  while (found.runs > 1 && expected_s(found, world) > seconds) --found.runs;
  return found;
}

}  // namespace steelyard::ftio
