// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "analysis/history/gathered.hpp"
#include "analysis/history/history.hpp"

namespace steelyard::history {

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
