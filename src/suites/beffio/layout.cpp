// SPDX-License-Identifier: Apache-2.0
#include "suites/beffio/layout.hpp"

namespace steelyard::beffio {

std::int64_t bytes_of(const Pattern& pattern, std::uint64_t calls) {
  return static_cast<std::int64_t>(calls) * pattern.memory.count();
}

Layout::Layout(const PatternTable& table, PatternType type, const Repetitions& calls, int processes,
               Bytes segment)
    : table_(&table), type_(type), processes_(processes), segment_(segment) {
  const Span span = patterns_of(type);
  std::int64_t begin = 0;
  for (std::size_t p = span.first; p <= span.last(); ++p) {
    begins_[p] = begin;
    begin += bytes_of(table[p], calls[p]) * (interleaved(type) ? processes : 1);
  }
}

std::int64_t Layout::offset(int pattern, const ChunkPlace& place) const {
  const Pattern& row = (*table_)[static_cast<std::size_t>(pattern)];
  const std::int64_t number = static_cast<std::int64_t>(place.call) * row.chunks() + place.chunk;
  const std::int64_t start = begin(pattern);
  if (interleaved(type_)) return start + (number * processes_ + place.rank) * row.disk.count();
  const std::int64_t base = size_driven(type_) ? segment_begin(place.rank) : 0;
  return base + start + number * row.disk.count();
}

}  // namespace steelyard::beffio
