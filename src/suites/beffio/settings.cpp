// SPDX-License-Identifier: Apache-2.0
#include "suites/beffio/settings.hpp"

#include <algorithm>

#include "suites/beffio/partitions.hpp"

namespace steelyard::beffio {

Settings hurried(Settings settings, int processes) {
  constexpr double total_s = 6;
  constexpr Bytes longest = 2 * mebi;
  const std::int64_t most_byte = std::max(2 * gibi, processes * (64 * mebi)).count();
  settings.partitions = {processes};
  settings.total_s = total_s;
  settings.most_byte = std::min(settings.most_byte.value_or(most_byte), most_byte);
  settings.largest = std::min(longest, largest_chunk(settings));
  return settings;
}

std::vector<std::string> departures(const Settings& settings) {
  std::vector<std::string> list;
  const auto note = [&](bool departs, const char* sentence) {
    if (departs) list.emplace_back(sentence);
  };
  note(settings.largest.has_value(), "largest chunk given instead of 1/128 of the memory");
  note(settings.pointer == Pointer::individual, "type 1 without shared file pointers");
  note(settings.unique, "files opened in unique mode");
  note(settings.rewriting == Rewriting::scatter_only && settings.formula == Formula::seed,
       "only type 0 rewritten");
  note(settings.control == Control::each, "a decision after every iteration");
  note(settings.drop_cache, "files dropped from the page cache between the access methods");
  return list;
}

Bytes largest_chunk(const Settings& settings) {
  return settings.largest ? *settings.largest : largest_chunk(settings.memory_mebibyte);
}

Bytes buffer_size(const Settings& settings) {
  return std::max(largest_chunk(settings), settings.align);
}

std::vector<int> partitions(const Settings& settings, int world) {
  return settings.partitions.empty() ? default_partitions(world) : settings.partitions;
}

std::string_view text(Formula formula) {
  return formula == Formula::seed ? "seed" : "2.x";
}
std::string_view text(Order order) {
  return order == Order::by_access ? "access" : "partition";
}
std::string_view text(Control control) {
  return control == Control::batched ? "batched" : "each";
}

}  // namespace steelyard::beffio
