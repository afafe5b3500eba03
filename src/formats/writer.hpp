// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "record/records.hpp"

namespace steelyard::formats {

/// Writer of a text or table from records, live or later. Called in the order of the result file. Nothing
/// here measures, and nothing computes a summary.
class Writer {
 public:
  virtual ~Writer() = default;
  virtual void run(const record::RunRecord& run) = 0;
  virtual void point(const record::PointRecord& point) = 0;
  virtual void event(const record::EventRecord&) {}
  virtual void summary(const record::SummaryRecord&) {}
  virtual void end(const record::EndRecord& end) = 0;
};

}  // namespace steelyard::formats
