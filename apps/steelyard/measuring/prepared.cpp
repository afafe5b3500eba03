// SPDX-License-Identifier: Apache-2.0
#include "measuring/prepared.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <string>

#include "campaign/budget.hpp"
#include "errors.hpp"
#include "hpcc/options.hpp"
#include "launch/launched.hpp"
#include "machine/environment.hpp"
#include "measuring/compute_threads.hpp"
#include "measuring/measured_suites.hpp"
#include "measuring/suites.hpp"
#include "suites/hpcc/definition.hpp"
#include "suites/screen/quantities.hpp"
#include "words/checks.hpp"
#include "words/schedule_options.hpp"

namespace steelyard::cli {
namespace {

std::int64_t memory(const Values& values, const Place& place) {
  const auto wanted = values.size("memory");
  const double tenths = 10 * *values.ratio("memory-fraction");
  if (!wanted) return std::llround(static_cast<double>(place.memory_byte) / tenths_of_memory * tenths);
  if (place.memory_byte > 0 && wanted->count() > place.memory_byte * 10 / tenths_of_memory)
    throw UsageError("--memory: " + units::format_size(*wanted) + " are more than the " +
                     units::format_size(Bytes{place.memory_byte * 10 / tenths_of_memory}) + " that each of " +
                     std::to_string(place.processes) + " processes has here");
  return wanted->count();
}

// Presets, configuration files and variables serve many runs and may say what the chosen schedule does not use;
// a command line may not.
bool by_user(const Values& values, std::string_view name) {
  const OptionWords* given = values.find(name);
  return given != nullptr && given->source == Source::command_line;
}

void refuse_unless(bool fits, const Values& values, std::string_view option, const std::string& needs) {
  if (!fits && by_user(values, option)) throw UsageError("--" + std::string(option) + ": needs " + needs);
}

campaign::PlanOptions plan_options(const Values& values, const Place& place) {
  campaign::PlanOptions options;
  const ScheduleWords schedule = parse_schedule(values.need("schedule"));
  options.processes = place.processes;
  options.rates = place.survey.rates;
  options.threads = compute_threads(values);
  options.memory_byte = memory(values, place);
  options.budget = values.duration("budget");
  options.point_budget = *values.duration("point-budget");
  if (schedule.kind == ScheduleWords::Kind::timed) options.point_budget = schedule.time;
  const bool by_time =
      schedule.kind == ScheduleWords::Kind::adaptive || schedule.kind == ScheduleWords::Kind::timed;
  if (by_time) options.half_width = *values.ratio("ci");
  options.random_order = values.word("order") == "random";
  options.seed = static_cast<std::uint64_t>(*values.count("seed"));
  return options;
}

// Part of the plan's identity: the same for every spelling of the same values.
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

// A step's words over those of [run].
Values merged(const Values& base, const Values& step) {
  Values out = base;
  for (const auto& [name, given] : step.all()) {
    OptionWords strong = given;
    strong.source = Source::command_line;
    out.set(name, std::move(strong));
  }
  return out;
}

std::vector<Values> steps_of(const Invocation& invocation) {
  if (invocation.steps.empty()) return {invocation.values};
  std::vector<Values> out;
  for (const Values& step : invocation.steps) out.push_back(merged(invocation.values, step));
  return out;
}

std::vector<campaign::Selected> selected_of(const Values& values,
                                            const std::vector<const suites::Suite*>& all) {
  const auto exclude = values.list("exclude");
  return campaign::select(values.list("select"), exclude, all);
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

// What of a preset's campaign each suite may take; what several steps measure of it shares that. A resume
// with another budget keeps the sizes of its run.
class CampaignShares {
 public:
  CampaignShares(const Values& values, std::span<const Values> steps, const Place& place) {
    const bool own_rule = parse_schedule(values.need("schedule")).kind == ScheduleWords::Kind::suite;
    if (own_rule) return;
    hurry_ = values.need("preset") == "quick";
    const auto all = definitions();
    std::vector<campaign::Selected> selected;
    for (const Values& step : steps) {
      const auto chosen = selected_of(step, pointers(all));
      std::set<std::string_view> suites;
      for (const campaign::Selected& one : chosen) suites.insert(one.suite->name());
      for (const std::string_view suite : suites) ++steps_of_suite_[std::string(suite)];
      selected.insert(selected.end(), chosen.begin(), chosen.end());
    }
    const auto budget = values.duration(values.said(first_budget) ? first_budget : "budget");
    if (!budget) return;
    shares_ = campaign::shares(selected, *budget, [&](std::string_view suite, const auto& benchmarks) {
      return measured_suite(suite).range(values, {hurry_, {}, {benchmarks.begin(), benchmarks.end()}}, place);
    });
  }
  [[nodiscard]] CampaignShare of(std::string_view suite) const {
    const auto found = shares_.find(suite);
    if (found == shares_.end()) return {hurry_, std::nullopt, {}};
    suites::TimeShare time = found->second.time;
    time.seconds /= static_cast<double>(steps_of_suite_.find(suite)->second);
    return {hurry_, time, found->second.benchmarks};
  }

 private:
  bool hurry_ = false;
  std::map<std::string, int, std::less<>> steps_of_suite_;
  campaign::Shares shares_;
};

}  // namespace

measure::OffCache off_cache(const Values& values, const measure::OffCache& machine) {
  const auto word = values.word("off-cache");
  if (!word) return {};
  const CacheWords words = parse_cache(*word);
  if (!words.machine) return {words.size.count(), words.line_byte};
  if (!machine.on()) throw UsageError("--off-cache: the size of this machine's cache is unknown; name it");
  return machine;
}

survey::Place survey_place(const Values& values, int processes) {
  const auto blas = hpcc::text(blas_wish(values, hpcc::BlasWish::Kind::fastest));
  return {machine::machine_identity(), machine::version_line(""), blas, processes, compute_threads(values)};
}

Place place_here(const Values& values, int processes) {
  Place place = node_place(processes);
  if (auto known = survey::stored(survey::default_store(), survey_place(values, processes)))
    place.survey = std::move(*known);
  return place;
}

std::set<suites::RateGroup> rate_groups(const Invocation& invocation) {
  std::set<suites::RateGroup> groups;
  const auto all = definitions();
  for (const Values& values : steps_of(invocation))
    for (const auto& one : selected_of(values, pointers(all)))
      for (const auto group : one.suite->rate_groups()) groups.insert(group);
  return groups;
}

bool computes_with_blas(const Invocation& invocation) {
  const auto all = definitions();
  for (const Values& values : steps_of(invocation))
    for (const campaign::Selected& one : selected_of(values, pointers(all)))
      if ((one.suite->name() == hpcc::suite_name && hpcc::computes_with_blas(one.benchmark)) ||
          (one.suite->name() == screen::suite_name && one.benchmark == "dgemm"))
        return true;
  return false;
}

bool only_screens(const Values& values) {
  const auto all = definitions();
  const auto selected = selected_of(values, pointers(all));
  return !selected.empty() && std::ranges::all_of(selected, [](const campaign::Selected& one) {
    return one.suite->name() == screen::suite_name;
  });
}

namespace {

/// A check that cannot fail is none.
void refuse_judgement_of_nothing(const Values& values, std::span<const campaign::Selected> selected) {
  const bool screens = std::ranges::any_of(
      selected, [](const campaign::Selected& one) { return one.suite->name() == screen::suite_name; });
  for (const char* name : {"fail-on", "reference", "topology"})
    refuse_unless(screens, values, name, "the suite screen, as in steelyard run screen");
}

}  // namespace

Prepared prepare_run(const Invocation& invocation, const Place& place) {
  Prepared prepared;
  std::vector<campaign::Selected> selected;
  const auto steps = steps_of(invocation);
  const CampaignShares shares(invocation.values, steps, place);
  for (const Values& values : steps) {
    check_threads(values);
    std::vector<std::unique_ptr<suites::Suite>> made;
    for (const MeasuredSuite* suite : measured_suites())
      made.push_back(suite->of_run(values, shares.of(suite->name), place));
    const auto chosen = selected_of(values, pointers(made));
    refuse_prescribed_sizes(values, chosen);
    selected.insert(selected.end(), chosen.begin(), chosen.end());
    std::ranges::move(made, std::back_inserter(prepared.suites));
  }
  refuse_judgement_of_nothing(invocation.values, selected);
  prepared.survey = place.survey;
  prepared.blas = place.blas;
  prepared.options = plan_options(invocation.values, place);
  prepared.options.divided = true;
  prepared.plan = campaign::make_plan(selected, prepared.options, schedule_rule(invocation.values));
  return prepared;
}

namespace {

void refuse_both_said(const Values& values, std::string_view a, std::string_view b) {
  if (by_user(values, a) && by_user(values, b))
    throw UsageError("--" + std::string(a) + " and --" + std::string(b) + " exclude each other");
}

void check_schedule_options(const Values& values) {
  using Schedule = ScheduleWords::Kind;
  const Schedule kind = parse_schedule(values.need("schedule")).kind;
  for (const char* name : {"ci", "min-batches", "max-batches", "point-budget"})
    refuse_unless(kind == Schedule::adaptive, values, name, "--schedule adaptive");
  refuse_unless(kind == Schedule::fixed, values, "warm-up", "--schedule fixed:N");
  if (by_user(values, "rounds"))
    refuse_unless(kind == Schedule::suite || only_screens(values), values, "rounds", "--schedule suite");
  if (*values.count("min-batches") > *values.count("max-batches"))
    throw UsageError("--min-batches: " + values.need("min-batches") + " is more than --max-batches " +
                     values.need("max-batches"));
  if (*values.ratio("ci") <= 0) throw UsageError("--ci: must be above 0");
}

void check_timing(const Values& values) {
  const bool own_rule = parse_schedule(values.need("schedule")).kind == ScheduleWords::Kind::suite;
  for (const char* name : {"sync", "timing"})
    refuse_unless(!own_rule || values.word(name) == "suite", values, name,
                  "--schedule adaptive, fixed:N or time:DURATION");
  const auto sync = values.need("sync");
  const bool separates = sync != "suite" && sync != "none";
  if (separates && values.word("timing") != "suite" && values.word("timing") != "each")
    throw UsageError("--sync: " + sync + " needs --timing each");
  if (values.word("buffer-kind") == "mpi") refuse_unless(false, values, "huge-pages", "--buffer-kind plain");
  if (!std::has_single_bit(static_cast<std::uint64_t>(*values.count("buffer-align"))))
    throw UsageError("--buffer-align: must be a power of two, got '" + values.need("buffer-align") + "'");
}

// A record is a line of at most 1 MiB.
void check_samples(const Values& values) {
  constexpr std::int64_t most = 32768;
  if (values.word("samples") == "all" && *values.count("max-batches") > most)
    throw UsageError("--samples: all keeps at most " + std::to_string(most) +
                     " batches of a point, --max-batches says " + values.need("max-batches"));
}

void check_memory(const Values& values) {
  refuse_both_said(values, "memory", "memory-fraction");
  if (*values.ratio("memory-fraction") <= 0) throw UsageError("--memory-fraction: must be above 0");
}

void check_results(const Values& values) {
  const bool stream = values.word("out") == "-";
  refuse_both_said(values, "append", "resume");
  refuse_both_said(values, "sizes-of", "resume");
  refuse_unless(values.on("resume"), values, "force", "--resume");
  refuse_unless(values.on("resume"), values, "retry", "--resume");
  refuse_unless(values.said("out") && !stream, values, "append", "--out DIR");
  refuse_unless(values.said("out") && !stream, values, "resume", "--out DIR");
  refuse_unless(!stream, values, "report", "a result directory");
  if (stream && by_user(values, "table") && values.word("table") != "none")
    throw UsageError("--table: standard output carries the records (--out -)");
}

void check_start(const Invocation& invocation) {
  const Values& values = invocation.values;
  refuse_both_said(values, "launch", "no-launch");
  const bool several = *values.count("launches") > 1;
  if (several && (values.on("no-launch") || values.on("resume") || values.word("out") == "-"))
    throw UsageError("--launches: cannot be combined with --no-launch, --resume or --out -");
  const bool binds = values.word("bind") != "launcher";
  if (binds && (values.on("no-launch") || values.said("launcher")))
    throw UsageError("--bind: needs the launcher found at build time, without --launcher and --no-launch");
  if (invocation.from_parent || !under_launcher()) return;
  if (binds) throw UsageError("--bind: already started by mpiexec, which binds");
  if (const OptionWords* launch = values.find("launch"); launch != nullptr && values.said("launch"))
    throw UsageError(launch->origin + ": already started by mpiexec");
  if (several) throw UsageError("--launches: already started by mpiexec");
}

}  // namespace

void check_combinations(const Invocation& invocation) {
  check_schedule_options(invocation.values);
  check_timing(invocation.values);
  check_samples(invocation.values);
  check_memory(invocation.values);
  check_results(invocation.values);
  check_start(invocation);
}

}  // namespace steelyard::cli
