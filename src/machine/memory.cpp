// SPDX-License-Identifier: Apache-2.0
#include "machine/memory.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <tuple>

#include "machine/cgroup.hpp"
#include "machine/text.hpp"

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

/// Settings that decide how much of a written file stays in memory.
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

/// Bytes of physical memory; `what`: _SC_AVPHYS_PAGES, _SC_PHYS_PAGES.
std::optional<std::int64_t> physical_memory(int what) {
  const auto pages = ::sysconf(what);
  const auto size = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && size > 0 ? std::optional<std::int64_t>(pages * size) : std::nullopt;
}

std::optional<std::int64_t> all_memory(Source& source) {
  if (const auto total = bytes_of_kilobytes(meminfo(source), "MemTotal")) return total;
  return source.live() ? physical_memory(_SC_PHYS_PAGES) : std::nullopt;
}

/// Least of the known values; 0 if none is known. Where nothing is left it is so little that nobody can use it,
/// as 0 would permit everything.
std::int64_t least_of(std::initializer_list<std::optional<std::int64_t>> values) {
  constexpr std::int64_t next_to_nothing = 1 << 20;
  std::optional<std::int64_t> least;
  for (const auto& value : values)
    if (value) least = std::min(least.value_or(*value), *value);
  return least ? std::max(*least, next_to_nothing) : 0;
}

struct CacheKind {
  std::int64_t level = 0;
  std::string kind;
  std::int64_t size_byte = 0, line_byte = 0, ways = 0;
  std::size_t shared_by = 0;
  auto operator<=>(const CacheKind&) const = default;
};

std::vector<std::string> cache_paths(const Source& source, int processor) {
  std::vector<std::string> paths;
  const auto directory = processor_path(processor) + "/cache";
  for (const auto& name : source.names(directory))
    if (name.starts_with("index")) paths.push_back(directory + "/" + name);
  return paths;
}

std::vector<int> sharers(Source& source, const std::string& path) {
  return parse_cpu_list(source.peek(path + "/shared_cpu_list").value_or(""));
}

CacheKind read_cache(Source& source, const std::string& path) {
  return {.level = source.peek_number(path + "/level").value_or(0),
          .kind = lower(source.peek(path + "/type").value_or("")),
          .size_byte = cache_bytes(source.peek(path + "/size").value_or("")).value_or(0),
          .line_byte = source.peek_number(path + "/coherency_line_size").value_or(0),
          .ways = source.peek_number(path + "/ways_of_associativity").value_or(0),
          .shared_by = sharers(source, path).size()};
}

Json known(std::int64_t value) {
  return value > 0 ? Json(value) : Json(nullptr);
}

/// Cache in a line like "level=4 type=Unified scope=Shared size=688128K line_size=256 associativity=42": on
/// z/Architecture only cpuinfo tells the caches that cores share.
CacheKind cache_of_words(std::string_view line) {
  CacheKind cache;
  for (const auto word : words(line)) {
    const auto key = word.substr(0, word.find('='));
    const auto value = word.substr(std::min(word.size(), key.size() + 1));
    if (key == "level") cache.level = whole(value).value_or(0);
    if (key == "type") cache.kind = lower(value);
    if (key == "size") cache.size_byte = cache_bytes(value).value_or(0);
    if (key == "line_size") cache.line_byte = whole(value).value_or(0);
    if (key == "associativity") cache.ways = whole(value).value_or(0);
  }
  return cache;
}

/// Caches of cpuinfo beyond a level; it does not tell which processors share them.
std::vector<CacheKind> caches_of_cpuinfo(Source& source, std::int64_t beyond) {
  std::vector<CacheKind> caches;
  const auto text = source.peek("/proc/cpuinfo").value_or("");
  for (int i = 0;; ++i) {
    const auto line = field(text, "cache" + std::to_string(i));
    if (!line) return caches;
    if (const auto cache = cache_of_words(*line); cache.level > beyond) caches.push_back(cache);
  }
}

/// Lines of this length that the processor brings in at once: those of Intel complete the pair of every line that they
/// bring into the second level.
std::int64_t lines_at_once(Source& source) {
  const auto text = source.peek("/proc/cpuinfo").value_or("");
  return field(text, "vendor_id").value_or("") == "GenuineIntel" ? 2 : 1;
}

/// Size of the last level by "cache size" of cpuinfo; 0 for processors of AMD, where it is that of the second level.
std::int64_t cache_size_of_cpuinfo(Source& source) {
  const auto text = source.peek("/proc/cpuinfo").value_or("");
  const auto vendor = field(text, "vendor_id").value_or("");
  if (vendor == "AuthenticAMD" || vendor == "HygonGenuine") return 0;
  return cache_bytes(field(text, "cache size").value_or("")).value_or(0);
}

Json cache_json(const CacheKind& cache, std::optional<int> count) {
  return {{"level", cache.level},
          {"kind", cache.kind},
          {"size_byte", known(cache.size_byte)},
          {"line_byte", known(cache.line_byte)},
          {"ways", known(cache.ways)},
          {"shared_by", known(static_cast<std::int64_t>(cache.shared_by))},
          {"count", or_null(count)}};
}

/// Number of caches of each kind; each counts once, by the first of the processors that share it.
std::map<CacheKind, int> count_caches(Source& source, const Cores& cores) {
  std::map<CacheKind, int> counts;
  for (const int n : cores.processors())
    for (const auto& path : cache_paths(source, n)) {
      const auto shared = sharers(source, path);
      const auto first = std::ranges::find_if(
          shared, [&](int other) { return std::ranges::binary_search(cores.processors(), other); });
      if (first == shared.end() || *first == n) ++counts[read_cache(source, path)];
    }
  return counts;
}

/// Number of caches of a level on the whole node, each counted by the first processor that shares it; 1 if
/// it is not known.
int count_of_level(Source& source, const Cores& cores, std::int64_t level) {
  int count = 0;
  for (const auto& [kind, caches] : count_caches(source, cores))
    if (kind.level == level && kind.kind != "instruction") count += caches;
  return std::max(count, 1);
}

constexpr const char* nodes_path = "/sys/devices/system/node";

/// Bytes in a line "Node 0 MemTotal:  65536 kB", which is a line of meminfo behind its first two words.
std::optional<std::int64_t> node_bytes(std::string_view meminfo, std::string_view key) {
  for (const auto line : split(meminfo, '\n')) {
    const auto place = line.find(key);
    if (place != std::string_view::npos) return bytes_of_kilobytes(line.substr(place), key);
  }
  return std::nullopt;
}

Json distances(Source& source, const std::string& node) {
  Json row = Json::array();
  const auto text = source.peek(node + "/distance").value_or("");
  for (const auto word : words(text)) row.push_back(or_null(whole(word)));
  return row;
}

Json describe_node(Source& source, const std::string& path, std::int64_t number) {
  const auto meminfo = source.peek(path + "/meminfo").value_or("");
  return {{"node", number},
          {"processors", or_null(source.peek(path + "/cpulist"))},
          {"memory_byte", or_null(node_bytes(meminfo, "MemTotal"))},
          {"free_byte", or_null(node_bytes(meminfo, "MemFree"))},
          {"distances", distances(source, path)}};
}

/// Names of the directories of NUMA domains, by number.
std::map<int, std::string> domain_paths(Source& source) {
  std::map<int, std::string> paths;
  for (const auto& name : source.names(nodes_path)) {
    const auto number = name.starts_with("node") ? whole(std::string_view(name).substr(4)) : std::nullopt;
    if (number) paths[static_cast<int>(*number)] = std::string(nodes_path) + "/" + name;
  }
  return paths;
}

/// True unless files tell that the domain has neither processors nor memory.
bool holds_anything(Source& source, const std::string& path) {
  const auto processors = source.peek(path + "/cpulist");
  const auto memory = node_bytes(source.peek(path + "/meminfo").value_or(""), "MemTotal");
  return !processors || !processors->empty() || memory != 0;
}

}  // namespace

int numa_nodes(Source& source) {
  const auto paths = domain_paths(source);
  return static_cast<int>(std::ranges::count_if(
      paths, [&](const auto& domain) { return holds_anything(source, domain.second); }));
}

std::optional<DomainMemory> memory_of_cpuset(Source& source) {
  const auto status = source.text("/proc/self/status").value_or("");
  const auto allowed = parse_cpu_list(field(status, "Mems_allowed_list").value_or(""));
  const auto is_allowed = [&](int number) { return std::ranges::binary_search(allowed, number); };
  const auto paths = domain_paths(source);
  // Usually all are: then the files of perhaps a hundred domains need not be read.
  if (allowed.empty() ||
      std::ranges::all_of(paths, [&](const auto& domain) { return is_allowed(domain.first); }))
    return std::nullopt;
  DomainMemory memory;
  bool withholds = false;
  for (const auto& [number, path] : paths) {
    const auto text = source.peek(path + "/meminfo").value_or("");
    const auto all = node_bytes(text, "MemTotal"), free = node_bytes(text, "MemFree");
    if (!all || !free) return std::nullopt;
    if (!is_allowed(number)) {
      withholds = withholds || *all > 0;
      continue;
    }
    memory.all_byte += *all;
    memory.available_byte += *free + node_bytes(text, "Inactive(file)").value_or(0);
  }
  return withholds && memory.all_byte > 0 ? std::optional(memory) : std::nullopt;
}

std::map<int, std::vector<int>> domains(Source& source) {
  std::map<int, std::vector<int>> found;
  for (const auto& [number, path] : domain_paths(source))
    if (auto processors = parse_cpu_list(source.peek(path + "/cpulist").value_or("")); !processors.empty())
      found[number] = std::move(processors);
  return found;
}

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

std::int64_t UsableMemory::of_each(int sharing) const {
  const auto share = node_byte / std::max(sharing, 1);
  if (node_byte <= 0 || process_byte <= 0) return std::max(share, process_byte);
  return std::min(share, process_byte);
}

UsableMemory usable_memory(const Roots& roots) {
  Source source(roots);
  const auto cpuset = memory_of_cpuset(source);
  return {least_of({available_memory(source), ControlGroups(source).memory_left_byte(),
                    cpuset ? std::optional(cpuset->available_byte) : std::nullopt}),
          least_of({limit_left(source, "Max address space", "VmSize"),
                    limit_left(source, "Max data size", "VmData")})};
}

std::int64_t node_memory(const Roots& roots) {
  Source source(roots);
  const auto cpuset = memory_of_cpuset(source);
  return least_of({all_memory(source), ControlGroups(source).memory_limit_byte(),
                   cpuset ? std::optional(cpuset->all_byte) : std::nullopt});
}

void describe_caches(Source& source, const Cores& cores, Json& machine) {
  const auto counts = count_caches(source, cores);
  const auto further = caches_of_cpuinfo(source, counts.empty() ? 0 : counts.rbegin()->first.level);
  if (counts.empty() && further.empty()) {
    source.note_missing("/sys/devices/system/cpu/cpu*/cache", error_text(ENOENT));
    machine["caches"] = nullptr;
    return;
  }
  Json caches = Json::array();
  for (const auto& [kind, count] : counts) caches.push_back(cache_json(kind, count));
  for (const auto& kind : further) caches.push_back(cache_json(kind, std::nullopt));
  machine["caches"] = std::move(caches);
}

Cache last_level_cache(const Roots& roots) {
  Source source(roots);
  const Cores cores(source);
  CacheKind last;
  for (const int n : allowed_processors(source, cores))
    for (const auto& path : cache_paths(source, n)) {
      const auto cache = read_cache(source, path);
      if (cache.kind == "instruction") continue;
      if (std::tie(cache.level, cache.size_byte) > std::tie(last.level, last.size_byte)) last = cache;
    }
  const auto in_sysfs = last.level;
  for (const auto& cache : caches_of_cpuinfo(source, in_sysfs)) last = std::max(last, cache);
  Cache result{.size_byte = last.size_byte > 0 ? last.size_byte : cache_size_of_cpuinfo(source)};
  if (last.line_byte > 0) result.line_byte = last.line_byte;
  result.apart_byte = lines_at_once(source) * result.line_byte;
  if (last.level == in_sysfs && last.size_byte > 0) result.count = count_of_level(source, cores, last.level);
  return result;
}

void describe_numa(Source& source, Json& machine) {
  Json nodes = Json::array();
  for (const auto& [number, path] : domain_paths(source))
    nodes.push_back(describe_node(source, path, number));
  if (nodes.empty()) source.note_missing(nodes_path, error_text(ENOENT));
  machine["numa"] = nodes.empty() ? Json(nullptr) : std::move(nodes);
}

}  // namespace steelyard::machine
