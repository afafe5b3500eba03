// SPDX-License-Identifier: Apache-2.0
#include "analysis/beffio_chunks.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "record/point_view.hpp"
#include "suites/beffio/definition.hpp"
#include "suites/beffio/patterns.hpp"
#include "units/text.hpp"

namespace steelyard::analysis {
namespace {

using beffio::Pattern, beffio::PatternTable;

/// Pattern of the number that the point bears; nullptr if there is none.
const Pattern* pattern_of(const record::PointRecord& point, const PatternTable& table) {
  const auto number = record::whole_of(record::find(point.params, "pattern"));
  const bool known = number && *number >= 0 && *number < std::ssize(table);
  return known ? &table[static_cast<std::size_t>(*number)] : nullptr;
}

/// 1048584 -> "1 MiB + 8".
std::string words_of(double bytes) {
  constexpr std::int64_t kib = 1024, more = beffio::element_byte;
  const auto whole = static_cast<std::int64_t>(bytes);
  if (whole > kib && whole % kib == more) return units::format_size(Bytes{whole - more}) + " + 8";
  return units::format_size(Bytes{whole});
}

/// Size of a call, which texts of other programs leave out.
double memory_of(const BeffioChunk& one, const Pattern& pattern) {
  const double usual =
      pattern.memory == pattern.disk ? one.chunk_byte : static_cast<double>(pattern.memory.count());
  return record::number_in(*one.point, "memory_byte").value_or(usual);
}

/// Gives each position of a type a name of its own.
void name_them(std::vector<BeffioChunk>& list, const PatternTable& table) {
  std::map<std::pair<std::string, std::string>, int> positions;  // by type and name
  for (BeffioChunk& one : list) {
    one.name = words_of(one.chunk_byte);
    const auto [place, added] = positions.try_emplace({one.type, one.name}, one.position);
    if (!added && place->second != one.position)
      one.name += " of " + words_of(memory_of(one, *pattern_of(*one.point, table)));
  }
}

}  // namespace

std::vector<BeffioChunk> beffio_chunks(std::span<const record::PointRecord> points) {
  // Types, positions and all sizes but the largest are the same whatever the memory.
  const PatternTable table = beffio::pattern_table(beffio::largest_chunk(0));
  std::vector<BeffioChunk> list;
  for (const record::PointRecord& point : points) {
    if (point.suite != beffio::suite_name) continue;
    const Pattern* pattern = pattern_of(point, table);
    const auto chunk = record::number_in(point, "chunk_byte");
    if (pattern == nullptr || pattern->position < 1 || !chunk) continue;
    list.push_back({&point, std::string(text(pattern->type)), pattern->position, *chunk, {}});
  }
  std::ranges::stable_sort(list, {}, [&](const BeffioChunk& one) {
    return std::tuple(pattern_of(*one.point, table)->type, one.position);
  });
  name_them(list, table);
  return list;
}

}  // namespace steelyard::analysis
