// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "record/element.hpp"
#include "record/file.hpp"
#include "record/json.hpp"
#include "record/written.hpp"

/// Reading members of a JSON object into C++ values. Internal to this folder.
namespace steelyard::record::detail {

/// Throws ReadError: "member 'ops': expected a whole number, found "many"".
[[noreturn]] void wrong_member(std::string_view name, std::string_view expected, const Json& found);
[[noreturn]] void wrong_member(std::string_view name, std::string_view expected, const Element& found);
[[noreturn]] void missing_member(std::string_view name);

void assign(std::string_view name, const Element& json, bool& to);
void assign(std::string_view name, const Element& json, std::int64_t& to);
void assign(std::string_view name, const Element& json, int& to);
void assign(std::string_view name, const Element& json, double& to);
void assign(std::string_view name, const Element& json, std::string& to);
void assign(std::string_view name, const Element& json, std::string_view& to);  // of the line, or of its tree
void assign(std::string_view name, const Element& json, Document& to);
void assign(std::string_view name, const Element& json, std::pair<double, double>& to);

using NamedMetrics = std::vector<std::pair<std::string, Metric>>;
/// Assigns members; those of types that a Value cannot hold are left out, as unknown members are.
void assign(std::string_view name, const Element& json, Params& to);
void assign(std::string_view name, const Element& json, Members& to);
void assign(std::string_view name, const Element& json, NamedMetrics& to);

template <class T>
void assign(std::string_view name, const Element& json, std::vector<T>& to) {
  if (!json.is_array()) wrong_member(name, "a list", json);
  to.reserve(json.size());
  for (const Element& element : json) assign(name, element, to.emplace_back());
}

// The same of values that come next in a text. Throw NotAsWritten also for values that those above refuse.
void assign(std::string_view name, WrittenText& text, bool& to);
void assign(std::string_view name, WrittenText& text, std::int64_t& to);
void assign(std::string_view name, WrittenText& text, int& to);
void assign(std::string_view name, WrittenText& text, double& to);
void assign(std::string_view name, WrittenText& text, std::string& to);
void assign(std::string_view name, WrittenText& text, std::string_view& to);
void assign(std::string_view name, WrittenText& text, Document& to);
void assign(std::string_view name, WrittenText& text, std::pair<double, double>& to);
void assign(std::string_view name, WrittenText& text, Params& to);
void assign(std::string_view name, WrittenText& text, Members& to);
void assign(std::string_view name, WrittenText& text, NamedMetrics& to);

/// List of a record whose memory, with that of its elements, serves the next one; a new list ends without room for more,
/// for records of whole runs are kept.
template <class List>
class ServingList {
 public:
  explicit ServingList(List& list, std::size_t usual = 0) : list_(list), is_new_(list.capacity() == 0) {
    if (is_new_) list.reserve(usual);  // one that grows by ones moves what it has
  }
  /// The next element, which holds what it held before.
  [[nodiscard]] typename List::value_type& next() {
    if (count_ == list_.size()) list_.emplace_back();
    return list_[count_++];
  }
  /// Elements that were asked for.
  [[nodiscard]] std::span<const typename List::value_type> taken() const {
    return std::span(list_).first(count_);
  }
  /// Ends the elements that were not asked for.
  void end() {
    list_.resize(count_);
    if (is_new_) list_.shrink_to_fit();
  }

 private:
  List& list_;
  bool is_new_;
  std::size_t count_ = 0;
};

template <class T>
void assign(std::string_view name, WrittenText& text, std::vector<T>& to) {
  ServingList list(to);
  text.each_element([&] { assign(name, text, list.next()); });
  list.end();
}

/// Makes a value as it is in a new record, with memory for the next one.
template <class T>
void clear(T& value) {
  if constexpr (requires { value.clear(); })
    value.clear();
  else
    value = T();
}

/// Members of an object of a tree, found in any order. Unknown members are never looked at. Quickest if members are asked
/// for in the order of the object.
class TreeObject {
 public:
  TreeObject(std::string_view name, const Element& json);
  [[nodiscard]] const Element* find(std::string_view name) const;
  /// False if there is no member of this name; true if there may be one.
  [[nodiscard]] bool may_have(std::string_view name) const { return object_.may_have(name); }
  /// Leaves a value as it is whose member is absent: it is of a new record.
  static void lack(auto& /*value*/) {}
  void end() const {}

 private:
  const Element& object_;
  Element::Cursor begin_, end_;
  mutable Element::Cursor next_;  // after the member that was found last
};

/// Members of an object of a text, found in the order in which they stand there.
class WrittenObject {
 public:
  WrittenObject(std::string_view /*name*/, WrittenText& text) : text_(text) {}
  /// The rest of an object whose first members were taken.
  explicit WrittenObject(WrittenText& rest) : text_(rest), sign_(',') {}
  /// Member of that name if it comes next, whose value has to be taken before the next call.
  [[nodiscard]] WrittenText* find(std::string_view name) const {
    if (!text_.take_name(sign_, name)) return nullptr;
    sign_ = ',';
    return text_.take_word("null") ? nullptr : &text_;
  }
  [[nodiscard]] bool may_have(std::string_view name) const { return text_.may_name(name.front()); }
  /// Clears a value whose member is absent: it may be of the record before.
  static void lack(auto& value) { clear(value); }
  /// Throws NotAsWritten if a member is left: it may be one that was asked for.
  void end() const {
    if (sign_ == '{') text_.need('{');
    text_.need('}');
  }

 private:
  WrittenText& text_;
  mutable char sign_ = '{';  // before the name that comes next
};

/// Values of members of one object; null counts as absent.
template <class Object>
class Fields : public Object {
 public:
  /// Reads an object. `name` is its name in messages. Throws ReadError unless it is an object.
  using Object::Object;

  /// Reads a member; without it `to` is as in a new record. What most members are, absent, is found without a call.
  template <class T>
  [[gnu::always_inline]] void get(std::string_view name, T& to) const {
    if (this->may_have(name))
      read(name, to);
    else
      this->lack(to);
  }
  /// Reads a member, which counts as another value if it is absent.
  void get_or(std::string_view name, int otherwise, int& to) const {
    if (auto* member = this->find(name))
      assign(name, *member, to);
    else
      to = otherwise;
  }
  /// Reads a member. Throws ReadError if it is absent.
  template <class T>
  void need(std::string_view name, T& to) const {
    auto* member = this->find(name);
    if (member == nullptr) missing_member(name);
    assign(name, *member, to);
  }

 private:
  template <class T>
  void read(std::string_view name, T& to) const {
    if (auto* member = this->find(name))
      assign(name, *member, to);
    else
      this->lack(to);
  }
  template <class T>
  void read(std::string_view name, std::optional<T>& to) const {
    if (auto* member = this->find(name))
      assign(name, *member, to ? *to : to.emplace());
    else
      this->lack(to);
  }
};
using TreeFields = Fields<TreeObject>;
Fields(std::string_view name, const Element& json)->Fields<TreeObject>;
Fields(std::string_view name, WrittenText& text)->Fields<WrittenObject>;
explicit Fields(WrittenText& rest)->Fields<WrittenObject>;

}  // namespace steelyard::record::detail
