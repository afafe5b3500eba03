// SPDX-License-Identifier: Apache-2.0
#include "report/recorded.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "record/file.hpp"

namespace steelyard::report {

using record::Json;

constexpr std::size_t longest_value = 300;

std::string text_of(const Json& json) {
  if (json.is_null()) return {};
  std::string text =
      json.is_string() ? json.get<std::string>() : json.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (json.is_array() && std::ranges::all_of(json, [](const Json& one) { return one.is_primitive(); })) {
    text.clear();
    for (const Json& one : json) text += (text.empty() ? "" : " ") + text_of(one);
  }
  if (text.size() > longest_value) text = record::valid_utf8(text.substr(0, longest_value)) + " ...";
  return text;
}

std::string at(const record::Document& document, const char* pointer) {
  const Json::json_pointer place(pointer);
  const Json& json = document.json();
  return json.is_object() && json.contains(place) ? text_of(json.at(place)) : std::string();
}

}  // namespace steelyard::report
