// SPDX-License-Identifier: Apache-2.0
#include "record/masks.hpp"

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace steelyard::record::detail {
namespace {

constexpr char bracket_bit = 0x20;  // turns square brackets into braces and leaves braces as they are

void find_masks_one_by_one(const char* text, std::size_t blocks, Masks* masks) {
  for (; blocks > 0; --blocks, text += block_size, ++masks) {
    *masks = {};
    for (unsigned i = 0; i < block_size; ++i) {
      const char c = text[i];
      const std::uint64_t bit = std::uint64_t{1} << i;
      const auto brace = static_cast<char>(c | bracket_bit);
      if (c == '"') masks->quotes |= bit;
      if (c == '\\') masks->backslashes |= bit;
      if (brace == '{' || brace == '}') masks->brackets |= bit;
      if (c == ':' || c == ',') masks->signs |= bit;
    }
    masks->signs |= masks->brackets;
  }
}

#ifdef __x86_64__

std::uint64_t bits(int found) {
  return static_cast<std::uint32_t>(found);
}
std::uint64_t bits(__m128i found) {
  return bits(_mm_movemask_epi8(found));
}

/// Finds the masks of blocks in parts of 16, which every processor has.
void find_masks_of_16(const char* text, std::size_t blocks, Masks* masks) {
  const auto is = [](__m128i what, char c) { return _mm_cmpeq_epi8(what, _mm_set1_epi8(c)); };
  for (; blocks > 0; --blocks, text += block_size, ++masks) {
    *masks = {};
#pragma GCC unroll 4
    for (unsigned part = 0; part < block_size; part += 16) {
      const __m128i chars = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text + part));
      const __m128i lower = _mm_or_si128(chars, _mm_set1_epi8(bracket_bit));
      const __m128i brackets = _mm_or_si128(is(lower, '{'), is(lower, '}'));
      const __m128i others = _mm_or_si128(is(chars, ':'), is(chars, ','));
      masks->quotes |= bits(is(chars, '"')) << part;
      masks->backslashes |= bits(is(chars, '\\')) << part;
      masks->brackets |= bits(brackets) << part;
      masks->signs |= bits(_mm_or_si128(brackets, others)) << part;
    }
  }
}

/// Finds the masks of blocks in parts of 32.
[[gnu::target("avx2")]] void find_masks_of_32(const char* text, std::size_t blocks, Masks* masks) {
  const __m256i quote = _mm256_set1_epi8('"'), backslash = _mm256_set1_epi8('\\'),
                colon = _mm256_set1_epi8(':'), comma = _mm256_set1_epi8(','), opening = _mm256_set1_epi8('{'),
                closing = _mm256_set1_epi8('}'), lowering = _mm256_set1_epi8(bracket_bit);
  for (; blocks > 0; --blocks, text += block_size, ++masks) {
    *masks = {};
#pragma GCC unroll 2
    for (unsigned part = 0; part < block_size; part += 32) {
      const __m256i chars = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(text + part));
      const __m256i lower = _mm256_or_si256(chars, lowering);
      const __m256i brackets =
          _mm256_or_si256(_mm256_cmpeq_epi8(lower, opening), _mm256_cmpeq_epi8(lower, closing));
      const __m256i others =
          _mm256_or_si256(_mm256_cmpeq_epi8(chars, colon), _mm256_cmpeq_epi8(chars, comma));
      masks->quotes |= bits(_mm256_movemask_epi8(_mm256_cmpeq_epi8(chars, quote))) << part;
      masks->backslashes |= bits(_mm256_movemask_epi8(_mm256_cmpeq_epi8(chars, backslash))) << part;
      masks->brackets |= bits(_mm256_movemask_epi8(brackets)) << part;
      masks->signs |= bits(_mm256_movemask_epi8(_mm256_or_si256(brackets, others))) << part;
    }
  }
}

#endif

}  // namespace

std::vector<FindMasks> ways_to_find_masks() {
  std::vector<FindMasks> ways{find_masks_one_by_one};
#ifdef __x86_64__
  ways.push_back(find_masks_of_16);
  if (__builtin_cpu_supports("avx2") != 0) ways.push_back(find_masks_of_32);
#endif
  return ways;
}

}  // namespace steelyard::record::detail
