// SPDX-License-Identifier: Apache-2.0
#include "launch/parent.hpp"

#include <algorithm>

namespace steelyard::cli {
namespace {

constexpr std::string_view prefix = "--launched=";

std::string_view take_field(std::string_view& rest) {
  const std::size_t end = std::min(rest.find(','), rest.size());
  const std::string_view field = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return field;
}

}  // namespace

std::string launched_word(const FromParent& p) {
  const std::string terminal = p.terminal ? "terminal" : "", append = p.append ? "append" : "";
  return std::string(prefix) + terminal + ',' + append + ',' + p.run + ',' + p.series + ',' + p.out;
}

std::optional<FromParent> read_launched_word(std::string_view word) {
  if (!word.starts_with(prefix)) return std::nullopt;
  word.remove_prefix(prefix.size());
  FromParent p;
  p.terminal = take_field(word) == "terminal";
  p.append = take_field(word) == "append";
  p.run = take_field(word);
  p.series = take_field(word);
  p.out = word;
  return p;
}

}  // namespace steelyard::cli
