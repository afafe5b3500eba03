// SPDX-License-Identifier: Apache-2.0
#include "record/members.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace steelyard::record {
namespace {

constexpr std::size_t block_size = 64;  // characters that are looked at together: a bit of a mask each

bool is_white(char c) {
  return static_cast<unsigned char>(c) <= ' ' && (c == ' ' || c == '\t' || c == '\r' || c == '\n');
}

/// Square brackets as braces; the other signs stay what they are.
char as_brace(char sign) {
  return static_cast<char>(sign | 0x20);
}

bool opens(char c) {
  return as_brace(c) == '{';
}

/// Which of the characters of a block are what; the first has the lowest bit.
struct Masks {
  std::uint64_t quotes = 0, backslashes = 0, signs = 0;
};

#ifdef __SSE2__
std::uint64_t bits_of(__m128i found) {
  return static_cast<std::uint32_t>(_mm_movemask_epi8(found));
}

Masks masks_of(const char* block) {
  Masks masks;
  for (unsigned part = 0; part < block_size; part += 16) {
    const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(block + part));
    const auto is = [](__m128i what, char c) { return _mm_cmpeq_epi8(what, _mm_set1_epi8(c)); };
    const __m128i lower = _mm_or_si128(text, _mm_set1_epi8(0x20));  // brackets become braces
    const __m128i brackets = _mm_or_si128(is(lower, '{'), is(lower, '}'));
    const __m128i others = _mm_or_si128(is(text, ':'), is(text, ','));
    masks.quotes |= bits_of(is(text, '"')) << part;
    masks.backslashes |= bits_of(is(text, '\\')) << part;
    masks.signs |= bits_of(_mm_or_si128(brackets, others)) << part;
  }
  return masks;
}
#else
Masks masks_of(const char* block) {
  Masks masks;
  for (unsigned i = 0; i < block_size; ++i) {
    const char c = block[i];
    const std::uint64_t bit = std::uint64_t{1} << i;
    if (c == '"') masks.quotes |= bit;
    if (c == '\\') masks.backslashes |= bit;
    const char brace = as_brace(c);
    if (brace == '{' || brace == '}' || c == ':' || c == ',') masks.signs |= bit;
  }
  return masks;
}
#endif

/// Characters behind a backslash that counts. `first`: the first one is such a character; becomes that of the next block.
std::uint64_t escaped_in(std::uint64_t backslashes, bool& first) {
  if (backslashes == 0 && !first) return 0;
  std::uint64_t escaped = first ? 1 : 0;
  first = false;
  for (unsigned i = 0; i < block_size; ++i) {
    if ((backslashes >> i & 1U) == 0 || (escaped >> i & 1U) != 0) continue;
    if (i + 1 == block_size)
      first = true;
    else
      escaped |= std::uint64_t{1} << (i + 1);
  }
  return escaped;
}

/// Each bit becomes the parity of those up to it: what lies between quotes.
std::uint64_t parity_so_far(std::uint64_t bits) {
  for (unsigned step = 1; step < block_size; step *= 2) bits ^= bits << step;
  return bits;
}

}  // namespace

bool ScannedLine::scan(std::string_view line) {
  line_ = line;
  if (marks_.size() < line.size() + block_size) marks_.resize(line.size() + block_size);
  std::uint32_t* next = marks_.data();
  std::uint64_t inside = 0;  // all ones: the block begins within a text
  bool escaped = false;
  for (std::size_t at = 0; at < line.size(); at += block_size) {
    std::array<char, block_size> last{};
    const char* block = line.data() + at;
    if (line.size() - at < block_size) {
      std::memcpy(last.data(), block, line.size() - at);
      block = last.data();
    }
    Masks masks = masks_of(block);
    const std::uint64_t within =
        parity_so_far(masks.quotes & ~escaped_in(masks.backslashes, escaped)) ^ inside;
    inside = (within >> (block_size - 1)) != 0 ? ~std::uint64_t{0} : 0;
    for (masks.signs &= ~within; masks.signs != 0; masks.signs &= masks.signs - 1)
      *next++ = static_cast<std::uint32_t>(at) + static_cast<std::uint32_t>(std::countr_zero(masks.signs));
  }
  count_ = static_cast<std::size_t>(next - marks_.data());
  return inside == 0;
}

std::string_view ScannedLine::between(std::size_t begin, std::size_t end) const {
  while (begin < end && is_white(line_[begin])) ++begin;
  while (begin < end && is_white(line_[end - 1])) --end;
  return line_.substr(begin, end - begin);
}

bool ScannedLine::begins_with(const Value& value, char bracket) const {
  return value.mark < count_ && sign(value.mark) == bracket &&
         is_blank(static_cast<std::size_t>(value.text.data() - line_.data()), marks_[value.mark]);
}

bool ScannedLine::ends(const Value& object, std::size_t mark) const {
  const auto end = static_cast<std::size_t>(object.text.data() - line_.data()) + object.text.size();
  return is_blank(marks_[mark] + 1, end) && (object.text.size() < line_.size() || mark + 1 == count_);
}

bool ScannedLine::pass_value(std::size_t begin, std::size_t& mark) const {
  if (mark >= count_) return false;
  if (!opens(sign(mark))) return true;
  if (!is_blank(begin, marks_[mark])) return false;
  std::size_t depth = 1;
  while (depth > 0) {
    if (++mark >= count_) return false;
    const char c = as_brace(sign(mark));
    depth += c == '{' ? 1U : 0U;
    depth -= c == '}' ? 1U : 0U;
  }
  const std::size_t end = marks_[mark] + 1;
  return ++mark < count_ && is_blank(end, marks_[mark]);
}

std::optional<std::string_view> plain_text(std::string_view value) {
  if (value.size() < 2 || value.front() != '"' || value.back() != '"') return std::nullopt;
  const std::string_view text = value.substr(1, value.size() - 2);
  return text.find('\\') == std::string_view::npos && text.find('"') == std::string_view::npos
             ? std::optional(text)
             : std::nullopt;
}

std::optional<double> plain_number(std::string_view value) {
  double number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  return error == std::errc() && end == value.data() + value.size() ? std::optional(number) : std::nullopt;
}

}  // namespace steelyard::record
