// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "record/json.hpp"

/// Text of records. Internal to this folder.
namespace steelyard::record::detail {

/// An object of JSON, written as text member after member: files hold millions of records, and a Json of each would
/// allocate for every member. Ends when it is destroyed, before what it is in.
class ObjectText {
 public:
  /// Appends an object to a text.
  explicit ObjectText(std::string& text) : text_(text) { text_ += '{'; }
  /// Appends an object as a member of another one.
  ObjectText(ObjectText& within, std::string_view name) : text_(within.text_), within_(&within), name_(name) {
    within.begin(name);
    text_ += '{';
  }
  ObjectText(const ObjectText&) = delete;
  ObjectText& operator=(const ObjectText&) = delete;
  ~ObjectText() { text_ += '}'; }

  /// Appends a member; null for an optional without value. Throws NotANumber that names the first number within it that
  /// is not finite.
  template <class T>
  void put(std::string_view name, const T& value) {
    begin(name);
    member_ = name;
    write(value);
  }
  /// The same, unless it is absent or empty.
  template <class T>
  void put_unless_empty(std::string_view name, const T& value) {
    if constexpr (requires { value.has_value(); }) {
      if (value) put(name, *value);
    } else {
      if (!value.empty()) put(name, value);
    }
  }
  /// Appends a list of objects; `write_one(object, element)` puts the members of each.
  template <class T, class WriteOne>
  void put_objects(std::string_view name, const std::vector<T>& elements, const WriteOne& write_one) {
    begin(name);
    text_ += '[';
    for (std::size_t i = 0; i < elements.size(); ++i) {
      if (i > 0) text_ += ',';
      ObjectText object(*this, name, i);
      write_one(object, elements[i]);
    }
    text_ += ']';
  }

 private:
  /// Appends an object as an element of a list.
  ObjectText(const ObjectText& within, std::string_view list, std::size_t place)
      : text_(within.text_), within_(&within), name_(list), place_(place) {
    text_ += '{';
  }

  void begin(std::string_view name) {
    if (!std::exchange(first_, false)) text_ += ',';
    append_text(text_, name);
    text_ += ':';
  }

  void write(std::nullptr_t) { text_ += "null"; }
  void write(bool value) { text_ += value ? "true" : "false"; }
  void write(std::integral auto value) { text_ += std::to_string(value); }
  void write(double value);
  void write(std::string_view value) { append_text(text_, value); }
  void write(const std::string& value) { append_text(text_, value); }
  void write(const char* value) { append_text(text_, value); }
  void write(const Json& value);
  void write(const Document& value) { write(value.json()); }
  void write(const std::pair<double, double>& ends) { write(std::vector{ends.first, ends.second}); }
  template <class T>
  void write(const std::optional<T>& value) {
    if (value)
      write(*value);
    else
      write(nullptr);
  }
  template <class T>
  void write(const std::vector<T>& list) {
    text_ += '[';
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i > 0) text_ += ',';
      element_ = i;
      write(list[i]);
    }
    element_.reset();
    text_ += ']';
  }

  /// "/metrics/time_s/ci/0" of what is written.
  [[nodiscard]] std::string path() const;
  [[nodiscard]] std::string path_of_this() const;

  std::string& text_;
  const ObjectText* within_ = nullptr;
  std::string_view name_;             // of this object in that one
  std::optional<std::size_t> place_;  // in a list of that name
  std::string_view member_;           // that is written
  std::optional<std::size_t> element_;
  bool first_ = true;
};

}  // namespace steelyard::record::detail
