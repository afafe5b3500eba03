// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "record/conversion.hpp"

namespace steelyard::record {
namespace detail {
namespace {

// Far beyond what any record needs; deeper values would exhaust the stack when they are copied.
constexpr int max_depth = 64;

int depth_of(std::string_view line) {
  int depth = 0, deepest = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quoted && c == '\\') ++i;
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '{' || c == '[') deepest = std::max(deepest, ++depth);
    if (c == '}' || c == ']') --depth;
  }
  return deepest;
}

bool finite(const Json& json) {
  if (json.is_number_float()) return std::isfinite(json.get<double>());
  return !json.is_structured() || std::ranges::all_of(json, finite);
}

/// Path of the first member that is not finite.
std::string culprit(const Json& json) {
  if (json.is_array()) {
    const auto found = std::ranges::find_if_not(json, finite);
    if (found == json.end()) return "";
    return "/" + std::to_string(std::ranges::distance(json.begin(), found)) + culprit(*found);
  }
  for (const auto& [name, member] : json.items()) {
    if (!finite(member)) return "/" + name + culprit(member);
  }
  return "";
}

}  // namespace

void require_finite(const Json& json) {
  if (!finite(json)) throw NotANumber("member " + culprit(json) + " is not a finite number");
}

namespace {

/// " of 'NAME VALUE ...'", so that the reader knows the line again; empty where it is no text.
std::string beginning(std::string_view line) {
  constexpr std::size_t shown = 30;
  const std::string_view first = line.substr(0, shown);
  const bool printable = std::ranges::all_of(first, [](char c) { return c >= ' ' && c <= '~'; });
  if (first.empty() || !printable) return {};
  return " of '" + std::string(first) + (line.size() > shown ? "...'" : "'");
}

}  // namespace

Json parse_line(std::string_view line) {
  if (depth_of(line) > max_depth)
    throw ReadError("nested more than " + std::to_string(max_depth) + " levels");
  try {
    return Json::parse(line);
  } catch (const JsonSyntaxError& error) {
    throw BrokenLine("not valid JSON, as every line of a result file is: wrong at character " +
                     std::to_string(error.byte) + beginning(line));
  } catch (const JsonError&) {
    throw BrokenLine("not valid JSON, as every line of a result file is: a number is too large" +
                     beginning(line));
  }
}

}  // namespace detail

std::string to_line(const Record& record) {
  const Json json = detail::to_json(record);
  detail::require_finite(json);
  return json.dump();
}

std::optional<Record> from_line(std::string_view line) {
  return detail::from_json(detail::Elements(line).root());
}

}  // namespace steelyard::record
