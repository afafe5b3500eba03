// SPDX-License-Identifier: Apache-2.0
#include "analysis/beffio_values.hpp"

#include <algorithm>
#include <cmath>

namespace steelyard::analysis {
namespace {

std::optional<double> sum(const BeffioTypeValues& types) {
  double total = 0;
  for (const auto& value : types) {
    if (!value) return std::nullopt;
    total += *value;
  }
  return total;
}

}  // namespace

std::optional<double> beffio_access_value(const BeffioTypeValues& types) {
  const auto all = sum(types);
  if (!all) return std::nullopt;
  return (*types[0] + *all) / 6;
}

std::optional<double> beffio_value(const BeffioAccessValues& values) {
  if (!values.write || !values.rewrite || !values.read) return std::nullopt;
  return 0.25 * *values.write + 0.25 * *values.rewrite + 0.5 * *values.read;
}

std::optional<double> beffio_release2_value(const BeffioTypeValues& write,
                                            std::optional<double> rewrite_of_type_0,
                                            std::optional<double> read) {
  const auto all = sum(write);
  if (!all || !rewrite_of_type_0 || !read) return std::nullopt;
  return std::sqrt((*all + *rewrite_of_type_0) / 6 * *read);
}

}  // namespace steelyard::analysis
