// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "record/records.hpp"

namespace steelyard::formats {

/// Skipped points of one table, told in one line.
class LeftOut {
 public:
  /// `name` stands in the line where the points of a table have names of their own.
  void add(const record::PointRecord& point, const std::string& name = {});
  [[nodiscard]] bool any() const { return !reasons_.empty(); }
  /// "  12 sizes not measured: needs 3 GiB (11); takes too long (1)", ended, and forgets; empty without any. The most
  /// frequent reasons come first, and of points without names two are told. Points are called as those of the suite.
  [[nodiscard]] std::string take(std::string_view suite);

 private:
  struct Reason {
    std::string text;
    std::size_t points = 0;
    std::vector<std::string> names = {};
  };
  std::vector<Reason> reasons_;  // in the order of their first points
};

}  // namespace steelyard::formats
