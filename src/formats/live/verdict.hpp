// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "record/records.hpp"

/// How far a row of a live table can be trusted.
namespace steelyard::formats {

enum class Colour { none, yellow, bold_red };

struct Verdict {
  std::string text;
  Colour colour = Colour::none;
};

/// Wrong data, a status other than ok with its reason, and what makes its values doubtful.
[[nodiscard]] Verdict live_verdict(const record::PointRecord& point);

/// The text, in its colour if there are any.
[[nodiscard]] std::string painted(const Verdict& verdict, bool colours);

/// Whether the point has values.
[[nodiscard]] bool has_values(const record::PointRecord& point);

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
