// SPDX-License-Identifier: Apache-2.0
#include "report/recorded.hpp"

#include <algorithm>

#include "record/file.hpp"
#include "record/json.hpp"

namespace steelyard::report {

using record::Json;

constexpr std::size_t longest_value = 300;

std::string text_of(const Json& json) {
  if (json.is_null()) return {};
  std::string text = json.is_string() ? json.get<std::string>() : json.dump();
  if (json.is_array() && std::ranges::all_of(json, [](const Json& one) { return one.is_primitive(); })) {
    text.clear();
    for (const Json& one : json) text += (text.empty() ? "" : " ") + text_of(one);
  }
  if (text.size() > longest_value) text = record::valid_utf8(text.substr(0, longest_value)) + " ...";
  return text;
}

std::string at(const record::Document& document, const char* pointer) {
  const Json* found = document.json().at_pointer(pointer);
  return found ? text_of(*found) : std::string();
}

}  // namespace steelyard::report
