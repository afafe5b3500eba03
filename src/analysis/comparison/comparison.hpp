// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/tables.hpp"
#include "record/file.hpp"
#include "stats/order.hpp"

/// Two results point by point. The unit of replication is the launch: batches and visits of one launch tell
/// of that launch only. Tests and verdicts: docs/compare.md.
namespace steelyard::comparison {

/// paired: the i-th launch of the base belongs to the i-th of the new side, measured next to it.
enum class Launches { independent, paired };
enum class Ignored { mpi, layout, machine, options };

struct Options {
  std::string metric;       // "time_s", "time_s.p99"; empty: the primary one of each point
  double threshold = 0.05;  // smaller differences are "same"
  double alpha = 0.01;      // false discovery rate over all points
  std::optional<double>
      launch_sd;  // spread between launches that the user knows: few launches are judged by it
  std::set<Ignored> ignored;
  Launches launches = Launches::independent;
  int bootstrap = 0;     // samples of the percentile interval; 0: the tests' own intervals
  bool figures = false;  // of foreign texts, single numbers: verdicts by the threshold, which no test backs
  std::string
      statistic;  // that member of both sides where both have it: "mean", "max"; empty: the value of each
  std::vector<std::string> notes = {};  // how points of other programs met those of ours
};

enum class Verdict : std::uint8_t { same, faster, slower, unclear, missing, added, unverified };
inline constexpr std::size_t verdict_count = 7;
[[nodiscard]] std::string_view text(Verdict verdict);  // added: "new"

/// How the interval and p came about.
enum class Test : std::uint8_t { none, rank, launches, single_launch, threshold_only, pairs };
[[nodiscard]] std::string_view text(Test test);

/// What was measured. Launches that measured the same share it.
struct Identity {
  std::string_view key, suite, benchmark, primary;
  const record::Members* params = nullptr;  // in ASCII order
  int processes = 1, threads = 1, groups = 1;
  bool lower_is_better = true;
};

/// What it refers to lives as long as its comparison.
struct Point {
  const Identity* what = nullptr;
  std::string_view metric;
  std::string_view unit;  // of record::unit_of()
  std::size_t base_launches = 0, new_launches = 0;
  std::optional<double> base, now;  // median over the launches
  std::optional<double> ratio;      // now / base
  std::optional<stats::Interval> interval;
  std::optional<double> p, cliffs_delta;  // p: only where launches can decide
  int launches_needed = 0;  // a side, to decide what is unclear for want of them; 0: not known, or decided
  Test test = Test::none;
  Verdict verdict = Verdict::unclear;
  bool lower_is_better = true, significant = false;
  std::string remark;
};

/// Difference between both sides that does not forbid the comparison.
struct Difference {
  std::string what, base, now;
};

/// Aspect of what a run was measured with, by the name that differences have; empty: not told.
struct RunAspect {
  std::string name, value;
  Ignored group;
};
/// Aspects of program, MPI, machine, libraries, environment.
[[nodiscard]] std::vector<RunAspect> aspects_of(const record::RunRecord& run);
/// Aspects of the layout: nodes, ranks on them, binding, threads. Runs that differ here are not
/// of the same thing.
[[nodiscard]] std::vector<RunAspect> layout_of(const record::RunRecord& run);

/// Geometric mean of the ratios of one benchmark.
struct Mean {
  std::string suite, benchmark;
  int processes = 1;
  std::size_t points = 0;
  double ratio = 1;
  std::optional<stats::Interval> interval;
};

struct Comparison {
  Options options;
  std::size_t base_launches = 0, new_launches = 0;
  std::vector<Difference> differences;
  std::vector<Point> points;  // in the order of the base, then what is new
  std::vector<Mean> means;
  std::size_t without_metric =
      0;  // points that have the metric which was asked for on neither side: they are no rows
  std::shared_ptr<const void> kept = {};  // to which the points refer
  /// Numbers of points, by their verdicts.
  [[nodiscard]] std::array<std::size_t, verdict_count> counts() const;
  [[nodiscard]] std::size_t count(Verdict verdict) const {
    return counts()[static_cast<std::size_t>(verdict)];
  }
  /// Whether any point was tested: without tests, points are found slower or faster by the threshold alone.
  [[nodiscard]] bool tested() const;
};

/// Launches that make no pairs: what() says how many each side has.
class Unpaired : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// The runs cannot be compared; what() has one reason a line.
class NotComparable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Compares runs; every run is one launch of its side. Throws NotComparable if no point is on both sides, or
/// if the runs differ in layout, or all their points in schedule, synchronisation, timing or caches, and this
/// is not ignored. Paired launches need as many on one side as on the other (Unpaired).
[[nodiscard]] Comparison compare(std::span<const record::Run> base, std::span<const record::Run> now,
                                 Options options = {});

enum class Sort { plan, effect, name };
/// Tables of what differs, points by benchmark (table "points"), means, counts of verdicts.
[[nodiscard]] analysis::Tables tables(const Comparison& comparison, Sort sort = Sort::plan);
/// Maker of the text of a table, which several threads call at once.
using MakeText = std::function<std::string(const analysis::Section& section, bool is_first)>;
using TakeText = std::function<void(std::string_view text)>;
/// Hands over the texts of the same tables one after the other: all tables of very many points are several times as large
/// as the points. For programs the tables of points alone, without what is for readers: columns, notes.
void each_text(const Comparison& comparison, Sort sort, analysis::Audience audience, const MakeText& make,
               const TakeText& take);

}  // namespace steelyard::comparison
