// SPDX-License-Identifier: Apache-2.0
#include "machine/cgroup.hpp"

#include <algorithm>
#include <array>

#include "machine/directory.hpp"
#include "machine/text.hpp"

namespace steelyard::machine {

namespace {

// Version 1 writes "no limit" as the largest page-aligned number; no real limit comes near it.
constexpr std::int64_t no_limit = std::int64_t{1} << 60;

bool has_controller(std::string_view list, std::string_view controller) {
  return std::ranges::any_of(split(list, ','), [&](auto word) { return word == controller; });
}

/// Group as seen from its mount: inside a container the mount shows only a part of the tree.
std::string relative_group(std::string_view group, std::string_view root) {
  if (group.starts_with("/..")) return "";
  if (root != "/" && !group.starts_with(root)) return "";
  const auto rest = root == "/" ? group : group.substr(root.size());
  return rest == "/" || !rest.starts_with('/') ? "" : std::string(rest);
}

template <class T>
std::optional<T> least(std::optional<T> a, std::optional<T> b) {
  return a && b ? std::min(*a, *b) : (a ? a : b);
}

}  // namespace

ControlGroups::ControlGroups(Source& source) : source_(source) {
  read_mounts();
  read_groups();
}

void ControlGroups::read_mounts() {
  for (const auto& mount : mounts(source_)) {
    if (mount.type == "cgroup2") mounts_.push_back({mount.point, mount.root, mount.super_options, 2});
    if (mount.type == "cgroup") mounts_.push_back({mount.point, mount.root, mount.super_options, 1});
  }
}

void ControlGroups::read_groups() {
  const auto text = source_.text("/proc/self/cgroup").value_or("");
  for (const auto line : split(text, '\n')) {
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) continue;
    const auto controllers = line.substr(first + 1, second - first - 1);
    const std::string group(line.substr(second + 1));
    if (controllers.empty()) {
      unified_ = group;
      has_unified_ = true;
    }
    for (const auto controller : split(controllers, ',')) controlled_.emplace_back(controller, group);
  }
}

std::string ControlGroups::version() const {
  const bool one = std::ranges::any_of(mounts_, [](const Mount& m) { return m.version == 1; });
  const bool two = std::ranges::any_of(mounts_, [](const Mount& m) { return m.version == 2; });
  return one && two ? "hybrid" : one ? "v1" : two ? "v2" : "";
}

/// Levels from this process's group up to the mount point.
std::vector<ControlGroups::Level> ControlGroups::levels(std::string_view controller) const {
  std::vector<Level> list;
  const auto append = [&](const Mount& mount, std::string_view group) {
    auto relative = relative_group(group, mount.root);
    for (; !relative.empty(); relative.erase(relative.rfind('/')))
      list.push_back({mount.point + relative, mount.version});
    list.push_back({mount.point, mount.version});
  };
  for (const auto& mount : mounts_) {
    if (mount.version == 2 && has_unified_) append(mount, unified_);
    if (mount.version == 2 || !has_controller(mount.options, controller)) continue;
    for (const auto& [name, group] : controlled_)
      if (name == controller) append(mount, group);
  }
  return list;
}

std::optional<double> ControlGroups::quota(const Level& level) const {
  if (level.version == 2) {
    const auto text = source_.peek(level.directory + "/cpu.max");
    const auto parts = words(text ? std::string_view(*text) : std::string_view());
    const auto quota = parts.size() == 2 ? decimal(parts[0]) : std::nullopt;
    const auto period = parts.size() == 2 ? decimal(parts[1]) : std::nullopt;
    return quota && period && *period > 0 ? std::optional<double>(*quota / *period) : std::nullopt;
  }
  const auto quota = source_.peek_number(level.directory + "/cpu.cfs_quota_us");
  const auto period = source_.peek_number(level.directory + "/cpu.cfs_period_us");
  if (!quota || !period || *quota <= 0 || *period <= 0) return std::nullopt;
  return static_cast<double>(*quota) / static_cast<double>(*period);
}

std::optional<double> ControlGroups::quota_cores() const {
  std::optional<double> result;
  for (const auto& level : levels("cpu")) result = least(result, quota(level));
  return result;
}

std::optional<std::int64_t> ControlGroups::memory_limit(const Level& level) const {
  const auto limit_in = [&](const char* file) {
    const auto limit = source_.peek_number(level.directory + file);
    return limit && *limit < no_limit ? limit : std::nullopt;
  };
  if (level.version == 1) return limit_in("/memory.limit_in_bytes");
  // Beyond "high" the kernel ends nobody, but stops those who ask for more until others give back.
  return least(limit_in("/memory.max"), limit_in("/memory.high"));
}

std::int64_t ControlGroups::memory_used(const Level& level) const {
  const bool two = level.version == 2;
  const auto used =
      source_.peek_number(level.directory + (two ? "/memory.current" : "/memory.usage_in_bytes"));
  const auto statistics = source_.peek(level.directory + "/memory.stat").value_or("");
  const auto droppable = counter(statistics, two ? "inactive_file" : "total_inactive_file");
  return std::max<std::int64_t>(0, used.value_or(0) - droppable.value_or(0));
}

std::optional<std::int64_t> ControlGroups::memory_limit_byte() const {
  std::optional<std::int64_t> result;
  for (const auto& level : levels("memory")) result = least(result, memory_limit(level));
  return result;
}

std::optional<std::int64_t> ControlGroups::memory_left_byte() const {
  std::optional<std::int64_t> result;
  for (const auto& level : levels("memory")) {
    const auto limit = memory_limit(level);
    if (limit) result = least<std::int64_t>(result, std::max<std::int64_t>(0, *limit - memory_used(level)));
  }
  return result;
}

std::optional<std::int64_t> ControlGroups::throttled_periods() const {
  std::optional<std::int64_t> sum;
  for (const auto& level : levels("cpu"))
    if (const auto n = counter(source_.peek(level.directory + "/cpu.stat").value_or(""), "nr_throttled"))
      sum = sum.value_or(0) + *n;
  return sum;
}

std::optional<double> ControlGroups::throttled_s() const {
  std::optional<double> sum;
  for (const auto& level : levels("cpu")) {
    const auto text = source_.peek(level.directory + "/cpu.stat").value_or("");
    const auto time = counter(text, level.version == 2 ? "throttled_usec" : "throttled_time");
    if (time) sum = sum.value_or(0) + static_cast<double>(*time) * (level.version == 2 ? 1e-6 : 1e-9);
  }
  return sum;
}

std::optional<std::string> ControlGroups::container() const {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> signs{
      {{"kubepods", "kubernetes"},
       {"docker", "docker"},
       {"libpod", "podman"},
       {"/lxc", "lxc"},
       {"containerd", "containerd"},
       {"machine.slice", "machine"}}};
  const auto text = source_.peek("/proc/self/cgroup").value_or("");
  for (const auto& [sign, kind] : signs)
    if (text.find(sign) != std::string::npos) return std::string(kind);
  return std::nullopt;
}

}  // namespace steelyard::machine
