// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "record/records.hpp"

namespace steelyard::formats {

/// How many points of an experiment whose points have no rows are doubtful, and why.
class DoubtCount {
 public:
  void add(const record::PointRecord& point);
  /// A line of a summary, "of 40 loops: 5 noisy, 2 interval wider than +-20 %"; empty without doubts.
  [[nodiscard]] std::string line(std::string_view many) const;

 private:
  std::vector<std::pair<std::string, std::size_t>> found_;  // words, gravest first; points
  std::size_t points_ = 0;
};

}  // namespace steelyard::formats
