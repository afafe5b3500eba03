// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>

#include "units/range.hpp"
#include "units/scan.hpp"
#include "units/text.hpp"

namespace steelyard::units {
namespace {

using Unsigned = std::uint64_t;

std::optional<Unsigned> power(Unsigned base, std::size_t exponent) {
  Unsigned result = 1;
  for (std::size_t i = 0; i < exponent; ++i) {
    if (result > std::numeric_limits<Unsigned>::max() / base) return std::nullopt;
    result *= base;
  }
  return result;
}

/// Bytes of "", "k", "ki", "kib" (powers of 1024) and "kb" (powers of 1000); lower case.
std::optional<Unsigned> unit(std::string_view suffix) {
  if (suffix.empty()) return 1;
  const std::size_t prefix = std::string_view{"kmgtp"}.find(suffix.front());
  if (prefix == std::string_view::npos) return std::nullopt;
  const std::string_view rest = suffix.substr(1);
  if (rest == "b") return power(1000, prefix + 1);
  if (rest.empty() || rest == "i" || rest == "ib") return power(1024, prefix + 1);
  return std::nullopt;
}

struct Fraction {
  Unsigned numerator = 0, denominator = 1;
};

/// "1.50" -> 3/2 in lowest terms; exact, so that no size is rounded.
std::optional<Fraction> fraction(std::string_view decimal) {
  const std::size_t point = std::min(decimal.find('.'), decimal.size());
  std::string digits{decimal.substr(0, point)};
  std::string_view after = decimal.substr(std::min(point + 1, decimal.size()));
  while (after.ends_with('0')) after.remove_suffix(1);
  digits += after;
  const auto numerator = detail::whole(digits);
  const auto denominator = power(10, after.size());
  if (!numerator || !denominator) return std::nullopt;
  const Unsigned n = static_cast<Unsigned>(*numerator), common = std::gcd(n, *denominator);
  return Fraction{n / common, *denominator / common};
}

/// fraction * unit if that is a whole number below 2^63.
std::optional<std::int64_t> scale(Fraction value, Unsigned unit) {
  if (unit % value.denominator != 0) return std::nullopt;
  const Unsigned factor = unit / value.denominator;
  constexpr auto limit = static_cast<Unsigned>(std::numeric_limits<std::int64_t>::max());
  if (value.numerator > limit / factor) return std::nullopt;
  return static_cast<std::int64_t>(value.numerator * factor);
}

std::optional<std::int64_t> read_size(std::string_view word) {
  const std::size_t length = detail::decimal_length(word);
  if (length == 0) return std::nullopt;
  const auto bytes_of_unit = unit(detail::lower(word.substr(length)));
  const auto value = fraction(word.substr(0, length));
  if (!bytes_of_unit || !value) return std::nullopt;
  return scale(*value, *bytes_of_unit);
}

}  // namespace

Bytes parse_size(std::string_view word) {
  const auto bytes = read_size(word);
  if (!bytes) {
    throw ParseError(fmt::format("'{}' is not a size (examples: 4096, 64K, 1.5Gi, 2GB)", word));
  }
  return Bytes{*bytes};
}

std::vector<Bytes> parse_sizes(std::string_view words) {
  std::vector<Bytes> sizes;
  for (const std::int64_t v : detail::expand(words, [](auto word) { return parse_size(word).count(); })) {
    sizes.emplace_back(v);
  }
  return sizes;
}

}  // namespace steelyard::units
