// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <any>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "record/records.hpp"
#include "record/value.hpp"
#include "suites/rates.hpp"
#include "units/quantity.hpp"

/// Pure half of a suite, which it hands to the campaign: the catalogue and the plan. No MPI here, so that
/// `list` and `--plan` work anywhere. The measuring half is suites/session.hpp.
namespace steelyard::suites {

/// Row of the catalogue. `list --long` prints it.
struct BenchmarkInfo {
  std::string_view name;            // the original's spelling
  std::string_view classification;  // "single transfer", "collective", ...
  int min_processes = 1;
  bool in_default = true;
  std::string_view sizes;           // "0, 1 .. 4194304 byte, doubling"
  std::string_view metrics;         // "time_s, bandwidth_byte_s"
  std::string_view source;          // "IMB 3.1 User's Guide, 3.3.2.1"
  std::string_view condition = {};  // what makes its figure representative; empty: nothing is asked
};

/// Model t(X) = latency_s + moved_byte / rate for the time of one operation, by the rates of the survey.
struct CostModel {
  double latency_s = 0;
  double moved_byte = 0;  // over all participants
  double byte_s = 1;
  double visit_s = 0;  // beside the operations: time for whatever is opened for a visit
  double check_s = 0;  // once: time for memory used first, for contents made and compared
  [[nodiscard]] double operation_s() const { return latency_s + moved_byte / byte_s; }
};

/// World that a plan is made for: its processes and their rates.
struct World {
  // Implicit: a number of processes alone is a world whose rates nobody has measured.
  World(int all, Rates known = assumed_rates()) : processes(all), rates(std::move(known)) {}  // NOLINT
  int processes;
  Rates rates;
};

/// Point of a plan, known before anything is measured.
struct PointPlan {
  std::string key;
  std::string benchmark = {};  // for a block whose points belong to several; empty: the block's
  record::Params params;
  std::any specification;                // for its suite, of a type that the suite defines
  std::int64_t bytes = 0;                // nominal message size; orders points for shrinking
  std::vector<std::string> size_params;  // parameters that change along a curve, with the size
  std::int64_t memory_byte = 0;          // per process
  std::uint64_t classic_operations = 0;  // by the suite's own rule, at most
  /// Number of operations that are completed together: they are one operation of every schedule
  /// but the suite's own.
  std::uint64_t bundle = 1;
  CostModel cost;
  std::optional<double> prescribed_s;  // duration by the suite's own schedule, if it has no other
  bool gives_way = false;              // left out where its suite takes longer than expected
  double minimum_s = 0;                // pilot and fewest visits of its schedule; filled by the planner
  double weight = 1;                   // relative share of the time beyond all minima; filled by the planner
  /// Reason why its figure would not stand for the machine, a sentence about its size; empty if it does, or
  /// if it has no such condition. The record tells it with the flag not_representative.
  std::string doubt;
  std::string expectation;  // sentence: what the suite expects by the rates; empty for most points
  std::optional<record::ReasonCode> skip;            // recorded as skipped for this reason, not measured
  std::string skip_text;                             // in words; empty: the reason says it all
  std::int64_t needed_byte = 0, available_byte = 0;  // with the reason memory
  bool kept = false;                                 // a record of an earlier session stands for it

  [[nodiscard]] bool measurable() const { return !skip && !kept; }
  /// Throws std::bad_any_cast if another suite has planned it.
  template <class Specification>
  [[nodiscard]] const Specification& spec() const {
    return std::any_cast<const Specification&>(specification);
  }
};

class Session;
struct SessionContext;
class Suite;

/// Points that are measured by one team, interleaved where the schedule allows it.
struct BlockPlan {
  std::string suite, benchmark;
  const Suite* planned_by = nullptr;  // which also measures it; filled by the planner
  int processes = 1;                  // of one group
  int groups = 1;                     // running at the same time
  std::vector<int> rank_order;        // new rank -> world rank; empty = identity
  bool files = false;                 // its session makes files: it needs a FilePlace
  bool indivisible = false;           // one experiment: never split, shrunk, confirmed or resumed in parts
  std::size_t part = 0;  // > 0: continuation of a table that was split (at most 64 points a block)
  std::vector<PointPlan> points;
};

/// A suite with the user's settings applied, the same on all ranks: it plans, which is pure, and measures
/// what it has planned if it was made by the measuring half.
class Suite {
 public:
  virtual ~Suite() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;
  /// Every benchmark, in the order of the definition.
  [[nodiscard]] virtual std::span<const BenchmarkInfo> catalogue() const = 0;
  /// Blocks of these benchmarks (original spelling, in this order, repeated names repeatedly), with the times
  /// that follow from the rates of the world.
  [[nodiscard]] virtual std::vector<BlockPlan> plan(std::span<const std::string> benchmarks,
                                                    const World& world) const = 0;
  /// Rates that the times of its plan depend on.
  [[nodiscard]] virtual std::vector<RateGroup> rate_groups() const { return {}; }
  /// Members for the run record's configuration, under the suite's name.
  [[nodiscard]] virtual record::Members configuration() const = 0;
  /// Opens a block for measuring. Collective over context.team->active (suites/session.hpp). Throws
  /// std::bad_alloc, mpi::Error on the rank where it happens, and the campaign agrees on the failure over all
  /// ranks; measure::SharedFailure on all ranks where collective calls follow, in which the others would wait;
  /// std::logic_error if this suite plans only.
  [[nodiscard]] virtual std::unique_ptr<Session> open(const BlockPlan&, const SessionContext&) const;
};

inline std::unique_ptr<Session> Suite::open(const BlockPlan& block, const SessionContext&) const {
  throw std::logic_error(block.suite + " was made to plan, not to measure");
}

/// Suite that is told its name, its benchmarks and the rates of its times; what it plans follows from its settings.
template <class Settings>
class DefinedSuite : public Suite {
 public:
  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] std::span<const BenchmarkInfo> catalogue() const override { return catalogue_; }
  [[nodiscard]] std::vector<RateGroup> rate_groups() const override { return rates_; }
  [[nodiscard]] const Settings& settings() const { return settings_; }

 protected:
  DefinedSuite(std::string_view name, std::span<const BenchmarkInfo> catalogue, std::vector<RateGroup> rates,
               Settings settings)
      : settings_(std::move(settings)), name_(name), catalogue_(catalogue), rates_(std::move(rates)) {}
  Settings settings_;

 private:
  std::string_view name_;
  std::span<const BenchmarkInfo> catalogue_;
  std::vector<RateGroup> rates_;
};

/// Progress of a block whose results come only at its end.
struct BlockProgress {
  double share = 0;   // of its time, 0 .. 1
  std::string words;  // "repetition 2 of 3, 4096 byte"
};

// Time that suites are expected to take, and what becomes of what does not fit into a budget.

/// Seconds that the points with a prescribed time take together, of those that can be measured.
[[nodiscard]] inline double prescribed_s(const Suite& suite, std::span<const std::string> benchmarks,
                                         const World& world) {
  double sum = 0;
  for (const BlockPlan& block : suite.plan(benchmarks, world))
    for (const PointPlan& point : block.points)
      if (point.measurable()) sum += point.prescribed_s.value_or(0);
  return sum;
}

/// Seconds that a suite takes at least for figures that stand for the machine, and at most by its own rules.
struct TimeRange {
  double least_s = 0, most_s = 0;
};

/// Share of a campaign's budget that one suite has.
struct TimeShare {
  double seconds = 0;
  double budget_s = 0;  // of the whole campaign
  /// Budget with which this share would be `wanted_s`, all shares in the same proportion.
  [[nodiscard]] double budget_for(double wanted_s) const {
    return seconds > 0 ? budget_s * wanted_s / seconds : budget_s;
  }
};

/// Words "needs --budget 3m", the budget rounded up to what a user would type.
[[nodiscard]] inline std::string needs_budget(double budget_s) {
  constexpr double longest_s = 1e9;  // beyond any budget
  if (!(budget_s < longest_s)) return "needs more than any budget";
  constexpr double minute = 60, hour = 3600, some_minutes = 3 * minute, some_hours = 3 * hour;
  const auto up = [](double amount, double unit) { return static_cast<long>(std::ceil(amount / unit)); };
  if (budget_s <= some_minutes) return "needs --budget " + std::to_string(5 * up(budget_s, 5)) + "s";
  if (budget_s <= some_hours) return "needs --budget " + std::to_string(up(budget_s, minute)) + "m";
  return "needs --budget " + std::to_string(up(budget_s, hour)) + "h";
}

}  // namespace steelyard::suites
