// SPDX-License-Identifier: Apache-2.0
#include "suites/beffio/places.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace steelyard::beffio {
namespace {

constexpr std::int64_t piece_words = 64 * 1024 / element_byte;

/// The numbers below `count` among `wanted`, each once, in order.
std::vector<std::int64_t> among(std::vector<std::int64_t> wanted, std::int64_t count) {
  std::erase_if(wanted, [&](std::int64_t i) { return i < 0 || i >= count; });
  std::ranges::sort(wanted);
  const auto doubled = std::ranges::unique(wanted);
  wanted.erase(doubled.begin(), doubled.end());
  return wanted;
}

std::vector<std::int64_t> chosen(std::int64_t count, std::int64_t ends, ReadBack how) {
  if (how == ReadBack::all) {
    std::vector<std::int64_t> every(static_cast<std::size_t>(count));
    std::iota(every.begin(), every.end(), 0);
    return every;
  }
  std::vector<std::int64_t> wanted{count / 2};
  for (std::int64_t i = 0; i < ends; ++i) wanted.insert(wanted.end(), {i, count - 1 - i});
  return among(std::move(wanted), count);
}

void add_chunk(std::vector<Part>& parts, Part part, std::int64_t words, ReadBack how) {
  const std::int64_t pieces = (words + piece_words - 1) / piece_words;
  for (const std::int64_t piece : chosen(pieces, 1, how)) {
    part.first = piece * piece_words;
    part.count = std::min(piece_words, words - part.first);
    parts.push_back(part);
  }
}

}  // namespace

Shuffle::Shuffle(std::uint64_t count, std::uint64_t seed) : count_(std::max<std::uint64_t>(count, 1)) {
  half_bits_ = std::max(1U, (static_cast<unsigned>(std::bit_width(count_ - 1)) + 1) / 2);
  mask_ = (std::uint64_t{1} << half_bits_) - 1;
  for (std::uint64_t& key : keys_) key = seed = scattered(seed + 0x9e3779b97f4a7c15ULL);
}

std::vector<Part> parts_to_read(const Pattern& pattern, std::uint64_t calls, ReadBack how) {
  std::vector<Part> parts;
  const std::int64_t words = pattern.disk.count() / element_byte;
  for (const std::int64_t call : chosen(static_cast<std::int64_t>(calls), 2, how))
    for (const std::int64_t chunk : chosen(pattern.chunks(), 1, how))
      add_chunk(parts, {static_cast<std::uint64_t>(call), chunk, 0, 0}, words, how);
  return parts;
}

}  // namespace steelyard::beffio
