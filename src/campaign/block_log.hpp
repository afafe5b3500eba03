// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <span>
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
  /// What is known so far of tasks without a record: a session that is killed leaves it behind.
  struct SoFar {
    std::size_t task;
    const measure::Outcome* outcome;
  };
  void keep(std::span<const SoFar> tasks, suites::Session& session, int tries);
  /// These tasks could not be begun: each of their points failed for this reason.
  void failed(std::span<const std::size_t> tasks, const record::Reason& reason, double elapsed_s);
  /// The session ends in the midst of this task, or of what comes before and between tasks: what was in
  /// flight has failed. Points of one experiment fail together.
  void failed_in_flight(std::optional<std::size_t> task, const record::Reason& reason, double elapsed_s);
  /// Writes the skipped points that have not had their turn.
  void close();

  /// One event for each point that is still an outlier after all tries.
  void tell_confirmed();

  /// Tasks that deserve another try.
  [[nodiscard]] std::vector<std::size_t> suspects() const { return outliers(seen_); }
  [[nodiscard]] const suites::PointPlan& point_of(std::size_t task) const {
    return block_.points[measured_[task]];
  }
  [[nodiscard]] const std::string& benchmark() const { return block_.benchmark; }
  [[nodiscard]] std::string name() const { return block_.suite + "/" + block_.benchmark; }
  [[nodiscard]] std::size_t tasks() const { return measured_.size(); }
  /// Marks the points of all other tasks as kept.
  void keep_all_but(std::span<const std::size_t> tasks, suites::BlockPlan& block) const;
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
