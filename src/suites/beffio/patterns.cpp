// SPDX-License-Identifier: Apache-2.0
#include "suites/beffio/patterns.hpp"

#include <algorithm>
#include <span>
#include <stdexcept>
#include <string>

namespace steelyard::beffio {
namespace {

constexpr std::int64_t kb = 1024, mb = 1024 * kb;
constexpr Bytes least_part{2 * mb}, most_part{1024 * mb};
constexpr std::int64_t parts_of_memory = 128;

/// Ways in which a size is known: given, or only from the memory (part) or from the other patterns (rest).
enum class Known { size, part, rest };
struct Chunk {
  std::int64_t byte = 0;
  Known known = Known::size;
};
constexpr Chunk part{0, Known::part}, rest{0, Known::rest};

struct Row {
  Chunk disk, memory;
  int units, position;
};

constexpr Row same(std::int64_t byte, int units, int position) {
  return {{byte}, {byte}, units, position};
}

constexpr Row scattered[] = {same(mb, 0, 0),
                             {part, part, 4, largest_position},
                             {{mb}, {2 * mb}, 4, extra_position},
                             same(mb, 4, 5),
                             {{32 * kb}, {mb}, 2, 3},
                             {{kb}, {mb}, 2, 1},
                             {{32 * kb + 8}, {mb + 256}, 2, 4},
                             {{kb + 8}, {mb + 8 * kb}, 2, 2},
                             same(mb + 8, 2, 6)};
constexpr Row ordered[] = {
    same(mb, 0, 0), {part, part, 4, largest_position}, same(mb, 2, 5),     same(32 * kb, 1, 3),
    same(kb, 1, 1), same(32 * kb + 8, 1, 4),           same(kb + 8, 1, 2), same(mb + 8, 2, 6)};
constexpr Row own[] = {
    same(mb, 0, 0),    {part, part, 2, largest_position}, same(mb, 2, 5),     same(32 * kb, 1, 3),
    same(kb, 1, 1),    same(32 * kb + 8, 1, 4),           same(kb + 8, 1, 2), same(mb + 8, 2, 6),
    {rest, rest, 0, 0}};

/// Whether the last pattern of a type fills a segment up.
bool fills_up(PatternType type) {
  return size_driven(type) && is_of_the_definition(type);
}

std::span<const Row> rows(PatternType type) {
  if (type == PatternType::scatter) return scattered;
  if (type == PatternType::shared) return ordered;
  const std::span<const Row> all = own;
  return fills_up(type) ? all : all.first(all.size() - 1);
}

Bytes size_of(const Chunk& chunk, Bytes largest) {
  return chunk.known == Known::part ? largest : Bytes{chunk.byte};
}

}  // namespace

Bytes largest_chunk(std::int64_t mebibytes_per_process) {
  return std::clamp(mebibytes_per_process * Bytes{mb / parts_of_memory}, least_part, most_part);
}

PatternTable pattern_table(Bytes largest) {
  return pattern_table(largest, largest);
}

PatternTable pattern_table(Bytes largest, Bytes largest_of_common_files) {
  if (largest < least_part || largest.count() % element_byte != 0)
    throw std::invalid_argument("the largest chunk must be a multiple of 8 byte and at least 2 MB");
  if (largest_of_common_files.count() < element_byte || largest_of_common_files.count() % element_byte != 0)
    throw std::invalid_argument("the largest chunk of common files must be a multiple of 8 byte");
  PatternTable table;
  std::size_t number = 0;
  for (const auto type : pattern_types)
    for (const Row& row : rows(type)) {
      const Bytes most = type == PatternType::separated ? largest : largest_of_common_files;
      table.at(number) = {static_cast<int>(number),
                          type,
                          size_of(row.disk, most),
                          size_of(row.memory, most),
                          is_of_the_definition(type) ? row.units : 0,
                          row.position,
                          row.disk.known == Known::rest};
      ++number;
    }
  return table;
}

Span patterns_of(PatternType type) {
  Span span;
  for (const auto earlier : pattern_types)
    if (index(earlier) < index(type)) span.first += rows(earlier).size();
  span.count = rows(type).size();
  return span;
}

PatternType type_of(int number) {
  for (const auto type : pattern_types)
    if (number >= 0 && static_cast<std::size_t>(number) <= patterns_of(type).last()) return type;
  throw std::out_of_range("there is no pattern " + std::to_string(number));
}

int units_of(PatternType type) {
  int sum = 0;
  if (!is_of_the_definition(type)) return sum;
  for (const Row& row : rows(type)) sum += row.units;
  return sum;
}

}  // namespace steelyard::beffio
