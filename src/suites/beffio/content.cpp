// SPDX-License-Identifier: Apache-2.0
#include "suites/beffio/content.hpp"

#include <cstdio>
#include <string>

namespace steelyard::beffio {
namespace {

constexpr unsigned rank_shift = 44, pattern_shift = 38, generation_shift = 37;
constexpr std::uint64_t rank_mask = (std::uint64_t{1} << 20) - 1;

std::uint64_t packed(const Origin& origin) {
  return ((static_cast<std::uint64_t>(origin.rank) & rank_mask) << rank_shift) |
         (static_cast<std::uint64_t>(origin.pattern) << pattern_shift) |
         (static_cast<std::uint64_t>(origin.generation) << generation_shift);
}

std::string hexadecimal(std::uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%016llx", static_cast<unsigned long long>(value));
  return text;
}

}  // namespace

// Rank, pattern and generation are counted from 1 in the highest bits, so that no stamp is 0.
Stamps::Stamps(const Origin& origin) : base_(packed({origin.rank + 1, origin.pattern, origin.generation})) {}

Body::Body(const Origin& origin) : seed_(stats::splitmix_number(packed(origin) + 1)) {}

void Body::fill(std::span<std::uint64_t> memory) const noexcept {
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = word(static_cast<std::int64_t>(i));
}

void Mismatches::add(const Origin& origin, std::uint64_t call, std::int64_t chunk, std::int64_t word,
                     std::uint64_t found, std::uint64_t expected) {
  result_.worst = 1;
  if (result_.errors++ >= told_) return;
  if (!result_.first.empty()) result_.first += "; ";
  result_.first += "pattern " + std::to_string(origin.pattern) + ", data of rank " +
                   std::to_string(origin.rank) + ", call " + std::to_string(call) + ", chunk " +
                   std::to_string(chunk) + ", word " + std::to_string(word) + ": found " +
                   hexadecimal(found) + ", expected " + hexadecimal(expected);
}

void compare(const Piece& piece, const Origin& origin, Mismatches& wrong) {
  const Stamps stamps(origin);
  const Body body(origin);
  const std::int64_t end = piece.words_per_chunk - 1;
  for (std::size_t i = 0; i < piece.found.size(); ++i) {
    const std::int64_t word = piece.first + static_cast<std::int64_t>(i);
    std::uint64_t expected = body.word(piece.chunk * piece.words_per_chunk + word);
    if (word == 0) expected = stamps.first(piece.call, piece.chunk);
    if (word == end) expected = stamps.last(piece.call, piece.chunk);
    if (piece.found[i] != expected)
      wrong.add(origin, piece.call, piece.chunk, word, piece.found[i], expected);
  }
}

}  // namespace steelyard::beffio
