// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "formats/live/doubt_count.hpp"
#include "record/records.hpp"

namespace steelyard::formats {

/// What the live table shows of b_eff_io: a line per access method and pattern type as it ends, what went
/// wrong, and at the end what all of it comes to.
class LiveBeffio {
 public:
  [[nodiscard]] static bool takes(const record::PointRecord& point) { return point.suite == "b-eff-io"; }

  /// A line for the last pattern of a type unless it is to be brief, and for a point that failed or held wrong data (the first few of
  /// them); empty for others.
  [[nodiscard]] std::string point(const record::PointRecord& point, bool brief = false);
  /// Results, checks and validity; empty for summaries of others.
  [[nodiscard]] std::string summary(const record::SummaryRecord& summary, bool brief = false);

 private:
  [[nodiscard]] std::string type_line(const record::PointRecord& point);

  double moved_byte_ = 0, seconds_ = 0;  // of the type that is being measured
  bool whole_ = false;                   // its first pattern was seen, and none that failed
  std::size_t failed_ = 0, wrong_ = 0;
  DoubtCount doubts_;
};

}  // namespace steelyard::formats
