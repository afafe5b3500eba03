// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/fit.hpp"

#include <algorithm>
#include <vector>

#include "suites/expected_time.hpp"
#include "suites/hpcc/definition.hpp"

namespace steelyard::hpcc {
namespace {

/// 1, 2, 3, 4, 6, 8, 12, ... up to the most: the same however much memory happens to be free when a run is
/// resumed.
std::vector<std::int64_t> memories(std::int64_t most_mebibyte) {
  std::vector<std::int64_t> list{1};
  for (std::int64_t power = 2; power <= most_mebibyte; power *= 2) {
    list.push_back(power);
    if (power / 2 * 3 <= most_mebibyte) list.push_back(power / 2 * 3);
  }
  return list;
}

}  // namespace

Settings fitted(Settings settings, std::span<const std::string> benchmarks, int processes,
                std::int64_t most_mebibyte, double seconds) {
  const auto fits = [&](std::int64_t mebibyte) {
    settings.problem.orders = {default_order(mebibyte, settings.problem.grids.front())};
    return suites::prescribed_s(Definition(settings), benchmarks, processes) <= seconds;
  };
  const auto all = memories(most_mebibyte);
  if (std::find_if(all.rbegin(), all.rend(), fits) == all.rend()) settings.last_level_cache_byte = 0;
  return settings;
}

}  // namespace steelyard::hpcc
