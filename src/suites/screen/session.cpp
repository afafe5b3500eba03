// SPDX-License-Identifier: Apache-2.0
#include "suites/screen/session.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

#include "stats/order.hpp"

namespace steelyard::screen {
namespace {

record::Statistics over_nodes(std::vector<double> values) {
  constexpr double low = 0.05, lower = 0.25, upper = 0.75, high = 0.95;
  std::ranges::sort(values);
  record::Statistics held;
  held.over_ranks = "one";
  held.n = static_cast<std::int64_t>(values.size());
  held.median = stats::median(values);
  held.min = values.front();
  held.max = values.back();
  held.p05 = stats::quantile(values, low);
  held.p25 = stats::quantile(values, lower);
  held.p75 = stats::quantile(values, upper);
  held.p95 = stats::quantile(values, high);
  return held;
}

std::string metric_of(Test test) {
  switch (test) {
    case Test::dgemm:
    case Test::fma: return "flop_rate_flop_s";
    case Test::random_access: return "update_rate_update_s";
    case Test::chase: return "time_s";
    default: return "bandwidth_byte_s";
  }
}

void put_primary(const std::vector<double>& values, const std::string& metric, record::PointRecord& record) {
  if (values.empty()) return;
  record.metrics.emplace_back(metric, over_nodes(values));
  if (!record.primary.empty()) return;
  record.primary = metric;
  record.lower_is_better = metric == "time_s";
}

void put_sizes(const TestSpec& spec, record::PointRecord& record) {
  if (spec.length > 0) record.classic.emplace_back("length", spec.length);
  if (spec.bits > 0) record.classic.emplace_back("table_bits", std::int64_t{spec.bits});
  if (spec.updates > 0) record.classic.emplace_back("updates", spec.updates);
  if (spec.repetitions > 1) record.classic.emplace_back("repetitions", std::int64_t{spec.repetitions});
}

/// Record of a point that was skipped, because one node has no links.
record::PointRecord without_links(record::PointRecord record) {
  record.status = record::Status::skipped;
  record.reason.emplace();
  record.reason->code = record::ReasonCode::processes;
  record.reason->text = "all processes are on one node, which has no links";
  record.schedule.reset();
  record.check.reset();
  record.verified.reset();
  return record;
}

constexpr std::size_t not_measured = static_cast<std::size_t>(-1);

}  // namespace

ScreenSession::ScreenSession(const Settings& settings, const suites::BlockPlan& block,
                             const suites::SessionContext& context, Stand stand)
    : settings_(settings),
      stand_(std::move(stand)),
      tell_(context.table ? context.table : TellRows([](const record::TableRecord&) {})),
      nodes_(context.team->active, stand_.ranks_of_each),
      domains_(domains_of(nodes_.team(), nodes_.node(), stand_.domain())) {
  for (const auto& point : block.points) {
    looked_of_.push_back(point.measurable() ? looked_.size() : not_measured);
    if (point.measurable())
      looked_.push_back(std::make_unique<Looked>(Looked{point.spec<TestSpec>(), point.key}));
  }
}

std::unique_ptr<measure::Workload> ScreenSession::open(Looked& looked) {
  if (looked.spec.test == Test::pairs)
    return std::make_unique<PairVisits>(nodes_, settings_, stand_.effort, looked.pairs, tell_);
  return std::make_unique<NodeVisits>(nodes_, domains_, looked.spec, settings_, stand_.make, looked.nodes,
                                      tell_);
}

std::vector<measure::Task> ScreenSession::tasks() {
  std::vector<measure::Task> tasks;
  for (const auto& looked : looked_) {
    measure::Task task;
    task.traits.timing = measure::Timing::whole;
    task.schedule = &schedule_;
    task.passes = settings_.visits;
    task.open = [this, one = looked.get()](int) { return open(*one); };
    task.verify_repetitions = 1;  // nodes that stand out are measured again there
    task.operation = "screen/" + std::string(looked->spec.benchmark);
    tasks.push_back(std::move(task));
  }
  return tasks;
}

std::optional<suites::BlockProgress> ScreenSession::stage() const {
  if (looked_.empty()) return std::nullopt;
  std::size_t done = 0;
  for (const auto& looked : looked_) done += looked->nodes.visits.size() + looked->pairs.round_byte_s.size();
  const auto visits = static_cast<std::size_t>(settings_.visits);
  const auto at = std::min(done / looked_.size() + 1, visits);  // nodes that stand out are then visited again
  return suites::BlockProgress{
      std::min(1.0, static_cast<double>(done) / static_cast<double>(looked_.size() * visits)),
      "visit " + std::to_string(at) + " of " + std::to_string(visits)};
}

std::vector<measure::EngineNotice> ScreenSession::notices() const {
  std::vector<measure::EngineNotice> list;
  for (const auto& one : looked_)
    if (const auto& why = one->nodes.missing)
      list.push_back({"missing_value",
                      one->key + " has no value on " + why->host.value_or("a node") + ": " + why->text});
  return list;
}

std::vector<record::PointRecord> ScreenSession::records(std::size_t point, const measure::Outcome&,
                                                        record::PointRecord base) {
  const Looked& looked = *looked_.at(looked_of_.at(point));
  if (looked.spec.test == Test::pairs && nodes_.count() < 2) return {without_links(std::move(base))};
  base.classic.emplace_back("nodes", std::int64_t{nodes_.count()});
  put_sizes(looked.spec, base);
  base.slowest_rank.reset();
  if (looked.spec.test != Test::pairs) {
    std::vector<double> values;
    for (int node = 0; node < nodes_.count(); ++node)
      if (const auto value = typical_of(looked.nodes, node)) values.push_back(*value);
    put_primary(values, metric_of(looked.spec.test), base);
    return {std::move(base)};
  }
  for (const auto& [name, metric] :
       {std::pair{"bandwidth", "bandwidth_byte_s"}, std::pair{"latency", "time_s"}}) {
    std::vector<double> values;
    for (const auto& value : links_of(looked.pairs.samples, *quantity(name)).values)
      values.push_back(std::exp(quantity(name)->lower_is_better ? -value.log : value.log));
    put_primary(values, metric, base);
  }
  std::vector<double> rounds;
  for (const auto& visit : looked.pairs.round_byte_s) rounds.insert(rounds.end(), visit.begin(), visit.end());
  if (!rounds.empty()) {
    base.classic.emplace_back("round_least_byte_s", std::ranges::min(rounds));
    base.classic.emplace_back("round_median_byte_s", stats::median(rounds));
    base.classic.emplace_back("round_most_byte_s", std::ranges::max(rounds));
  }
  return {std::move(base)};
}

std::unique_ptr<suites::Suite> measurable_suite(const Settings& settings) {
  return std::make_unique<suites::Measurable<Definition, ScreenSession>>(settings);
}

}  // namespace steelyard::screen
