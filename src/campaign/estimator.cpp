// SPDX-License-Identifier: Apache-2.0
#include "campaign/estimator.hpp"

#include <algorithm>

namespace steelyard::campaign {
namespace {
constexpr double fading = 0.9;  // weight of a finished piece after the next one
constexpr double least_ratio = 0.5, most_ratio = 2;
}  // namespace

void Estimator::finished(double planned_s, double measured_s) {
  planned_ = fading * planned_ + planned_s;
  measured_ = fading * measured_ + measured_s;
}

double Estimator::left_s(double planned_left_s) const {
  const double ratio = planned_ > 0 ? std::clamp(measured_ / planned_, least_ratio, most_ratio) : 1;
  return std::max(0.0, planned_left_s * ratio);
}

}  // namespace steelyard::campaign
