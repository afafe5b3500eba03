// SPDX-License-Identifier: Apache-2.0
#include "record/fields.hpp"

#include <algorithm>

namespace steelyard::record::detail {
namespace {

constexpr std::size_t shown_length = 40;

std::string shown(const Json& json) {
  const std::string text = json.dump(-1, Json::Letters::ascii);
  return text.size() <= shown_length ? text : text.substr(0, shown_length) + "...";
}

/// Whole number of a value. Other tools write 4.0 for 4; 2^53 is where doubles stop to hold every whole number.
std::optional<std::int64_t> whole(const Element& json) {
  if (json.is_number_unsigned()) {
    const auto value = json.natural();
    const bool fits = value <= std::uint64_t{std::numeric_limits<std::int64_t>::max()};
    return fits ? std::optional(static_cast<std::int64_t>(value)) : std::nullopt;
  }
  if (json.is_number_integer()) return json.integer();
  if (!json.is_number()) return std::nullopt;
  const double value = json.real();
  const bool exact = std::trunc(value) == value && std::abs(value) <= 9007199254740992.0;
  return exact ? std::optional(static_cast<std::int64_t>(value)) : std::nullopt;
}

std::string quoted(std::string_view name) {
  return "member '" + std::string(name) + "'";
}

}  // namespace

void wrong_member(std::string_view name, std::string_view expected, const Json& found) {
  throw ReadError(quoted(name) + ": expected " + std::string(expected) + ", found " + shown(found));
}

void wrong_member(std::string_view name, std::string_view expected, const Element& found) {
  wrong_member(name, expected, found.json());
}

void missing_member(std::string_view name) {
  throw ReadError(quoted(name) + " is missing");
}

void assign(std::string_view name, const Element& json, bool& to) {
  if (!json.is_boolean()) wrong_member(name, "true or false", json);
  to = json.boolean();
}

void assign(std::string_view name, const Element& json, std::int64_t& to) {
  const auto value = whole(json);
  if (!value) wrong_member(name, "a whole number", json);
  to = *value;
}

void assign(std::string_view name, const Element& json, int& to) {
  const auto value = whole(json);
  if (!value || !std::in_range<int>(*value)) wrong_member(name, "a whole number below 2^31", json);
  to = static_cast<int>(*value);
}

void assign(std::string_view name, const Element& json, double& to) {
  if (!json.is_number()) wrong_member(name, "a number", json);
  to = json.real();
}

void assign(std::string_view name, const Element& json, std::string& to) {
  std::string_view text;
  assign(name, json, text);
  to = text;
}

void assign(std::string_view name, const Element& json, std::string_view& to) {
  if (!json.is_string()) wrong_member(name, "a text", json);
  to = json.text();
}

void assign(std::string_view name, const Element& json, Document& to) {
  if (!json.is_object()) wrong_member(name, "an object", json);
  to = Document(json.json());
}

void assign(std::string_view name, const Element& json, std::pair<double, double>& to) {
  if (!json.is_array() || json.size() != 2) wrong_member(name, "two numbers", json);
  assign(name, *json.begin(), to.first);
  assign(name, *++json.begin(), to.second);
}

void assign(std::string_view /*name*/, WrittenText& text, bool& to) {
  to = text.take_word("true");
  if (!to && !text.take_word("false")) throw NotAsWritten();
}

void assign(std::string_view /*name*/, WrittenText& text, std::int64_t& to) {
  const auto number = text.number();
  if (!number.is_whole) throw NotAsWritten();
  to = number.whole;
}

void assign(std::string_view name, WrittenText& text, int& to) {
  std::int64_t whole = 0;
  assign(name, text, whole);
  if (!std::in_range<int>(whole)) throw NotAsWritten();
  to = static_cast<int>(whole);
}

void assign(std::string_view /*name*/, WrittenText& text, double& to) {
  to = text.number().real;
}

void assign(std::string_view /*name*/, WrittenText& text, std::string& to) {
  to = text.text();
}

void assign(std::string_view /*name*/, WrittenText& text, std::string_view& to) {
  to = text.text();
}

void assign(std::string_view /*name*/, WrittenText& /*text*/, Document& /*to*/) {
  throw NotAsWritten();  // these are rare
}

void assign(std::string_view name, WrittenText& text, std::pair<double, double>& to) {
  text.need('[');
  assign(name, text, to.first);
  text.need(',');
  assign(name, text, to.second);
  text.need(']');
}

TreeObject::TreeObject(std::string_view name, const Element& json)
    : object_(json), begin_(json.begin()), end_(json.end()), next_(begin_) {
  if (!json.is_object()) wrong_member(name, "an object", json);
}

const Element* TreeObject::find(std::string_view name) const {
  if (!object_.may_have(name)) return nullptr;
  const auto is_named = [name](const Element& member) { return member.name() == name; };
  auto found = std::find_if(next_, end_, is_named);
  if (found == end_) {
    found = std::find_if(begin_, next_, is_named);
    if (found == next_) return nullptr;
  }
  const Element& member = *found;
  next_ = ++found;
  return member.is_null() ? nullptr : &member;
}

}  // namespace steelyard::record::detail
