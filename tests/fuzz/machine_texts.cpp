// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "machine/text.hpp"
#include "targets.hpp"

namespace steelyard::fuzz {
namespace {

void processors(std::string_view input) {
  const auto list = machine::parse_cpu_list(input);
  require(std::ranges::is_sorted(list) && std::ranges::adjacent_find(list) == list.end(), "not ascending");
  require(list.empty() || list.front() >= 0, "a processor below 0");
  require(machine::parse_cpu_list(machine::format_cpu_list(list)) == list, "a list is printed as another");
}

}  // namespace

void read_machine_texts(std::string_view input) {
  processors(input);
  static_cast<void>(machine::cache_bytes(input));
  static_cast<void>(machine::bytes_of_kilobytes(input, "MemTotal"));
  static_cast<void>(machine::counter(input, "nr_throttled"));
  static_cast<void>(machine::field(input, "model name"));
  static_cast<void>(machine::decimal(input));
  const auto word = machine::chosen(input);
  require(!word || input.find(*word) != std::string_view::npos, "a word that is not in the text");
}

}  // namespace steelyard::fuzz
