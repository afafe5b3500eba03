// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <tuple>

#include "machine/memory.hpp"
#include "machine/words.hpp"

namespace steelyard::machine {

namespace {

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

Json cache_json(const CacheKind& cache, int count) {
  return {{"level", cache.level},
          {"kind", cache.kind},
          {"size_byte", known(cache.size_byte)},
          {"line_byte", known(cache.line_byte)},
          {"ways", known(cache.ways)},
          {"shared_by", cache.shared_by},
          {"count", count}};
}

/// The least each cache counts: once, by the first processor that shares it.
std::map<CacheKind, int> count_caches(Source& source, const Cores& cores) {
  std::map<CacheKind, int> counts;
  for (const int n : cores.processors())
    for (const auto& path : cache_paths(source, n)) {
      const auto shared = sharers(source, path);
      if (shared.empty() || shared.front() == n) ++counts[read_cache(source, path)];
    }
  return counts;
}

}  // namespace

void describe_caches(Source& source, const Cores& cores, Json& machine) {
  const auto counts = count_caches(source, cores);
  if (counts.empty()) {
    source.note_missing("/sys/devices/system/cpu/cpu*/cache", error_text(ENOENT));
    machine["caches"] = nullptr;
    return;
  }
  Json caches = Json::array();
  for (const auto& [kind, count] : counts) caches.push_back(cache_json(kind, count));
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
  const auto cpuinfo = source.peek("/proc/cpuinfo").value_or("");
  const auto fallback = cache_bytes(field(cpuinfo, "cache size").value_or(""));
  Cache result{.size_byte = last.size_byte > 0 ? last.size_byte : fallback.value_or(0)};
  if (last.line_byte > 0) result.line_byte = last.line_byte;
  return result;
}

}  // namespace steelyard::machine
