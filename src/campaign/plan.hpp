// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "suites/suite.hpp"
#include "units/quantity.hpp"

/// From words to an ordered list of points. Pure.
namespace steelyard::campaign {

/// The user's words are wrong (exit code 2). what() is one line; suggestion() may be empty.
class UsageError : public std::runtime_error {
 public:
  explicit UsageError(const std::string& text, std::string suggestion = {})
      : std::runtime_error(text), suggestion_(std::move(suggestion)) {}
  [[nodiscard]] const std::string& suggestion() const { return suggestion_; }

 private:
  std::string suggestion_;
};

/// One selected benchmark of one suite, in the order of the run.
struct Selected {
  const suites::Suite* suite = nullptr;
  std::string benchmark;
};

/// PATTERNs ("suite", "suite/benchmark", globs * ? [abc], benchmark part in any case) against the catalogues.
/// All unknown patterns are reported together, each with its nearest valid word. Order: order of the
/// patterns, within a pattern the order of the catalogue; duplicates dropped. A bare suite name selects its
/// default set.
[[nodiscard]] std::vector<Selected> select(std::span<const std::string> patterns,
                                           std::span<const std::string> exclude,
                                           std::span<const suites::Suite* const> suites);

struct PlanOptions {
  int processes = 1;
  int threads = 1;
  std::optional<Seconds> budget;  // whole campaign
  Seconds point_budget{2};
  std::optional<double> half_width;  // adaptive target; nothing = classic schedule
  bool random_order = false;
  std::uint64_t seed = 1;
  std::int64_t memory_byte = 0;  // per process; points that need more are skipped, reason memory
};

struct Plan {
  std::vector<suites::BlockPlan> blocks;
  double estimate_s = 0;
  std::string hash;                   // sha256 over keys in order, schedule rules, seed
  std::vector<std::string> sequence;  // suite/benchmark in order
  int min_visits = 6;                 // 3 after the first shrinking step
  Seconds point_budget{2};            // what a point gets on average, at most point_limit
  Seconds point_limit{2};             // --point-budget
  std::optional<Seconds> budget;      // whole campaign
  double longest_s = 0;             // if every point used all that it may use; classic schedules: estimate_s
  std::int64_t memory_byte = 0;     // per process, as planned with
  std::vector<std::string> shrunk;  // one sentence per step taken
  [[nodiscard]] std::size_t points() const;
  [[nodiscard]] std::size_t measurable() const;
};

/// Orders, checks memory, estimates, shrinks to the budget (methodology, "Campaign budget"): dropped points
/// stay in the plan with skip_code "time". `schedule_rule` goes into the hash.
[[nodiscard]] Plan make_plan(std::span<const Selected> selected, const PlanOptions& options,
                             std::string_view schedule_rule);

/// What --plan prints: blocks, points, bytes moved, memory, time.
void print_plan(std::ostream& out, const Plan& plan, const PlanOptions& options);

/// Remaining time: planned seconds scaled by measured / planned of what is finished, that ratio clamped to
/// 0.5 .. 2 (methodology, "ETA"). Recent work counts more: each finished piece fades the earlier ones.
class Estimator {
 public:
  void finished(double planned_s, double measured_s);
  [[nodiscard]] double left_s(double planned_left_s) const;
  [[nodiscard]] bool trustworthy() const;  // from 3 finished pieces on

 private:
  double planned_ = 0, measured_ = 0;
  int count_ = 0;
};

}  // namespace steelyard::campaign
