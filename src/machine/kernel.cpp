// SPDX-License-Identifier: Apache-2.0
#include <sys/utsname.h>

#include <algorithm>
#include <array>

#include "machine/compression.hpp"
#include "machine/system.hpp"
#include "machine/words.hpp"

namespace steelyard::machine {

namespace {

/// A member of uname: from the kernel's files, else from the call.
Json uname_member(Source& source, const std::string& file, const char* called) {
  if (const auto text = source.peek("/proc/sys/kernel/" + file)) return *text;
  if (source.live()) return called;
  source.note_missing("/proc/sys/kernel/" + file, error_text(ENOENT));
  return nullptr;
}

Json uname_of(Source& source) {
  utsname called{};
  ::uname(&called);
  return {{"machine", uname_member(source, "arch", called.machine)},
          {"sysname", uname_member(source, "ostype", called.sysname)},
          {"release", uname_member(source, "osrelease", called.release)},
          {"version", uname_member(source, "version", called.version)}};
}

/// Only words of this list: others hold addresses and names.
Json command_line(Source& source) {
  constexpr std::array<std::string_view, 10> recorded{"isolcpus",
                                                      "nohz_full",
                                                      "rcu_nocbs",
                                                      "mitigations",
                                                      "transparent_hugepage",
                                                      "idle",
                                                      "processor.max_cstate",
                                                      "intel_idle.max_cstate",
                                                      "intel_pstate",
                                                      "tsc"};
  const auto text = source.text("/proc/cmdline");
  if (!text) return nullptr;
  Json found = Json::object();
  for (const auto word : words(*text)) {
    const auto name = word.substr(0, word.find('='));
    if (std::ranges::find(recorded, name) == recorded.end() && name != "clocksource") continue;
    found[std::string(name)] = name == word ? "" : std::string(word.substr(name.size() + 1));
  }
  return found;
}

std::optional<std::string> setting(std::string_view config, std::string_view name) {
  for (const auto line : split(config, '\n'))
    if (line.starts_with(name) && line.size() > name.size() && line[name.size()] == '=')
      return std::string(line.substr(name.size() + 1));
  return std::nullopt;
}

Json timer_rate(std::string_view config) {
  const auto text = setting(config, "CONFIG_HZ");
  const auto rate = text ? whole(*text) : std::nullopt;
  return or_null(rate);
}

Json preemption(std::string_view config, std::string_view version) {
  for (const std::string_view word : {"PREEMPT_RT", "PREEMPT_DYNAMIC", "PREEMPT"})
    if (version.find(word) != std::string_view::npos) return lower(word);
  for (const std::string_view name : {"CONFIG_PREEMPT_VOLUNTARY", "CONFIG_PREEMPT_NONE"})
    if (setting(config, name) == "y") return lower(name.substr(7));
  return nullptr;
}

Json scheduler(Source& source) {
  Json list = Json::object();
  for (const std::string name : {"sched_autogroup_enabled", "sched_rt_runtime_us", "sched_schedstats",
                                 "sched_migration_cost_ns", "sched_min_granularity_ns", "sched_latency_ns"})
    if (const auto value = source.peek_number("/proc/sys/kernel/" + name)) list[name] = *value;
  return list;
}

std::string kernel_config(Source& source) {
  const auto packed = source.peek("/proc/config.gz");
  const auto config = packed ? unpacked(*packed) : std::nullopt;
  if (!config) source.note_missing("/proc/config.gz", packed ? "cannot be unpacked" : error_text(ENOENT));
  return config.value_or("");
}

}  // namespace

void describe_kernel(Source& source, Json& machine) {
  const std::string clocks = "/sys/devices/system/clocksource/clocksource0/";
  machine["uname"] = uname_of(source);
  machine["architecture"] = machine["uname"]["machine"];
  const auto config = kernel_config(source);
  const auto& version = machine["uname"]["version"];
  machine["kernel"] = {
      {"command_line", command_line(source)},
      {"timer_hz", timer_rate(config)},
      {"preemption", preemption(config, version.is_string() ? version.get<std::string>() : "")},
      {"clock_source", or_null(source.text(clocks + "current_clocksource"))},
      {"clock_sources", or_null(source.peek(clocks + "available_clocksource"))},
      {"randomize_va_space", or_null(source.number("/proc/sys/kernel/randomize_va_space"))},
      {"numa_balancing", or_null(source.number("/proc/sys/kernel/numa_balancing"))},
      {"isolated_processors", or_null(source.peek("/sys/devices/system/cpu/isolated"))},
      {"tickless_processors", or_null(source.peek("/sys/devices/system/cpu/nohz_full"))},
      {"scheduler", scheduler(source)}};
}

}  // namespace steelyard::machine
