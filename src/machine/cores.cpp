// SPDX-License-Identifier: Apache-2.0
#include <sched.h>

#include <algorithm>
#include <set>

#include "machine/processors.hpp"
#include "machine/words.hpp"

namespace steelyard::machine {

namespace {

/// Of a line that begins a paragraph about one processor: "processor : 3", on z/Architecture "cpu number : 3" and
/// "processor 3: version = 00".
std::optional<int> processor_of(std::string_view line) {
  constexpr std::string_view word = "processor ";
  auto number = field(line, "processor");
  if (!number) number = field(line, "cpu number");
  if (!number && line.starts_with(word)) number = trimmed(line.substr(word.size(), line.find(':') - word.size()));
  const auto n = number ? whole(*number) : std::nullopt;
  return n ? std::optional(static_cast<int>(*n)) : std::nullopt;
}

std::vector<int> processors_of_cpuinfo(std::string_view cpuinfo) {
  std::set<int> found;
  for (const auto line : split(cpuinfo, '\n'))
    if (const auto n = processor_of(line)) found.insert(*n);
  return {found.begin(), found.end()};
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

/// Socket and core in cpuinfo's paragraphs, for kernels whose sysfs tells nothing.
std::map<int, Place> places_of_cpuinfo(std::string_view cpuinfo) {
  std::map<int, Place> places;
  Place* place = nullptr;
  for (const auto line : split(cpuinfo, '\n')) {
    const auto number = [&](std::string_view key, std::string_view loongarch) {
      auto value = field(line, key);
      if (!value) value = field(line, loongarch);
      return value ? whole(*value) : std::nullopt;
    };
    if (const auto n = processor_of(line)) place = &places[*n];
    if (place == nullptr) continue;
    if (const auto n = number("physical id", "package")) place->socket = n;
    if (const auto n = number("core id", "core")) place->core = n;
  }
  return places;
}

/// Some kernels write -1 for a socket that they do not know.
std::optional<std::int64_t> socket_of(Source& source, int processor, const Place& place) {
  const auto socket = source.peek_number(processor_path(processor) + "/topology/physical_package_id");
  return socket && *socket >= 0 ? socket : place.socket;
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
    const auto socket = socket_of(source, n, place);
    if (socket) sockets_.insert(*socket);
    const int same_ids =
        place.core ? first_at.try_emplace({place.socket.value_or(0), *place.core}, n).first->second : n;
    const auto sibling = first_sibling(source, n);
    core_[n] = sibling.value_or(same_ids);
    knows_sockets_ = knows_sockets_ && socket;
    knows_cores_ = knows_cores_ && (sibling || place.core);
  }
  if (processors_.size() > 1) return;
  knows_cores_ = knows_sockets_ = !processors_.empty();
}

int Cores::core_of(int processor) const {
  const auto found = core_.find(processor);
  return found == core_.end() ? processor : found->second;
}

std::optional<int> Cores::cores() const {
  return knows_cores_ ? std::optional(static_cast<int>(distinct(core_))) : std::nullopt;
}
std::optional<int> Cores::sockets() const {
  return knows_sockets_ ? std::optional(std::max(1, static_cast<int>(sockets_.size()))) : std::nullopt;
}

std::optional<int> Cores::threads_per_core() const {
  if (!knows_cores_) return std::nullopt;
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
