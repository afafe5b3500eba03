// SPDX-License-Identifier: Apache-2.0
#include <sched.h>

#include <algorithm>
#include <set>

#include "machine/processors.hpp"
#include "machine/words.hpp"

namespace steelyard::machine {

namespace {

std::vector<int> processors_of_cpuinfo(std::string_view cpuinfo) {
  std::vector<int> list;
  for (const auto line : split(cpuinfo, '\n')) {
    if (!line.starts_with("processor")) continue;
    const auto number = field(line, "processor");
    if (const auto n = number ? whole(*number) : std::nullopt) list.push_back(static_cast<int>(*n));
  }
  return list;
}

std::vector<int> online_processors(Source& source) {
  if (const auto online = source.text("/sys/devices/system/cpu/online")) return parse_cpu_list(*online);
  return processors_of_cpuinfo(source.text("/proc/cpuinfo").value_or(""));
}

/// Lowest thread of the same core, from sysfs.
std::optional<int> first_sibling(Source& source, int processor) {
  const auto topology = processor_path(processor) + "/topology/";
  auto siblings = source.peek(topology + "thread_siblings_list");
  if (!siblings) siblings = source.peek(topology + "core_cpus_list");
  const auto list = parse_cpu_list(siblings.value_or(""));
  return list.empty() ? std::nullopt : std::optional<int>(list.front());
}

struct Place {
  std::optional<std::int64_t> socket, core;
};

/// "physical id" and "core id" of cpuinfo's paragraphs, for kernels whose sysfs tells nothing.
std::map<int, Place> places_of_cpuinfo(std::string_view cpuinfo) {
  std::map<int, Place> places;
  Place* place = nullptr;
  for (const auto line : split(cpuinfo, '\n')) {
    const auto number = [&](std::string_view key) {
      const auto value = field(line, key);
      return value ? whole(*value) : std::nullopt;
    };
    if (const auto n = number("processor")) place = &places[static_cast<int>(*n)];
    if (place == nullptr) continue;
    if (const auto n = number("physical id")) place->socket = n;
    if (const auto n = number("core id")) place->core = n;
  }
  return places;
}

std::size_t distinct(const std::map<int, int>& map) {
  std::set<int> values;
  for (const auto& [key, value] : map) values.insert(value);
  return values.size();
}

std::vector<int> system_affinity() {
  cpu_set_t set;
  std::vector<int> list;
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return list;
  for (int n = 0; n < CPU_SETSIZE; ++n)
    if (CPU_ISSET(static_cast<std::size_t>(n), &set)) list.push_back(n);
  return list;
}

}  // namespace

std::string processor_path(int processor) {
  return "/sys/devices/system/cpu/cpu" + std::to_string(processor);
}

Cores::Cores(Source& source) : processors_(online_processors(source)) {
  const auto places = places_of_cpuinfo(source.text("/proc/cpuinfo").value_or(""));
  std::map<std::pair<std::int64_t, std::int64_t>, int> first_at;
  for (const int n : processors_) {
    const auto known = places.find(n);
    const Place place = known == places.end() ? Place{} : known->second;
    const auto socket = source.peek_number(processor_path(n) + "/topology/physical_package_id");
    socket_[n] = static_cast<int>(std::max<std::int64_t>(0, socket.value_or(place.socket.value_or(0))));
    const int same_ids =
        place.core ? first_at.try_emplace({place.socket.value_or(0), *place.core}, n).first->second : n;
    core_[n] = first_sibling(source, n).value_or(same_ids);
  }
}

int Cores::core_of(int processor) const {
  const auto found = core_.find(processor);
  return found == core_.end() ? processor : found->second;
}

int Cores::cores() const {
  return static_cast<int>(distinct(core_));
}
int Cores::sockets() const {
  return static_cast<int>(distinct(socket_));
}

int Cores::threads_per_core() const {
  std::map<int, int> threads;
  int most = 0;
  for (const auto& [processor, core] : core_) most = std::max(most, ++threads[core]);
  return most;
}

std::vector<int> Cores::cores_of(const std::vector<int>& processors) const {
  std::set<int> cores;
  for (const int n : processors) cores.insert(core_of(n));
  return {cores.begin(), cores.end()};
}

std::vector<int> allowed_processors(Source& source, const Cores& cores) {
  const auto status = source.text("/proc/self/status");
  const auto list = status ? field(*status, "Cpus_allowed_list") : std::nullopt;
  auto allowed = list ? parse_cpu_list(*list) : source.live() ? system_affinity() : cores.processors();
  std::erase_if(allowed, [&](int n) { return !std::ranges::binary_search(cores.processors(), n); });
  return allowed.empty() ? cores.processors() : allowed;
}

}  // namespace steelyard::machine
