// SPDX-License-Identifier: Apache-2.0
#include "record/members.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>

#include "record/masks.hpp"

namespace steelyard::record {
namespace {

using detail::block_size;
using detail::Masks;

/// Number of marks written together, unused ones too: cheaper than to check for each whether it is the
/// last of its block.
constexpr std::uint32_t marks_at_once = 8;

/// Characters behind a backslash that is not escaped itself. `first`: true if the first character is one; set
/// for the next block.
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

std::uint64_t lowest(std::uint64_t bits) {
  return bits & (~bits + 1);
}

/// Number of ones, as std::popcount, which is a call into a library in a build for every processor.
std::uint32_t ones_in(std::uint64_t bits) {
  bits -= bits >> 1U & 0x5555555555555555U;
  bits = (bits & 0x3333333333333333U) + (bits >> 2U & 0x3333333333333333U);
  bits = (bits + (bits >> 4U)) & 0x0f0f0f0f0f0f0f0fU;
  return static_cast<std::uint32_t>(bits * 0x0101010101010101U >> 56U);
}

/// Parity of the bits up to each bit: marks the characters between quotes.
std::uint64_t parity_so_far(std::uint64_t bits) {
  bits ^= bits << 1U;
  bits ^= bits << 2U;
  bits ^= bits << 4U;
  bits ^= bits << 8U;
  bits ^= bits << 16U;
  bits ^= bits << 32U;
  return bits;
}

}  // namespace

/// Takes the marks of one block; returns false if a bracket closes without an opening one.
bool ScannedLine::take(const detail::Masks& masks, std::size_t at) {
  const std::uint64_t within =
      parity_so_far(masks.quotes & ~escaped_in(masks.backslashes, escaped_)) ^ inside_;
  inside_ = (within >> (block_size - 1)) != 0 ? ~std::uint64_t{0} : 0;
  const std::uint64_t signs = masks.signs & ~within;
  const auto first = static_cast<std::uint32_t>(count_), found = ones_in(signs);
  std::uint64_t rest = signs;
  std::uint32_t* next = marks_.data() + count_;
  for (std::uint32_t done = 0; done < found; done += marks_at_once)
#pragma GCC unroll 8
    for (std::uint32_t i = 0; i < marks_at_once; ++i, rest &= rest - 1)
      *next++ = static_cast<std::uint32_t>(at) + static_cast<std::uint32_t>(std::countr_zero(rest));
  count_ += found;
  for (std::uint64_t left = masks.brackets & ~within; left != 0; left &= left - 1)
    if (!match(first + ones_in(signs & (lowest(left) - 1)))) return false;
  return true;
}

bool ScannedLine::scan(std::string_view line) {
  line_ = line;
  count_ = depth_ = 0;
  inside_ = 0;
  escaped_ = false;
  if (marks_.size() < line.size() + block_size)
    for (auto* places : {&marks_, &closing_, &open_}) places->resize(line.size() + block_size);
  static const auto find_masks = detail::ways_to_find_masks().back();
  constexpr std::size_t at_once = 16;
  std::array<Masks, at_once> masks;
  std::size_t at = 0;
  for (std::size_t whole = line.size() / block_size; whole > 0;) {
    const std::size_t blocks = std::min(whole, at_once);
    find_masks(line.data() + at, blocks, masks.data());
    for (std::size_t i = 0; i < blocks; ++i, at += block_size)
      if (!take(masks[i], at)) return false;
    whole -= blocks;
  }
  std::array<char, block_size> last{};
  std::memcpy(last.data(), line.data() + at, line.size() - at);
  find_masks(last.data(), 1, masks.data());
  return take(masks[0], at) && inside_ == 0 && depth_ == 0;
}

std::optional<std::string_view> plain_text(std::string_view value) {
  if (value.size() < 2 || value.front() != '"' || value.back() != '"') return std::nullopt;
  const std::string_view text(value.data() + 1, value.size() - 2);
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
