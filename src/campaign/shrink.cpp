// SPDX-License-Identifier: Apache-2.0
#include "campaign/shrink.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "units/text.hpp"

namespace steelyard::campaign {
namespace {

using Tables = std::vector<suites::BlockPlan>;
constexpr std::size_t sizes_of_a_long_table = 12;
constexpr int fewest_visits = 3;

std::string counted(std::size_t n, const std::string& noun) {
  return std::to_string(n) + " " + noun + (n == 1 ? "" : "s");
}

/// Takes the steps one after the other until the minima fit.
class Shrinking {
 public:
  Shrinking(Tables& tables, MeasuringRule& rule, double budget_s)
      : tables_(tables), rule_(rule), budget_s_(budget_s) {}

  std::vector<std::string> run() {
    for (const auto step :
         {&Shrinking::fewer_visits, &Shrinking::every_second_size, &Shrinking::largest_sizes,
          &Shrinking::middle_process_numbers, &Shrinking::optional_suites})
      if (!fits()) (this->*step)();
    if (!fits())
      told_.push_back("even so the least takes " + time(minimum_s(tables_)) + ", more than " + budget());
    return std::move(told_);
  }

 private:
  bool fits() const { return minimum_s(tables_) <= budget_s_; }
  static std::string time(double seconds) { return units::format_time(Seconds{seconds}); }
  std::string budget() const { return "the budget of " + time(budget_s_); }

  void tell(const std::string& what, std::size_t points) {
    if (points > 0) told_.push_back(what + " left out (" + counted(points, "point") + ")");
  }

  /// Leaves out the points of a table for which `chosen` holds; how many.
  template <class Chosen>
  std::size_t leave_out(suites::BlockPlan& table, const std::string& what, Chosen chosen) {
    std::size_t points = 0;
    for (suites::PointPlan& point : table.points) {
      if (!measurable(point) || !chosen(point)) continue;
      point.skip_code = "time";
      point.skip_text = what + " left out to fit " + budget();
      ++points;
    }
    return points;
  }

  void fewer_visits() {
    if (!rule_.adaptive() || rule_.min_visits <= fewest_visits) return;
    told_.push_back(counted(fewest_visits, "visit") + " of a point instead of " +
                    std::to_string(rule_.min_visits));
    rule_.min_visits = fewest_visits;
    estimate(tables_, rule_);
  }

  static std::vector<std::int64_t> sizes(const suites::BlockPlan& table) {
    std::set<std::int64_t> sizes;
    for (const suites::PointPlan& point : table.points)
      if (measurable(point)) sizes.insert(point.bytes);
    return {sizes.begin(), sizes.end()};
  }

  /// The smallest size stays for the latency; from the largest down every second one stays.
  static std::set<std::int64_t> every_second(const std::vector<std::int64_t>& sizes) {
    std::set<std::int64_t> chosen;
    for (std::size_t i = 1; i < sizes.size(); ++i)
      if ((sizes.size() - 1 - i) % 2 == 1) chosen.insert(sizes[i]);
    return chosen;
  }

  void every_second_size() {
    const std::string what =
        "every second size of tables with more than " + std::to_string(sizes_of_a_long_table);
    std::size_t points = 0;
    for (suites::BlockPlan& table : tables_) {
      const auto all = sizes(table);
      if (table.indivisible || all.size() <= sizes_of_a_long_table) continue;
      const auto dropped = every_second(all);
      points += leave_out(table, what, [&](const auto& point) { return dropped.contains(point.bytes); });
    }
    tell(what, points);
  }

  static bool transfer_dominates(const suites::PointPlan& point) {
    return point.cost.moved_byte / point.cost.byte_s > point.cost.latency_s;
  }

  std::int64_t largest_dominated_size() const {
    std::int64_t largest = -1;
    for (const suites::BlockPlan& table : tables_)
      for (const suites::PointPlan& point : table.points)
        if (measurable(point) && !table.indivisible && transfer_dominates(point)) largest = std::max(largest, point.bytes);
    return largest;
  }

  void largest_sizes() {
    std::size_t points = 0;
    std::int64_t from = 0;
    for (std::int64_t size = largest_dominated_size(); size >= 0 && !fits();
         size = largest_dominated_size()) {
      for (suites::BlockPlan& table : tables_)
        points += leave_out(table, "size " + units::format_size(Bytes{size}), [&](const auto& point) {
          return point.bytes == size && !table.indivisible && transfer_dominates(point);
        });
      from = size;
    }
    tell("sizes from " + units::format_size(Bytes{from}) + " up", points);
  }

  void middle_process_numbers() {
    std::map<std::pair<std::string, std::string>, std::set<int>> numbers;
    for (const suites::BlockPlan& table : tables_)
      if (!sizes(table).empty()) numbers[{table.suite, table.benchmark}].insert(table.processes);
    const std::string what = "process numbers between the smallest and the largest";
    std::size_t points = 0;
    for (suites::BlockPlan& table : tables_) {
      const auto& present = numbers[{table.suite, table.benchmark}];
      if (!present.contains(table.processes)) continue;
      if (table.processes == *present.begin() || table.processes == *present.rbegin()) continue;
      points += leave_out(table, what, [](const auto&) { return true; });
    }
    tell(what, points);
  }

  std::vector<std::string> suites_in_order() const {
    std::vector<std::string> names;
    for (const suites::BlockPlan& table : tables_)
      if (std::ranges::find(names, table.suite) == names.end()) names.push_back(table.suite);
    return names;
  }

  void optional_suites() {
    auto names = suites_in_order();
    for (; names.size() > 1 && !fits(); names.pop_back()) {
      std::size_t points = 0;
      for (suites::BlockPlan& table : tables_)
        if (table.suite == names.back())
          points += leave_out(table, "suite " + table.suite, [](const auto&) { return true; });
      tell("suite " + names.back(), points);
    }
  }

  Tables& tables_;
  MeasuringRule& rule_;
  double budget_s_;
  std::vector<std::string> told_;
};

}  // namespace

double minimum_s(const Tables& tables) {
  double sum = 0;
  for (const suites::BlockPlan& table : tables)
    for (const suites::PointPlan& point : table.points)
      if (measurable(point)) sum += point.minimum_s;
  return sum / (1 - setup_share);
}

void estimate(Tables& tables, const MeasuringRule& rule) {
  for (suites::BlockPlan& table : tables)
    for (suites::PointPlan& point : table.points) point.minimum_s = least_demand(point, rule).seconds;
}

std::vector<std::string> shrink(Tables& tables, MeasuringRule& rule, double budget_s) {
  return Shrinking(tables, rule, budget_s).run();
}

}  // namespace steelyard::campaign
