// SPDX-License-Identifier: Apache-2.0
#include "campaign/budget.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <set>
#include <utility>

#include "measure/schedule.hpp"
#include "suites/suite_list.hpp"
#include "units/text.hpp"

namespace steelyard::campaign {
namespace {

constexpr double shortest_visit_s = 0.2e-3;
// Time of barriers, probes and the reduction of one visit; a first guess that the measured pace corrects.
constexpr double between_visits_s = 0.1e-3;
constexpr double shortest_pilot_s = 20e-6;
constexpr double longest_pilot_s = 10e-3;
constexpr double warmup_operations = 2;

/// Demand of the pilot: two warm-up operations, then 1, 2, 4, ... until they last long enough, which is twice
/// the last trial. The pilot of a long operation is its first batch.
Demand pilot(double operation_s) {
  if (operation_s > longest_pilot_s) return {};
  const double trials = 2 * std::max(shortest_pilot_s, operation_s);
  return {warmup_operations + trials / operation_s, warmup_operations * operation_s + trials};
}

Demand visit(double operation_s, double half_width) {
  const std::uint64_t batches = measure::AdaptiveRule{}.batches_per_visit;
  const auto k = measure::ops_per_batch(operation_s, half_width, {}, batches);
  const double timed = static_cast<double>(k * batches) * operation_s;
  const double seconds = warmup_operations * operation_s + std::max(timed, shortest_visit_s);
  return {seconds / operation_s, seconds};
}

Demand adaptive(double operation_s, const suites::CostModel& cost, const MeasuringRule& rule) {
  const Demand first = pilot(operation_s);
  const Demand each = visit(operation_s, *rule.half_width);
  const double visits =
      std::clamp(std::floor(rule.point_limit_s / each.seconds), 1.0, double(rule.min_visits));
  // a visit that does not fit is cut, in the end to one operation
  const double visit_s = std::min(each.seconds, std::max(rule.point_limit_s, operation_s));
  const double beside_s = visits * cost.visit_s + cost.check_s;
  return {first.operations + visits * visit_s / operation_s,
          first.seconds + visits * (visit_s + between_visits_s) + beside_s, beside_s};
}

/// Demand of a point that is measured so long at least.
Demand lasting(const Demand& least, double seconds, double operation_s) {
  const double more_s = std::max(0.0, seconds - least.seconds);
  return {least.operations + more_s / operation_s, least.seconds + more_s, least.beside_s};
}

Demand classic(const suites::PointPlan& point, double operation_s) {
  const double operations =
      static_cast<double>(std::max<std::uint64_t>(point.classic_operations, 1)) + warmup_operations;
  return {operations, operations * operation_s + between_visits_s + point.cost.visit_s + point.cost.check_s};
}

// Parts of the budget for the start and the end of a campaign beside the survey: a second (of short budgets a
// tenth) and a part of the whole.
constexpr double frame_share = 0.01, frame_s = 1, most_of_a_short_budget = 0.1;

// Part of the budget for the survey; more of a short one, as rates of a few milliseconds tell little.
constexpr double survey_share = 0.03, longest_survey_s = 8, least_survey_s = 0.5,
                 survey_share_of_short = 0.06;

/// Claim of a suite while the budget is divided.
struct Claim {
  double part = 0;
  suites::TimeRange range{0, std::numeric_limits<double>::infinity()};
  double seconds = 0;
  bool settled = false;
};
using Claims = std::map<std::string, Claim, std::less<>>;

/// Gives each claim that is not settled its part of the time that the settled ones leave.
void give_parts(Claims& claims, double usable_s) {
  double left_s = usable_s, sum = 0;
  for (const auto& [name, claim] : claims)
    if (claim.settled)
      left_s -= claim.seconds;
    else
      sum += claim.part;
  for (auto& [name, claim] : claims)
    if (!claim.settled) claim.seconds = std::max(0.0, left_s) * claim.part / sum;
}

/// Divides the remaining time among the claims that are not settled, by their parts. Returns true if none of them gets
/// less than its least or more than its most. Else it settles those of one side only, the side on which more time is
/// missing or left over: what they give back or take may bring the others within their ranges.
bool divide(Claims& claims, double usable_s) {
  give_parts(claims, usable_s);
  const auto beyond_s = [](const Claim& claim) {
    if (claim.settled) return 0.0;
    return std::clamp(claim.seconds, claim.range.least_s, claim.range.most_s) - claim.seconds;
  };
  double missing_s = 0;
  bool done = true;
  for (const auto& [name, claim] : claims) {
    missing_s += beyond_s(claim);
    done = done && beyond_s(claim) == 0;
  }
  for (auto& [name, claim] : claims) {
    const double beyond = beyond_s(claim);
    if (beyond == 0 || beyond * missing_s < 0) continue;
    claim.seconds = beyond > 0 ? claim.range.least_s : claim.range.most_s;
    claim.settled = true;
  }
  return done;
}

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

Demand least_demand(const suites::PointPlan& point, const MeasuringRule& rule) {
  const double operation_s = std::max(point.cost.operation_s(), 1e-9);
  if (point.prescribed_s) return {*point.prescribed_s / operation_s, *point.prescribed_s};
  if (!rule.adaptive()) return classic(point, operation_s);
  const auto bundle = static_cast<double>(std::max<std::uint64_t>(point.bundle, 1));
  Demand bundles = adaptive(bundle * operation_s, point.cost, rule);
  if (rule.timed) bundles = lasting(bundles, rule.point_limit_s, bundle * operation_s);
  return {bundle * bundles.operations, bundles.seconds, bundles.beside_s};
}

void Allowance::Remaining::add(const suites::PointPlan& point) {
  if (point.prescribed_s) {
    prescribed_s += point.minimum_s;
    return;
  }
  minimum_s += point.minimum_s;
  weight += point.weight;
}

Allowance::Allowance(std::optional<double> left_s, Remaining remaining, double point_limit_s)
    : limit_s_(point_limit_s) {
  if (!left_s) {
    share_s_ = point_limit_s;
    return;
  }
  const double usable = std::max(0.0, *left_s * (1 - setup_share) - remaining.prescribed_s);
  if (usable < remaining.minimum_s)
    fraction_ = usable / remaining.minimum_s;
  else if (remaining.weight > 0)
    share_s_ = (usable - remaining.minimum_s) / remaining.weight;
}

double Allowance::point_s(double minimum_s, double weight) const {
  return std::min(wanted_s(minimum_s, weight), std::max(limit_s_, minimum_s));
}

double Allowance::point_s(const suites::PointPlan& point) const {
  return point.prescribed_s.value_or(point_s(point.minimum_s, point.weight));
}

double Allowance::measuring_s(const suites::PointPlan& point, const MeasuringRule& rule) const {
  if (point.prescribed_s) return *point.prescribed_s;
  const double beside_s = std::min(least_demand(point, rule).beside_s, point.minimum_s);
  const double visit_s = (point.minimum_s - beside_s) / std::max(rule.min_visits, 1);
  const double left_s = wanted_s(point.minimum_s, point.weight) - beside_s;
  return std::min(std::max(left_s, visit_s), limit_s_);
}

double expected_s(double minimum_s, double allowed_s, const MeasuringRule& rule) {
  if (!rule.adaptive()) return minimum_s;
  constexpr double nearly = 0.9;
  return std::max(minimum_s, nearly * allowed_s);
}

double expected_s(const suites::PointPlan& point, const Allowance& allowance, const MeasuringRule& rule) {
  if (point.prescribed_s) return *point.prescribed_s;
  const double allowed_s = allowance.point_s(point);
  if (!rule.adaptive() || allowed_s >= point.minimum_s || rule.min_visits < 2)
    return expected_s(point.minimum_s, allowed_s, rule);
  // A visit that would not fit any more is not begun; pilot, first visit and check are.
  MeasuringRule once = rule;
  once.min_visits = 1;
  const double first_s = std::min(least_demand(point, once).seconds, point.minimum_s);
  const double visit_s = (point.minimum_s - first_s) / (rule.min_visits - 1);
  const double more = visit_s > 0 ? std::floor(std::max(0.0, allowed_s - first_s) / visit_s) : 0;
  return first_s + more * visit_s;
}

double easy_s(const suites::PointPlan& point, const Allowance& allowance, const MeasuringRule& rule) {
  if (point.prescribed_s || !rule.adaptive()) return expected_s(point, allowance, rule);
  const double longest_s = allowance.point_s(point) / measure::AdaptiveRule{}.max_visits;
  return std::max(point.minimum_s, rule.min_visits * longest_s);
}

bool is_late(const SuiteSoFar& suite) {
  constexpr double tolerated = 1.15;
  const double slower =
      suite.planned_of_done_s > 0 ? std::max(1.0, suite.taken_s / suite.planned_of_done_s) : 1;
  return suite.taken_s + suite.needed_s + slower * suite.next_s > tolerated * suite.planned_s;
}

double survey_s(Seconds budget) {
  const double least_s = std::min(least_survey_s, survey_share_of_short * budget.value());
  return std::clamp(survey_share * budget.value(), least_s, longest_survey_s);
}

bool survey_met_busy_processors(Seconds budget, double taken_s) {
  constexpr double most = 0.5, far_beyond = 3;
  constexpr double always_s = 2;  // kernels are tried once, however short the budget
  return taken_s > most * budget.value() && taken_s > far_beyond * survey_s(budget) + always_s;
}

double points_s(Seconds budget) {
  const double whole_s = budget.value();
  return whole_s * (1 - frame_share) - std::min(frame_s, most_of_a_short_budget * whole_s) - survey_s(budget);
}

std::map<std::string, double, std::less<>> divided(
    const std::map<std::string, suites::TimeRange, std::less<>>& ranges, double left_s) {
  constexpr double half = 0.5;  // beyond it a suite would starve the others for its least
  Claims claims;
  double parts = 0, least_s = 0;
  for (const auto& [suite, range] : ranges) parts += suites::suite_entry(suite).share;
  for (const auto& [suite, range] : ranges) {
    Claim& claim = claims[suite];
    claim.part = suites::suite_entry(suite).share;
    claim.range = {range.least_s, std::max(range.most_s, range.least_s)};
    if (range.least_s > std::max(half, claim.part / parts) * left_s) claim.range.least_s = 0;
    least_s += claim.range.least_s;
  }
  // If there is not enough for the least of all, each suite gets its own part.
  if (least_s > left_s)
    for (auto& [suite, claim] : claims) claim.range.least_s = 0;
  while (!divide(claims, left_s)) {
  }
  std::map<std::string, double, std::less<>> seconds;
  for (const auto& [suite, claim] : claims) seconds[suite] = claim.seconds;
  return seconds;
}

Shares shares(std::span<const Selected> selected, Seconds budget, const RangeOf& range_of) {
  constexpr suites::TimeRange any{0, std::numeric_limits<double>::infinity()};
  Shares all;
  for (const Selected& one : selected)
    all[std::string(one.suite->name())].benchmarks.push_back(one.benchmark);
  std::map<std::string, suites::TimeRange, std::less<>> ranges;
  for (const auto& [suite, share] : all) ranges[suite] = range_of(suite, share.benchmarks).value_or(any);
  for (const auto& [suite, seconds] : divided(ranges, points_s(budget) * (1 - setup_share)))
    all[suite].time = {seconds, budget.value()};
  return all;
}

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
