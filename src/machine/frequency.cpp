// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "machine/processors.hpp"
#include "machine/words.hpp"

namespace steelyard::machine {

namespace {

/// A file of kHz of the first processor, in Hz.
Json hertz(Source& source, const Cores& cores, const std::string& name) {
  if (cores.processors().empty()) return nullptr;
  const auto value = source.number(processor_path(cores.processors().front()) + "/cpufreq/" + name);
  return value ? Json(1e3 * static_cast<double>(*value)) : Json(nullptr);
}

std::vector<double> current_hertz(Source& source, const Cores& cores) {
  std::vector<double> values;
  const auto cpuinfo = source.text("/proc/cpuinfo").value_or("");
  for (const auto line : split(cpuinfo, '\n')) {
    const auto text = field(line, "cpu MHz");
    if (const auto mega = text ? decimal(*text) : std::nullopt) values.push_back(1e6 * *mega);
  }
  if (!values.empty() || cores.processors().empty()) return values;
  const auto path = processor_path(cores.processors().front()) + "/cpufreq/scaling_cur_freq";
  if (const auto kilo = source.peek_number(path)) values.push_back(1e3 * static_cast<double>(*kilo));
  return values;
}

Json first_text(Source& source, const Cores& cores, const std::string& name) {
  if (cores.processors().empty()) return nullptr;
  return or_null(source.peek(processor_path(cores.processors().front()) + "/cpufreq/" + name));
}

}  // namespace

std::vector<std::string> governors(Source& source, const std::vector<int>& processors) {
  std::vector<std::string> found;
  for (const int n : processors) {
    const auto governor = source.peek(processor_path(n) + "/cpufreq/scaling_governor");
    if (governor && std::ranges::find(found, *governor) == found.end()) found.push_back(*governor);
  }
  return found;
}

std::optional<bool> boost(Source& source) {
  if (const auto off = source.peek_number("/sys/devices/system/cpu/intel_pstate/no_turbo")) return *off == 0;
  if (const auto on = source.peek_number("/sys/devices/system/cpu/cpufreq/boost")) return *on != 0;
  return std::nullopt;
}

void describe_frequency(Source& source, const Cores& cores, Json& machine) {
  const auto found = governors(source, cores.processors());
  if (found.empty() && !cores.processors().empty())
    source.text(processor_path(cores.processors().front()) + "/cpufreq/scaling_governor");  // notes why
  machine["governor"] = found.empty() ? Json(nullptr) : Json(join(found, ","));
  Json frequency = Json::object();
  frequency["driver"] = first_text(source, cores, "scaling_driver");
  frequency["preference"] = first_text(source, cores, "energy_performance_preference");
  frequency["boost"] = or_null(boost(source));
  const auto base = first_text(source, cores, "base_frequency");
  const auto kilo = base.is_string() ? whole(base.get<std::string>()) : std::nullopt;
  frequency["base_hz"] = kilo ? Json(1e3 * static_cast<double>(*kilo)) : Json(nullptr);
  frequency["min_hz"] = hertz(source, cores, "cpuinfo_min_freq");
  frequency["max_hz"] = hertz(source, cores, "cpuinfo_max_freq");
  const auto current = current_hertz(source, cores);
  frequency["current_min_hz"] = current.empty() ? Json(nullptr) : Json(*std::ranges::min_element(current));
  frequency["current_max_hz"] = current.empty() ? Json(nullptr) : Json(*std::ranges::max_element(current));
  machine["frequency"] = std::move(frequency);
}

}  // namespace steelyard::machine
