// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <iterator>
#include <optional>
#include <ranges>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "record/clipped.hpp"

namespace steelyard::record {

/// Thrown for a member that is absent or of another kind than was asked for.
class JsonError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Thrown for a text that is not JSON.
class JsonSyntaxError : public JsonError {
 public:
  JsonSyntaxError(const std::string& what, std::size_t where) : JsonError(what), byte(where) {}
  std::size_t byte;  // counted from 1; 0 for a number that is too large
};

template <class T>
concept JsonText = std::convertible_to<const T&, std::string_view>;

/// Value of JSON. Members of objects keep their order. Only json.cpp knows the library that reads and prints
/// the text, so that users of this header compile quickly.
class Json {
 public:
  class Item;
  struct Member;
  using Array = std::vector<Json>;
  using Object = std::vector<Member>;
  using value_type = Json;
  template <class Value, class Named>
  class Cursor;
  using iterator = Cursor<Json, Member>;
  using const_iterator = Cursor<const Json, const Member>;

  Json();  // what makes or ends a value is not inline: members are not complete before it
  Json(const Json& other);
  Json(Json&& other) noexcept;
  Json& operator=(Json other) noexcept;
  ~Json();

  // NOLINTBEGIN(google-explicit-constructor): numbers, texts and lists are JSON as they stand.
  Json(std::nullptr_t) : Json() {}
  Json(std::same_as<bool> auto value);
  Json(std::floating_point auto value);
  template <std::integral T>
  requires(!std::same_as<T, bool>) Json(T value);
  template <JsonText T>
  Json(const T& text) : Json(std::string(std::string_view(text)), Text{}) {}
  Json(std::string&& text) : Json(std::move(text), Text{}) {}
  template <class First, class Second>
  Json(const std::pair<First, Second>& pair);
  /// Makes a list, or an object from a map.
  template <std::ranges::input_range Range>
  requires(!JsonText<Range> && !std::same_as<Range, Json>) Json(const Range& range);
  /// Makes a list; an object if every item is a list of a text and another item.
  Json(std::initializer_list<Item> items);
  // NOLINTEND(google-explicit-constructor)

  [[nodiscard]] static Json array();
  [[nodiscard]] static Json array(std::initializer_list<Item> items);
  [[nodiscard]] static Json object();
  [[nodiscard]] static Json object(std::initializer_list<Item> items);

  /// Parses a text. Throws JsonSyntaxError, also for values nested deeper than any of ours.
  [[nodiscard]] static Json parse(std::string_view text);
  [[nodiscard]] static Json parse(std::istream& text);
  /// Parses a text; null if it is not JSON.
  [[nodiscard]] static Json parse_or_null(std::string_view text);
  [[nodiscard]] static Json parse_or_null(std::istream& text);

  enum class Letters { utf8, ascii };
  /// Text of the value: one line, or lines indented by so many blanks. Bytes that are not UTF-8 become U+FFFD.
  [[nodiscard]] std::string dump(int indent = -1, Letters letters = Letters::utf8) const;

  [[nodiscard]] bool is_null() const { return std::holds_alternative<std::nullptr_t>(value_); }
  [[nodiscard]] bool is_boolean() const { return std::holds_alternative<bool>(value_); }
  [[nodiscard]] bool is_number() const { return is_number_integer() || is_number_float(); }
  [[nodiscard]] bool is_number_integer() const {
    return is_number_unsigned() || std::holds_alternative<std::int64_t>(value_);
  }
  [[nodiscard]] bool is_number_unsigned() const { return std::holds_alternative<std::uint64_t>(value_); }
  [[nodiscard]] bool is_number_float() const { return std::holds_alternative<double>(value_); }
  [[nodiscard]] bool is_string() const { return std::holds_alternative<std::string>(value_); }
  [[nodiscard]] bool is_array() const { return std::holds_alternative<Array>(value_); }
  [[nodiscard]] bool is_object() const { return std::holds_alternative<Object>(value_); }
  [[nodiscard]] bool is_structured() const { return is_array() || is_object(); }
  [[nodiscard]] bool is_primitive() const { return !is_structured(); }

  /// True for null and for lists and objects without content.
  [[nodiscard]] bool empty() const { return size() == 0; }
  /// Number of elements or members; 1 for a number, a text, true and false.
  [[nodiscard]] std::size_t size() const;

  /// Value as a C++ one: bool, a number (converted as C++ does), std::string, a list or map of those. Throws
  /// JsonError for another kind.
  template <class T>
  [[nodiscard]] T get() const;

  [[nodiscard]] bool contains(std::string_view name) const { return find_member(name) != nullptr; }
  [[nodiscard]] std::size_t count(std::string_view name) const { return contains(name) ? 1 : 0; }
  [[nodiscard]] iterator find(std::string_view name);
  [[nodiscard]] const_iterator find(std::string_view name) const;
  /// Element or member; throws JsonError if there is none.
  [[nodiscard]] Json& at(std::string_view name);
  [[nodiscard]] const Json& at(std::string_view name) const;
  [[nodiscard]] Json& at(std::size_t index);
  [[nodiscard]] const Json& at(std::size_t index) const;
  /// Value at "/name/0/name", or nullptr.
  [[nodiscard]] const Json* at_pointer(std::string_view pointer) const;
  /// Member, or the default if there is none.
  template <class T>
  [[nodiscard]] T value(std::string_view name, const T& otherwise) const;
  [[nodiscard]] std::string value(std::string_view name, const char* otherwise) const {
    return value(name, std::string(otherwise));
  }

  /// Member, made null if it is absent; null becomes an object. Throws JsonError for other kinds.
  Json& operator[](std::string_view name);
  /// Member; null if it is absent.
  const Json& operator[](std::string_view name) const;
  Json& operator[](std::integral auto index) { return at(static_cast<std::size_t>(index)); }
  const Json& operator[](std::integral auto index) const { return at(static_cast<std::size_t>(index)); }
  [[nodiscard]] Json& front() { return at(0); }
  [[nodiscard]] const Json& front() const { return at(0); }
  [[nodiscard]] Json& back() { return at(size() - 1); }
  [[nodiscard]] const Json& back() const { return at(size() - 1); }

  /// Adds an element; null becomes a list.
  void push_back(Json element);
  /// Sets all members of another object.
  void update(const Json& other);
  /// Removes a member; returns the number of removed members.
  std::size_t erase(std::string_view name);
  void erase(std::size_t index) { list().erase(list().begin() + static_cast<std::ptrdiff_t>(index)); }

  /// Iterators over the elements of a list, the values of the members of an object, or the value itself.
  [[nodiscard]] iterator begin();
  [[nodiscard]] iterator end();
  [[nodiscard]] const_iterator begin() const;
  [[nodiscard]] const_iterator end() const;
  /// Members of an object; none for other kinds.
  [[nodiscard]] std::span<Member> items();
  [[nodiscard]] std::span<const Member> items() const;

  /// Numbers compare by value, whatever their kind.
  friend bool operator==(const Json& left, const Json& right);
  friend std::ostream& operator<<(std::ostream& out, const Json& json);

 private:
  struct Text {};
  Json(std::string&& text, Text /*tag*/);
  [[nodiscard]] const Json* find_member(std::string_view name) const;
  [[nodiscard]] Array& list();
  [[nodiscard]] const Array& list() const;
  [[nodiscard]] bool boolean() const;
  [[nodiscard]] std::variant<std::int64_t, std::uint64_t, double> number() const;
  [[nodiscard]] const std::string& text() const;

  std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::string, Array, Object> value_;
  class Builder;
  struct Printer;
};

struct Json::Member {
  std::string name;
  Json value;
  friend bool operator==(const Member&, const Member&) = default;
};

/// Item that may stand between braces.
class Json::Item {
 public:
  // NOLINTBEGIN(google-explicit-constructor,bugprone-forwarding-reference-overload): as for Json; no other Item is taken.
  template <class T>
  requires(std::constructible_from<Json, T&&> && !std::same_as<std::remove_cvref_t<T>, Item>) Item(T&& value)
      : json(std::forward<T>(value)) {}
  // NOLINTEND(google-explicit-constructor,bugprone-forwarding-reference-overload)
  Item(std::initializer_list<Item> items) : json(items) {}
  mutable Json json;  // moved out by the list that the item is in
};

/// Iterator over elements, or over the values of members.
template <class Value, class Named>
class Json::Cursor {
 public:
  using value_type = Json;
  using difference_type = std::ptrdiff_t;
  using reference = Value&;
  using pointer = Value*;
  using iterator_category = std::forward_iterator_tag;

  Cursor() = default;
  explicit Cursor(Value* element) : element_(element) {}
  explicit Cursor(Named* member) : member_(member) {}

  Value& operator*() const { return member_ ? member_->value : *element_; }
  Value* operator->() const { return &**this; }
  [[nodiscard]] const std::string& key() const { return member_->name; }
  [[nodiscard]] Value& value() const { return **this; }
  Cursor& operator++() {
    if (member_)
      ++member_;
    else
      ++element_;
    return *this;
  }
  Cursor operator++(int) {
    Cursor before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const Cursor&, const Cursor&) = default;

 private:
  Value* element_ = nullptr;
  Named* member_ = nullptr;
};

Json::Json(std::same_as<bool> auto value) : value_(value) {}

Json::Json(std::floating_point auto value) : value_(static_cast<double>(value)) {}

template <std::integral T>
requires(!std::same_as<T, bool>) Json::Json(T value)
    : value_(static_cast<std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>(value)) {}

template <class First, class Second>
Json::Json(const std::pair<First, Second>& pair) : Json(array()) {
  push_back(pair.first);
  push_back(pair.second);
}

template <std::ranges::input_range Range>
requires(!JsonText<Range> && !std::same_as<Range, Json>) Json::Json(const Range& range) : Json(array()) {
  if constexpr (requires(const Range& map) { typename Range::mapped_type; }) {
    *this = object();
    for (const auto& [name, value] : range) (*this)[name] = value;
  } else {
    for (const auto& element : range) push_back(element);
  }
}

template <class T>
T Json::get() const {
  if constexpr (std::same_as<T, Json>) {
    return *this;
  } else if constexpr (std::same_as<T, bool>) {
    return boolean();
  } else if constexpr (std::is_arithmetic_v<T>) {
    return std::visit(
        [](auto value) {
          if constexpr (std::floating_point<decltype(value)> && std::integral<T>)
            return clipped<T>(value);
          else
            return static_cast<T>(value);
        },
        number());
  } else if constexpr (std::same_as<T, std::string>) {
    return text();
  } else if constexpr (requires { typename T::mapped_type; }) {
    T map;
    if (!is_object()) throw JsonError("not an object");
    for (const auto& [name, value] : items())
      map.emplace(name, value.template get<typename T::mapped_type>());
    return map;
  } else if constexpr (requires { std::tuple_size<T>::value; } && !std::ranges::range<T>) {
    return {at(0).get<typename T::first_type>(), at(1).get<typename T::second_type>()};
  } else if constexpr (requires { std::tuple_size<T>::value; }) {
    T list{};
    for (std::size_t i = 0; i < list.size(); ++i) list[i] = at(i).get<typename T::value_type>();
    return list;
  } else {
    T list;
    for (const Json& element : this->list()) list.insert(list.end(), element.get<typename T::value_type>());
    return list;
  }
}

template <class T>
T Json::value(std::string_view name, const T& otherwise) const {
  if (!is_object()) throw JsonError("not an object");
  const Json* member = find_member(name);
  return member ? member->get<T>() : otherwise;
}

/// Appends a number as a text of JSON has it: the fewest digits that read back as the same number, with a point or an
/// exponent. What is not finite becomes null.
void append_number(std::string& text, double number);
/// Appends a text as JSON has it, with its quotes. Bytes that are not UTF-8 become U+FFFD.
void append_text(std::string& text, std::string_view value);

/// Number of a JSON object under a name; nullopt if it is absent or no number.
[[nodiscard]] std::optional<double> number_in(const Json& object, const char* name);
/// Text of a JSON object under a name; empty if it is absent or no text.
[[nodiscard]] std::string text_in(const Json& object, const char* name);

/// JSON object of free form (machine, configuration, event data). Empty documents are null.
class Document {
 public:
  Document() = default;
  Document(Json json)
      : json_(std::move(json)) {}  // NOLINT(google-explicit-constructor): a document is its JSON

  [[nodiscard]] Json& json() { return json_; }
  [[nodiscard]] const Json& json() const { return json_; }
  [[nodiscard]] bool empty() const { return json_.is_null() || (json_.is_structured() && json_.empty()); }

 private:
  Json json_;
};

}  // namespace steelyard::record
