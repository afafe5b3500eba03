// SPDX-License-Identifier: Apache-2.0
#include "record/document.hpp"

#include <nlohmann/json.hpp>
#include <utility>

namespace steelyard::record {

Document::Document() : json_(std::make_unique<Json>()) {}

// Parentheses: braces would wrap the value into an array.
Document::Document(Json json) : json_(std::make_unique<Json>(std::move(json))) {}

Document::Document(const Document& other) : json_(std::make_unique<Json>(*other.json_)) {}

Document::Document(Document&& other) noexcept : json_(std::move(other.json_)) {}

Document& Document::operator=(Document other) noexcept {
  json_.swap(other.json_);
  return *this;
}

Document::~Document() = default;

bool Document::empty() const {
  return json_->is_null() || (json_->is_structured() && json_->empty());
}

std::optional<double> number_in(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_number() ? std::optional(found->get<double>()) : std::nullopt;
}

std::string text_in(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace steelyard::record
