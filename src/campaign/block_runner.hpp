// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "campaign/budget.hpp"
#include "campaign/node_events.hpp"
#include "campaign/progress.hpp"
#include "campaign/recorder.hpp"
#include "campaign/runner.hpp"
#include "measure/engine.hpp"
#include "measure/failure.hpp"
#include "suites/suite.hpp"

namespace steelyard::campaign {

/// Makes the team of a block. Collective over the world.
[[nodiscard]] measure::Team make_team(const mpi::Communicator& world, const suites::BlockPlan& block);

/// Teams of consecutive blocks; the last one is kept, because blocks of one process number follow each other.
/// The engine communicates by communicators that nothing is measured with: messages of a failed operation
/// must not reach it.
class Teams {
 public:
  explicit Teams(const mpi::Communicator& world) : world_(world) {}
  /// Team for the engine. Collective over the world when the shape changes.
  [[nodiscard]] const measure::Team& of(const suites::BlockPlan& block);
  /// Team of the same processes for the measured operations.
  [[nodiscard]] const measure::Team& measured() const { return measured_; }
  /// Abandons the communicators of the measured operations and those that a session has made of them:
  /// messages of a failed operation may stay in them, and none of them is freed any more. Local.
  void abandon() const { measured_.active.abandon(); }
  /// Makes new communicators for the measured operations. Collective over the present team.
  void renew() { measured_ = measured_team(); }

 private:
  [[nodiscard]] measure::Team measured_team() const;

  struct Shape {
    int processes = 0, groups = 0;
    std::vector<int> rank_order;
    bool operator==(const Shape&) const = default;
  };
  const mpi::Communicator& world_;
  Shape shape_;
  std::optional<measure::Team> team_;
  measure::Team measured_;
};

/// Rank in the world of a rank of a block's active communicator.
[[nodiscard]] int world_rank(const suites::BlockPlan& block, int active_rank);

/// State shared by the points of a block besides their plan.
struct PointFrame {
  int threads = 1;
  bool oversubscribed = false;
  const Layout* layout = nullptr;
};

/// Log of one block: turns outcomes into records, in the order of the plan if they come in that order. Rank 0.
class BlockLog {
 public:
  /// `measured`: indices of the points that are measured, in the order of the tasks.
  BlockLog(const suites::BlockPlan& block, const RemainingWork& remaining, std::vector<std::size_t> measured,
           const PointFrame& frame, Recorder& recorder, Reporter& reporter);

  /// Records a finished task. `tries` counts from 1.
  void finished(std::size_t task, const measure::Outcome& outcome, suites::Session& session, int tries,
                double elapsed_s);
  /// Results so far of tasks without a record: a session that is killed leaves them behind.
  struct SoFar {
    std::size_t task;
    const measure::Outcome* outcome;
  };
  void keep(std::span<const SoFar> tasks, suites::Session& session, int tries);
  /// Records tasks that could not be begun: each of their points failed for this reason.
  void failed(std::span<const std::size_t> tasks, const record::Reason& reason, double elapsed_s);
  /// Records tasks that belong to one that has met an error of MPI, and fail with it.
  void fail_alike(std::span<const std::size_t> tasks, double elapsed_s) {
    if (first_error_) failed(tasks, *first_error_, elapsed_s);
  }
  /// Records that the session ends in the midst of this task, or of the work before and between tasks: the
  /// points in flight have failed. Points of one experiment fail together.
  void failed_in_flight(std::optional<std::size_t> task, const record::Reason& reason, double elapsed_s);
  /// Writes the skipped points that have not had their turn.
  void close() { skip_until(block_.points.size()); }

  /// Writes one event for each point that is still an outlier after all tries.
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
  const RemainingWork& remaining_;
  std::vector<std::size_t> measured_;
  const PointFrame& frame_;
  Recorder& recorder_;
  Reporter& reporter_;
  std::size_t next_skipped_ = 0;  // points before it have had their turn
  std::size_t recorded_ = 0;
  std::vector<Measured> seen_;
  std::optional<record::Reason> first_error_;  // of MPI, in a point that was begun
};

/// Rule by which the points of a run are measured, as the planner sees it.
[[nodiscard]] MeasuringRule measuring_rule(const RunOptions& options, const Plan& plan);

/// Time within which a block ends as planned whose points take expected_s: each of the `confirm` repetitions of points
/// that stand out may take as long again.
[[nodiscard]] double with_repetitions_s(const suites::BlockPlan& block, double expected_s, int confirm);

/// Runner of one block: opens, measures and confirms it with its team. Every member function is collective
/// over team.active.
class BlockRunner {
 public:
  struct Context {
    const Plan* plan;
    const RunOptions* options;
    measure::ClockFigures clock;
    measure::Engine* engine;
    std::int64_t memory_byte;
    std::function<double()> elapsed_s;
    measure::KeptMemory* kept = nullptr;                         // as suites::SessionContext::kept
    std::span<const record::PointRecord> earlier = {};           // on rank 0: of earlier sessions
    std::function<void()> met = {};                              // as measure::EngineOptions::met
    std::function<void(const record::TableRecord&)> table = {};  // as suites::SessionContext::table
  };

  /// `team` is the engine's. `tasks`: the numbers under which `log`, used on rank 0, knows the points of
  /// `block` that are measured; every other point is marked as skipped or kept.
  BlockRunner(const Context& context, const suites::BlockPlan& block, const Teams& teams,
              const measure::Team& team, const Allowance& allowance, std::vector<std::size_t> tasks,
              BlockLog& log);

  void run();
  /// After run(), the same on all ranks: whether an MPI error has made the communicators unfit, and the tasks
  /// that were not measured because of it.
  [[nodiscard]] bool spoilt() const { return spoilt_; }
  [[nodiscard]] const std::vector<std::size_t>& left_out() const { return left_out_; }
  /// Progress of the block, on rank 0 while it runs; nullopt without a session.
  [[nodiscard]] std::optional<suites::BlockProgress> stage() const {
    return session_ ? session_->stage() : std::nullopt;
  }
  /// Measured tables, which are no points; on rank 0 after run().
  [[nodiscard]] std::vector<record::TableRecord> tables() const {
    return session_ ? session_->tables() : std::vector<record::TableRecord>{};
  }
  /// Notices of the suite, on rank 0 after run().
  [[nodiscard]] std::vector<measure::EngineNotice> notices() const {
    return session_ ? session_->notices() : std::vector<measure::EngineNotice>{};
  }

 private:
  [[nodiscard]] measure::Failure open();
  void take_tasks();
  /// Returns true if it was stopped.
  bool measure(const std::vector<std::size_t>& chosen, int tries);
  void confirm();
  [[nodiscard]] std::vector<std::size_t> agree_on_suspects() const;
  [[nodiscard]] bool root() const { return team_.active.is_root(); }

  const Context& context_;
  const suites::BlockPlan& block_;
  const Teams& teams_;
  const measure::Team& team_;
  std::vector<std::size_t> numbers_;  // of the tasks
  BlockLog& log_;
  bool spoilt_ = false;
  std::vector<std::size_t> left_out_;
  std::unique_ptr<measure::Schedule> common_;
  std::vector<std::unique_ptr<measure::Schedule>> own_;  // of single points
  std::unique_ptr<suites::Session> session_;
  std::vector<measure::Task> tasks_;
};

}  // namespace steelyard::campaign
