// SPDX-License-Identifier: Apache-2.0
#include "units/amount.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "units/quantity.hpp"
#include "units/text.hpp"

namespace steelyard::units::detail {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::size_t digits(std::string_view text) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_digit) - text.begin());
}

using Value = std::function<std::int64_t(std::string_view)>;

// A slip such as 1..4G+1 must not fill the memory before anybody can say so.
constexpr std::size_t most_values = 1'000'000;

struct Range {
  std::string_view text;
  std::int64_t first = 0, last = 0, step = 2;
  bool multiply = true;
};

[[noreturn]] void refuse(const Range& range, std::string_view why) {
  throw ParseError(fmt::format("range '{}' {}", range.text, why));
}

void read_step(Range& range, char kind, std::string_view word, const Value& value) {
  range.multiply = kind == '*';
  if (!range.multiply) {
    range.step = value(word);
    if (range.step < 1) refuse(range, "has a step of 0");
    return;
  }
  const auto factor = whole(word);
  if (!factor || *factor < 2) refuse(range, "needs a whole factor of at least 2");
  range.step = *factor;
}

Range read_range(std::string_view text, std::size_t dots, const Value& value) {
  Range range{.text = text};
  const std::string_view tail = text.substr(dots + 2);
  const std::size_t sign = tail.find_first_of("*+");
  if (dots == 0) refuse(range, "lacks its begin");
  if (tail.empty() || sign == 0) refuse(range, "lacks its end");
  range.first = value(text.substr(0, dots));
  range.last = value(tail.substr(0, sign));
  if (sign != std::string_view::npos) read_step(range, tail[sign], tail.substr(sign + 1), value);
  if (range.first > range.last) refuse(range, "runs backwards");
  if (range.first == 0) refuse(range, "begins with 0, which must stand by itself (as in 0,1..8)");
  return range;
}

void append(std::vector<std::int64_t>& values, const Range& range) {
  for (std::int64_t v = range.first;;) {
    values.push_back(v);
    if (values.size() > most_values) refuse(range, fmt::format("gives more than {} values", most_values));
    const bool at_end = range.multiply ? v > range.last / range.step : v > range.last - range.step;
    if (at_end) return;
    v = range.multiply ? v * range.step : v + range.step;
  }
}

/// The parts between commas; one empty part for an empty text.
std::vector<std::string_view> split_commas(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t comma = text.find(','); comma != std::string_view::npos; comma = text.find(',')) {
    parts.push_back(text.substr(0, comma));
    text.remove_prefix(comma + 1);
  }
  parts.push_back(text);
  return parts;
}

}  // namespace

std::size_t decimal_length(std::string_view text) {
  const std::size_t before = digits(text);
  if (before == 0 || before == text.size() || text[before] != '.') return before;
  const std::size_t after = digits(text.substr(before + 1));
  return after == 0 ? before : before + 1 + after;
}

std::optional<std::int64_t> whole(std::string_view text) {
  if (text.empty() || !is_digit(text.front())) return std::nullopt;
  return read_number<std::int64_t>(text);
}

std::optional<double> finite(std::string_view text) {
  const auto value = read_number<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::vector<std::int64_t> expand(std::string_view words, const Value& value) {
  std::vector<std::int64_t> values;
  for (const std::string_view item : split_commas(words)) {
    const std::size_t dots = item.find("..");
    if (dots == std::string_view::npos) {
      values.push_back(value(item));
    } else {
      append(values, read_range(item, dots, value));
    }
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

}  // namespace steelyard::units::detail

namespace steelyard::units {
namespace {

struct Prefix {
  std::string_view word;
  double factor;
};
constexpr double peta = 1e15, kibi_factor = 1024, tebi_factor = 1099511627776.0,
                 pebi_factor = 1125899906842624.0;
constexpr auto amount_prefixes = std::to_array<Prefix>({{"Ki", kibi_factor},
                                                        {"Mi", prefix::mebi},
                                                        {"Gi", prefix::gibi},
                                                        {"Ti", tebi_factor},
                                                        {"Pi", pebi_factor},
                                                        {"k", prefix::kilo},
                                                        {"M", prefix::mega},
                                                        {"G", prefix::giga},
                                                        {"T", prefix::tera},
                                                        {"P", peta},
                                                        {"", 1}});

/// Units that prefixes may stand before, and their base units.
constexpr std::pair<std::string_view, std::string_view> prefixed_units[] = {
    {"byte/s", "byte/s"}, {"B/s", "byte/s"},    {"byte", "byte"},     {"B", "byte"},
    {"flop/s", "flop/s"}, {"Flop/s", "flop/s"}, {"FLOP/s", "flop/s"}, {"update/s", "update/s"},
    {"UP/s", "update/s"}, {"op/s", "op/s"},     {"edge/s", "edge/s"}, {"W", "W"}};

struct PlainUnit {
  std::string_view word, base;
  double factor;
};
constexpr auto plain_units = std::to_array<PlainUnit>({{"s", "s", 1},
                                                       {"ms", "s", prefix::milli},
                                                       {"us", "s", prefix::micro},
                                                       {"ns", "s", prefix::nano},
                                                       {"min", "s", 60},
                                                       {"%", "", 0.01},
                                                       {"1", "", 1},
                                                       {"", "", 1}});

/// The units that a mistaken one may have meant.
std::vector<std::string> known_units() {
  std::vector<std::string> list;
  for (const PlainUnit& unit : plain_units)
    if (unit.word.size() > 1) list.emplace_back(unit.word);
  for (const auto& [word, base] : prefixed_units)
    for (const Prefix& one : amount_prefixes) list.push_back(std::string(one.word) + std::string(word));
  return list;
}

[[noreturn]] void refuse_unit(std::string_view unit) {
  for (const std::string_view bits : {"bit/s", "b/s", "bps"})
    if (unit.ends_with(bits))
      throw ParseError('\'' + std::string(unit) +
                       "' are bits, and rates are in byte/s: an eighth of the number, as in 12.5 GB/s");
  const std::string near = did_you_mean(unit, known_units());
  throw ParseError('\'' + std::string(unit) + "' is no unit" +
                   (near.empty() ? "; such as 2.5 Tflop/s, 1.6 us, 80 GB/s, 95%" : near));
}

/// "1.5e3" as well: the exponent belongs to the number where digits follow it.
std::size_t number_length(std::string_view text) {
  std::size_t length = detail::decimal_length(text);
  if (length == 0 || length == text.size() || (text[length] != 'e' && text[length] != 'E')) return length;
  std::size_t at = length + 1;
  if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
  const std::size_t digits = at;
  while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
  return at > digits ? at : length;
}

/// The unit with a u in place of either letter that stands for micro.
std::string in_ascii(std::string_view unit) {
  for (const std::string_view micro : {"\u00b5", "\u03bc"})
    if (unit.starts_with(micro)) return 'u' + std::string(unit.substr(micro.size()));
  return std::string(unit);
}

Amount in_base_units(double number, std::string_view unit) {
  for (const PlainUnit& plain : plain_units)
    if (plain.word == unit) return {number * plain.factor, std::string(plain.base)};
  for (const auto& [word, base] : prefixed_units) {
    if (!unit.ends_with(word)) continue;
    const std::string_view rest = unit.substr(0, unit.size() - word.size());
    const auto* found = std::ranges::find(amount_prefixes, rest, &Prefix::word);
    if (found != amount_prefixes.end()) return {number * found->factor, std::string(base)};
  }
  refuse_unit(unit);
}

}  // namespace

Amount parse_amount(std::string_view words, std::span<const std::string_view> composed) {
  const std::string_view text = trimmed(words);
  const std::size_t length = number_length(text);
  if (length == 0) throw ParseError('\'' + std::string(words) + "' does not begin with a number");
  const auto number = detail::finite(text.substr(0, length));
  if (!number || !(*number > 0)) throw ParseError('\'' + std::string(words) + "' is not a number above 0");
  const std::string_view unit = trimmed(text.substr(length));
  if (std::ranges::find(composed, unit) != composed.end()) return {*number, std::string(unit)};
  return in_base_units(*number, in_ascii(unit));
}

std::string format_amount(double value, std::string_view unit, int digits) {
  if (unit == "s") {
    const TimeUnit shown = time_unit(Seconds{value});
    return format_significant(value / shown.seconds, digits) + ' ' + std::string(shown.name);
  }
  const bool has_prefix = unit.ends_with("/s") || unit == "byte" || unit == "W";
  std::string_view letter;
  double factor = 1;
  constexpr auto decimal = std::to_array<Prefix>(
      {{"T", prefix::tera}, {"G", prefix::giga}, {"M", prefix::mega}, {"k", prefix::kilo}});
  for (const Prefix& one : decimal)
    if (has_prefix && std::abs(value) >= one.factor) {
      letter = one.word;
      factor = one.factor;
      break;
    }
  const std::string_view name = unit == "byte/s" ? "B/s" : unit == "byte" ? "B" : unit;
  return format_significant(value / factor, digits) +
         (name.empty() ? "" : ' ' + std::string(letter) + std::string(name));
}

}  // namespace steelyard::units
