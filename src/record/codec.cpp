// SPDX-License-Identifier: Apache-2.0
#include "record/codec.hpp"

#include <stdexcept>

namespace steelyard::record::detail {

void refuse(const PointRecord& point, std::string_view name, std::string_view what) {
  throw std::invalid_argument(point.key + ": " + std::string(name) + ' ' + std::string(what));
}

std::int64_t whole(const PointRecord& point, std::string_view name, double number, std::int64_t least,
                   std::int64_t most) {
  try {
    const std::int64_t value = record::whole(number);
    if (value >= least && value <= most) return value;
  } catch (const std::domain_error&) {
    refuse(point, name, "is no whole number");
  }
  refuse(point, name, "is too large");
}

}  // namespace steelyard::record::detail
