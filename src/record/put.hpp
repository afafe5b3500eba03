// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "record/document.hpp"
#include "record/json.hpp"

/// Members that are left out when there is nothing to say. Of this room alone.
namespace steelyard::record::detail {

template <class T>
void put(Json& json, const char* name, const std::optional<T>& value) {
  if (value) json[name] = *value;
}

inline void put(Json& json, const char* name, const std::string& word) {
  if (!word.empty()) json[name] = word;
}

template <class T>
void put(Json& json, const char* name, const std::vector<T>& list) {
  if (!list.empty()) json[name] = list;
}

inline void put(Json& json, const char* name, const Document& document) {
  if (!document.empty()) json[name] = document.json();
}

/// The word, or null for an empty one.
[[nodiscard]] inline Json word_or_null(const std::string& word) {
  return word.empty() ? Json() : Json(word);
}

template <class T>
[[nodiscard]] Json value_or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

/// The document, or an empty object where the schema demands one.
[[nodiscard]] inline Json object_of(const Document& document) {
  return document.empty() ? Json::object() : document.json();
}

}  // namespace steelyard::record::detail
