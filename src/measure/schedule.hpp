// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "units/quantity.hpp"

/// Schedules: values that say how many operations are timed, in how many batches, and when to stop. Pure:
/// they see numbers, never MPI. Asked on one rank; the answer is broadcast outside timed regions.
namespace steelyard::measure {

/// Order to run `ops` operations untimed, to learn how long one takes.
struct Trial {
  std::uint64_t ops = 1;
  /// A trial that takes longer than this (maximum over ranks) is a visit of one batch as well as a trial:
  /// long operations are not measured twice.
  std::optional<double> counts_above_s;
};
/// One stay at the point.
struct Visit {
  std::uint64_t warmup = 0;
  std::uint64_t ops_per_batch = 1;
  std::uint64_t batches = 1;
};
enum class StopReason { count, ci, time, size, budget, interrupted };
struct Stop {
  StopReason why = StopReason::count;
};
using Decision = std::variant<Trial, Visit, Stop>;

struct TrialResult {
  std::uint64_t ops = 0;
  double seconds = 0;    // whole trial, maximum over ranks
  double lead_in_s = 0;  // lead-in of the workload before it, maximum over ranks
};

/// An earlier point of the same block (rules that look back: IMB's time limit).
struct EarlierPoint {
  std::int64_t bytes = 0;
  std::uint64_t ops = 0;
};

/// Results of one point so far, as the deciding rank knows them.
struct History {
  std::span<const TrialResult> trials;
  int visits = 0;
  std::uint64_t batches = 0;
  std::uint64_t ops = 0;             // timed
  double spent_s = 0;                // timed and warm-up
  std::optional<double> half_width;  // relative half-width of the interval of the dominant state
  int dominant_visits = 0;           // visits in that state
  double median_op_s = 0;            // of the batches so far; 0 before the first visit
  double last_op_s = 0;              // of the last visit, mean over its batches; 0 before the first visit
  double between_s = 0;              // about how long the time before each timed operation is (timing `each`)
  bool mostly_preempted = false;     // more than half of the visits lost processor time
  std::span<const EarlierPoint> earlier;
  bool stop_requested = false;  // signal, stop file, deadline
};

/// Clock figures (maxima over ranks) that bound the batch size.
struct ClockFigures {
  double cost_s = 25e-9;
  double step_s = 10e-9;
};

class Schedule {
 public:
  virtual ~Schedule() = default;
  [[nodiscard]] virtual Decision next(const History& history) const = 0;
  /// Word of the record: imb, fixed, adaptive, ...
  [[nodiscard]] virtual std::string_view rule() const = 0;
  /// True if the points of a block are visited in interleaved rounds; classic rules measure one point after the other.
  [[nodiscard]] virtual bool interleaved() const { return false; }
};

/// Rule fixed:N - N operations in one visit of up to 64 equal batches, so that there is a distribution; a
/// remainder follows as a visit of one short batch without warm-up. Exactly N are timed. Throws
/// std::invalid_argument for N = 0.
[[nodiscard]] std::unique_ptr<Schedule> fixed_schedule(std::uint64_t ops, std::uint64_t warmup);

// Limits that every schedule keeps when it chooses the operations of a batch.
/// Longest duration of a batch, unless a single operation takes longer.
inline constexpr double longest_batch_s = 10e-3;
/// Least duration that an operation is counted with.
inline constexpr double least_op_s = 1e-10;

struct AdaptiveRule {
  double half_width = 0.02;  // --ci
  Seconds point_budget{2};   // --point-budget
  std::uint64_t min_batches = 8;
  std::uint64_t max_batches = 4096;
  int min_visits = 6;                   // R_min; 3 when the planner had to shrink
  int max_visits = 64;                  // R_max
  std::uint64_t batches_per_visit = 5;  // b_min
  ClockFigures clock;
  std::optional<Seconds> run_for;  // time:D - stop only by time
  std::int64_t message_byte = 0;   // from 32 KiB on two operations warm up a visit
};
/// steelyard's own rule (methodology, "Adaptive") and time:D. Trials double from one operation until they are
/// long against the clock; then visits, at least min_visits if the budget allows, until the interval is
/// narrow enough at a look, the budget is spent, or max_batches or max_visits are reached. Stop{budget}
/// before min_visits means that the point is partial. A point in several states and a point that mostly lost
/// its processor are visited longer. Throws std::invalid_argument for a rule that cannot be followed (no time
/// to spend, no visits).
[[nodiscard]] std::unique_ptr<Schedule> adaptive_schedule(const AdaptiveRule& rule);

/// Operations per batch, k, for operations of op_s seconds (methodology, "k"): clock share <= 1 %, grid finer than
/// the interval, planned_ops in at most 4096 batches, but never more than 10 ms unless one operation is longer.
[[nodiscard]] std::uint64_t ops_per_batch(double op_s, double half_width, const ClockFigures& clock,
                                          std::uint64_t planned_ops);

/// True for the rounds of an interleaved block after which convergence is checked: 6, 8, 11, 16, 22, 32, 45, 64.
[[nodiscard]] bool is_look(int round);

/// Next trial of a point; nullopt if the last one was long enough against the clock. An operation of more
/// than 10 ms is the point's first batch as well; up to 1 s that takes a second trial, because the first may
/// only have been interrupted.
[[nodiscard]] std::optional<Trial> next_trial(std::span<const TrialResult> trials, const ClockFigures& clock);

/// Order of points in round r of block b: a permutation of 0..n-1 by (seed, block, round), the same on all ranks.
[[nodiscard]] std::vector<std::size_t> shuffled(std::size_t n, std::uint64_t seed, std::uint64_t block,
                                                std::uint64_t round);

/// Next step of all ranks at one point: a schedule's decision in the form that is broadcast.
struct Step {
  enum class Kind : std::int32_t { trial, visit, stop, fail };
  /// Treatment of the step before at this point.
  enum class Before : std::int32_t { nothing, count_trial, forget_visit };

  Kind kind = Kind::stop;
  Before before = Before::nothing;
  StopReason why = StopReason::count;  // of a stop
  std::int32_t failed_rank = -1;       // of a failure, in the active communicator
  std::uint64_t warmup = 0;            // before a visit or a trial
  std::uint64_t ops = 0;               // of a trial; per batch of a visit
  std::uint64_t batches = 0;
  double shortest_op_s = 0;  // shortest operation of the block as far as known; 0 = not known
  bool probe = false;        // look at the machine's state before
  bool widen = false;        // too many operations were late
  bool keep = false;         // after the visit, keep the results of the point so far
};

}  // namespace steelyard::measure
