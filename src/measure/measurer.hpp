// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "measure/engine.hpp"
#include "measure/failure.hpp"
#include "measure/ledger.hpp"
#include "measure/probe.hpp"
#include "measure/schedule.hpp"
#include "measure/summary.hpp"
#include "measure/synchronise.hpp"
#include "measure/task.hpp"
#include "mpi/communicator.hpp"

namespace steelyard::measure {

/// One rank's mean over everything timed, or several ranks' merged.
struct RankMeans {
  double min_s = 0, max_s = 0, sum_s = 0;
  std::int64_t ranks = 0;  // that have a result; 0 = nothing to merge
  int slowest_rank = -1;
  double sum_rate_op_s = 0;
};
void merge_means(const RankMeans& in, RankMeans& into);
[[nodiscard]] RankSpread spread_of(const RankMeans& means);

/// Merger of rank means over groups and ranks. Construction is collective over team.active.
class SpreadOverRanks {
 public:
  explicit SpreadOverRanks(const Team& team);
  /// Collective; `takes_part` is false on ranks that own no result.
  [[nodiscard]] ClassicValues merge(double mean_s, bool takes_part) const;

 private:
  [[nodiscard]] std::vector<RankMeans> by_group(const RankMeans& own) const;

  const Team* team_;
  mpi::Communicator roots_;  // of the groups, only with several
  mpi::Reduction<RankMeans, merge_means> reduction_;
};

/// Rates of hosts, each the mean over its ranks. Construction is collective over the communicator.
class RatesOfHosts {
 public:
  explicit RatesOfHosts(const mpi::Communicator& active);
  /// `host`: the ranks that count as one, in the order of the active communicator.
  RatesOfHosts(const mpi::Communicator& active, mpi::Communicator host);
  /// Collective: every rank contributes two numbers within its host, every host two. On rank 0 one element
  /// per host with a rank that takes part, in the order of their first ranks; empty on other ranks, and with
  /// fewer than two hosts.
  [[nodiscard]] std::vector<HostRate> merge(double mean_s, bool takes_part) const;

 private:
  mpi::Communicator host_, leaders_;
  int first_rank_ = 0;  // of this host
};

/// Maximum over ranks of times and extremes with one reduction; valid on rank 0.
class VisitMessage {
 public:
  /// Space for this rank's values.
  [[nodiscard]] std::span<double> values(std::size_t count);
  /// Merges; afterwards values and extremes are the merged ones on rank 0. Collective.
  void merge(const mpi::Communicator& active, const Extremes& own);
  [[nodiscard]] std::span<const double> merged() const { return {merged_.data(), count_}; }
  [[nodiscard]] Extremes extremes() const;
  /// Replaces the merged extremes.
  void keep(const Extremes& extremes);

 private:
  static constexpr std::size_t tail = sizeof(Extremes) / sizeof(double);
  std::size_t count_ = 0;
  std::vector<double> own_;
  std::vector<double> merged_;
};

/// One task while its block is measured, on every rank.
struct PointRun {
  const Task* task = nullptr;
  std::unique_ptr<Workload> workload;
  int placement = -1;  // of the open workload
  std::uint64_t next_op =
      0;  // indices run on over trials, warm-up and visits, so that roots and slots rotate
  int visits = 0;
  std::uint64_t total_ops = 0;    // timed, over all passes
  std::uint64_t ops = 0;          // timed in this pass
  double own_s = 0;               // this rank's time in them
  std::uint64_t last_ops = 0;     // of the last trial or visit
  double last_s = 0;              // this rank's time in its operations
  double last_region_s = 0;       // with the synchronisation between them
  std::vector<double> singles_s;  // of this rank's timed operations, as many as the task asks for
  std::size_t last_singles = 0;   // of the last visit
  Failure failure;                // of this rank

  void count_last();
  void uncount_last();
};

/// A trial as one rank saw it; merged by maximum at the end of a round.
struct TrialTimes {
  double seconds = 0;
  double lead_in_s = 0;
  double between_s = 0;  // time before each operation of timing `each`
  double failed = 0;     // as Extremes::failed
};

/// Error of the common clock of the window mode, over all groups; the same on all ranks.
struct ClocksOfWindow {
  double error_max_s = 0, error_median_s = 0;  // largest of the checks so far
  double spent_s = 0;
};

/// Executor of steps on this rank together with the other ranks of the team. Everything is collective over team.active.
class Measurer {
 public:
  Measurer(const Team& team, Timer& timer, const EngineOptions& options);

  /// Opens the workload for the point's next visit unless it is open; the ranks agree on the result.
  [[nodiscard]] Failure open(PointRun& point);
  /// Runs a trial. `costs` gets this rank's seconds.
  [[nodiscard]] TrialTimes trial(PointRun& point, const Step& step, VisitEntry& costs);
  /// Runs a visit. Returns the merged times, valid on rank 0; timed_s and warmup_s are this rank's own.
  [[nodiscard]] VisitEntry visit(PointRun& point, const Step& step);
  /// Mode that really stands between operations in place of the one asked for.
  [[nodiscard]] Sync effective(const Traits& traits) const;
  [[nodiscard]] double probe_cost_s() const { return probe_ ? probe_->cost_s() : 0; }
  [[nodiscard]] bool probes() const { return probe_ != nullptr; }
  [[nodiscard]] bool uses_window() const {
    return synchronisers_[static_cast<std::size_t>(Sync::window)] != nullptr;
  }
  /// Checks how far the clocks of the window mode are apart now; adds a notice if that is too much. nullopt
  /// if no window was used.
  [[nodiscard]] std::optional<ClocksOfWindow> check_clocks_again();
  [[nodiscard]] std::vector<EngineNotice>& notices() { return notices_; }

 private:
  void warm_up(PointRun& point, std::uint64_t ops, VisitEntry& entry);
  /// Runs the lead-in. Returns the seconds that it took on this rank.
  double lead_in(PointRun& point, std::uint64_t ops, VisitEntry& entry);
  void meet(const PointRun& point);
  [[nodiscard]] double between_s(const Task& task);
  [[nodiscard]] Synchroniser& synchroniser(PointRun& point, double shortest_op_s);
  [[nodiscard]] Synchroniser& known_synchroniser(Sync mode);
  [[nodiscard]] std::unique_ptr<Synchroniser> window(double shortest_op_s);
  [[nodiscard]] double try_operation(PointRun& point);
  [[nodiscard]] WindowSynchroniser* global_clock(const PointRun& point);
  void time_contiguous(PointRun& point, const Step& step, VisitEntry& entry);
  void time_each(PointRun& point, const Step& step, VisitEntry& entry);
  double each_chunk(PointRun& point, Synchroniser& synchroniser, std::size_t count);
  /// Keeps the time of single operations, from their clock readings.
  void keep_singles(PointRun& point, std::span<const Ticks> begin, std::span<const Ticks> end) const;
  void note_error(PointRun& point, int code) const;
  /// Fails the point where a reading of the clock is before the one that it follows.
  void note_steps_back(PointRun& point, std::span<const Ticks> begin, std::span<const Ticks> end) const;
  [[nodiscard]] Extremes extremes(const PointRun& point, const Usage& before) const;

  const Team* team_;
  Timer* timer_;
  const EngineOptions* options_;
  UsageReader usage_;
  std::unique_ptr<StateProbe> probe_;
  std::array<std::unique_ptr<Synchroniser>, 5> synchronisers_;  // by Sync, made when first needed
  bool window_is_poor_ = false;
  double clock_limit_s_ = 0;  // that the clocks of the window mode have to keep
  ClocksOfWindow clocks_;
  GlobalTimes global_times_;
  std::array<std::optional<double>, 5> between_s_;  // by Sync
  std::vector<Ticks> begin_, end_;
  VisitMessage message_;
  Extremes own_;
  std::vector<EngineNotice> notices_;
};

}  // namespace steelyard::measure
