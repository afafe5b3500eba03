// SPDX-License-Identifier: Apache-2.0
#include "launch/parent.hpp"

#include <algorithm>
#include <charconv>

namespace steelyard::cli {
namespace {

constexpr std::string_view prefix = "--launched=";

std::string_view take_field(std::string_view& rest) {
  const std::size_t end = std::min(rest.find(','), rest.size());
  const std::string_view field = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return field;
}

int number(std::string_view field) {
  int value = 0;
  std::from_chars(field.data(), field.data() + field.size(), value);
  return value;
}

}  // namespace

std::string launched_word(const FromParent& p) {
  const std::string terminal = p.terminal ? "terminal" : "", append = p.append ? "append" : "";
  const std::string continues = p.continues ? "continues" : "";
  return std::string(prefix) + terminal + ',' + append + ',' + continues + ',' + p.run + ',' + p.series +
         ',' + std::to_string(p.launch) + ',' + std::to_string(p.launches) + ',' + std::to_string(p.spent_s) +
         ',' + p.out;
}

std::optional<FromParent> read_launched_word(std::string_view word) {
  if (!word.starts_with(prefix)) return std::nullopt;
  word.remove_prefix(prefix.size());
  FromParent p;
  p.terminal = take_field(word) == "terminal";
  p.append = take_field(word) == "append";
  p.continues = take_field(word) == "continues";
  p.run = take_field(word);
  p.series = take_field(word);
  p.launch = number(take_field(word));
  p.launches = number(take_field(word));
  p.spent_s = number(take_field(word));
  p.out = word;
  return p;
}

}  // namespace steelyard::cli
