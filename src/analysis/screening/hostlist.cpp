// SPDX-License-Identifier: Apache-2.0
#include "analysis/screening/hostlist.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <map>

namespace steelyard::screening {
namespace {

/// "lion017.site" = lion, 017, .site
struct NumberedName {
  std::string before, digits, behind;
};

constexpr std::size_t most_digits = 15;

NumberedName parts_of(const std::string& name) {
  const auto is_digit = [&](std::size_t i) { return std::isdigit(static_cast<unsigned char>(name[i])) != 0; };
  // In a name with a domain the host's own number is before the first dot.
  std::size_t end = std::min(name.find('.'), name.size());
  while (end > 0 && !is_digit(end - 1)) --end;
  std::size_t begin = end;
  while (begin > 0 && is_digit(begin - 1) && end - begin < most_digits) --begin;
  return {name.substr(0, begin), name.substr(begin, end - begin), name.substr(end)};
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

}  // namespace

std::string hostlist(std::vector<std::string> names) {
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  // Numbers with zeros in front have a width; without, every width is that of one family.
  struct Family {
    std::size_t width = 0;
    std::vector<std::uint64_t> numbers;
  };
  std::map<std::tuple<std::string, std::string, std::size_t>, Family> families;
  std::vector<std::string> words;
  for (const std::string& name : names) {
    const auto [before, digits, behind] = parts_of(name);
    if (digits.empty()) {
      words.push_back(name);
      continue;
    }
    const std::size_t width = digits.size() > 1 && digits.front() == '0' ? digits.size() : 0;
    // 017 and 912 are of one width where any of that width has a zero in front.
    auto padded_family = families.find({before, behind, digits.size()});
    auto& family = width == 0 && padded_family == families.end() ? families[{before, behind, 0}]
                                                                 : families[{before, behind, digits.size()}];
    family.width = std::max(family.width, width);
    family.numbers.push_back(std::stoull(digits));
  }
  for (auto& [name, family] : families) {
    std::ranges::sort(family.numbers);
    const std::string ranges = joined_ranges(family.numbers, family.width);
    const bool one = family.numbers.size() == 1;
    words.push_back(std::get<0>(name) + (one ? ranges : "[" + ranges + "]") + std::get<1>(name));
  }
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ",") + word;
  return text;
}

}  // namespace steelyard::screening
