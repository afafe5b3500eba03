// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "record/conversion.hpp"

namespace steelyard::record {
namespace detail {
namespace {

bool finite(const Json& json) {
  if (json.is_number_float()) return std::isfinite(json.get<double>());
  return !json.is_structured() || std::ranges::all_of(json, finite);
}

/// Path of the first member that is not finite.
std::string culprit(const Json& json) {
  if (json.is_array()) {
    const auto found = std::ranges::find_if_not(json, finite);
    if (found == json.end()) return "";
    return "/" + std::to_string(std::ranges::distance(json.begin(), found)) + culprit(*found);
  }
  for (const auto& [name, member] : json.items()) {
    if (!finite(member)) return "/" + name + culprit(member);
  }
  return "";
}

}  // namespace

void require_finite(const Json& json) {
  if (!finite(json)) throw NotANumber("member " + culprit(json) + " is not a finite number");
}

}  // namespace detail

std::string to_line(const Record& record) {
  const Json json = detail::to_json(record);
  detail::require_finite(json);
  return json.dump();
}

std::optional<Record> from_line(std::string_view line) {
  return detail::from_json(detail::Elements(line).root());
}

}  // namespace steelyard::record
