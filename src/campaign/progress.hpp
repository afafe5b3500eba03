// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "campaign/budget.hpp"
#include "campaign/plan.hpp"
#include "record/records.hpp"
#include "suites/suite.hpp"

namespace steelyard::campaign {

/// Value of --progress. automatic: a bar on a terminal, else lines.
enum class ProgressMode { automatic, bar, lines, json, none };

/// State of a run between points.
struct ProgressState {
  std::size_t done = 0, total = 0;  // points; those that the plan leaves out do not count
  double share = 0;                 // of the planned time of this run, 0 to 1
  std::string benchmark;            // imb-mpi1/Allreduce
  std::string point;                // "np=4 64 KiB   12.3 us +-0.4%"
  double elapsed_s = 0;
  std::optional<double> left_s;  // nullopt: not known yet
  bool over_plan = false;
};

/// Display of progress between points, at most 5 times a second. Rank 0 only.
class Progress {
 public:
  virtual ~Progress() = default;
  virtual void show(const ProgressState& state) = 0;
  /// Clears the bar, before anything else is written to a terminal.
  virtual void clear() = 0;
};

/// Number of a launch in a series: the second of five. A single launch is not numbered.
struct LaunchNumber {
  int number = 0, of = 0;
};

/// Makes the display of a mode, which must be resolved (not automatic).
[[nodiscard]] std::unique_ptr<Progress> make_progress(ProgressMode mode, std::ostream& out, int columns,
                                                      bool colour, LaunchNumber launch = {});

/// Terminal found by the rule for `automatic`: STEELYARD_TTY, the launcher's standard error through /proc,
/// isatty, else lines.
struct Terminal {
  ProgressMode mode = ProgressMode::lines;
  int columns = 100;
};
[[nodiscard]] Terminal find_terminal(bool under_launcher);
/// True if the standard output of this process ends on a terminal, that of the launcher if there is one.
[[nodiscard]] bool shows_on_terminal(bool under_launcher);

/// Limits at which a Watchdog speaks up.
struct Patience {
  double factor = 10;
  double least_s = 60;
  double nap_s = 5;
  std::optional<double> give_up_s = {};  // beyond the estimate
};

/// Watch over the task in flight: tells it on `out` when it takes more than 10 times its estimate and longer
/// than 60 s, once at that age and again each time the age has doubled. A task that takes give_up_s longer
/// than its estimate is given up: once, in the watchdog's own thread, with a sentence that says why. Ends
/// nothing itself; sleeps otherwise.
class Watchdog {
 public:
  using GiveUp = std::function<void(const std::string& why)>;
  explicit Watchdog(std::ostream& out, Patience patience = {}, GiveUp give_up = {});
  ~Watchdog();

  void watch(std::string what, double estimate_s);
  void rest();

 private:
  using Clock = std::chrono::steady_clock;
  void loop(const std::stop_token& stop);
  void look();
  void speak(double age);
  void give_up(double age);

  std::ostream& out_;
  Patience patience_;
  GiveUp give_up_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::string what_;                 // empty: nothing in flight
  double limit_s_ = 0, last_s_ = 0;  // ages at which it speaks and gives up
  Clock::time_point since_;
  std::jthread thread_;  // last member: starts when the rest is there
};

/// Remaining work of a plan, block by block. Pure, the same on all ranks.
class RemainingWork {
 public:
  /// `kept`: keys that an earlier session measured. A point with one record per group (member group in their
  /// keys) is kept when all groups are.
  RemainingWork(const Plan& plan, MeasuringRule rule, const std::set<std::string>& kept);

  [[nodiscard]] bool kept(const suites::PointPlan& point) const { return kept_.contains(point.key); }
  /// Indices of the points of a block that are measured now.
  [[nodiscard]] std::vector<std::size_t> to_measure(std::size_t block) const;
  /// Least time of one block.
  [[nodiscard]] double minimum_s(std::size_t block) const {
    return from_[block].sum_s() - from_[block + 1].sum_s();
  }
  /// Planned time of a point under the budget of the plan; 0 if it is not measured now.
  [[nodiscard]] double expected_s(const suites::PointPlan& point) const;
  /// Time for each point when left_s remain for this block and all later ones.
  [[nodiscard]] Allowance allowance(std::size_t block, std::optional<double> left_s) const {
    return {left_s, from_[block], rule_.point_limit_s};
  }
  [[nodiscard]] std::size_t points_kept() const { return points_kept_; }

 private:
  [[nodiscard]] bool wanted(const suites::PointPlan& point) const {
    return point.measurable() && !kept(point);
  }

  const Plan& plan_;
  MeasuringRule rule_;
  std::set<std::string> kept_;
  std::vector<Allowance::Remaining> from_;  // this block and all later ones
  Allowance planned_;
  std::size_t points_kept_ = 0;
};

/// Estimator of the remaining time: planned seconds scaled by measured / planned of finished work, that ratio
/// clamped to 0.5 .. 2 (methodology, "ETA"). Recent work counts more: each finished piece fades the earlier ones.
class Estimator {
 public:
  void finished(double planned_s, double measured_s);
  [[nodiscard]] double left_s(double planned_left_s) const;
  /// Ratio of measured to planned time, with as_planned_s more seconds that count as taken as planned; 1 if
  /// there are none.
  [[nodiscard]] double ratio(double as_planned_s = 0) const {
    const double planned_s = planned_ + as_planned_s;
    return planned_s > 0 ? (measured_ + as_planned_s) / planned_s : 1;
  }

 private:
  double planned_ = 0, measured_ = 0;
};

/// Times of a block as it begins: the time that it may have, the time that it takes if all its points are
/// easy (easy_s), and whether its own schedule prescribes how long it takes.
struct BlockTime {
  double allowed_s = 0, easy_s = 0;
  bool prescribed = false;
};

/// Part of their time that blocks take, as a straight line over the part that they take if all their points are easy:
/// with long operations easy points need much of the time too. Least squares, every block weighted by its time.
class TakenPart {
 public:
  void finished(const BlockTime& block, double taken_s);
  [[nodiscard]] double expected_s(const BlockTime& block) const;  // all of its time before any is finished

 private:
  double weight_ = 0, easy_ = 0, taken_ = 0, easy_squared_ = 0, easy_by_taken_ = 0;
};

/// Experience of how much of its time the next block of a suite takes: points that reach their interval early
/// leave some of it, and files may be faster than those of the survey. Learnt from the blocks of all suites,
/// unless the block's schedule prescribes its time, and from the ratio of taken to expected time of its own
/// suite's blocks.
class Habits {
 public:
  [[nodiscard]] double expected_s(const std::string& suite, const BlockTime& block) const;
  void finished(const std::string& suite, const BlockTime& block, double taken_s);

 private:
  [[nodiscard]] double by_others_s(const BlockTime& block) const {
    return block.prescribed ? block.allowed_s : all_.expected_s(block);
  }

  std::map<std::string, Estimator, std::less<>> suites_;
  TakenPart all_;  // of blocks that may end early
};

/// Result of a measured point: "   12.3 us +-0.4%"; empty if it has no time.
[[nodiscard]] std::string describe_result(const record::PointRecord& record);

/// Reporter of progress: counts finished points and estimates the remaining time, suite by suite. Rank 0.
class Reporter {
 public:
  /// `progress` may be null.
  /// `before_s` have passed when the campaign begins, with which its elapsed seconds begin.
  Reporter(Progress* progress, const Plan& plan, const RemainingWork& remaining, double before_s = 0);

  void block_starts(const suites::BlockPlan& block, double elapsed_s);
  /// Notes a point that was measured in measured_s seconds; kept points are counted at the start.
  void point_ends(const suites::BlockPlan& block, const suites::PointPlan& point,
                  const record::PointRecord& record, double measured_s, double elapsed_s);
  /// Redraws with a new time. `stage`: that of a block whose points end together.
  void tick(double elapsed_s, const std::optional<suites::BlockProgress>& stage = std::nullopt);
  void clear() {
    if (progress_ != nullptr) progress_->clear();
  }

  [[nodiscard]] const ProgressState& state() const { return state_; }

 private:
  void show(double elapsed_s);
  [[nodiscard]] double planned_left_s() const;
  /// Finished share of the running block, as it reports itself or by its planned time: its points may be
  /// measured in rounds.
  [[nodiscard]] double block_share(double elapsed_s) const;
  /// Finished share of the planned time, with a part of the running block.
  [[nodiscard]] double share(double of_block) const;
  [[nodiscard]] double left_s(double elapsed_s) const;
  [[nodiscard]] bool trustworthy() const;

  struct Suite {
    double planned_left_s = 0;
    Estimator estimator;
  };
  Progress* progress_;
  const RemainingWork& remaining_;
  std::map<std::string, Suite> suites_;
  /// Block that is measured.
  struct Running {
    std::string suite;
    double start_s = 0;
    double planned_s = 0, whole_s = 0;  // of its remaining points, and of all of it
    std::size_t first = 0, points = 0;  // points of the plan done when it began; its own
    std::optional<suites::BlockProgress> stage = {};
  };
  Running running_;
  std::size_t done_ = 0;
  std::size_t finished_ = 0;
  double planned_s_ = 0;
  double longest_s_;
  std::optional<double> first_block_s_;
  double before_s_;
  ProgressState state_;
};

}  // namespace steelyard::campaign
