// SPDX-License-Identifier: Apache-2.0
#include "campaign/shrink.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "units/text.hpp"

namespace steelyard::campaign {
namespace {

using Tables = std::vector<suites::BlockPlan>;
constexpr std::size_t sizes_of_a_long_table = 12, sizes_of_a_short_table = 6;
constexpr int fewest_visits = 3;

/// Shrinking by one step after the other until the minima fit.
class Shrinking {
 public:
  /// Shrinks the whole campaign.
  Shrinking(Tables& tables, MeasuringRule& rule, double budget_s)
      : Shrinking(tables, rule, points_s(Seconds{budget_s}), budget_s, "") {}
  /// Shrinks the suite `whose`, with its share of the points' part of the budget.
  Shrinking(Tables& tables, MeasuringRule& rule, double share_s, double budget_s, std::string whose)
      : tables_(tables),
        rule_(rule),
        share_s_(share_s),
        budget_s_(budget_s),
        whole_budget_s_(share_s > 0 ? budget_s * minimum_s(tables) / share_s : budget_s + minimum_s(tables)),
        whose_(std::move(whose)) {}

  std::vector<std::string> run() {
    for (const auto step :
         {&Shrinking::fewer_visits, &Shrinking::every_second_size, &Shrinking::few_sizes_of_equal_times,
          &Shrinking::largest_sizes, &Shrinking::middle_process_numbers, &Shrinking::optional_suites})
      if (!fits()) (this->*step)();
    if (!fits())
      tell("even so the least takes " + time(minimum_s(tables_)) + ", " + budget() + " leaves " +
           time(share_s_));
    return std::move(told_);
  }

  /// Takes the step that leaves out nothing.
  std::vector<std::string> run_first() {
    fewer_visits();
    return std::move(told_);
  }

  /// Shrinks a part of a campaign: every table keeps a point.
  std::vector<std::string> run_part() {
    if (!fits()) every_second_size();
    if (!fits()) middle_process_numbers();
    if (!fits()) few_sizes();
    if (!fits()) costliest_points();
    return std::move(told_);
  }

 private:
  bool fits() const { return minimum_s(tables_) <= share_s_; }
  static std::string time(double seconds) { return units::format_time(Seconds{seconds}); }
  std::string budget() const {
    return whose_.empty() ? "the budget of " + time(budget_s_) : "a share of " + time(share_s_);
  }

  void tell(const std::string& sentence) {
    told_.push_back((whose_.empty() ? "" : whose_ + ": ") + sentence);
  }
  void tell(const std::string& what, std::size_t points) {
    if (points > 0) tell(what + " left out (" + units::counted(points, "point") + ")");
  }

  /// Leaves out the points of a table for which `chosen` holds; returns their number.
  template <class Chosen>
  std::size_t leave_out(suites::BlockPlan& table, const std::string& what, Chosen chosen) {
    std::size_t points = 0;
    for (suites::PointPlan& point : table.points) {
      if (!point.measurable() || !chosen(point)) continue;
      point.skip = record::ReasonCode::time;
      point.skip_text = what + " left out to fit " + budget() + "; " + suites::needs_budget(whole_budget_s_);
      ++points;
    }
    return points;
  }

  void fewer_visits() {
    if (!rule_.adaptive() || rule_.timed || rule_.min_visits <= fewest_visits) return;
    tell(units::counted(fewest_visits, "visit") + " of a point instead of " +
         std::to_string(rule_.min_visits));
    rule_.min_visits = fewest_visits;
    estimate(tables_, rule_);
  }

  static std::vector<std::int64_t> sizes(const suites::BlockPlan& table) {
    std::set<std::int64_t> sizes;
    for (const suites::PointPlan& point : table.points)
      if (point.measurable()) sizes.insert(point.bytes);
    return {sizes.begin(), sizes.end()};
  }

  /// The smallest size stays for the latency; from the largest down every second one stays.
  static std::set<std::int64_t> every_second(const std::vector<std::int64_t>& sizes) {
    std::set<std::int64_t> chosen;
    for (std::size_t i = 1; i < sizes.size(); ++i)
      if ((sizes.size() - 1 - i) % 2 == 1) chosen.insert(sizes[i]);
    return chosen;
  }

  /// Leaves out every second size of tables with more sizes than `most`; returns the number of points.
  std::size_t leave_out_every_second(std::size_t most, const std::string& what) {
    std::size_t points = 0;
    for (suites::BlockPlan& table : tables_) {
      const auto all = sizes(table);
      if (table.indivisible || all.size() <= most) continue;
      const auto dropped = every_second(all);
      points += leave_out(table, what, [&](const auto& point) { return dropped.contains(point.bytes); });
    }
    return points;
  }

  void every_second_size() {
    const std::string what =
        "every second size of tables with more than " + std::to_string(sizes_of_a_long_table);
    tell(what, leave_out_every_second(sizes_of_a_long_table, what));
  }

  void few_sizes() {
    const std::string what = "sizes beyond " + std::to_string(sizes_of_a_short_table) + " of a table";
    std::size_t points = 0;
    while (const auto more = leave_out_every_second(sizes_of_a_short_table, what)) points += more;
    tell(what, points);
  }

  /// By a timed schedule large sizes take no more time than small ones, and tell more.
  void few_sizes_of_equal_times() {
    if (rule_.timed) few_sizes();
  }

  /// Points that can go, the costliest first.
  std::vector<std::pair<double, std::pair<std::size_t, std::size_t>>> by_cost() const {
    std::vector<std::pair<double, std::pair<std::size_t, std::size_t>>> list;
    for (std::size_t t = 0; t < tables_.size(); ++t)
      for (std::size_t p = 0; p < tables_[t].points.size(); ++p)
        if (const auto& point = tables_[t].points[p]; point.measurable() && !tables_[t].indivisible)
          list.push_back({point.minimum_s, {t, p}});
    std::ranges::sort(list, std::greater());
    return list;
  }

  void costliest_points() {
    double sum_s = minimum_s(tables_) * (1 - setup_share), longest_s = 0;
    std::size_t points = 0;
    for (const auto& [seconds, place] : by_cost()) {
      if (sum_s / (1 - setup_share) <= share_s_) break;
      auto& table = tables_[place.first];
      if (std::ranges::count_if(table.points, &suites::PointPlan::measurable) < 2) continue;
      auto& point = table.points[place.second];
      point.skip = record::ReasonCode::time;
      point.skip_text = "takes too long to fit " + budget() + "; " + suites::needs_budget(whole_budget_s_);
      sum_s -= seconds;
      longest_s = seconds;
      ++points;
    }
    tell("points of " + time(longest_s) + " and more", points);
  }

  static bool transfer_dominates(const suites::PointPlan& point) {
    return point.cost.moved_byte / point.cost.byte_s > point.cost.latency_s;
  }

  std::int64_t largest_dominated_size() const {
    std::int64_t largest = -1;
    for (const suites::BlockPlan& table : tables_)
      for (const suites::PointPlan& point : table.points)
        if (point.measurable() && !table.indivisible && transfer_dominates(point))
          largest = std::max(largest, point.bytes);
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
    for (const suites::BlockPlan& table : tables_) {
      const bool measures = std::ranges::any_of(table.points, &suites::PointPlan::measurable);
      if (measures && std::ranges::find(names, table.suite) == names.end()) names.push_back(table.suite);
    }
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
  double share_s_, budget_s_;
  double whole_budget_s_;  // of a campaign that leaves out nothing, all shares in the same proportion
  std::string whose_;
  std::vector<std::string> told_;
};

bool follows_the_campaign(const suites::PointPlan& point) {
  return point.measurable() && !point.prescribed_s;
}

std::vector<std::string> suites_to_divide_among(const Tables& tables) {
  std::vector<std::string> names;
  for (const suites::BlockPlan& table : tables)
    if (std::ranges::any_of(table.points, follows_the_campaign) &&
        std::ranges::find(names, table.suite) == names.end())
      names.push_back(table.suite);
  return names;
}

double prescribed_s(const Tables& tables) {
  double sum = 0;
  for (const suites::BlockPlan& table : tables)
    for (const suites::PointPlan& point : table.points)
      if (point.measurable()) sum += point.prescribed_s.value_or(0);
  return sum;
}

/// Seconds of the points of a suite that follow the campaign's schedule, with the time between them.
template <class SecondsOf>
double sum_s(const Tables& tables, const std::string& suite, SecondsOf seconds_of) {
  double sum = 0;
  for (const suites::BlockPlan& table : tables)
    for (const suites::PointPlan& point : table.points)
      if (table.suite == suite && follows_the_campaign(point)) sum += seconds_of(point);
  return sum / (1 - setup_share);
}

constexpr double visits_that_suffice = 24;  // of most points, for an interval of a few per cent
/// Seconds of a point from which its visits last some milliseconds: shorter ones fall between the
/// interruptions of a kernel, and their interval tells less than another run would.
constexpr double long_enough_s = 0.2;

/// Seconds of a suite whose points all get enough visits.
double enough_s(const Tables& tables, const std::string& suite, const MeasuringRule& rule) {
  return sum_s(tables, suite, [&](const suites::PointPlan& point) {
    if (!rule.adaptive()) return point.minimum_s;
    const double wanted_s = std::max(visits_that_suffice / rule.min_visits * point.minimum_s, long_enough_s);
    return std::max(point.minimum_s, std::min(wanted_s, rule.point_limit_s));
  });
}

/// Seconds of each suite, divided from the time that experiments leave.
std::map<std::string, double, std::less<>> parts_of(const Tables& tables,
                                                    const std::vector<std::string>& names,
                                                    const MeasuringRule& rule, double left_s) {
  std::map<std::string, suites::TimeRange, std::less<>> ranges;
  for (const std::string& name : names) ranges[name] = {0, enough_s(tables, name, rule)};
  return divided(ranges, left_s);
}

/// Gives the rest of a suite's part beyond its minima to its points in equal weights, and at least a little:
/// other suites may leave more than was planned.
void weigh(Tables& tables, double part_s) {
  constexpr double least = 0.05;
  const auto points = [](const suites::BlockPlan& table) {
    return std::ranges::count_if(table.points, follows_the_campaign);
  };
  std::ptrdiff_t count = 0;
  for (const suites::BlockPlan& table : tables) count += points(table);
  const double weight =
      std::max(part_s - minimum_s(tables), least * part_s) / double(std::max<std::ptrdiff_t>(count, 1));
  for (suites::BlockPlan& table : tables)
    for (suites::PointPlan& point : table.points) point.weight = weight;
}

/// Acts on the tables of one suite, taken out and put back at their places.
template <class Act>
void with_tables_of(const std::string& suite, Tables& tables, Act act) {
  std::vector<suites::BlockPlan*> places;
  Tables some;
  for (suites::BlockPlan& table : tables)
    if (table.suite == suite) places.push_back(&table);
  for (suites::BlockPlan* table : places) some.push_back(std::move(*table));
  act(some);
  for (std::size_t i = 0; i < places.size(); ++i) *places[i] = std::move(some[i]);
}

}  // namespace

double minimum_s(const Tables& tables) {
  double sum = 0;
  for (const suites::BlockPlan& table : tables)
    for (const suites::PointPlan& point : table.points)
      if (point.measurable()) sum += point.minimum_s;
  return sum / (1 - setup_share);
}

void estimate(Tables& tables, const MeasuringRule& rule) {
  for (suites::BlockPlan& table : tables)
    for (suites::PointPlan& point : table.points) point.minimum_s = least_demand(point, rule).seconds;
}

std::vector<std::string> shrink(Tables& tables, MeasuringRule& rule, double budget_s) {
  return Shrinking(tables, rule, budget_s).run();
}

std::vector<std::string> shrink_parts(Tables& tables, MeasuringRule& rule, double budget_s) {
  const auto names = suites_to_divide_among(tables);
  if (names.size() < 2) return {};
  const double left_s = std::max(0.0, points_s(Seconds{budget_s}) - prescribed_s(tables) / (1 - setup_share));
  const auto parts = parts_of(tables, names, rule, left_s);
  const auto fits = [&](const std::string& name) {
    return sum_s(tables, name, [](const auto& point) { return point.minimum_s; }) <= parts.at(name);
  };
  std::vector<std::string> told;
  if (!std::ranges::all_of(names, fits)) told = Shrinking(tables, rule, budget_s).run_first();
  for (const std::string& name : names)
    with_tables_of(name, tables, [&](Tables& some) {
      const double part_s = parts.at(name);
      std::ranges::move(Shrinking(some, rule, part_s, budget_s, name).run_part(), std::back_inserter(told));
      weigh(some, part_s);
    });
  return told;
}

}  // namespace steelyard::campaign
