// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <functional>
#include <map>

#include "campaign/budget.hpp"
#include "campaign/plan.hpp"
#include "units/text.hpp"

namespace steelyard::campaign {
namespace {

/// "1.21 GiB": three digits, for sums that need not be exact.
std::string rounded_size(double bytes) {
  constexpr std::array<const char*, 6> units{"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < units.size(); ++unit) bytes /= 1024;
  return units::format_significant(bytes, 3) + " " + units[unit];
}

struct Row {
  std::size_t points = 0, skipped = 0;
  std::int64_t smallest = 0, largest = 0, memory_byte = 0;
  double moved_byte = 0, seconds = 0;
};

/// Sums of what is measured; what is skipped is only counted.
void add(Row& row, const suites::PointPlan& point, const MeasuringRule& rule) {
  if (!point.measurable()) {
    ++row.skipped;
    return;
  }
  row.smallest = row.points == 0 ? point.bytes : std::min(row.smallest, point.bytes);
  row.largest = std::max(row.largest, point.bytes);
  row.memory_byte = std::max(row.memory_byte, point.memory_byte);
  row.moved_byte += least_demand(point, rule).operations * point.cost.moved_byte;
  row.seconds += point.minimum_s;
  ++row.points;
}

Row row_of(const suites::BlockPlan& block, const MeasuringRule& rule) {
  Row row;
  for (const suites::PointPlan& point : block.points) add(row, point, rule);
  return row;
}

void merge(Row& sum, const Row& row) {
  sum.points += row.points;
  sum.skipped += row.skipped;
  sum.memory_byte = std::max(sum.memory_byte, row.memory_byte);
  sum.moved_byte += row.moved_byte;
  sum.seconds += row.seconds;
}

std::string sizes(const Row& row) {
  if (row.points == 0) return "-";
  const auto low = units::format_size(Bytes{row.smallest});
  return row.smallest == row.largest ? low : low + " .. " + units::format_size(Bytes{row.largest});
}

constexpr std::array widths{9, 6, 6, 7, 20, 10, 10, 9};  // of the columns after the name
constexpr int name_width = 30;

std::string padding(const std::string& text, int width) {
  const auto wanted = static_cast<std::size_t>(width);
  return std::string(text.size() < wanted ? wanted - text.size() : 0, ' ');
}

void print_line(std::ostream& out, const std::string& name,
                const std::array<std::string, widths.size()>& columns) {
  out << name << padding(name, name_width);
  for (std::size_t i = 0; i < columns.size(); ++i)
    out << "  " << padding(columns[i], widths[i]) << columns[i];
  out << "\n";
}

void print_row(std::ostream& out, const std::string& name, const std::string& processes,
               const std::string& groups, const Row& row, const std::string& extent) {
  print_line(out, name,
             {processes, groups, std::to_string(row.points), std::to_string(row.skipped), extent,
              rounded_size(static_cast<double>(row.memory_byte)), rounded_size(row.moved_byte),
              units::format_time(Seconds{row.seconds})});
}

std::map<std::string_view, std::size_t> skipped_by_reason(const Plan& plan) {
  std::map<std::string_view, std::size_t> reasons;
  for (const suites::BlockPlan& block : plan.blocks)
    for (const suites::PointPlan& point : block.points)
      if (point.skip) ++reasons[record::text(*point.skip)];
  return reasons;
}

std::string time(double seconds) {
  return units::format_time(Seconds{seconds});
}

/// Points of a plan under one sentence each, with the names of their benchmarks once.
void print_sentences(std::ostream& out, const Plan& plan, std::string_view head,
                     const std::function<std::string(const suites::PointPlan&)>& sentence_of) {
  std::string last;
  for (const suites::BlockPlan& block : plan.blocks)
    for (const suites::PointPlan& point : block.points) {
      const std::string sentence = sentence_of(point);
      if (sentence.empty()) continue;
      const std::string line = block.suite + "/" + block.benchmark + ": " + sentence;
      if (line != last) out << head << line << "\n";
      last = line;
    }
}

std::string_view origin_of(const suites::Rates& rates) {
  using enum suites::Rates::Origin;
  if (rates.origin == measured) return "rates: measured by the survey of this run";
  if (rates.origin == stored) return "rates: those of the last run here; a run measures them first";
  return "rates: assumed, as nothing was measured here yet; a run measures them first";
}

void print_totals(std::ostream& out, const Plan& plan, const PlanOptions& options) {
  for (const auto& [reason, points] : skipped_by_reason(plan))
    out << "not measured: " << points << (points == 1 ? " point" : " points") << ", reason " << reason
        << "\n";
  for (const std::string& step : plan.shrunk) out << "to fit the budget: " << step << "\n";
  print_sentences(out, plan, "left out: ", [](const suites::PointPlan& point) {
    return point.skip == record::ReasonCode::time && point.prescribed_s ? point.skip_text : std::string();
  });
  print_sentences(out, plan, "not representative: ", [](const suites::PointPlan& point) {
    return point.measurable() ? point.doubt : std::string();
  });
  print_expectations(out, plan);
  out << origin_of(options.rates) << "\n";
  if (options.memory_byte > 0)
    out << "memory per process: " << rounded_size(static_cast<double>(options.memory_byte)) << "\n";
  if (options.budget)
    out << "budget: " << time(options.budget->value())
        << (options.half_width ? ", less if all intervals are reached earlier" : "") << "\n";
  out << "estimate: " << plan.measurable() << " points in about " << time(plan.estimate_s) << ", at most "
      << time(plan.longest_s) << "\n";
  out << "plan: " << plan.hash << "\n";
}

constexpr std::array suite_widths{10, 8, 14, 10, 10};

void print_suite(std::ostream& out, const std::string& name, const std::array<std::string, 5>& columns) {
  out << "  " << name << padding(name, 12);
  for (std::size_t i = 0; i < columns.size(); ++i)
    out << "  " << padding(columns[i], suite_widths[i]) << columns[i];
  out << "\n";
}

}  // namespace

void print_expectations(std::ostream& out, const Plan& plan) {
  print_sentences(out, plan, "expected: ", [](const suites::PointPlan& point) {
    return point.measurable() ? point.expectation : std::string();
  });
}

void print_suites(std::ostream& out, const Plan& plan) {
  print_suite(out, "suite", {"benchmarks", "points", "not measured", "about", "at most"});
  for (const SuitePlan& suite : plan.suites)
    print_suite(out, suite.suite,
                {std::to_string(suite.benchmarks), std::to_string(suite.points),
                 std::to_string(suite.skipped), time(suite.estimate_s), time(suite.longest_s)});
  print_suite(out, "all",
              {"", std::to_string(plan.measurable()), std::to_string(plan.points() - plan.measurable()),
               time(plan.estimate_s), time(plan.longest_s)});
}

void print_plan(std::ostream& out, const Plan& plan, const PlanOptions& options) {
  const MeasuringRule rule{options.half_width, plan.min_visits, plan.point_limit.value()};
  print_line(out, "benchmark",
             {"processes", "groups", "points", "skipped", "sizes", "memory", "moves", "takes"});
  Row all;
  for (const suites::BlockPlan& block : plan.blocks) {
    const Row row = row_of(block, rule);
    print_row(out, block.suite + "/" + block.benchmark, std::to_string(block.processes),
              std::to_string(block.groups), row, sizes(row));
    merge(all, row);
  }
  print_row(out, "sum (memory: largest)", "", "", all, "");
  print_totals(out, plan, options);
}

}  // namespace steelyard::campaign
