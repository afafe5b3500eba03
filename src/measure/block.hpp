// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <optional>
#include <span>
#include <vector>

#include "measure/engine.hpp"
#include "measure/ledger.hpp"
#include "measure/measurer.hpp"
#include "measure/schedule.hpp"
#include "stats/states.hpp"

namespace steelyard::measure {

/// The points of one block, measured together: the same control flow on all ranks, every decision taken by
/// rank 0 and broadcast. Collective over team.active.
class Block {
 public:
  struct Context {
    const Team* team;
    Timer* timer;
    const EngineOptions* options;
    const StopRequest* stop;
    const Sink* sink;
    const Keep* keep;
    std::atomic<std::int64_t>* in_flight;
    std::uint64_t number;  // of the block in this run: seed of the order of rounds
  };

  Block(const Context& context, std::span<const Task> tasks);

  /// Measures the points whose schedules want it in interleaved rounds, the others one after the other.
  /// Returns true if a request stopped it.
  bool run();

  /// True if an MPI error of one point has ended the block; the same on all ranks.
  [[nodiscard]] bool spoilt() const { return spoilt_; }
  /// Points that were not finished at that error; they have no outcome.
  [[nodiscard]] std::vector<std::size_t> left_out() const;

  [[nodiscard]] const EngineAccount& account() const { return account_; }
  [[nodiscard]] std::vector<EngineNotice>& notices() { return measurer_.notices(); }

 private:
  using Indices = std::vector<std::size_t>;

  // classic: one point after the other, the whole pass classic_passes times
  void run_classic(const Indices& points);
  void run_pass(const Indices& points, bool last);
  void measure_alone(std::size_t point, bool last_pass);
  // interleaved: rounds over the unfinished points
  void run_rounds(Indices points);
  void run_round(const Indices& points, std::uint64_t round);
  void emit_prefix(const Indices& all);
  void hand_over_so_far(const Indices& all);
  void note_so_far(std::size_t point);

  // on rank 0
  [[nodiscard]] bool stop_asked();
  [[nodiscard]] std::vector<Step> decide_all(const Indices& points, const Indices& sequence);
  [[nodiscard]] Step decide(std::size_t point, bool stop);
  [[nodiscard]] Step step_of(const Trial& trial, std::size_t point);
  [[nodiscard]] Step step_of(const Visit& visit, std::size_t point);
  [[nodiscard]] Step step_of(const Stop& stop, std::size_t point);
  void cover_roots(Step& step, std::size_t point) const;
  void place_probes(const Indices& points, const Indices& sequence, std::vector<Step>& steps) const;
  [[nodiscard]] double shortest_op_s() const;
  struct PendingTrial {
    std::size_t point;
    std::uint64_t ops;
    TrialTimes times;
    VisitEntry costs;
  };
  void record_trial(const PendingTrial& trial, const TrialTimes& merged);
  void record_visit(std::size_t point, const Step& step, VisitEntry entry);
  void emit(std::size_t point);
  void note_clocks(std::size_t point, const ClocksOfWindow& clocks);

  // on all ranks
  /// Steps of the points; `sequence` is the order of execution.
  [[nodiscard]] std::vector<Step> agree_on(const Indices& points, const Indices& sequence);
  void settle_before(std::size_t point, const Step& step);
  void execute(std::size_t point, const Step& step);
  /// Opens the workload for the next visit. Returns false if the point has failed by that.
  [[nodiscard]] bool ready(std::size_t point);
  /// Opens the workload unless it is open. Returns false if the point has failed by that.
  [[nodiscard]] bool opened(std::size_t point) { return runs_[point].workload || ready(point); }
  void fail(std::size_t point, const record::Reason& reason);
  void share_failure(std::size_t point, int rank);
  void merge_trials();
  void tell_begin(std::size_t point) const;
  void visit(std::size_t point, const Step& step);
  void merge_classic(std::size_t point);
  void finish(std::size_t point, StopReason why);
  void check(std::size_t point, Outcome& outcome);
  /// Figures of all ranks, one rank after the other; on rank 0. Collective.
  [[nodiscard]] std::vector<double> figures(std::size_t point) const;
  void close(std::size_t point, std::optional<Outcome> outcome);
  [[nodiscard]] ClassicValues classic_so_far(std::size_t point);
  [[nodiscard]] bool keep_due() const;
  [[nodiscard]] bool worth_keeping(std::size_t point, StopReason why) const;
  void charge(std::size_t point, Ticks since, double timed_s, double warmup_s);
  [[nodiscard]] bool root() const { return context_.team->active.is_root(); }
  [[nodiscard]] const Task& task(std::size_t point) const { return tasks_[point]; }

  Context context_;
  std::span<const Task> tasks_;
  Measurer measurer_;
  SpreadOverRanks spread_;
  std::optional<RatesOfHosts> hosts_;  // made when the first task asks for it
  std::vector<PointRun> runs_;
  std::vector<bool> closed_;
  std::vector<PendingTrial> trials_;
  bool stopped_ = false;  // the same on all ranks, as the next one
  bool spoilt_ = false;
  EngineAccount account_;

  // on rank 0
  std::vector<Ledger> ledgers_;
  std::vector<std::optional<Outcome>> outcomes_;  // kept until they are delivered
  std::vector<std::optional<Outcome>> so_far_;    // of points that are not finished
  std::size_t emitted_ = 0;                       // of the points in rounds, in plan order
  Ticks kept_at_ = 0;
  double keeping_s_ = 0;  // duration of the last hand-over
  bool keeps_ = false;    // in this round
  std::vector<std::optional<int>> failed_ranks_;
  std::vector<std::optional<double>> counts_above_s_;  // of the last trial of each point
  std::vector<Step::Before> before_;
  std::vector<EarlierPoint> earlier_;
  std::optional<Ticks> probed_at_;
  std::optional<stats::Probe> last_probe_;
  bool stop_seen_ = false;
};

}  // namespace steelyard::measure
