// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace steelyard::stats {

/// Logarithmic histogram of times: every quantile within 0.5 % (alpha = 0.005), 1 ns to 1000 s in 2765 bins
/// and one more on either side. Merging is addition, so ranks reduce their counts with a sum in any order.
/// Source: Masson, Rim, Lee, DDSketch, VLDB 2019; docs/methodology.md.
class Histogram {
 public:
  static constexpr int last_bin = 2764;
  static constexpr std::size_t slots = last_bin + 3;  // below, 0..last_bin, above

  Histogram() : counts_(slots) {}
  void add(double seconds);
  void merge(const Histogram& other);
  [[nodiscard]] std::uint64_t count() const;
  /// Value of the bin that holds the quantile; requires count() > 0.
  [[nodiscard]] double quantile(double p) const;
  /// Slot counts in order, for a reduction over ranks.
  [[nodiscard]] std::span<std::uint64_t> counts() { return counts_; }
  [[nodiscard]] std::span<const std::uint64_t> counts() const { return counts_; }

  /// Bin of a time: ceil(ln(t / 1 ns) / ln gamma), -1 below 0, last_bin + 1 above the range.
  [[nodiscard]] static int bin(double seconds);
  /// Representative time of a bin.
  [[nodiscard]] static double value(int bin);

 private:
  std::vector<std::uint64_t> counts_;
};

}  // namespace steelyard::stats
