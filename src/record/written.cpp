// SPDX-License-Identifier: Apache-2.0
#include "record/written.hpp"

#include <array>
#include <bit>
#include <cfloat>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <system_error>

namespace steelyard::record::detail {
namespace {

/// True for characters that stand for themselves within a text, and mean the same in every encoding.
constexpr std::array<bool, 256> plain_characters = [] {
  std::array<bool, 256> plain{};
  for (unsigned char c = ' '; c <= '~'; ++c) plain.at(c) = c != '"' && c != '\\';
  return plain;
}();

/// The highest bit of the lowest byte of a word that is no plain character, and perhaps of others above it; 0 if all are.
std::uint64_t not_plain(std::uint64_t word) {
  constexpr std::uint64_t ones = 0x0101010101010101U, highest = 0x80 * ones;
  const auto any_is = [word](char c) {
    const std::uint64_t apart = word ^ static_cast<unsigned char>(c) * ones;  // 0 where it is
    return (apart - ones) & ~apart;
  };
  const std::uint64_t below = (word - ' ' * ones) & ~word, delete_sign = any_is('\x7f');
  return (word | below | delete_sign | any_is('"') | any_is('\\')) & highest;
}

constexpr std::ptrdiff_t most_digits = 18;  // that never overflow

constexpr auto powers_of_ten =
    std::to_array({1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22});

/// Whether one operation gives the double that is nearest to digits times a power of ten: both are exact.
bool is_exact(std::int64_t digits, std::int64_t exponent) {
  constexpr auto most = std::int64_t{1} << std::numeric_limits<double>::digits;
  return FLT_EVAL_METHOD == 0 && digits <= most && std::abs(exponent) < std::ssize(powers_of_ten);
}

double product(std::int64_t digits, std::int64_t exponent) {
  const auto number = static_cast<double>(digits);
  const double power = powers_of_ten[static_cast<std::size_t>(std::abs(exponent))];
  return exponent < 0 ? number / power : number * power;
}

double converted(const char* begin, const char* end) {
  double value = 0;
  if (std::from_chars(begin, end, value) != std::from_chars_result{end, std::errc()}) throw NotAsWritten();
  return value;
}

}  // namespace

std::string_view WrittenText::text() {
  need('"');
  const char* const begin = at_;
  for (std::uint64_t word = 0; end_ - at_ >= std::ptrdiff_t{sizeof word}; at_ += sizeof word) {
    std::memcpy(&word, at_, sizeof word);
    const std::uint64_t found = not_plain(word);
    if (found == 0) continue;
    if (std::endian::native == std::endian::little) at_ += std::countr_zero(found) / 8;
    break;
  }
  while (at_ != end_ && plain_characters[static_cast<unsigned char>(*at_)]) ++at_;
  const std::string_view found(begin, at_);
  need('"');
  return found;
}

bool WrittenText::take_rest(std::string_view word) {
  if (!std::string_view(at_, end_).starts_with(word)) return false;
  at_ += word.size();
  return true;
}

/// Takes digits behind those that made a number so far.
std::int64_t WrittenText::digits(std::int64_t so_far) {
  const char* const begin = at_;
  auto number = static_cast<std::uint64_t>(so_far);
  for (; at_ != end_ && *at_ >= '0' && *at_ <= '9'; ++at_)
    number = 10 * number + static_cast<std::uint64_t>(*at_ - '0');
  if (at_ == begin) throw NotAsWritten();
  return static_cast<std::int64_t>(number);
}

std::int64_t WrittenText::exponent() {
  if (!take('e') && !take('E')) return 0;
  const bool is_negative = take('-');
  if (!is_negative) take('+');
  const char* const begin = at_;
  const std::int64_t number = digits(0);
  if (at_ - begin > most_digits) throw NotAsWritten();
  return is_negative ? -number : number;
}

WrittenText::Number WrittenText::number() {
  const char* const begin = at_;
  const bool is_negative = take('-');
  const char* const first = at_;
  std::int64_t number = digits(0);
  const bool is_zero = *first == '0';
  if (is_zero && at_ - first > 1) throw NotAsWritten();
  if (!is_at('.') && !is_at('e') && !is_at('E')) {
    if (at_ - first > most_digits || (is_zero && is_negative)) throw NotAsWritten();
    if (is_negative) number = -number;
    return {true, number, static_cast<double>(number)};
  }
  const char* point = at_;
  if (take('.')) {
    point = at_;
    number = digits(number);
  }
  const bool is_short = at_ - first <= most_digits;
  const std::int64_t decimals = at_ - point, power = exponent() - decimals;
  if (!is_short || !is_exact(number, power)) return {false, 0, converted(begin, at_)};
  const double value = product(number, power);
  return {false, 0, is_negative ? -value : value};
}

}  // namespace steelyard::record::detail
