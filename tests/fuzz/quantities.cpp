// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "targets.hpp"
#include "units/text.hpp"

namespace steelyard::fuzz {
namespace {

using units::ParseError;

/// "64 KiB" as the grammar of sizes wants it: without the blank, and without the unit of single bytes.
std::string as_word(Bytes size) {
  std::string word = units::format_size(size);
  if (word.ends_with(" B")) word.resize(word.size() - 2);
  std::erase(word, ' ');
  return word;
}

template <class List>
void require_ascending(const List& list) {
  require(std::ranges::is_sorted(list) && std::ranges::adjacent_find(list) == list.end(), "not ascending");
}

void one_size(std::string_view input) {
  const Bytes size = units::parse_size(input);
  require(size >= Bytes{0}, "a size below 0");
  require(units::parse_size(as_word(size)) == size, "a size is printed as another");
}

void list_of_sizes(std::string_view input) {
  const auto sizes = units::parse_sizes(input);
  require(!sizes.empty(), "an empty list");
  require_ascending(sizes);
  if (sizes.size() > 1000) return;
  std::string words;
  for (const Bytes size : sizes) words += (words.empty() ? "" : ",") + as_word(size);
  require(units::parse_sizes(words) == sizes, "a list is printed as another");
}

void list_of_counts(std::string_view input) {
  const auto counts = units::parse_counts(input);
  require(counts.values.empty() == (counts.kind != units::Counts::Kind::list), "values of a word");
  require_ascending(counts.values);
  require(counts.values.empty() || counts.values.front() >= 1, "a number of processes below 1");
}

void whole_number(std::string_view input) {
  constexpr std::int64_t low = -1000, high = std::int64_t{1} << 40;
  const auto value = units::parse_count(input, low, high);
  require(value >= low && value <= high, "a number outside of its limits");
  require(units::parse_count(std::to_string(value), low, high) == value, "a number is printed as another");
}

void ratio(std::string_view input) {
  const double value = units::parse_ratio(input);
  require(value >= 0 && value <= 1, "a ratio outside of 0 and 1");
}

void number(std::string_view input) {
  const double value = units::parse_number(input);
  require(std::isfinite(value), "a number that is none");
  static_cast<void>(units::format_short(value));
  static_cast<void>(units::format_fixed(value, 3));
  static_cast<void>(units::format_significant(value, 4));
}

}  // namespace

void read_sizes(std::string_view input) {
  accepts<ParseError>([&] { one_size(input); });
  accepts<ParseError>([&] { list_of_sizes(input); });
  accepts<ParseError>([&] { list_of_counts(input); });
}

void read_durations(std::string_view input) {
  accepts<ParseError>([&] {
    const Seconds time = units::parse_duration(input);
    require(std::isfinite(time.value()) && time >= Seconds{0}, "no length of time");
    static_cast<void>(units::format_time(time));
    static_cast<void>(units::format_clock(time));
  });
}

void read_numbers(std::string_view input) {
  accepts<ParseError>([&] { whole_number(input); });
  accepts<ParseError>([&] { ratio(input); });
  accepts<ParseError>([&] { number(input); });
  accepts<ParseError>([&] { static_cast<void>(units::parse_bool(input)); });
}

}  // namespace steelyard::fuzz
