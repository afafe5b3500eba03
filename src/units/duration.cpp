// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>

#include "units/scan.hpp"
#include "units/text.hpp"

namespace steelyard::units {
namespace {

struct Unit {
  std::string_view name;
  double seconds;
};
constexpr std::array<Unit, 5> units{{{"d", 86400}, {"h", 3600}, {"m", 60}, {"s", 1}, {"ms", 1e-3}}};

/// Position in `units` of the unit that the text begins with; its length is that up to the next digit.
std::optional<std::size_t> unit_at(std::string_view text) {
  const std::string_view name = text.substr(0, text.find_first_of("0123456789"));
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (units[i].name == name) return i;
  }
  return std::nullopt;
}

/// "1h30m": units fall from part to part, so that 30m1h and 1m2m are seen as slips.
std::optional<double> joined(std::string_view text) {
  double sum = 0;
  for (std::size_t next_unit = 0; !text.empty();) {
    const std::size_t length = detail::decimal_length(text);
    const auto value = detail::finite(text.substr(0, length));
    const auto unit = unit_at(text.substr(length));
    if (!value || !unit || *unit < next_unit) return std::nullopt;
    sum += *value * units[*unit].seconds;
    next_unit = *unit + 1;
    text.remove_prefix(length + units[*unit].name.size());
  }
  return sum;
}

std::optional<double> read(std::string_view word) {
  if (word.empty()) return std::nullopt;
  if (detail::decimal_length(word) == word.size()) return detail::finite(word);
  return joined(word);
}

}  // namespace

Seconds parse_duration(std::string_view word) {
  const auto seconds = read(word);
  if (!seconds || !std::isfinite(*seconds)) {
    throw ParseError(fmt::format("'{}' is not a duration (examples: 90, 250ms, 1h30m)", word));
  }
  return Seconds{*seconds};
}

}  // namespace steelyard::units
