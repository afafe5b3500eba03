// SPDX-License-Identifier: Apache-2.0
#include "kernel_files.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <tuple>

#include "machine/text.hpp"

namespace steelyard::zoo {
namespace {

/// A logical processor and where it sits.
struct Logical {
  int number = 0, socket = 0, core = 0;  // core of the socket
  std::size_t group = 0;
  int member = 0;  // core of the group
};

/// Cores of all sockets in the order of their numbers.
std::vector<Logical> all_cores(const MachineData& machine) {
  std::vector<Logical> cores;
  for (int socket = 0; socket < machine.sockets; ++socket) {
    int core = 0;
    for (std::size_t group = 0; group < machine.cores.size(); ++group)
      for (int member = 0; member < machine.cores[group].count; ++member)
        cores.push_back({0, socket, core++, group, member});
  }
  return cores;
}

std::vector<Logical> all_processors(const MachineData& machine) {
  std::vector<Logical> all;
  int next = 0;
  const auto add = [&](Logical one) {
    const auto& group = machine.cores[one.group];
    if (group.number && one.socket == 0 && one.member == 0) next = std::max(next, *group.number);
    one.number = next++;
    all.push_back(one);
  };
  const auto cores = all_cores(machine);
  const auto threads = [&](const Logical& core) { return machine.cores[core.group].threads; };
  if (machine.threads_adjacent) {
    for (const auto& core : cores)
      for (int i = 0; i < threads(core); ++i) add(core);
    return all;
  }
  constexpr int most_threads = 8;
  for (int i = 0; i < most_threads; ++i)
    for (const auto& core : cores)
      if (i < threads(core)) add(core);
  return all;
}

std::vector<Logical> online(const MachineData& machine, std::vector<Logical> all) {
  const auto off = machine::parse_cpu_list(machine.offline);
  std::erase_if(all, [&](const Logical& one) { return std::ranges::binary_search(off, one.number); });
  return all;
}

std::string list_of(std::vector<int> numbers) {
  std::ranges::sort(numbers);
  return machine::format_cpu_list(numbers);
}

std::string replaced(std::string text, const std::map<std::string, std::string>& words) {
  for (const auto& [word, value] : words)
    for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + value.size()))
      text.replace(at, word.size(), value);
  return text;
}

std::int64_t kibibytes(double gibibyte) {
  return std::llround(gibibyte * (1 << 20));
}

class KernelFiles {
 public:
  explicit KernelFiles(const MachineData& machine)
      : machine_(machine), all_(all_processors(machine)), online_(online(machine, all_)) {}

  machine::Files files() {
    put_cpuinfo();
    put_meminfo();
    put_process();
    if (!machine_.lacks("sys")) {
      put_processors();
      put_nodes();
      put_group();
    }
    for (const auto& [path, content] : machine_.files) put(path, content);
    return std::move(files_);
  }

 private:
  void put(const std::string& path, const std::string& content) { files_[path] = content + "\n"; }
  void put(const std::string& path, std::int64_t number) { put(path, std::to_string(number)); }

  void put_cpuinfo() {
    std::string text = machine_.cpuinfo_head;
    for (const auto& one : online_)
      text += replaced(machine_.cpuinfo, {{"{processor}", std::to_string(one.number)},
                                          {"{socket}", std::to_string(one.socket)},
                                          {"{core}", std::to_string(one.core)},
                                          {"{part}", machine_.cores[one.group].part}}) +
              "\n";
    put("/proc/cpuinfo", text + machine_.cpuinfo_tail);
  }

  void put_meminfo() {
    const auto line = [](const char* key, double gibibyte) {
      return std::string(key) + ": " + std::to_string(kibibytes(gibibyte)) + " kB\n";
    };
    const std::string free = line("MemFree", machine_.available_gibibyte);
    put("/proc/meminfo",
        line("MemTotal", machine_.gibibyte) + free +
            (machine_.lacks("available") ? "" : line("MemAvailable", machine_.available_gibibyte)));
  }

  void put_process() {
    put("/proc/self/status",
        "Cpus_allowed_list:\t" + (machine_.allowed.empty() ? numbers() : machine_.allowed));
  }

  [[nodiscard]] std::string numbers() const {
    return sharing([](const Logical&) { return true; });
  }

  [[nodiscard]] std::string sharing(const std::function<bool(const Logical&)>& shares) const {
    std::vector<int> list;
    for (const auto& one : online_)
      if (shares(one)) list.push_back(one.number);
    return list_of(std::move(list));
  }

  void put_processors() {
    if (!machine_.lacks("online")) put("/sys/devices/system/cpu/online", numbers());
    for (const auto& one : all_) {
      const auto directory = "/sys/devices/system/cpu/cpu" + std::to_string(one.number) + "/";
      const bool works =
          std::ranges::any_of(online_, [&](const auto& other) { return other.number == one.number; });
      put(directory + "online", works ? 1 : 0);
      if (!works) continue;
      if (!machine_.lacks("topology")) put_topology(directory + "topology/", one);
      if (!machine_.lacks("caches")) put_caches(directory + "cache/index", one);
    }
  }

  void put_topology(const std::string& directory, const Logical& one) {
    put(directory + "physical_package_id", machine_.lacks("packages") ? -1 : one.socket);
    put(directory + "thread_siblings_list", of_core(one));
  }

  [[nodiscard]] std::string of_core(const Logical& one) {
    auto& known = of_core_[{one.socket, one.core}];
    if (known.empty())
      known =
          sharing([&](const auto& other) { return other.socket == one.socket && other.core == one.core; });
    return known;
  }

  /// Of the cores of its group that share a cache with it.
  [[nodiscard]] std::string of_members(const Logical& one, int together) {
    auto& known = of_members_[{one.socket, one.group, one.member / together, together}];
    if (known.empty())
      known = sharing([&](const auto& other) {
        return other.socket == one.socket && other.group == one.group &&
               other.member / together == one.member / together;
      });
    return known;
  }

  [[nodiscard]] std::string of_socket(const Logical& one) {
    auto& known = of_socket_[one.socket];
    if (known.empty())
      known = sharing([&](const auto& other) {
        return other.socket == one.socket && !machine_.cores[other.group].l3.empty();
      });
    return known;
  }

  void put_caches(const std::string& index, const Logical& one) {
    const auto& group = machine_.cores[one.group];
    int next = 0;
    const auto cache = [&](int level, const char* kind, const std::string& size, const std::string& shared) {
      if (size.empty()) return;
      const auto directory = index + std::to_string(next++) + "/";
      put(directory + "level", level);
      put(directory + "type", kind);
      if (!machine_.lacks("cache sizes")) put(directory + "size", size);
      put(directory + "coherency_line_size", machine_.cache_line);
      put(directory + "shared_cpu_list", shared);
    };
    cache(1, "Data", group.l1, of_core(one));
    cache(1, "Instruction", group.l1, of_core(one));
    cache(2, "Unified", group.l2, of_members(one, group.l2_cores));
    cache(3, "Unified", group.l3, group.l3_cores > 0 ? of_members(one, group.l3_cores) : of_socket(one));
  }

  void put_nodes() {
    if (machine_.lacks("nodes")) return;
    auto nodes = machine_.nodes;
    if (nodes.empty()) nodes.push_back({0, machine_.gibibyte, numbers()});
    for (const auto& node : nodes) {
      const auto directory = "/sys/devices/system/node/node" + std::to_string(node.number) + "/";
      const auto said = "Node " + std::to_string(node.number) + " ";
      put(directory + "cpulist", node.processors);
      put(directory + "meminfo", said + "MemTotal: " + std::to_string(kibibytes(node.gibibyte)) + " kB\n" +
                                     said + "MemFree: " + std::to_string(kibibytes(node.gibibyte / 2)) +
                                     " kB");
    }
  }

  void put_group() {
    constexpr double period_us = 1e5;
    const auto limit = [](std::optional<double> value, double unit) {
      return value ? std::to_string(std::llround(*value * unit)) : std::string();
    };
    const auto quota = limit(machine_.group_processors, period_us);
    const auto memory = limit(machine_.group_gibibyte, 1 << 30);
    const std::string top = "/sys/fs/cgroup/";
    if (machine_.group_version == 2) {
      put("/proc/self/mountinfo", "30 22 0:27 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw");
      put("/proc/self/cgroup", "0::/job");
      put(top + "job/cpu.max", (quota.empty() ? "max" : quota) + " 100000");
      put(top + "job/memory.max", memory.empty() ? "max" : memory);
      put(top + "job/memory.current", 0);
    }
    if (machine_.group_version == 1) {
      put("/proc/self/mountinfo",
          "30 22 0:27 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
          "31 22 0:28 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct");
      put("/proc/self/cgroup", "5:memory:/job\n4:cpu,cpuacct:/job");
      put(top + "cpu,cpuacct/job/cpu.cfs_quota_us", quota.empty() ? "-1" : quota);
      put(top + "cpu,cpuacct/job/cpu.cfs_period_us", "100000");
      put(top + "memory/job/memory.limit_in_bytes", memory.empty() ? "9223372036854771712" : memory);
      put(top + "memory/job/memory.usage_in_bytes", "0");
    }
  }

  const MachineData& machine_;
  std::vector<Logical> all_, online_;
  std::map<std::pair<int, int>, std::string> of_core_;
  std::map<std::tuple<int, std::size_t, int, int>, std::string> of_members_;
  std::map<int, std::string> of_socket_;
  machine::Files files_;
};

}  // namespace

machine::Files kernel_files(const MachineData& machine) {
  return KernelFiles(machine).files();
}

}  // namespace steelyard::zoo
