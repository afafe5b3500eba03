// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "record/records.hpp"

namespace steelyard::formats {

/// What the live table shows of FTIO: a line per run, and at the end what all of them come to.
class LiveFtio {
 public:
  [[nodiscard]] static bool takes(const record::PointRecord& point) { return point.suite == "ftio"; }
  [[nodiscard]] static std::string point(const record::PointRecord& point);
  /// Empty for summaries of others.
  [[nodiscard]] static std::string summary(const record::SummaryRecord& summary, bool brief = false);
};

}  // namespace steelyard::formats
