// SPDX-License-Identifier: Apache-2.0
#include "suites/ftio/settings.hpp"

#include <algorithm>
#include <array>

namespace steelyard::ftio {

Settings hurried(Settings settings, int world) {
  constexpr Bytes largest = 128 * mebi;
  settings.runs = 3;
  int most = world;
  while (most > 1 && Shape{most, default_parameter(most)}.matrix() > largest) --most;
  if (most < world) settings.processes = most;
  return settings;
}

std::vector<std::string> departures(const Settings& settings) {
  std::vector<std::string> list;
  if (settings.access != FileAccess::posix) list.emplace_back("files through MPI-IO");
  if (settings.cache == PageCache::drop) list.emplace_back("pages dropped from memory after each phase");
  if (settings.cache == PageCache::direct) list.emplace_back("page cache passed by");
  if (settings.batches.transform_rows > 1) list.emplace_back("several rows transformed at a time");
  if (settings.batches.exchange_rows > 1) list.emplace_back("several rows exchanged in a message");
  return list;
}

int processes(const Settings& settings, int world) {
  return std::min(settings.processes.value_or(world), world);
}

std::vector<std::int64_t> parameters(const Settings& settings, int world) {
  if (!settings.parameters.empty()) return settings.parameters;
  return {default_parameter(processes(settings, world))};
}

std::string_view text(FileAccess access) {
  constexpr std::array<std::string_view, 3> words = {"posix", "mpi", "shared"};
  return words[static_cast<std::size_t>(access)];
}

std::string_view text(PageCache cache) {
  constexpr std::array<std::string_view, 3> words = {"keep", "drop", "direct"};
  return words[static_cast<std::size_t>(cache)];
}

}  // namespace steelyard::ftio
