// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory_resource>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/history/entries.hpp"
#include "analysis/history/history.hpp"
#include "stats/order.hpp"

/// Parts of the key of a series: "suite/benchmark;parameter=value;... metric.statistic".
/// Columns of runs become rows of series.
namespace steelyard::history {

/// Part "suite/benchmark" of a point's key.
[[nodiscard]] std::string_view benchmark_in(std::string_view key);
/// Part "message_byte=8" of a key that has a size.
[[nodiscard]] std::string_view size_in(std::string_view key);

/// One launch's value; the launches of an entry follow each other. There are very many: 24 byte each.
struct LaunchValue {
  static constexpr std::uint32_t most_entry = (1U << 28U) - 1;
  LaunchValue(std::size_t of_entry, const Column& column)
      : entry(static_cast<std::uint32_t>(of_entry) & most_entry),
        state(column.state),
        ends(column.ends),
        value(column.value) {}
  std::uint32_t entry : 28;
  ValueState state : 4;
  Ends ends;
  double value;
};
static_assert(sizeof(LaunchValue) == 24);

/// Launches of an entry, joined to one value.
struct Joined {
  std::size_t entry = 0;
  std::optional<double> value;  // median of the good launches; nullopt if there is none
  Ends ends;                    // of a single launch; none of several, which have their spread
  ValueState state = ValueState::good;
  std::uint32_t launches = 0;  // that gave the value
};

/// Values of launches. There are as many as columns, in the same memory (page faults of small blocks would
/// cost a tenth of all).
using LaunchValues = std::pmr::vector<LaunchValue>;

/// Values of one series, gathered before it is judged.
struct Gathered {
  std::uint32_t key = 0;
  std::size_t context = 0;
  bool lower_is_better = true;
  Statistic statistic = Statistic::own;
  LaunchValues cells;
};

/// Calls `take` for each entry in order, with its launches joined.
template <class Take>
void each_entry(const LaunchValues& cells, const Take& take) {
  for (std::size_t i = 0; i < cells.size();) {
    const auto alone = [&] { return i + 1 == cells.size() || cells[i + 1].entry != cells[i].entry; };
    if (alone()) {
      const bool good = cells[i].state == ValueState::good;
      take(Joined{cells[i].entry, good ? std::optional(cells[i].value) : std::nullopt, cells[i].ends,
                  cells[i].state, good ? 1U : 0U});
      ++i;
      continue;
    }
    Joined joined{cells[i].entry, {}, {}, cells[i].state};
    std::vector<double> values;
    for (; i < cells.size() && cells[i].entry == joined.entry; ++i) {
      if (cells[i].state == ValueState::good)
        values.push_back(cells[i].value);
      else
        joined.state = cells[i].state;
    }
    joined.launches = static_cast<std::uint32_t>(values.size());
    if (!values.empty()) joined.value = stats::median(std::move(values));
    take(joined);
  }
}

/// Gathers the columns of runs, and makes the series of a history of them.
class SeriesMaker {
 public:
  /// `history`: has its entries; `entry_of`: of each run. All must outlive this; the columns are taken out of `runs`.
  SeriesMaker(std::vector<RunColumns>& runs, const std::vector<std::size_t>& entry_of, const Keys& keys,
              History& history);
  /// Adds the series: figures and points, then curves.
  void add_series();
  /// Points of a curve, by the place of its series in the history; nullptr if the series is no curve.
  [[nodiscard]] const std::vector<const Gathered*>* points_of(std::size_t series) const;

 private:
  /// The points of a benchmark that differ in their size alone.
  struct CurvePoints {
    std::size_t context;
    std::string name;
    std::vector<const Gathered*> points;
  };

  void name_contexts(const std::map<std::string, std::size_t>& contexts);
  [[nodiscard]] bool is_wanted(std::string_view key) const;
  void add_curves();
  SeriesFinding& new_series(Level level, std::size_t context, std::string name, bool lower);
  void add_plain(const Gathered& gathered, Level level, std::string name);
  /// Marks a series as missing, since the first entry that has its benchmark without it, if it is not measured
  /// any more although its benchmark is. `last`: its newest entry.
  void missing_candidate(SeriesFinding& one, const Gathered& gathered, std::size_t last);
  void sort_by_benchmark();

  const Keys& keys_;
  History& history_;
  std::vector<std::string> contexts_;
  std::vector<std::size_t> newest_;  // entry of each context
  std::vector<Gathered> gathered_;
  std::map<std::pair<std::size_t, std::string>, std::vector<const Gathered*>>
      benchmarks_;                   // by context and name; filled where a series may be missing
  std::vector<CurvePoints> curves_;  // of the series from first_curve_ on
  std::size_t first_curve_ = 0;
};

}  // namespace steelyard::history
