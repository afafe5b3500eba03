// SPDX-License-Identifier: Apache-2.0
#include "record/members.hpp"

#include <charconv>
#include <cstring>

namespace steelyard::record {
namespace {

constexpr std::size_t nowhere = std::string_view::npos;

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

std::size_t after_blanks(std::string_view text, std::size_t at) {
  while (at < text.size() && is_blank(text[at])) ++at;
  return at;
}

/// Behind the closing quote of a text that begins at `at`.
std::size_t after_text(std::string_view text, std::size_t at) {
  for (std::size_t from = at + 1; from < text.size();) {
    const void* found = std::memchr(text.data() + from, '"', text.size() - from);
    if (found == nullptr) return nowhere;
    const auto quote = static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
    std::size_t backslashes = 0;
    while (quote - backslashes - 1 > at && text[quote - backslashes - 1] == '\\') ++backslashes;
    if (backslashes % 2 == 0) return quote + 1;
    from = quote + 1;
  }
  return nowhere;
}

/// Behind the value that begins at `at`.
std::size_t after_value(std::string_view text, std::size_t at) {
  if (at >= text.size()) return nowhere;
  if (text[at] == '"') return after_text(text, at);
  if (text[at] != '{' && text[at] != '[') {
    const std::size_t begin = at;
    while (at < text.size() && text[at] != ',' && text[at] != '}' && text[at] != ']' && !is_blank(text[at]))
      ++at;
    return at == begin ? nowhere : at;
  }
  int depth = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '"') {
      at = after_text(text, at);
      if (at == nowhere) return nowhere;
      continue;
    }
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && --depth == 0) return at + 1;
    ++at;
  }
  return nowhere;
}

}  // namespace

bool each_member(std::string_view object,
                 const std::function<bool(std::string_view, std::string_view)>& take) {
  std::size_t at = after_blanks(object, 0);
  if (at >= object.size() || object[at] != '{') return false;
  at = after_blanks(object, at + 1);
  if (at < object.size() && object[at] == '}') return after_blanks(object, at + 1) == object.size();
  while (at < object.size()) {
    if (object[at] != '"') return false;
    const std::size_t name_end = after_text(object, at);
    if (name_end == nowhere) return false;
    const std::string_view name = object.substr(at + 1, name_end - at - 2);
    at = after_blanks(object, name_end);
    if (at >= object.size() || object[at] != ':') return false;
    at = after_blanks(object, at + 1);
    const std::size_t end = after_value(object, at);
    if (end == nowhere) return false;
    if (!take(name, object.substr(at, end - at))) return true;
    at = after_blanks(object, end);
    if (at >= object.size()) return false;
    if (object[at] == '}') return after_blanks(object, at + 1) == object.size();
    if (object[at] != ',') return false;
    at = after_blanks(object, at + 1);
  }
  return false;
}

std::optional<std::string_view> plain_text(std::string_view value) {
  if (value.size() < 2 || value.front() != '"' || value.find('\\') != nowhere) return std::nullopt;
  return value.substr(1, value.size() - 2);
}

std::optional<double> plain_number(std::string_view value) {
  double number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  return error == std::errc() && end == value.data() + value.size() ? std::optional(number) : std::nullopt;
}

}  // namespace steelyard::record
