// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "record/element.hpp"
#include "record/file.hpp"
#include "record/json.hpp"

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
void assign(std::string_view name, const Element& json, Document& to);
void assign(std::string_view name, const Element& json, std::pair<double, double>& to);

using NamedMetrics = std::vector<std::pair<std::string, Metric>>;
void assign(std::string_view name, const Element& json, Reason& to);
void assign(std::string_view name, const Element& json, Schedule& to);
void assign(std::string_view name, const Element& json, Check& to);
void assign(std::string_view name, const Element& json, State& to);
void assign(std::string_view name, const Element& json, Statistics& to);
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

/// Members of one object. Unknown members are never looked at; null counts as absent. Quickest if members are
/// asked for in the order of the object.
class Fields {
 public:
  /// Reads an object. `name` is its name in messages. Throws ReadError unless it is an object.
  Fields(std::string_view name, const Element& json);

  [[nodiscard]] const Element* find(std::string_view name) const;

  /// Reads a member; leaves `to` as it is if the member is absent.
  template <class T>
  void get(std::string_view name, T& to) const {
    if (const Element* member = find(name)) assign(name, *member, to);
  }
  template <class T>
  void get(std::string_view name, std::optional<T>& to) const {
    if (const Element* member = find(name)) assign(name, *member, to.emplace());
  }
  /// Reads a member. Throws ReadError if it is absent.
  template <class T>
  void need(std::string_view name, T& to) const {
    const Element* member = find(name);
    if (member == nullptr) missing_member(name);
    assign(name, *member, to);
  }

 private:
  const Element& object_;
  Element::Cursor begin_, end_;
  mutable Element::Cursor next_;  // after the member that was found last
};

}  // namespace steelyard::record::detail
