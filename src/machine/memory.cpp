// SPDX-License-Identifier: Apache-2.0
#include "machine/memory.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>

#include "machine/cgroup.hpp"
#include "machine/words.hpp"

namespace steelyard::machine {

namespace {

std::string meminfo(Source& source) {
  return source.text("/proc/meminfo").value_or("");
}

std::optional<std::int64_t> used_swap(std::string_view text) {
  const auto total = bytes_of_kilobytes(text, "SwapTotal");
  const auto free = bytes_of_kilobytes(text, "SwapFree");
  return total && free ? std::optional(*total - *free) : std::nullopt;
}

Json huge_page_pools(Source& source) {
  const std::string directory = "/sys/kernel/mm/hugepages";
  Json pools = Json::array();
  for (const auto& name : source.names(directory)) {
    const auto size = cache_bytes(std::string_view(name).substr(std::min(name.size(), name.find('-') + 1)));
    if (!size) continue;
    pools.push_back({{"size_byte", *size},
                     {"total", or_null(source.peek_number(directory + "/" + name + "/nr_hugepages"))},
                     {"free", or_null(source.peek_number(directory + "/" + name + "/free_hugepages"))}});
  }
  return pools;
}

Json choice(Source& source, const std::string& path) {
  const auto text = source.text(path);
  const auto word = text ? chosen(*text) : std::nullopt;
  return word ? Json(std::string(*word)) : Json(nullptr);
}

Json huge_pages(Source& source) {
  const std::string transparent = "/sys/kernel/mm/transparent_hugepage/";
  return {{"transparent", choice(source, transparent + "enabled")},
          {"transparent_defrag", choice(source, transparent + "defrag")},
          {"transparent_shared", choice(source, transparent + "shmem_enabled")},
          {"default_size_byte", or_null(bytes_of_kilobytes(meminfo(source), "Hugepagesize"))},
          {"pools", huge_page_pools(source)}};
}

/// What decides how much of a written file stays in memory.
Json write_back(Source& source) {
  Json list = Json::object();
  for (const std::string name :
       {"dirty_ratio", "dirty_background_ratio", "dirty_bytes", "dirty_background_bytes",
        "dirty_expire_centisecs", "dirty_writeback_centisecs"})
    list[name] = or_null(source.number("/proc/sys/vm/" + name));
  return list;
}

/// Fields of the line of /proc/self/limits that begins with `name`: soft, hard, unit.
std::vector<std::string> limit_fields(Source& source, std::string_view name) {
  const auto text = source.text("/proc/self/limits").value_or("");
  for (const auto line : split(text, '\n')) {
    if (!line.starts_with(name)) continue;
    const auto parts = words(line.substr(name.size()));
    return {parts.begin(), parts.end()};
  }
  return {};
}

Json limit(const std::vector<std::string>& fields, std::size_t which) {
  return fields.size() > which ? or_null(whole(fields[which])) : Json(nullptr);
}

std::optional<std::int64_t> limit_left(Source& source, std::string_view limit, std::string_view used) {
  const auto most = soft_limit(source, limit);
  if (!most) return std::nullopt;
  const auto now = bytes_of_kilobytes(source.text("/proc/self/status").value_or(""), used);
  return std::max<std::int64_t>(0, *most - now.value_or(0));
}

/// `what`: _SC_AVPHYS_PAGES, _SC_PHYS_PAGES.
std::optional<std::int64_t> physical_memory(int what) {
  const auto pages = ::sysconf(what);
  const auto size = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && size > 0 ? std::optional<std::int64_t>(pages * size) : std::nullopt;
}

std::optional<std::int64_t> all_memory(Source& source) {
  if (const auto total = bytes_of_kilobytes(meminfo(source), "MemTotal")) return total;
  return source.live() ? physical_memory(_SC_PHYS_PAGES) : std::nullopt;
}

/// 0 if nothing is known.
std::int64_t least_of(std::initializer_list<std::optional<std::int64_t>> values) {
  std::optional<std::int64_t> least;
  for (const auto& value : values)
    if (value) least = std::min(least.value_or(*value), *value);
  return least.value_or(0);
}

}  // namespace

std::optional<std::int64_t> soft_limit(Source& source, std::string_view name) {
  const auto fields = limit_fields(source, name);
  return fields.empty() ? std::nullopt : whole(fields.front());
}

std::optional<std::int64_t> available_memory(Source& source) {
  const auto text = meminfo(source);
  if (const auto available = bytes_of_kilobytes(text, "MemAvailable")) return available;
  const auto free = bytes_of_kilobytes(text, "MemFree");
  if (!free) return source.live() ? physical_memory(_SC_AVPHYS_PAGES) : std::nullopt;
  return *free + bytes_of_kilobytes(text, "Inactive(file)").value_or(0);
}

void describe_memory(Source& source, Json& machine) {
  const auto text = meminfo(source);
  machine["memory_byte"] = or_null(bytes_of_kilobytes(text, "MemTotal"));
  machine["available_byte"] = or_null(available_memory(source));
  machine["swap_byte"] = or_null(bytes_of_kilobytes(text, "SwapTotal"));
  machine["swap_used_byte"] = or_null(used_swap(text));
  machine["page_byte"] = static_cast<std::int64_t>(::sysconf(_SC_PAGESIZE));
  machine["huge_pages"] = huge_pages(source);
  machine["write_back"] = write_back(source);
}

void describe_limits(Source& source, Json& machine) {
  struct Name {
    std::string_view kernel, member;
  };
  constexpr std::array names{Name{"Max locked memory", "locked_byte"},
                             Name{"Max stack size", "stack_byte"},
                             Name{"Max address space", "address_space_byte"},
                             Name{"Max data size", "data_byte"},
                             Name{"Max file size", "file_byte"},
                             Name{"Max open files", "open_files"},
                             Name{"Max cpu time", "cpu_s"}};
  if (!source.text("/proc/self/limits")) {
    machine["limits"] = nullptr;
    return;
  }
  Json limits = Json::object();
  for (const auto& [kernel, member] : names) {
    const auto fields = limit_fields(source, kernel);
    limits[std::string(member)] = {{"soft", limit(fields, 0)}, {"hard", limit(fields, 1)}};
  }
  machine["limits"] = std::move(limits);
}

std::int64_t usable_memory(const Roots& roots) {
  Source source(roots);
  return least_of({available_memory(source), ControlGroups(source).memory_left_byte(),
                   limit_left(source, "Max address space", "VmSize"),
                   limit_left(source, "Max data size", "VmData")});
}

std::int64_t node_memory(const Roots& roots) {
  Source source(roots);
  return least_of({all_memory(source), ControlGroups(source).memory_limit_byte()});
}

}  // namespace steelyard::machine
