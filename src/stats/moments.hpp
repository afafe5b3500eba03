// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace steelyard::stats {

/// Mean, spread and extremes of a stream of values in bounded memory; mergeable in any order (Welford, Chan).
class Moments {
 public:
  void add(double value);
  void merge(const Moments& other);
  [[nodiscard]] std::uint64_t count() const { return n_; }
  [[nodiscard]] double mean() const { return mean_; }
  /// Sample standard deviation (n - 1); 0 for fewer than two values.
  [[nodiscard]] double sd() const;
  [[nodiscard]] double min() const { return min_; }
  [[nodiscard]] double max() const { return max_; }

 private:
  std::uint64_t n_ = 0;
  double mean_ = 0, m2_ = 0, min_ = 0, max_ = 0;
};

}  // namespace steelyard::stats
