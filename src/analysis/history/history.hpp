// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/comparison/run_filter.hpp"
#include "analysis/history/change_points.hpp"
#include "analysis/history/collection.hpp"
#include "analysis/tables.hpp"
#include "record/json.hpp"

/// Many runs in the order of time: series, changes, verdicts (docs/history.md).
namespace steelyard::history {

/// A node, or a link between two, over the screenings that it was in.
struct NodeHistory {
  std::string machine, who;
  std::size_t named = 0, screened = 0;
  std::size_t in_a_row = 0;                       // newest screenings in a row that named it
  std::string first, last;                        // days on which it was named
  std::string verdict;                            // weightiest of all
  std::map<std::string, std::size_t> quantities;  // findings by quantity
  double worst_percent = 0;                       // the farthest off; 0: none was told
};

struct NodeHistories {
  std::vector<NodeHistory> nodes;  // those that were named most often first
  std::size_t screenings = 0;
  std::size_t nameless = 0;  // whose nodes have numbers for names: they cannot be followed
};

/// Histories from runs in the order of time.
[[nodiscard]] NodeHistories node_histories(std::span<const RunColumns> runs);

/// Families of series; the false discovery rate is held in each of them for itself.
enum class Level { figures, curves, points };

/// Verdicts, worst first.
enum class Verdict {
  regressed,
  failing,
  suspect,
  drifts,
  missing,
  unclear,
  recovered,
  improved,
  known,
  stable,
  too_few
};
inline constexpr std::size_t verdict_count = 11;
[[nodiscard]] std::string_view text(Verdict verdict);
[[nodiscard]] std::string_view text(Level level);

/// A change that somebody has accepted.
struct Known {
  std::string pattern;  // of the name of a series
  comparison::RunFilter where;
  std::string after;  // date; covers changes up to 7 days before or after it
  std::string until;  // then it counts again; empty: never
  std::string reason;
};

struct Options {
  Method method;
  std::set<Level> levels{Level::figures, Level::curves};
  std::vector<std::string> by;        // further names of runs that tell series apart
  std::vector<std::string> patterns;  // of benchmarks; empty: all
  std::vector<Known> known;
  std::string now;    // runs that began a day after it or later have a wrong clock; empty: not known
  std::string since;  // date, run id, label NAME=VALUE, "last"; empty: all findings count
};

/// A launch, or the launches that belong together: each entry has one value of each series.
struct Entry {
  std::vector<std::string> runs;  // ids
  std::string source, started, context;
  record::RunRecord head;  // of the last of its runs
};

struct SeriesFinding {
  Level level = Level::points;
  std::string name, context, unit;
  bool lower_is_better = true;
  Statistic statistic =
      Statistic::own;  // of the values, where the series begins with a text of another program
  Verdict verdict = Verdict::stable;
  std::vector<std::pair<std::size_t, double>> values;  // entry, value
  std::vector<Ends> ends;                              // of the intervals of the values
  std::vector<std::uint32_t> launches;  // that gave the values; of a curve, of its point with the fewest
  std::size_t left_out = 0;             // partial, skipped, failed, wrong
  Findings findings;
  bool counts = false;                  // the finding lies after `since`
  std::optional<std::size_t> began;     // entry since which the series fails, or is missing
  std::optional<std::string> accepted;  // reason for which the newest change is accepted
  double p = 1;                         // of the newest change, or of the series, times the stretches tested
  std::optional<double> ratio;
  std::optional<stats::Interval> interval;
  std::size_t before = 0, after = 0;                           // entries
  std::optional<std::pair<std::size_t, std::size_t>> between;  // entries around the change
  std::vector<std::string> causes, also;
  std::string remark;  // reason of a known change, what a suspicion lacks, which points carry a curve
};

struct History {
  Options options;
  std::vector<Entry> entries;         // oldest first
  std::vector<SeriesFinding> series;  // worst first
  std::size_t runs = 0, undated = 0;
  std::vector<std::string> conflicts;  // run ids in two files with different content
  std::vector<std::string> notes;      // sentences: which texts of other programs stand alone
  NodeHistories screened;              // nodes and links that screenings among the runs have named
  [[nodiscard]] std::size_t count(Verdict verdict) const;
};

/// Error: `since` is no date, run or label of these runs.
class UnknownSince : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// Analyses the runs, which it takes out of `runs`; uses all processors. Throws UnknownSince.
[[nodiscard]] History analyse(std::vector<RunColumns> runs, const Keys& keys, Options options);

[[nodiscard]] analysis::Tables tables(const History& history);
[[nodiscard]] record::Json document(const History& history);
/// Data of a page's charts: the worst series first, `most` of them, each with its values, the medians of its
/// stretches, where changes lie, and where something that was recorded differs.
[[nodiscard]] record::Json charts(const History& history, std::size_t most = 50);
/// One row per entry and series, for a database of the user's own: CSV, or a line of JSON each.
[[nodiscard]] std::string rows_csv(const History& history);
[[nodiscard]] std::string rows_jsonl(const History& history);
/// Change in percent: "+8.1 %" for 1.081.
[[nodiscard]] std::string percent_of(double ratio);
/// Whole finding in one line.
[[nodiscard]] std::string finding(const SeriesFinding& one, const History& history);

}  // namespace steelyard::history
