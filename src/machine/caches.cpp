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

/// "level=4 type=Unified scope=Shared size=688128K line_size=256 associativity=42": on z/Architecture cpuinfo alone
/// tells the caches that cores share.
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

/// Those of cpuinfo beyond a level; which processors share them is not told.
std::vector<CacheKind> caches_of_cpuinfo(Source& source, std::int64_t beyond) {
  std::vector<CacheKind> caches;
  const auto text = source.peek("/proc/cpuinfo").value_or("");
  for (int i = 0;; ++i) {
    const auto line = field(text, "cache" + std::to_string(i));
    if (!line) return caches;
    if (const auto cache = cache_of_words(*line); cache.level > beyond) caches.push_back(cache);
  }
}

/// "cache size" of cpuinfo: of the last level, but on processors of AMD of the second one.
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

/// Each cache counts once, by the first of the processors that share it.
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

/// Caches of a level on the whole node, each counted by the first processor that shares it; 1 if nothing
/// tells.
int count_of_level(Source& source, const Cores& cores, std::int64_t level) {
  int count = 0;
  for (const auto& [kind, caches] : count_caches(source, cores))
    if (kind.level == level && kind.kind != "instruction") count += caches;
  return std::max(count, 1);
}

}  // namespace

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
  if (last.level == in_sysfs && last.size_byte > 0) result.count = count_of_level(source, cores, last.level);
  return result;
}

}  // namespace steelyard::machine
