// SPDX-License-Identifier: Apache-2.0
#include "record/json.hpp"

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>

#include "record/document.hpp"

namespace steelyard::record {
namespace {

using Library = nlohmann::ordered_json;

constexpr std::size_t deepest = 500;  // far beyond any of ours; values are copied and destroyed recursively

[[noreturn]] void no_member(std::string_view name) {
  throw JsonError("no member '" + std::string(name) + "'");
}

}  // namespace

/// Builds a value from what the library finds in a text.
struct Json::Reader {
  Json root;
  std::vector<Json*> open;
  Json* member = nullptr;  // the one that waits for its value
  std::string message;
  std::size_t where = 0;

  Json& put(Json value) {
    if (open.empty()) return root = std::move(value);
    if (Json* named = std::exchange(member, nullptr)) return *named = std::move(value);
    return std::get<Array>(open.back()->value_).emplace_back(std::move(value));
  }
  template <class Content>
  bool start(Content content) {
    if (open.size() == deepest) return fail("nested too deeply", 0);
    Json empty;
    empty.value_ = std::move(content);
    open.push_back(&put(std::move(empty)));
    return true;
  }
  bool close() {
    open.pop_back();
    return true;
  }
  bool fail(std::string what, std::size_t byte) {
    message = std::move(what);
    where = byte;
    return false;
  }

  bool null() { return put({}), true; }
  bool boolean(bool value) { return put(value), true; }
  bool number_integer(std::int64_t value) { return put(value), true; }
  bool number_unsigned(std::uint64_t value) { return put(value), true; }
  bool number_float(double value, const std::string& /*text*/) { return put(value), true; }
  bool string(std::string& value) { return put(std::move(value)), true; }
  bool binary(Library::binary_t& /*value*/) { return fail("binary", 0); }
  bool start_object(std::size_t /*size*/) { return start(Object{}); }
  bool key(std::string& name) {
    member = &(*open.back())[name];
    return true;
  }
  bool end_object() { return close(); }
  bool start_array(std::size_t /*size*/) { return start(Array{}); }
  bool end_array() { return close(); }
  bool parse_error(std::size_t byte, const std::string& /*token*/, const Library::exception& error) {
    return fail(error.what(), dynamic_cast<const Library::parse_error*>(&error) ? byte : 0);
  }

  template <class Input>
  static std::optional<Json> read(Input&& input, Reader& reader) {
    if (!Library::sax_parse(std::forward<Input>(input), &reader)) return std::nullopt;
    return std::move(reader.root);
  }
};

/// The library's value, for printing.
struct Json::Printer {
  struct Line;
  Library operator()(const Array& array) const {
    Library list = Library::array();
    for (const Json& element : array) list.push_back(std::visit(*this, element.value_));
    return list;
  }
  Library operator()(const Object& object) const {
    Library members = Library::object();
    for (const auto& [name, value] : object) members[name] = std::visit(*this, value.value_);
    return members;
  }
  Library operator()(const auto& value) const { return Library(value); }
};

/// The text in one line as the library prints it, without a value of the library for each of ours.
struct Json::Printer::Line {
  std::string& text;

  void print(const Json& json) { std::visit(*this, json.value_); }
  void operator()(std::nullptr_t) { text += "null"; }
  void operator()(bool value) { text += value ? "true" : "false"; }
  void operator()(std::integral auto value) { text += std::to_string(value); }
  void operator()(double value) { text += Library(value).dump(); }
  void operator()(const std::string& value) {
    const auto plain = [](char c) {
      return static_cast<signed char>(c) >= ' ' && c != '"' && c != '\\' && c != 127;
    };
    if (!std::ranges::all_of(value, plain))
      text += Library(value).dump(-1, ' ', false, Library::error_handler_t::replace);
    else
      text.append(1, '"').append(value).append(1, '"');
  }
  void operator()(const Array& array) {
    char separator = '[';
    for (const Json& element : array) {
      text += separator;
      print(element);
      separator = ',';
    }
    text += array.empty() ? "[]" : "]";
  }
  void operator()(const Object& object) {
    char separator = '{';
    for (const auto& [name, value] : object) {
      text += separator;
      (*this)(name);
      text += ':';
      print(value);
      separator = ',';
    }
    text += object.empty() ? "{}" : "}";
  }
};

Json Json::parse(std::string_view text) {
  Reader reader;
  auto json = Reader::read(text, reader);
  if (!json) throw JsonSyntaxError(reader.message, reader.where);
  return std::move(*json);
}

Json Json::parse(std::istream& text) {
  Reader reader;
  auto json = Reader::read(text, reader);
  if (!json) throw JsonSyntaxError(reader.message, reader.where);
  return std::move(*json);
}

Json Json::parse_or_null(std::string_view text) {
  Reader reader;
  return Reader::read(text, reader).value_or(Json());
}

Json Json::parse_or_null(std::istream& text) {
  Reader reader;
  return Reader::read(text, reader).value_or(Json());
}

std::string Json::dump(int indent, Letters letters) const {
  if (indent < 0 && letters == Letters::utf8) {
    std::string text;
    Printer::Line{text}.print(*this);
    return text;
  }
  const Library library = std::visit(Printer{}, value_);
  return library.dump(indent, ' ', letters == Letters::ascii, Library::error_handler_t::replace);
}

std::ostream& operator<<(std::ostream& out, const Json& json) {
  return out << json.dump();
}

Json::Json() : value_(nullptr) {}
Json::Json(const Json& other) = default;
Json::Json(Json&& other) noexcept : value_(std::exchange(other.value_, nullptr)) {}
Json& Json::operator=(Json other) noexcept {
  value_.swap(other.value_);
  return *this;
}
Json::~Json() = default;

Json::Json(std::string&& text, Text /*tag*/) : value_(std::move(text)) {}

Json::Json(std::initializer_list<Item> items) {
  const bool named = std::ranges::all_of(items, [](const Item& item) {
    return item.json.is_array() && item.json.size() == 2 && item.json.front().is_string();
  });
  *this = named ? object(items) : array(items);
}

Json Json::array() {
  Json json;
  json.value_ = Array{};
  return json;
}

Json Json::array(std::initializer_list<Item> items) {
  Json json = array();
  for (const Item& item : items) json.push_back(std::move(item.json));
  return json;
}

Json Json::object() {
  Json json;
  json.value_ = Object{};
  return json;
}

Json Json::object(std::initializer_list<Item> items) {
  Json json = object();
  for (const Item& item : items) json[item.json.at(0).text()] = std::move(item.json.at(1));
  return json;
}

bool Json::is_null() const {
  return std::holds_alternative<std::nullptr_t>(value_);
}
bool Json::is_boolean() const {
  return std::holds_alternative<bool>(value_);
}
bool Json::is_number() const {
  return is_number_integer() || is_number_float();
}
bool Json::is_number_integer() const {
  return is_number_unsigned() || std::holds_alternative<std::int64_t>(value_);
}
bool Json::is_number_unsigned() const {
  return std::holds_alternative<std::uint64_t>(value_);
}
bool Json::is_number_float() const {
  return std::holds_alternative<double>(value_);
}
bool Json::is_string() const {
  return std::holds_alternative<std::string>(value_);
}
bool Json::is_array() const {
  return std::holds_alternative<Array>(value_);
}
bool Json::is_object() const {
  return std::holds_alternative<Object>(value_);
}

std::size_t Json::size() const {
  if (const auto* array = std::get_if<Array>(&value_)) return array->size();
  if (const auto* object = std::get_if<Object>(&value_)) return object->size();
  return is_null() ? 0 : 1;
}

bool Json::boolean() const {
  if (!is_boolean()) throw JsonError("not true or false");
  return std::get<bool>(value_);
}

std::variant<std::int64_t, std::uint64_t, double> Json::number() const {
  if (const auto* value = std::get_if<std::int64_t>(&value_)) return *value;
  if (const auto* value = std::get_if<std::uint64_t>(&value_)) return *value;
  if (const auto* value = std::get_if<double>(&value_)) return *value;
  throw JsonError("not a number");
}

const std::string& Json::text() const {
  if (!is_string()) throw JsonError("not a text");
  return std::get<std::string>(value_);
}

Json::Array& Json::list() {
  if (!is_array()) throw JsonError("not a list");
  return std::get<Array>(value_);
}

const Json::Array& Json::list() const {
  if (!is_array()) throw JsonError("not a list");
  return std::get<Array>(value_);
}

std::span<Json::Member> Json::items() {
  auto* object = std::get_if<Object>(&value_);
  return object ? std::span<Member>(*object) : std::span<Member>();
}

std::span<const Json::Member> Json::items() const {
  const auto* object = std::get_if<Object>(&value_);
  return object ? std::span<const Member>(*object) : std::span<const Member>();
}

const Json* Json::find_member(std::string_view name) const {
  const auto found = find(name);
  return found == end() ? nullptr : &*found;
}

Json::iterator Json::find(std::string_view name) {
  if (!is_object()) return end();
  return iterator(std::to_address(std::ranges::find(std::get<Object>(value_), name, &Member::name)));
}

Json::const_iterator Json::find(std::string_view name) const {
  if (!is_object()) return end();
  return const_iterator(std::to_address(std::ranges::find(std::get<Object>(value_), name, &Member::name)));
}

Json& Json::at(std::string_view name) {
  return const_cast<Json&>(std::as_const(*this).at(name));
}

const Json& Json::at(std::string_view name) const {
  const Json* member = find_member(name);
  if (!member) no_member(name);
  return *member;
}

Json& Json::at(std::size_t index) {
  return const_cast<Json&>(std::as_const(*this).at(index));
}

const Json& Json::at(std::size_t index) const {
  const Array& array = list();
  if (index >= array.size()) throw JsonError("no element " + std::to_string(index));
  return array[index];
}

const Json* Json::at_pointer(std::string_view pointer) const {
  const Json* json = this;
  while (json && !pointer.empty()) {
    pointer.remove_prefix(1);
    const std::string_view name = pointer.substr(0, pointer.find('/'));
    pointer.remove_prefix(name.size());
    json = json->find_member(name);
  }
  return json;
}

Json& Json::operator[](std::string_view name) {
  if (is_null()) value_ = Object{};
  if (!is_object()) throw JsonError("not an object");
  auto& object = std::get<Object>(value_);
  const auto found = std::ranges::find(object, name, &Member::name);
  if (found != object.end()) return found->value;
  object.push_back({std::string(name), Json()});
  return object.back().value;
}

const Json& Json::operator[](std::string_view name) const {
  static const Json null;
  const Json* member = find_member(name);
  return member ? *member : null;
}

void Json::push_back(Json element) {
  if (is_null()) value_ = Array{};
  list().push_back(std::move(element));
}

void Json::update(const Json& other) {
  for (const auto& [name, value] : other.items()) (*this)[name] = value;
}

std::size_t Json::erase(std::string_view name) {
  auto* object = std::get_if<Object>(&value_);
  return object ? std::erase_if(*object, [&](const Member& member) { return member.name == name; }) : 0;
}

void Json::erase(std::size_t index) {
  list().erase(list().begin() + static_cast<std::ptrdiff_t>(index));
}

Json::iterator Json::begin() {
  if (is_object()) return iterator(items().data());
  return iterator(is_array() ? list().data() : this);
}

Json::iterator Json::end() {
  if (is_object()) return iterator(items().data() + size());
  return iterator((is_array() ? list().data() : this) + size());
}

Json::const_iterator Json::begin() const {
  if (is_object()) return const_iterator(items().data());
  return const_iterator(is_array() ? list().data() : this);
}

Json::const_iterator Json::end() const {
  if (is_object()) return const_iterator(items().data() + size());
  return const_iterator((is_array() ? list().data() : this) + size());
}

bool operator==(const Json& left, const Json& right) {
  if (!left.is_number() || !right.is_number() || left.value_.index() == right.value_.index())
    return left.value_ == right.value_;
  return std::visit(
      [](auto a, auto b) {
        if constexpr (std::is_floating_point_v<decltype(a)> || std::is_floating_point_v<decltype(b)>)
          return static_cast<double>(a) == static_cast<double>(b);
        else
          return static_cast<std::int64_t>(a) == static_cast<std::int64_t>(b);
      },
      left.number(), right.number());
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
