// SPDX-License-Identifier: Apache-2.0
#include "run/plan.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>

#include "beff/options.hpp"
#include "beffio/options.hpp"
#include "campaign/budget.hpp"
#include "ftio/options.hpp"
#include "hpcc/options.hpp"
#include "imb/options.hpp"
#include "measuring/computing.hpp"
#include "measuring/selection.hpp"
#include "options/checks.hpp"
#include "process/errors.hpp"
#include "screening/options.hpp"
#include "suites/screen/quantities.hpp"
#include "suites/suite_list.hpp"

namespace steelyard::cli {

std::span<const MeasuredSuite* const> measured_suites() {
  static constexpr const MeasuredSuite* all[] = {
      &measured_imb_mpi1, &measured_imb_ext, &measured_imb_nbc, &measured_imb_mpi4, &measured_mpi4,
      &measured_imb_rma,  &measured_imb_p2p, &measured_imb_mt,  &measured_imb_io,   &measured_hpcc,
      &measured_beff,     &measured_beffio,  &measured_ftio,    &measured_screen};
  return all;
}

namespace {

std::int64_t memory(const Values& values, const Place& place) {
  const auto wanted = values.size("memory");
  const double tenths = 10 * *values.ratio("memory-fraction");
  if (!wanted) return std::llround(static_cast<double>(place.memory_byte) / tenths_of_memory * tenths);
  const Bytes most{place.memory_byte * 10 / tenths_of_memory};
  if (place.memory_byte > 0 && *wanted > most) {
    const std::string there = units::format_unlike_sizes(*wanted, most).second;
    throw UsageError("--memory: " + units::format_size(*wanted) + " are more than the " + there +
                     " that each of " + std::to_string(place.processes) + " processes has here");
  }
  return wanted->count();
}

campaign::PlanOptions plan_options(const Values& values, const Place& place) {
  campaign::PlanOptions options;
  const ScheduleWords schedule = parse_schedule(values.need("schedule"));
  options.processes = place.processes;
  options.rates = place.survey.rates;
  options.threads = compute_threads(values);
  options.memory_byte = memory(values, place);
  options.budget = values.duration("budget");
  if (values.said(first_budget))
    options.first_budget =
        values.duration(first_budget).value_or(Seconds{std::numeric_limits<double>::infinity()});
  options.point_budget = *values.duration("point-budget");
  options.timed = schedule.kind == ScheduleWords::Kind::timed;
  options.fixed = schedule.kind == ScheduleWords::Kind::fixed;
  if (options.timed) options.point_budget = schedule.time;
  if (options.timed || schedule.kind == ScheduleWords::Kind::adaptive)
    options.half_width = *values.ratio("ci");
  options.random_order = values.word("order") == "random";
  options.seed = static_cast<std::uint64_t>(*values.count("seed"));
  return options;
}

// Schedule as a part of the plan's identity: the same for every spelling of the same values.
std::string schedule_rule(const Values& values) {
  constexpr int all_digits = 15;
  std::string rule = values.need("schedule");
  rule += ";ci=" + units::format_significant(*values.ratio("ci"), all_digits);
  rule +=
      ";point_budget_s=" + units::format_significant(values.duration("point-budget")->value(), all_digits);
  for (const char* name : {"min-batches", "max-batches", "warm-up", "rounds"})
    if (const auto count = values.count(name)) rule += ';' + std::string(name) + '=' + std::to_string(*count);
  return rule;
}

const MeasuredSuite& measured_suite(std::string_view name) {
  return **std::ranges::find(measured_suites(), name, &MeasuredSuite::name);
}

void refuse_prescribed_sizes(const Values& values, std::span<const campaign::Selected> selected) {
  if (!values.said("sizes") || values.on("not-official")) return;
  for (const campaign::Selected& one : selected)
    if (measured_suite(one.suite->name()).prescribes_sizes)
      throw UsageError("--sizes: " + std::string(one.suite->name()) + " prescribes its sizes",
                       "--not-official permits others; SELECT names the suites to measure");
}

// Share of a preset's campaign that each suite may take; several steps of a suite divide it. A resume with another
// budget keeps the sizes of its run.
class CampaignShares {
 public:
  CampaignShares(const Values& values, std::span<const Values> steps, const Place& place) {
    const auto all = suites::definitions();
    const auto selected = selected_of_all(steps, suites::pointers(all));
    const bool own_rule = parse_schedule(values.need("schedule")).kind == ScheduleWords::Kind::suite;
    if (own_rule) return;
    hurry_ = values.need("preset") == "quick";
    const auto budget = values.duration(values.said(first_budget) ? first_budget : "budget");
    if (!budget) return;
    shares_ = campaign::shares(selected, *budget, [&](std::string_view suite, const auto& benchmarks) {
      const CampaignShare whole{hurry_, {}, {benchmarks.begin(), benchmarks.end()}, is_alone(suite)};
      return measured_suite(suite).range(values, whole, place);
    });
  }
  [[nodiscard]] CampaignShare of(std::string_view suite) const {
    const auto found = shares_.find(suite);
    if (found == shares_.end()) return {hurry_, std::nullopt, {}, is_alone(suite)};
    suites::TimeShare time = found->second.time;
    time.seconds /= static_cast<double>(steps_of_suite_.find(suite)->second);
    return {hurry_, time, found->second.benchmarks, is_alone(suite)};
  }

 private:
  // Selections of all steps, one after the other; counts the steps of each suite.
  std::vector<campaign::Selected> selected_of_all(std::span<const Values> steps,
                                                  const std::vector<const suites::Suite*>& all) {
    std::vector<campaign::Selected> selected;
    for (const Values& step : steps) {
      const auto chosen = selected_of(step, all);
      std::set<std::string_view> suites;
      for (const campaign::Selected& one : chosen) suites.insert(one.suite->name());
      for (const std::string_view suite : suites) ++steps_of_suite_[std::string(suite)];
      selected.insert(selected.end(), chosen.begin(), chosen.end());
    }
    return selected;
  }
  [[nodiscard]] bool is_alone(std::string_view suite) const {
    return steps_of_suite_.size() == 1 && steps_of_suite_.contains(suite);
  }

  bool hurry_ = false;
  std::map<std::string, int, std::less<>> steps_of_suite_;
  campaign::Shares shares_;
};

/// Refuses a point of two steps: a resume, a comparison and every table take the later record of a key for the earlier.
void refuse_points_of_two_steps(const campaign::Plan& plan,
                                const std::map<const suites::Suite*, std::size_t>& step_of) {
  std::map<std::string_view, std::size_t> seen;
  for (const suites::BlockPlan& block : plan.blocks)
    for (const suites::PointPlan& point : block.points) {
      const std::size_t step = step_of.at(block.planned_by);
      const std::size_t other = seen.try_emplace(point.key, step).first->second;
      if (other == step) continue;
      throw UsageError(
          "[[step]]: steps " + std::to_string(std::min(step, other)) + " and " +
              std::to_string(std::max(step, other)) + " both measure " + point.key,
          "exclude, np or sizes keep them apart; what is to be measured another way is a run of its own");
    }
}

/// Refuses a judgement without a screening: a check that cannot fail is none.
void refuse_judgement_of_nothing(const Values& values, std::span<const campaign::Selected> selected) {
  const bool screens = std::ranges::any_of(
      selected, [](const campaign::Selected& one) { return one.suite->name() == screen::suite_name; });
  for (const std::string name : {"fail-on", "reference", "topology"})
    if (!screens && values.typed(name))
      throw UsageError("--" + name + ": needs the suite screen, as in steelyard run screen");
}

}  // namespace

Prepared prepare_run(const Invocation& invocation, const Place& place, const std::set<std::string>& kept) {
  Prepared prepared;
  std::vector<campaign::Selected> selected;
  const auto steps = steps_of(invocation);
  const CampaignShares shares(invocation.values, steps, place);
  std::map<const suites::Suite*, std::size_t> step_of;  // counted from 1
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Values& values = steps[i];
    check_threads(values);
    std::vector<std::unique_ptr<suites::Suite>> made;
    for (const MeasuredSuite* suite : measured_suites())
      made.push_back(suite->of_run(values, shares.of(suite->name), place));
    const auto chosen = selected_of(values, suites::pointers(made));
    refuse_prescribed_sizes(values, chosen);
    selected.insert(selected.end(), chosen.begin(), chosen.end());
    for (const auto& suite : made) step_of.emplace(suite.get(), i + 1);
    std::ranges::move(made, std::back_inserter(prepared.suites));
  }
  refuse_judgement_of_nothing(invocation.values, selected);
  prepared.survey = place.survey;
  prepared.blas = place.blas;
  prepared.options = plan_options(invocation.values, place);
  prepared.options.divided = true;
  prepared.options.kept = kept;
  prepared.plan = campaign::make_plan(selected, prepared.options, schedule_rule(invocation.values));
  // A run of before, which had such points, is to be finished.
  if (!invocation.values.on("resume")) refuse_points_of_two_steps(prepared.plan, step_of);
  return prepared;
}

std::string obstacle(const campaign::Plan& plan) {
  if (plan.measurable() > 0) return "";
  for (const suites::BlockPlan& block : plan.blocks)
    if (!block.points.empty()) return block.points.front().skip_text;
  return "";
}

}  // namespace steelyard::cli
