// SPDX-License-Identifier: Apache-2.0
#include "record/fields.hpp"

namespace steelyard::record::detail {
namespace {

constexpr std::size_t shown_length = 40;

std::string shown(const Json& json) {
  const std::string text = json.dump(-1, Json::Letters::ascii);
  return text.size() <= shown_length ? text : text.substr(0, shown_length) + "...";
}

/// Other tools write 4.0 for 4; 2^53 is where doubles stop to hold every whole number.
std::optional<std::int64_t> whole(const Json& json) {
  if (json.is_number_unsigned()) {
    const auto value = json.get<std::uint64_t>();
    const bool fits = value <= std::uint64_t{std::numeric_limits<std::int64_t>::max()};
    return fits ? std::optional(static_cast<std::int64_t>(value)) : std::nullopt;
  }
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (!json.is_number_float()) return std::nullopt;
  const double value = json.get<double>();
  const bool exact = std::trunc(value) == value && std::abs(value) <= 9007199254740992.0;
  return exact ? std::optional(static_cast<std::int64_t>(value)) : std::nullopt;
}

}  // namespace

void wrong_member(const char* name, const char* expected, const Json& found) {
  throw ReadError(std::string("member '") + name + "': expected " + expected + ", found " + shown(found));
}

void missing_member(const char* name) {
  throw ReadError(std::string("member '") + name + "' is missing");
}

void assign(const char* name, const Json& json, bool& to) {
  if (!json.is_boolean()) wrong_member(name, "true or false", json);
  to = json.get<bool>();
}

void assign(const char* name, const Json& json, std::int64_t& to) {
  const auto value = whole(json);
  if (!value) wrong_member(name, "a whole number", json);
  to = *value;
}

void assign(const char* name, const Json& json, int& to) {
  const auto value = whole(json);
  if (!value || !std::in_range<int>(*value)) wrong_member(name, "a whole number below 2^31", json);
  to = static_cast<int>(*value);
}

void assign(const char* name, const Json& json, double& to) {
  if (!json.is_number()) wrong_member(name, "a number", json);
  to = json.get<double>();
}

void assign(const char* name, const Json& json, std::string& to) {
  if (!json.is_string()) wrong_member(name, "a text", json);
  to = json.get<std::string>();
}

void assign(const char* name, const Json& json, Document& to) {
  if (!json.is_object()) wrong_member(name, "an object", json);
  to = Document(json);
}

void assign(const char* name, const Json& json, std::pair<double, double>& to) {
  if (!json.is_array() || json.size() != 2) wrong_member(name, "two numbers", json);
  assign(name, json[0], to.first);
  assign(name, json[1], to.second);
}

Fields::Fields(const char* name, const Json& json) : json_(&json) {
  if (!json.is_object()) wrong_member(name, "an object", json);
}

const Json* Fields::find(const char* name) const {
  const auto found = json_->find(name);
  return found == json_->end() || found->is_null() ? nullptr : &*found;
}

}  // namespace steelyard::record::detail
