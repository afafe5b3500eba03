// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/session.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "stats/order.hpp"
#include "suites/hpcc/test_rules.hpp"
#include "suites/session.hpp"

namespace steelyard::hpcc {
namespace {

/// Rates of one host over the repetitions.
struct HostOverPasses {
  int rank = 0;
  double worst = 0, median = 0, best = 0;
};

std::vector<HostOverPasses> over_passes(const std::vector<measure::PassValues>& passes, std::size_t first,
                                        double count) {
  std::vector<HostOverPasses> hosts;
  for (std::size_t h = 0; h < passes[first].hosts.size(); ++h) {
    std::vector<double> rates;
    for (std::size_t pass = first; pass < passes.size(); ++pass)
      if (h < passes[pass].hosts.size()) rates.push_back(count * passes[pass].hosts[h].rate_op_s);
    hosts.push_back({passes[first].hosts[h].rank, std::ranges::min(rates), stats::median(rates),
                     std::ranges::max(rates)});
  }
  return hosts;
}

std::vector<double> each(const std::vector<HostOverPasses>& hosts, double HostOverPasses::*member) {
  std::vector<double> values;
  for (const auto& host : hosts) values.push_back(host.*member);
  std::ranges::sort(values);
  return values;
}

constexpr std::size_t none = static_cast<std::size_t>(-1);

}  // namespace

void put_hosts(const measure::Outcome& outcome, const PointSpec& spec, record::PointRecord& record) {
  const std::size_t first = spec.benchmark.test().passes_before();
  if (outcome.passes.size() <= first || outcome.passes[first].hosts.size() < 2) return;
  auto others = over_passes(outcome.passes, first, counted_work(spec));
  const auto at = std::ranges::min_element(others, {}, &HostOverPasses::median);
  const HostOverPasses slowest = *at;
  others.erase(at);
  const auto medians = each(others, &HostOverPasses::median);
  auto& classic = record.classic;
  classic.emplace_back("hosts", static_cast<std::int64_t>(others.size()) + 1);
  classic.emplace_back("host_repetitions", static_cast<std::int64_t>(outcome.passes.size() - first));
  classic.emplace_back("slowest_host_rank", std::int64_t{slowest.rank});
  classic.emplace_back("slowest_host_rates", std::vector<double>{slowest.median, slowest.best});
  classic.emplace_back(
      "other_hosts_rates",
      std::vector<double>{stats::median(each(others, &HostOverPasses::worst)), stats::quantile(medians, 0.25),
                          stats::quantile(medians, 0.5), stats::quantile(medians, 0.75)});
}

namespace {

/// Adds the flag few_clock_steps where an operation took less than 100 steps of the clock on the process whose time
/// counts.
void put_short_regions(const measure::Outcome& outcome, Mode mode, double clock_step_s,
                       record::PointRecord& record) {
  constexpr double fewest_steps = 100;
  const auto is_short = [&](const measure::PassValues& pass) {
    return (mode == Mode::global ? pass.ranks.max_s : pass.ranks.min_s) < fewest_steps * clock_step_s;
  };
  if (std::ranges::any_of(outcome.passes, is_short)) record.flags.emplace_back("few_clock_steps");
}

/// One benchmark of the suite while it is measured.
class HpccSession final : public suites::Session {
 public:
  /// Collective. Throws std::bad_alloc, mpi::Error.
  HpccSession(const Settings& settings, const suites::BlockPlan& block, const suites::SessionContext& context)
      : settings_(settings),
        frame_{&settings_, &context.team->active, single_rank(settings, context.team->active.size()),
               context.stop},
        verify_(context.verify),
        clock_step_s_(context.clock.step_s) {
    std::vector<PointSpec> measured;
    for (const auto& point : block.points) {
      experiment_of_.push_back(point.measurable() ? measured.size() : none);
      if (point.measurable()) measured.push_back(point.spec<PointSpec>());
    }
    experiments_ = make_experiments(frame_, measured);
  }
  [[nodiscard]] std::vector<measure::Task> tasks() override {
    std::vector<measure::Task> tasks;
    for (const auto& experiment : experiments_) tasks.push_back(task(*experiment));
    return tasks;
  }
  [[nodiscard]] std::vector<record::PointRecord> records(std::size_t point, const measure::Outcome& outcome,
                                                         record::PointRecord base) override {
    base.classic.emplace_back("Sy_run", std::string(text(settings_.form)));
    const auto& experiment = *experiments_.at(experiment_of_.at(point));
    experiment.describe(outcome, base);
    put_hosts(outcome, experiment.spec(), base);
    put_short_regions(outcome, experiment.spec().benchmark.mode, clock_step_s_, base);
    if (auto notice = experiment.notice(base)) notices_.push_back(std::move(*notice));
    return {std::move(base)};
  }
  [[nodiscard]] std::optional<suites::BlockProgress> stage() const override {
    for (const auto& experiment : experiments_)
      if (auto stage = experiment->progress()) return stage;
    return std::nullopt;
  }
  [[nodiscard]] std::vector<measure::EngineNotice> notices() const override { return notices_; }

 private:
  [[nodiscard]] measure::Task task(Experiment& experiment) const {
    const auto mode = experiment.spec().benchmark.mode;
    measure::Task task;
    task.traits.timing = measure::Timing::whole;
    if (mode == Mode::single) {
      task.traits.over_ranks = measure::OverRanks::one;
      task.traits.owns_result = frame_.computes(mode);
    }
    task.traits.by_host = mode == Mode::star;
    task.schedule = &schedule_;
    task.passes = experiment.passes();
    task.placements = experiment.placements();
    task.open = [this, &experiment, warms = frame_.strict()](int) mutable {
      if (std::exchange(warms, false)) warm_up(frame_, experiment.spec());
      return experiment.open();
    };
    task.verify_repetitions = verify_ ? 1 : 0;
    task.operation = std::string(experiment.spec().benchmark.name);
    return task;
  }

  Settings settings_;
  suites::OneOperation schedule_{"prescribed"};  // in every pass; the passes are the trials
  Frame frame_;
  bool verify_;
  double clock_step_s_;
  std::vector<std::unique_ptr<Experiment>> experiments_;  // of the points that are measured
  std::vector<std::size_t> experiment_of_;                // by point of the block
  std::vector<measure::EngineNotice> notices_;
};

}  // namespace

std::unique_ptr<suites::Suite> measurable_suite(const Settings& settings) {
  return std::make_unique<suites::Measurable<Definition, HpccSession>>(as_built(settings));
}

}  // namespace steelyard::hpcc
