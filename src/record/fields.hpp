// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "record/file.hpp"
#include "record/json.hpp"

/// Reading members of a JSON object into C++ values. Of this room alone.
namespace steelyard::record::detail {

/// Throws ReadError: "member 'ops': expected a whole number, found "many"".
[[noreturn]] void wrong_member(const char* name, const char* expected, const Json& found);
[[noreturn]] void missing_member(const char* name);

void assign(const char* name, const Json& json, bool& to);
void assign(const char* name, const Json& json, std::int64_t& to);
void assign(const char* name, const Json& json, int& to);
void assign(const char* name, const Json& json, double& to);
void assign(const char* name, const Json& json, std::string& to);
void assign(const char* name, const Json& json, Document& to);
void assign(const char* name, const Json& json, std::pair<double, double>& to);

using NamedMetrics = std::vector<std::pair<std::string, Metric>>;
void assign(const char* name, const Json& json, Reason& to);
void assign(const char* name, const Json& json, Schedule& to);
void assign(const char* name, const Json& json, Check& to);
void assign(const char* name, const Json& json, State& to);
void assign(const char* name, const Json& json, Statistics& to);
/// Members of kinds that a Value cannot hold are left out, as unknown members are.
void assign(const char* name, const Json& json, Params& to);
void assign(const char* name, const Json& json, Members& to);
void assign(const char* name, const Json& json, NamedMetrics& to);

template <class T>
void assign(const char* name, const Json& json, std::vector<T>& to) {
  if (!json.is_array()) wrong_member(name, "a list", json);
  to.resize(json.size());
  for (std::size_t i = 0; i < to.size(); ++i) assign(name, json[i], to[i]);
}

/// The members of one object. Unknown members are never looked at; null counts as absent.
class Fields {
 public:
  /// `name` is what a message calls the object. Throws ReadError unless it is an object.
  Fields(const char* name, const Json& json);

  [[nodiscard]] const Json* find(const char* name) const;

  /// Leaves `to` as it is when the member is absent.
  template <class T>
  void get(const char* name, T& to) const {
    if (const Json* member = find(name)) assign(name, *member, to);
  }
  template <class T>
  void get(const char* name, std::optional<T>& to) const {
    if (const Json* member = find(name)) assign(name, *member, to.emplace());
  }
  /// Throws ReadError when the member is absent.
  template <class T>
  void need(const char* name, T& to) const {
    const Json* member = find(name);
    if (member == nullptr) missing_member(name);
    assign(name, *member, to);
  }

 private:
  const Json* json_;
};

}  // namespace steelyard::record::detail
