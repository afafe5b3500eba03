// SPDX-License-Identifier: Apache-2.0
#include "record/object_text.hpp"

#include <algorithm>
#include <cmath>

#include "record/file.hpp"

namespace steelyard::record::detail {
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

std::string step(std::string_view name, std::optional<std::size_t> place) {
  return "/" + std::string(name) + (place ? "/" + std::to_string(*place) : "");
}

[[noreturn]] void refuse_number(const std::string& path) {
  throw NotANumber("member " + path + " is not a finite number");
}

}  // namespace

void ObjectText::write(double value) {
  if (!std::isfinite(value)) refuse_number(path());
  append_number(text_, value);
}

void ObjectText::write(const Json& value) {
  if (!finite(value)) refuse_number(path() + culprit(value));
  text_ += value.dump();
}

std::string ObjectText::path_of_this() const {
  return within_ == nullptr ? "" : within_->path_of_this() + step(name_, place_);
}

std::string ObjectText::path() const {
  return path_of_this() + step(member_, element_);
}

}  // namespace steelyard::record::detail
