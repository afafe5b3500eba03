// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "suites/suite.hpp"
#include "units/quantity.hpp"

/// From selected benchmarks to an ordered list of points. Pure.
namespace steelyard::campaign {

/// Error in the user's words (exit code 2). what() is one line; suggestion() may be empty.
class UsageError : public std::runtime_error {
 public:
  explicit UsageError(const std::string& text, std::string suggestion = {})
      : std::runtime_error(text), suggestion_(std::move(suggestion)) {}
  [[nodiscard]] const std::string& suggestion() const { return suggestion_; }

 private:
  std::string suggestion_;
};

// The words that select benchmarks: "suite", "suite/benchmark", globs.

/// True if all of `text` matches a glob: * any characters, ? one, [abc] [a-z] [!abc] one of a set. A '[' that
/// is never closed stands for itself.
[[nodiscard]] bool glob_matches(std::string_view glob, std::string_view text);

/// PATTERN in its two parts. The suite part is matched as written, the benchmark part in any case.
class Pattern {
 public:
  explicit Pattern(std::string_view word);
  [[nodiscard]] bool whole_suite() const { return !benchmark_.has_value(); }
  [[nodiscard]] bool matches_suite(std::string_view suite) const { return glob_matches(suite_, suite); }
  [[nodiscard]] bool matches_benchmark(std::string_view benchmark) const;

 private:
  std::string suite_;
  std::optional<std::string> benchmark_;  // lower case
};

// From words to benchmarks. Pure.

/// One selected benchmark of one suite, in the order of the run.
struct Selected {
  const suites::Suite* suite = nullptr;
  std::string benchmark;
};

/// Selects benchmarks by PATTERNs ("suite", "suite/benchmark", globs * ? [abc], benchmark part in any case)
/// from the catalogues. All unknown patterns are reported together, each with its nearest valid word. Order:
/// order of the patterns, within a pattern the order of the catalogue; duplicates dropped. A bare suite name
/// selects its default set. None are left where `exclude` removes all. Throws UsageError.
[[nodiscard]] std::vector<Selected> select(std::span<const std::string> patterns,
                                           std::span<const std::string> exclude,
                                           std::span<const suites::Suite* const> suites);

struct PlanOptions {
  int processes = 1;
  suites::Rates rates = suites::assumed_rates();  // for all expected times
  int threads = 1;
  std::optional<Seconds> budget;  // whole campaign
  /// Of the run that is resumed, infinite if it had none; nullopt: as now. It decides which points the run has; a smaller
  /// one now leaves out points that are still to be measured.
  std::optional<Seconds> first_budget = {};
  std::set<std::string> kept = {};  // keys of records that stand, which take no time (campaign::kept_keys)
  bool divided = false;             // the part left by experiments is divided among the other suites
  Seconds point_budget{2};
  std::optional<double> half_width;  // adaptive target; nullopt = classic schedule
  bool timed = false;                // every point takes point_budget, whatever half_width says
  bool fixed = false;                // the number of operations is the user's, not the rule's of the suite
  bool random_order = false;
  std::uint64_t seed = 1;
  std::int64_t memory_byte = 0;  // per process; points that need more are skipped, reason memory
};

/// Part of one suite in a plan.
struct SuitePlan {
  std::string suite;
  std::size_t benchmarks = 0, points = 0, skipped = 0;
  std::size_t kept = 0;                  // of the points: those whose records stand, which take no time
  double estimate_s = 0, longest_s = 0;  // as those of the plan, without the time between the points
};

struct Plan {
  std::vector<suites::BlockPlan> blocks;
  double estimate_s = 0;
  std::size_t kept = 0;               // points whose records stand, which take no time
  std::string hash;                   // sha256 over keys in order, schedule rules, seed
  std::vector<std::string> sequence;  // suite/benchmark in order
  int min_visits = 6;                 // 3 after the first shrinking step
  Seconds point_budget{2};            // average of a point, at most point_limit
  Seconds point_limit{2};             // --point-budget
  std::optional<Seconds> budget;      // whole campaign
  double longest_s = 0;               // if every point used all of its time; classic schedules: estimate_s
  std::int64_t memory_byte = 0;       // per process, as planned with
  std::vector<SuitePlan> suites;      // in the order of the run
  std::vector<std::string> shrunk;    // one sentence per step taken
  [[nodiscard]] std::size_t points() const;
  [[nodiscard]] std::size_t measurable() const;
};

/// "48 points", of a resume those that are still to be measured: "8 points of 48".
[[nodiscard]] std::string points_to_measure(const Plan& plan);
/// Numbers of points of each suite, for the run record.
[[nodiscard]] std::vector<std::pair<std::string, std::int64_t>> points_of_suites(const Plan& plan);

/// Makes a plan: orders, checks memory, estimates, shrinks to the budget (methodology, "Campaign budget");
/// dropped points stay in the plan, skipped with reason time. The selected suites measure the blocks and must
/// live as long as the plan is measured. `schedule_rule` goes into the hash.
[[nodiscard]] Plan make_plan(std::span<const Selected> selected, const PlanOptions& options,
                             std::string_view schedule_rule);

/// Output of --plan: blocks, points, bytes moved, memory, time.
void print_plan(std::ostream& out, const Plan& plan, const PlanOptions& options);

/// Summary that a campaign prints before it starts: a line per suite with its time.
void print_suites(std::ostream& out, const Plan& plan);
/// Expectations of suites about single points, a line each.
void print_expectations(std::ostream& out, const Plan& plan);

}  // namespace steelyard::campaign
