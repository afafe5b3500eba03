// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/acceptance/figures.hpp"
#include "analysis/acceptance/judge.hpp"

/// Selection of the values that a criterion is about. Internal to this folder, except the pattern.
namespace steelyard::acceptance {

/// Pattern of points, "suite/benchmark;name=value;...": * and ? in each word; sizes as words ("1Mi"). A point
/// may have further parameters than those that are named.
class PointPattern {
 public:
  explicit PointPattern(std::string_view words);
  [[nodiscard]] const std::string& benchmark() const { return benchmark_; }  // "imb-mpi1/PingPong"
  [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& parameters() const {
    return parameters_;
  }
  [[nodiscard]] bool is_of_benchmark(const record::PointRecord& point) const;
  [[nodiscard]] bool holds(const record::PointRecord& point) const;

 private:
  std::string benchmark_;
  std::vector<std::pair<std::string, std::string>> parameters_;
};

/// How far an interval reaches below and above its value, in ln: both from 0. The value seldom lies in its middle.
struct Reach {
  double below = 0, above = 0;
};

/// One launch's value of an item.
struct Reading {
  double value = 0;
  Reach reach = {};  // of the interval within the launch
  std::size_t launch = 0;
};

/// A figure, a point, a node or a link in the launches that measured it; without readings a node or a link that none
/// of them could measure.
struct Item {
  std::string name, suite, unit;
  bool lower_is_better = false;
  std::vector<Reading> readings;
  bool wrong = false;
  bool official = true;  // all launches with a value are known to keep the rules of its suite
  std::string doubt = {};
  std::size_t lacking = 0;  // launches that were to measure it and have no value
  std::string lack = {};    // why the first of them has none
};

struct Selection {
  std::vector<Item> items;
  bool wrong = false;      // a verification in the selection failed, also of what has no value
  bool unchecked = false;  // a value in it was not verified at all
  /// Points of the selection that are skipped, partial or failed; nodes or links without a value in a launch.
  std::size_t absent = 0;
  std::string reason;  // why there are no items
};

using Launches = std::span<const Launch* const>;

/// Selects items. Throws BadCriteria for a metric or a parameter that no measured point of the benchmark has.
[[nodiscard]] Selection select(const Criterion& criterion, Launches launches);

/// Spread between launches, pooled over what they measured more than once.
struct Pool {
  double variance = 0;      // of ln
  std::size_t freedom = 0;  // readings beyond the first of each value; 0: nothing was measured twice
  std::size_t values = 0;   // what was measured, be it once
};

/// Pool of an item: over the nodes or links of its table; else over the points of its suite, or over the figures of
/// merit where it has none.
[[nodiscard]] Pool pool_of(const Criterion& criterion, const Item& item, const Selection& selection,
                           Launches launches);

}  // namespace steelyard::acceptance
