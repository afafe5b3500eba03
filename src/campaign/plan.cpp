// SPDX-License-Identifier: Apache-2.0
#include "campaign/plan.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "campaign/budget.hpp"
#include "campaign/shrink.hpp"
#include "measure/schedule.hpp"
#include "units/text.hpp"

namespace steelyard::campaign {
namespace {

using Tables = std::vector<suites::BlockPlan>;
constexpr std::size_t most_points_of_a_block = 64;
constexpr double longest_block_s = 60;  // a killed job loses at most one block

/// Consecutive benchmarks of one suite are planned together, so that the suite sees their order.
Tables tables_of(std::span<const Selected> selected, const suites::World& world) {
  Tables tables;
  for (std::size_t i = 0; i < selected.size();) {
    const suites::Suite* suite = selected[i].suite;
    std::vector<std::string> names;
    for (; i < selected.size() && selected[i].suite == suite; ++i) names.push_back(selected[i].benchmark);
    auto more = suite->plan(names, world);
    for (suites::BlockPlan& table : more) table.planned_by = suite;
    std::ranges::move(more, std::back_inserter(tables));
  }
  return tables;
}

void skip_what_needs_more(Tables& tables, std::int64_t memory_byte) {
  if (memory_byte <= 0) return;
  for (suites::BlockPlan& table : tables)
    for (suites::PointPlan& point : table.points) {
      if (!point.measurable() || point.memory_byte <= memory_byte) continue;
      point.skip = record::ReasonCode::memory;
      point.skip_text = "needs " + units::format_size(Bytes{point.memory_byte}) + " per process, " +
                        units::format_size(Bytes{memory_byte}) + " are available";
      point.needed_byte = point.memory_byte;
      point.available_byte = memory_byte;
    }
}

void shuffle(Tables& tables, std::uint64_t seed) {
  Tables mixed;
  for (const std::size_t i : measure::shuffled(tables.size(), seed, 0, 0))
    mixed.push_back(std::move(tables[i]));
  tables = std::move(mixed);
}

std::string hash_of(const Tables& tables, std::string_view schedule_rule, std::uint64_t seed) {
  std::string text;
  for (const suites::BlockPlan& table : tables)
    for (const suites::PointPlan& point : table.points) text += point.key + "\n";
  return record::sha256(text + std::string(schedule_rule) + "\n" + std::to_string(seed) + "\n");
}

/// Cuts tables into blocks of at most 64 points and 60 s.
class Splitter {
 public:
  Splitter(const Allowance& allowance, const MeasuringRule& rule) : allowance_(allowance), rule_(rule) {}

  Tables split(Tables tables) {
    for (suites::BlockPlan& table : tables) split_one(std::move(table));
    return std::move(blocks_);
  }

 private:
  /// Rules of the suites look back within their table (time limits): there the number of points alone
  /// decides.
  double longest_s(const suites::PointPlan& point) const {
    return point.measurable() && rule_.adaptive() ? allowance_.point_s(point) : 0;
  }

  void open_block(const suites::BlockPlan& head, std::size_t part) {
    blocks_.push_back(head);
    blocks_.back().part = part;
    planned_s_ = 0;
  }

  void split_one(suites::BlockPlan table) {
    const auto points = std::exchange(table.points, {});
    std::size_t part = table.part;
    open_block(table, part);
    for (const suites::PointPlan& point : points) {
      const std::size_t held = blocks_.back().points.size();
      const bool full = !table.indivisible &&
                        (held == most_points_of_a_block || planned_s_ + longest_s(point) > longest_block_s);
      if (held > 0 && full) open_block(table, ++part);
      blocks_.back().points.push_back(point);
      planned_s_ += longest_s(point);
    }
  }

  const Allowance& allowance_;
  const MeasuringRule& rule_;
  Tables blocks_;
  double planned_s_ = 0;
};

/// Its line of the plan: a suite that comes again later counts where it came first.
SuitePlan& line_of(Plan& plan, const std::string& suite) {
  const auto found = std::ranges::find(plan.suites, suite, &SuitePlan::suite);
  if (found != plan.suites.end()) return *found;
  plan.suites.push_back({.suite = suite});
  return plan.suites.back();
}

void count_benchmarks(Plan& plan) {
  std::set<std::string> seen;
  for (const suites::BlockPlan& block : plan.blocks)
    if (seen.insert(block.suite + "/" + block.benchmark).second) ++line_of(plan, block.suite).benchmarks;
}

void estimate_whole(Plan& plan, const Allowance& allowance, const MeasuringRule& rule) {
  double shared_s = 0;  // by the points whose schedule the campaign decides
  std::size_t sharing = 0;
  count_benchmarks(plan);
  for (const suites::BlockPlan& block : plan.blocks)
    for (const suites::PointPlan& point : block.points) {
      SuitePlan& suite = line_of(plan, block.suite);
      ++(point.measurable() ? suite.points : suite.skipped);
      if (!point.measurable()) continue;
      const double most = rule.adaptive() ? allowance.point_s(point) : point.minimum_s;
      suite.estimate_s += expected_s(point, allowance, rule);
      suite.longest_s += most;
      if (point.prescribed_s) continue;
      shared_s += most;
      ++sharing;
    }
  for (const SuitePlan& suite : plan.suites) {
    plan.estimate_s += suite.estimate_s / (1 - setup_share);
    plan.longest_s += suite.longest_s / (1 - setup_share);
  }
  if (rule.adaptive() && sharing > 0) plan.point_budget = Seconds{shared_s / static_cast<double>(sharing)};
}

std::vector<std::string> sequence_of(std::span<const Selected> selected, const Tables& tables,
                                     bool random_order) {
  std::vector<std::string> sequence;
  if (!random_order)
    for (const Selected& one : selected)
      sequence.push_back(std::string(one.suite->name()) + "/" + one.benchmark);
  else
    for (const suites::BlockPlan& table : tables)
      if (const auto name = table.suite + "/" + table.benchmark;
          std::ranges::find(sequence, name) == sequence.end())
        sequence.push_back(name);
  return sequence;
}

Allowance allowance_of(const Tables& tables, const PlanOptions& options, double limit_s) {
  Allowance::Remaining remaining;
  for (const suites::BlockPlan& table : tables)
    for (const suites::PointPlan& point : table.points) {
      if (!point.measurable()) continue;
      remaining.add(point);
    }
  const auto left = options.budget ? std::optional(options.budget->value()) : std::nullopt;
  return {left, remaining, limit_s};
}

/// Seconds of an experiment that can be measured at any time; nullopt for tables of other kinds. What works on files
/// may read what the table before it wrote.
std::optional<double> experiment_s(const suites::BlockPlan& table) {
  if (!table.indivisible || table.files) return std::nullopt;
  double seconds = 0;
  for (const suites::PointPlan& point : table.points) {
    if (!point.prescribed_s) return std::nullopt;
    if (point.measurable()) seconds += *point.prescribed_s;
  }
  return seconds;
}

/// Neighbouring experiments of a suite, the shortest first: where one takes longer than expected, the budget has
/// brought as many figures as it could, and a verdict has resources to compare.
void order_by_time(Tables& tables) {
  for (auto first = tables.begin(); first != tables.end();) {
    auto last = first;
    while (last != tables.end() && last->suite == first->suite && experiment_s(*last)) ++last;
    std::stable_sort(first, last, [](const suites::BlockPlan& a, const suites::BlockPlan& b) {
      return *experiment_s(a) < *experiment_s(b);
    });
    first = last == first ? first + 1 : last;
  }
}

std::vector<std::string> shrunk(Tables& tables, MeasuringRule& rule, const PlanOptions& options) {
  std::vector<std::string> told;
  if (options.divided) told = shrink_parts(tables, rule, options.budget->value());
  std::ranges::move(shrink(tables, rule, options.budget->value()), std::back_inserter(told));
  return told;
}

}  // namespace

std::vector<std::pair<std::string, std::int64_t>> points_of_suites(const Plan& plan) {
  std::vector<std::pair<std::string, std::int64_t>> list;
  for (const SuitePlan& one : plan.suites)
    list.emplace_back(one.suite, static_cast<std::int64_t>(one.points + one.skipped));
  return list;
}

std::size_t Plan::points() const {
  std::size_t n = 0;
  for (const suites::BlockPlan& block : blocks) n += block.points.size();
  return n;
}

std::size_t Plan::measurable() const {
  std::size_t n = 0;
  for (const suites::BlockPlan& block : blocks)
    n += static_cast<std::size_t>(std::ranges::count_if(block.points, &suites::PointPlan::measurable));
  return n;
}

Plan make_plan(std::span<const Selected> selected, const PlanOptions& options,
               std::string_view schedule_rule) {
  Plan plan;
  plan.point_limit = options.point_budget;
  plan.point_budget = options.point_budget;
  plan.budget = options.budget;
  plan.memory_byte = options.memory_byte;
  MeasuringRule rule{options.half_width, plan.min_visits, options.point_budget.value()};

  Tables tables = tables_of(selected, {options.processes, options.rates});
  if (options.random_order) shuffle(tables, options.seed);
  plan.hash = hash_of(tables, schedule_rule, options.seed);
  plan.sequence = sequence_of(selected, tables, options.random_order);
  skip_what_needs_more(tables, options.memory_byte);
  estimate(tables, rule);
  if (options.budget) plan.shrunk = shrunk(tables, rule, options);
  plan.min_visits = rule.min_visits;
  if (options.budget && !options.random_order) order_by_time(tables);

  const Allowance allowance = allowance_of(tables, options, rule.point_limit_s);
  plan.blocks = Splitter(allowance, rule).split(std::move(tables));
  estimate_whole(plan, allowance, rule);
  return plan;
}

}  // namespace steelyard::campaign
