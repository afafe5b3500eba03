// SPDX-License-Identifier: Apache-2.0
#include "record/value.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "record/json.hpp"

namespace steelyard::record {

const Value* find(const Members& members, std::string_view name) {
  const auto found = std::ranges::find(members, name, &Members::value_type::first);
  return found == members.end() ? nullptr : &found->second;
}

const Value* find(const Params& params, std::string_view name) {
  const auto found = params.find(name);
  return found == params.end() ? nullptr : &found->second;
}

double number(const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  throw std::domain_error("the value is not a number");
}

std::int64_t whole(double number) {
  constexpr double exact = 0x1p53;
  if (!(std::abs(number) <= exact) || number != std::floor(number))
    throw std::domain_error("the value is not a whole number");
  return static_cast<std::int64_t>(number);
}

std::string valid_utf8(std::string_view text) {
  return Json::parse(Json(text).dump()).get<std::string>();
}

}  // namespace steelyard::record
