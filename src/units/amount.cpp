// SPDX-License-Identifier: Apache-2.0
#include "units/amount.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "units/prefixes.hpp"
#include "units/scan.hpp"
#include "units/text.hpp"

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
  const auto known = known_units();
  const auto near = nearest(unit, known);
  throw ParseError('\'' + std::string(unit) + "' is no unit" +
                   (near ? "; did you mean " + *near + '?' : "; such as 2.5 Tflop/s, 1.6 us, 80 GB/s, 95%"));
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
