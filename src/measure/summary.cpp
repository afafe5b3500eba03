// SPDX-License-Identifier: Apache-2.0
#include "measure/summary.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "stats/order.hpp"

namespace steelyard::measure {
namespace {

constexpr double interval_level = 0.95;
constexpr std::size_t kept_when_thinned = 32;
constexpr std::size_t kept_visit_medians = 64;
constexpr int enough_visits = 6;
constexpr double noisy_share = 0.05;
constexpr double noisy_ratio = 1.20;
constexpr double correlated = 0.3;
constexpr double dominant_share = 0.8;

using Batches = std::vector<std::vector<double>>;

/// Visits of one machine state, their times divided.
struct Group {
  Batches batches;
  std::vector<double> medians;
  std::vector<double> ascending;
  std::vector<stats::Probe> probes;

  void add(const VisitSamples& visit, double divisor) {
    auto& values = batches.emplace_back(visit.batches);
    for (double& v : values) v /= divisor;
    medians.push_back(stats::median(values));
    ascending.insert(ascending.end(), values.begin(), values.end());
    probes.push_back(visit.probe);
  }
};

std::optional<std::pair<double, double>> ends(const std::optional<stats::Interval>& interval) {
  if (!interval) return {};
  return std::pair{interval->low, interval->high};
}

std::vector<VisitSamples> with_batches(std::span<const VisitSamples> visits) {
  std::vector<VisitSamples> filled;
  std::ranges::copy_if(visits, std::back_inserter(filled), [](const auto& v) { return !v.batches.empty(); });
  return filled;
}

/// One group per machine state, the dominant one first.
std::vector<Group> groups_of(const std::vector<VisitSamples>& visits, double divisor) {
  std::vector<stats::Probe> probes;
  for (const VisitSamples& v : visits) probes.push_back(v.probe);
  const std::vector<int> classes = stats::classify(probes);
  std::vector<Group> groups(static_cast<std::size_t>(1 + *std::ranges::max_element(classes)));
  for (std::size_t i = 0; i < visits.size(); ++i) {
    groups[static_cast<std::size_t>(classes[i])].add(visits[i], divisor);
  }
  for (Group& g : groups) std::ranges::sort(g.ascending);
  return groups;
}

std::vector<double> in_time_order(const Group& group) {
  std::vector<double> values;
  for (const auto& visit : group.batches) values.insert(values.end(), visit.begin(), visit.end());
  return values;
}

void keep_batches(record::Statistics& to, const Group& group, BatchesKept kept) {
  if (kept == BatchesKept::none) return;
  to.batches = in_time_order(group);
  if (kept == BatchesKept::all || to.batches.size() <= kept_when_thinned) return;
  to.batches = stats::thin(to.batches, kept_when_thinned);
  to.batches_thinned = true;
}

void set_intervals(record::Statistics& to, const Group& group, double half_grid) {
  const stats::LaunchInterval intervals = stats::launch_interval(group.ascending, group.medians, half_grid);
  to.ci = ends(intervals.both);
  to.ci_batches = ends(intervals.batches);
  to.ci_visits = ends(intervals.visits);
  if (to.ci) to.ci_level = interval_level;
}

void set_moments(record::Statistics& to, const Group& group) {
  stats::Moments moments;
  for (const double v : group.ascending) moments.add(v);
  to.n = static_cast<std::int64_t>(moments.count());
  to.min = moments.min();
  to.max = moments.max();
  to.mean = moments.mean();
  if (moments.count() > 1) to.sd = moments.sd();
}

record::Statistics statistics_of(const Group& group, double half_grid, BatchesKept kept) {
  record::Statistics s;
  set_moments(s, group);
  s.median = stats::quantile(group.ascending, 0.5);
  s.p05 = stats::quantile(group.ascending, 0.05);
  s.p25 = stats::quantile(group.ascending, 0.25);
  s.p75 = stats::quantile(group.ascending, 0.75);
  s.p95 = stats::quantile(group.ascending, 0.95);
  s.p99 = stats::quantile(group.ascending, 0.99);
  s.rho = stats::autocorrelation(group.batches);
  set_intervals(s, group, half_grid);
  s.visit_medians = stats::thin(group.medians, kept_visit_medians);
  keep_batches(s, group, kept);
  return s;
}

std::optional<double> typical(const std::vector<stats::Probe>& probes,
                              std::optional<double> stats::Probe::*member) {
  std::vector<double> known;
  for (const stats::Probe& p : probes) {
    if (p.*member) known.push_back(*(p.*member));
  }
  return known.empty() ? std::nullopt : std::optional(stats::median(std::move(known)));
}

record::State state_of(const Group& group, std::size_t visits, double half_grid) {
  record::State state;
  state.c2c_s = typical(group.probes, &stats::Probe::c2c_s);
  state.chain_s = typical(group.probes, &stats::Probe::chain_s);
  state.wide_s = typical(group.probes, &stats::Probe::wide_s);
  state.visits = static_cast<int>(group.batches.size());
  state.share = static_cast<double>(group.batches.size()) / static_cast<double>(visits);
  state.median = stats::quantile(group.ascending, 0.5);
  state.ci = ends(stats::launch_interval(group.ascending, group.medians, half_grid).both);
  return state;
}

bool probed(const record::State& state) {
  return state.c2c_s || state.chain_s || state.wide_s;
}

bool mostly_preempted(const std::vector<VisitSamples>& visits) {
  const auto preempted = std::ranges::count_if(visits, &VisitSamples::preempted);
  return 2 * static_cast<std::size_t>(preempted) > visits.size();
}

/// A batch is disturbed if it stands out of its visit or if its visit lost processor time.
double disturbed(const std::vector<VisitSamples>& visits) {
  double spoiled = 0, all = 0;
  Batches whole;
  for (const VisitSamples& v : visits) {
    all += static_cast<double>(v.batches.size());
    if (v.preempted) spoiled += static_cast<double>(v.batches.size());
    if (!v.preempted) whole.push_back(v.batches);
  }
  const double unspoiled = all - spoiled;
  return (spoiled + (whole.empty() ? 0 : unspoiled * stats::disturbed_share(whole))) / all;
}

bool medians_differ(const std::vector<Group>& groups) {
  return std::ranges::any_of(groups, [](const Group& g) {
    const auto [low, high] = std::ranges::minmax_element(g.medians);
    return *high > noisy_ratio * *low;
  });
}

std::vector<std::string> flags_of(const Summary& summary, const std::vector<Group>& groups,
                                  const std::vector<VisitSamples>& visits) {
  const auto few = static_cast<std::size_t>(enough_visits);
  const std::size_t dominant = groups.front().batches.size();
  std::vector<std::string> flags;
  const auto flag_if = [&flags](bool condition, const char* flag) {
    if (condition) flags.emplace_back(flag);
  };
  flag_if(summary.disturbed_share > noisy_share || medians_differ(groups), "noisy");
  flag_if(summary.statistics.rho > correlated, "autocorrelated");
  flag_if(visits.size() < few, "few_visits");
  flag_if(static_cast<double>(dominant) < dominant_share * static_cast<double>(visits.size()),
          "mixed_states");
  flag_if(mostly_preempted(visits), "preempted");
  flag_if(groups.size() > 1 && dominant < few, "single_state_short");
  return flags;
}

std::optional<double> unless_absent(double value) {
  if (value <= 0) return std::nullopt;
  return value;
}

}  // namespace

Summary summarise(std::span<const VisitSamples> visits, const SummaryRule& rule) {
  const std::vector<VisitSamples> filled = with_batches(visits);
  Summary summary;
  if (filled.empty()) return summary;
  const double half_grid = rule.half_grid_s / rule.divisor;
  const std::vector<Group> groups = groups_of(filled, rule.divisor);
  summary.statistics = statistics_of(groups.front(), half_grid, rule.kept);
  for (const Group& g : groups) summary.states.push_back(state_of(g, filled.size(), half_grid));
  if (std::ranges::none_of(summary.states, probed)) summary.states.clear();
  summary.disturbed_share = disturbed(filled);
  summary.median_op_s = *summary.statistics.median * rule.divisor;
  summary.flags = flags_of(summary, groups, filled);
  return summary;
}

void Extremes::set(const stats::Probe& probe) {
  c2c_s = probe.c2c_s.value_or(absent);
  chain_s = probe.chain_s.value_or(absent);
  wide_s = probe.wide_s.value_or(absent);
}

stats::Probe Extremes::probe() const {
  return {unless_absent(c2c_s), unless_absent(chain_s), unless_absent(wide_s)};
}

void Extremes::add(const Extremes& other) {
  failed = std::max(failed, other.failed);
  c2c_s = std::max(c2c_s, other.c2c_s);
  chain_s = std::max(chain_s, other.chain_s);
  wide_s = std::max(wide_s, other.wide_s);
  waited_s += other.waited_s;
  switches += other.switches;
  faults += other.faults;
  migrated = std::max(migrated, other.migrated);
  late += other.late;
}

std::optional<int> Extremes::failed_rank(int ranks) const {
  if (failed <= 0) return std::nullopt;
  return ranks - static_cast<int>(failed);
}

std::vector<bool> in_dominant_state(std::span<const VisitSamples> visits) {
  std::vector<stats::Probe> probes;
  for (const VisitSamples& visit : visits) probes.push_back(visit.probe);
  const auto probed = [](const stats::Probe& p) { return p.c2c_s || p.chain_s || p.wide_s; };
  if (std::ranges::none_of(probes, probed)) return std::vector<bool>(visits.size(), true);
  std::vector<bool> dominant;
  for (const int state : stats::classify(probes)) dominant.push_back(state == 0);
  return dominant;
}

std::optional<double> half_width_of(std::span<const VisitSamples> visits, std::span<const double> medians,
                                    const std::vector<bool>& chosen, double half_grid_s) {
  std::vector<double> batches;
  std::vector<double> chosen_medians;
  for (std::size_t i = 0; i < visits.size(); ++i) {
    if (!chosen[i]) continue;
    batches.insert(batches.end(), visits[i].batches.begin(), visits[i].batches.end());
    chosen_medians.push_back(medians[i]);
  }
  if (batches.empty()) return std::nullopt;
  std::ranges::sort(batches);
  const double median = stats::quantile(batches, 0.5);
  const auto interval = stats::launch_interval(batches, std::move(chosen_medians), half_grid_s).both;
  if (!interval || median <= 0) return std::nullopt;
  return stats::relative_half_width(*interval, median);
}

}  // namespace steelyard::measure
