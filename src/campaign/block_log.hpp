// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "campaign/layout.hpp"
#include "campaign/outliers.hpp"
#include "campaign/recorder.hpp"
#include "campaign/reporter.hpp"

namespace steelyard::campaign {

/// What the points of a block have in common besides their plan.
struct PointFrame {
  int threads = 1;
  bool oversubscribed = false;
  const Layout* layout = nullptr;
};

/// Turns the outcomes of one block into records in the order of the plan where they come in that order. Rank
/// 0.
class BlockLog {
 public:
  /// `measured`: indices of the points that are measured, in the order of the tasks.
  BlockLog(const suites::BlockPlan& block, const Course& course, std::vector<std::size_t> measured,
           const PointFrame& frame, Recorder& recorder, Reporter& reporter);

  /// A task is finished. `tries` counts from 1.
  void finished(std::size_t task, const measure::Outcome& outcome, suites::Session& session, int tries,
                double elapsed_s);
  /// The block could not be opened: every point failed for this reason.
  void failed(const record::Reason& reason, double elapsed_s);
  /// Writes the skipped points that have not had their turn.
  void close();

  /// One event for each point that is still an outlier after all tries.
  void tell_confirmed();

  /// Tasks that deserve another try.
  [[nodiscard]] std::vector<std::size_t> suspects() const { return outliers(seen_); }
  [[nodiscard]] const suites::PointPlan& point_of(std::size_t task) const {
    return block_.points[measured_[task]];
  }
  /// Points of this block for which there is a record of this session.
  [[nodiscard]] std::size_t recorded() const { return recorded_; }

 private:
  void skip_until(std::size_t point);
  [[nodiscard]] record::PointRecord base(const suites::PointPlan& point) const;
  [[nodiscard]] record::PointRecord skipped(const suites::PointPlan& point) const;
  [[nodiscard]] record::PointRecord frame(const suites::PointPlan& point, const measure::Outcome& outcome,
                                          int tries) const;
  [[nodiscard]] std::vector<record::PointRecord> records_of(std::size_t task, const measure::Outcome& outcome,
                                                            suites::Session& session, int tries) const;
  void remember(std::size_t task, const record::PointRecord& record);

  const suites::BlockPlan& block_;
  const Course& course_;
  std::vector<std::size_t> measured_;
  const PointFrame& frame_;
  Recorder& recorder_;
  Reporter& reporter_;
  std::size_t next_skipped_ = 0;  // points before it have had their turn
  std::size_t recorded_ = 0;
  std::vector<Measured> seen_;
};

}  // namespace steelyard::campaign
