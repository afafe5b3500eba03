// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "formats/live/doubt_count.hpp"
#include "record/records.hpp"

namespace steelyard::formats {

/// What the live table shows of b_eff, thousands of points of one experiment: those that went wrong, and at
/// the end what all of them come to.
class LiveBeff {
 public:
  /// Whether the point belongs to an experiment that is told by its summary.
  [[nodiscard]] static bool takes(const record::PointRecord& point);

  /// A line for a point that failed or received wrong data, for the first few of them; empty for others.
  [[nodiscard]] std::string point(const record::PointRecord& point);
  /// Results, checks and validity; empty for summaries of others.
  [[nodiscard]] std::string summary(const record::SummaryRecord& summary, bool brief = false);

 private:
  std::size_t failed_ = 0, wrong_ = 0;
  DoubtCount doubts_;
};

}  // namespace steelyard::formats
