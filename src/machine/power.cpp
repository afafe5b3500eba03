// SPDX-License-Identifier: Apache-2.0
#include "machine/system.hpp"
#include "machine/words.hpp"

namespace steelyard::machine {

namespace {

constexpr const char* powercap = "/sys/class/powercap";

Json describe_zone(Source& source, const std::string& path) {
  return {{"zone", or_null(source.peek(path + "/name"))},
          {"readable", source.number(path + "/energy_uj").has_value()}};
}

Json zones(Source& source) {
  Json list = Json::array();
  for (const auto& path : energy_zones(source)) list.push_back(describe_zone(source, path));
  if (list.empty()) source.note_missing(std::string(powercap) + "/intel-rapl:*", error_text(ENOENT));
  return list;
}

Json temperatures(Source& source) {
  Json list = Json::array();
  for (const auto& name : source.names("/sys/class/thermal")) {
    const auto path = "/sys/class/thermal/" + name;
    const auto milli = name.starts_with("thermal_zone") ? source.peek_number(path + "/temp") : std::nullopt;
    if (!milli) continue;
    list.push_back(
        {{"sensor", or_null(source.peek(path + "/type"))}, {"celsius", 1e-3 * static_cast<double>(*milli)}});
  }
  return list;
}

}  // namespace

std::vector<std::string> energy_zones(const Source& source) {
  std::vector<std::string> list;
  for (const auto& name : source.names(powercap))
    if (name.starts_with("intel-rapl:")) list.push_back(std::string(powercap) + "/" + name);
  return list;
}

std::optional<std::int64_t> thermal_events(Source& source, const std::vector<int>& cores) {
  std::optional<std::int64_t> sum;
  for (const int core : cores)
    if (const auto n = source.peek_number(processor_path(core) + "/thermal_throttle/core_throttle_count"))
      sum = sum.value_or(0) + *n;
  return sum;
}

void describe_power(Source& source, const Cores& cores, Json& machine) {
  machine["power"] = {
      {"zones", zones(source)},
      {"temperatures", temperatures(source)},
      {"throttle_events", or_null(thermal_events(source, cores.cores_of(cores.processors())))}};
}

}  // namespace steelyard::machine
