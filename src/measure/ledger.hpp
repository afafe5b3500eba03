// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "measure/schedule.hpp"
#include "measure/summary.hpp"
#include "measure/task.hpp"

namespace steelyard::measure {

/// Times of one visit, merged over ranks, as rank 0 books them.
struct VisitEntry {
  std::vector<double> batches_s;  // seconds per operation
  Extremes extremes;
  double timed_s = 0;   // of rank 0
  double warmup_s = 0;  // of rank 0
};

/// Results of one point so far, kept by rank 0 of the active communicator. Sees numbers, never MPI.
class Ledger {
 public:
  Ledger(const Task& task, const EngineOptions& options) : task_(&task), options_(&options) {}

  /// Begins a repetition of the classic pass: the schedule starts anew, the results stay.
  void start_pass();

  void add_trial(const TrialResult& trial, const VisitEntry& costs);
  /// Sets the time that precedes each operation, as a trial showed it.
  void set_between(double seconds) { between_s_ = seconds; }
  /// Counts the last trial as a visit of one batch; it was long enough.
  void count_trial();
  void add_visit(const Step& step, VisitEntry entry);
  /// Turns the last visit into warm-up: the point had not settled.
  void forget_visit();
  /// True if the first visit got faster by more than 10 % while it lasted. True at most once.
  [[nodiscard]] bool first_visit_unsettled() const;
  void add_classic(ClassicValues values);
  void add_overhead(double seconds) { overhead_s_ += seconds; }

  [[nodiscard]] History history() const;
  /// Seconds per operation as far as known; 0 before the first trial or visit.
  [[nodiscard]] double op_s() const;
  [[nodiscard]] double last_late_share() const { return last_late_share_; }
  /// True if there was neither trial nor visit in this pass yet.
  [[nodiscard]] bool untouched() const { return trials_.empty() && pass_.visits == 0 && !forgot_; }
  [[nodiscard]] std::uint64_t batches() const { return batches_; }

  /// Outcome of the point. `sync` is the mode that really stood between the operations.
  [[nodiscard]] Outcome outcome(StopReason why, Sync sync) const;

 private:
  struct Pass {
    int visits = 0;
    std::uint64_t batches = 0, ops = 0;
    double spent_s = 0;
  };

  void book(const VisitEntry& entry);
  void look();
  [[nodiscard]] bool worth_a_look() const;
  /// Operations of a batch as most batches have them; of equally many the larger number.
  [[nodiscard]] std::uint64_t usual_ops_per_batch() const;
  [[nodiscard]] bool is_corrected(double median_s) const;
  [[nodiscard]] double widening() const;
  [[nodiscard]] Summary summary(Outcome& outcome) const;
  [[nodiscard]] record::Schedule schedule(StopReason why, Sync sync) const;
  [[nodiscard]] Outcome unmeasured(StopReason why, Sync sync) const;
  [[nodiscard]] std::vector<std::string> own_flags() const;
  void set_status(Outcome& outcome, StopReason why) const;

  const Task* task_;
  const EngineOptions* options_;
  std::vector<TrialResult> trials_;
  std::vector<VisitSamples> visits_;
  std::vector<double> visit_medians_;
  std::vector<ClassicValues> classic_;
  std::vector<PassValues> passes_;
  int pass_number_ = 0;
  double last_op_s_ = 0;
  double between_s_ = 0;
  Pass pass_;
  std::uint64_t batches_ = 0, ops_ = 0, warmup_ops_ = 0, last_ops_per_batch_ = 1;
  std::map<std::uint64_t, std::uint64_t> batches_of_ops_;  // by the operations of a batch
  double timed_s_ = 0, warmup_s_ = 0, overhead_s_ = 0, pilot_s_ = 0;
  double waited_s_ = 0, faults_ = 0, late_ = 0, last_late_share_ = 0, last_trial_s_ = 0;
  bool often_late_ = false;
  bool forgot_ = false;
  int dominant_visits_ = 0;
  std::optional<double> half_width_;
  std::optional<stats::Probe> last_probe_;
};

}  // namespace steelyard::measure
