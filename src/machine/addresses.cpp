// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cctype>

#include "machine/privacy.hpp"
#include "machine/words.hpp"

namespace steelyard::machine {

namespace {

constexpr std::string_view replacement = "<address>";

bool hexadecimal(char c) {
  return std::isxdigit(static_cast<unsigned char>(c)) != 0;
}
bool word_letter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool internet_4(std::string_view run) {
  const auto parts = split(run, '.');
  return parts.size() == 4 && run.back() != '.' && std::ranges::all_of(parts, [](auto part) {
           const auto number = whole(part);
           return number && *number >= 0 && *number <= 255 && part.size() <= 3;
         });
}

/// Internet 6, hardware (6, 8 or 20 pairs of digits) and InfiniBand GUID (groups of 4); not a time of the
/// day.
bool with_colons(std::string_view run) {
  const auto parts = split(run, ':');
  const auto size_is = [&](std::size_t size) {
    return std::ranges::all_of(parts, [=](auto part) { return part.size() == size; });
  };
  if (std::ranges::any_of(parts,
                          [](auto p) { return p.size() > 4 || p.find('.') != std::string_view::npos; }))
    return false;
  const bool shortened = run.find("::") != std::string_view::npos && std::ranges::any_of(run, hexadecimal);
  return shortened || parts.size() == 8 || (size_is(2) && parts.size() >= 6) ||
         (size_is(4) && parts.size() >= 4);
}

/// Length of an address at the start of a run of hexadecimal digits, dots and colons; 0 if there is none.
std::size_t address_length(std::string_view run) {
  while (!run.empty() && run.back() == '.') run.remove_suffix(1);
  if (with_colons(run)) return run.size();
  const auto before_port = run.substr(0, run.find(':'));
  return !before_port.empty() && internet_4(before_port) ? before_port.size() : 0;
}

/// h = hexadecimal digit, anything else stands for itself.
bool has_shape(std::string_view text, std::string_view shape) {
  if (text.size() < shape.size()) return false;
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (shape[i] == 'h' ? !hexadecimal(text[i]) : text[i] != shape[i]) return false;
  return text.size() == shape.size() || !word_letter(text[shape.size()]);
}

std::size_t dashed_length(std::string_view text) {
  constexpr std::array<std::string_view, 2> shapes{"hh-hh-hh-hh-hh-hh",
                                                   "hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh"};
  for (const auto shape : shapes)
    if (has_shape(text, shape)) return shape.size();
  return 0;
}

std::size_t length_at_word_start(std::string_view text) {
  if (const auto length = dashed_length(text)) return length;
  const auto end = std::min(text.find_first_not_of("0123456789abcdefABCDEF.:"), text.size());
  if (end < text.size() && word_letter(text[end])) {
    // "10.0.0.1:eth0": the part before the last colon may still be one.
    const auto colon = text.substr(0, end).rfind(':');
    return colon == std::string_view::npos ? 0 : address_length(text.substr(0, colon));
  }
  return address_length(text.substr(0, end));
}

}  // namespace

std::string without_addresses(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const auto rest = text.substr(i);
    const bool starts = i == 0 || !word_letter(text[i - 1]);
    const auto length = starts ? length_at_word_start(rest) : 0;
    // "1.2.3.4.5" is no address, nor is its end; behind a colon one may begin.
    const auto number = std::min(rest.find_first_not_of("0123456789abcdefABCDEF."), rest.size());
    const auto step = length > 0 ? length : std::max<std::size_t>(1, starts ? number : 0);
    result += length > 0 ? replacement : rest.substr(0, step);
    i += step;
  }
  return result;
}

}  // namespace steelyard::machine
