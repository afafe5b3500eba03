// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analysis/history/history.hpp"
#include "stats/order.hpp"

namespace steelyard::history {

/// One launch's value; the launches of an entry follow each other.
struct LaunchValue {
  std::uint32_t entry = 0;
  float half_width = -1;
  double value = 0;
  ValueState state = ValueState::good;
};

/// The launches of an entry as one.
struct Joined {
  std::size_t entry = 0;
  std::optional<double> value;  // median of what is good
  float half_width = -1;        // of one launch; several have their spread, which is none
  ValueState state = ValueState::good;
};

/// What belongs together before it is judged.
struct Gathered {
  std::uint32_t key = 0;
  std::size_t context = 0;
  bool lower_is_better = true;
  Statistic statistic = Statistic::own;
  std::vector<LaunchValue> cells;
};

/// Launches as the entries that they are of, in their order.
template <class Take>
void each_entry(const std::vector<LaunchValue>& cells, const Take& take) {
  for (std::size_t i = 0; i < cells.size();) {
    const auto alone = [&] { return i + 1 == cells.size() || cells[i + 1].entry != cells[i].entry; };
    if (alone()) {
      const bool good = cells[i].state == ValueState::good;
      take(Joined{cells[i].entry, good ? std::optional(cells[i].value) : std::nullopt, cells[i].half_width,
                  cells[i].state});
      ++i;
      continue;
    }
    Joined joined{cells[i].entry, {}, -1, cells[i].state};
    std::vector<double> values;
    for (; i < cells.size() && cells[i].entry == joined.entry; ++i) {
      if (cells[i].state == ValueState::good)
        values.push_back(cells[i].value);
      else
        joined.state = cells[i].state;
    }
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
  /// The points that a series of this place in the history is a curve of; nullptr: it is none.
  [[nodiscard]] const std::vector<const Gathered*>* points_of(std::size_t series) const;

 private:
  /// The points of a benchmark that differ in their size alone.
  struct CurvePoints {
    std::size_t context;
    std::string name;
    std::vector<const Gathered*> points;
  };

  void gather(std::vector<RunColumns>& runs, const std::vector<std::size_t>& entry_of);
  [[nodiscard]] bool is_wanted(std::string_view key) const;
  void add_curves();
  SeriesFinding& new_series(Level level, std::size_t context, std::string name, bool lower);
  void add_plain(const Gathered& gathered, Level level, std::string name);
  /// Not measured any more although its benchmark was.
  void missing_candidate(SeriesFinding& one, const Gathered& gathered);
  void find_measured_now();

  const Keys& keys_;
  History& history_;
  std::vector<std::string> contexts_;
  std::vector<std::size_t> newest_;  // entry of each context
  std::vector<Gathered> gathered_;
  std::set<std::pair<std::size_t, std::string>> measured_now_;
  std::vector<CurvePoints> curves_;  // of the series from first_curve_ on
  std::size_t first_curve_ = 0;
};

}  // namespace steelyard::history
