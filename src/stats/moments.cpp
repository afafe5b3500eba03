// SPDX-License-Identifier: Apache-2.0
#include "stats/moments.hpp"

#include <algorithm>
#include <cmath>

namespace steelyard::stats {

void Moments::add(double value) {
  min_ = n_ == 0 ? value : std::min(min_, value);
  max_ = n_ == 0 ? value : std::max(max_, value);
  ++n_;
  const double from_old_mean = value - mean_;
  mean_ += from_old_mean / static_cast<double>(n_);
  m2_ += from_old_mean * (value - mean_);
}

void Moments::merge(const Moments& other) {
  if (other.n_ == 0) return;
  if (n_ == 0) {
    *this = other;
    return;
  }
  const auto a = static_cast<double>(n_), b = static_cast<double>(other.n_);
  const double apart = other.mean_ - mean_;
  mean_ += apart * b / (a + b);
  m2_ += other.m2_ + apart * apart * a * b / (a + b);
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
  n_ += other.n_;
}

double Moments::sd() const {
  return n_ < 2 ? 0 : std::sqrt(m2_ / static_cast<double>(n_ - 1));
}

}  // namespace steelyard::stats
