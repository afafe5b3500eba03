// SPDX-License-Identifier: Apache-2.0
#include "analysis/screening/hostlist.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "units/text.hpp"

namespace steelyard::screening {
namespace {

/// "lion017" = lion, 017
struct NumberedName {
  std::string before, digits;
};

constexpr std::size_t most_digits = 15;

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

// Slurm takes nothing behind a bracket, so only a number at the end is one; not that of an address or in a domain.
NumberedName parts_of(const std::string& name) {
  std::size_t begin = name.size();
  if (name.find('.') == std::string::npos)
    while (begin > 0 && is_digit(name[begin - 1]) && name.size() - begin < most_digits) --begin;
  return {name.substr(0, begin), name.substr(begin)};
}

std::string padded(std::uint64_t number, std::size_t width) {
  const std::string digits = std::to_string(number);
  return std::string(width > digits.size() ? width - digits.size() : 0, '0') + digits;
}

std::string joined_ranges(const std::vector<std::uint64_t>& numbers, std::size_t width) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    text += (text.empty() ? "" : ",") + padded(numbers[i], width);
    if (last > i) text += "-" + padded(numbers[last], width);
    i = last + 1;
  }
  return text;
}

bool is_number(const std::string& word) {
  return std::ranges::all_of(word, is_digit);
}

}  // namespace

std::vector<std::string> node_names(const std::vector<std::string>& hosts) {
  std::vector<std::string> names;
  for (const std::string& host : hosts) names.push_back(host.substr(0, host.find('.')));
  const bool all_differ = std::set(names.begin(), names.end()).size() == names.size();
  // An address has no name in front.
  return all_differ && std::ranges::none_of(names, is_number) ? names : hosts;
}

std::string hostlist(std::vector<std::string> names) {
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  // Numbers with zeros in front have a width; without, every width is that of one family.
  struct Family {
    std::size_t width = 0;
    std::vector<std::uint64_t> numbers;
  };
  std::map<std::pair<std::string, std::size_t>, Family> families;
  std::vector<std::string> words;
  for (const std::string& name : names) {
    const auto [before, digits] = parts_of(name);
    if (digits.empty()) {
      words.push_back(name);
      continue;
    }
    const std::size_t width = digits.size() > 1 && digits.front() == '0' ? digits.size() : 0;
    // 017 and 912 are of one width where any of that width has a zero in front.
    auto padded_family = families.find({before, digits.size()});
    auto& family = width == 0 && padded_family == families.end() ? families[{before, 0}]
                                                                 : families[{before, digits.size()}];
    family.width = std::max(family.width, width);
    family.numbers.push_back(std::stoull(digits));
  }
  for (auto& [name, family] : families) {
    std::ranges::sort(family.numbers);
    const std::string ranges = joined_ranges(family.numbers, family.width);
    const bool one = family.numbers.size() == 1;
    words.push_back(name.first + (one ? ranges : "[" + ranges + "]"));
  }
  return units::joined(words, ",");
}

}  // namespace steelyard::screening
