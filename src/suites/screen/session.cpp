// SPDX-License-Identifier: Apache-2.0
#include "suites/screen/session.hpp"

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "record/json.hpp"
#include "stats/alike.hpp"
#include "stats/order.hpp"

namespace steelyard::screen {
namespace {

using record::Json;

constexpr int again_visits = 3;
constexpr std::size_t most_controls = 3, pairs_of_a_suspect = 3, partners_of_a_suspect = 8;

double tolerance_of(const Settings& settings, std::string_view name) {
  const auto said = settings.tolerances.find(name);
  return said == settings.tolerances.end() ? quantity(name)->tolerance : said->second;
}

std::size_t most_suspects(const Settings& settings, int nodes) {
  return static_cast<std::size_t>(std::clamp(std::ceil(settings.again * nodes), 1.0, double{most_again}));
}

/// Of the visits that have a value.
std::optional<double> typical(const std::vector<double>& values) {
  std::vector<double> known;
  std::ranges::copy_if(values, std::back_inserter(known), [](double value) { return value > 0; });
  if (known.empty()) return std::nullopt;
  return stats::median(known);
}

std::vector<double> values_of(const NodeLooks& looks, std::size_t node) {
  std::vector<double> values;
  for (const auto& visit : looks.visits) values.push_back(visit[node].value);
  return values;
}

/// In logarithms, more is better.
double good(double value, const Quantity& quantity) {
  return quantity.lower_is_better ? -std::log(value) : std::log(value);
}

using Link = std::pair<int, int>;

/// The link of a sample in this quantity; 0: it has none.
double value_of(const PairSample& sample, const Quantity& quantity) {
  return quantity.name == "latency" ? sample.latency_s : sample.byte_s;
}

struct Links {
  std::vector<Link> links;
  std::vector<stats::Between> values;
};
/// `switches`: of every node; empty: all links are of one class.
Links links_of(const std::vector<PairSample>& samples, const Quantity& quantity,
               const std::vector<std::string>& switches = {}) {
  std::map<Link, std::vector<double>> visits;
  for (const auto& sample : samples)
    if (const double value = value_of(sample, quantity); value > 0)
      visits[{sample.a, sample.b}].push_back(value);
  Links all;
  for (const auto& [link, values] : visits) {
    const auto a = static_cast<std::size_t>(link.first), b = static_cast<std::size_t>(link.second);
    const auto kind = switches.empty() ? 0 : class_between(switches[a], switches[b]);
    all.links.push_back(link);
    all.values.push_back({a, b, good(stats::median(values), quantity), kind});
  }
  return all;
}

/// Which links are measured again: those that stand out, some of each node whose links do, and usual ones.
struct Choice {
  std::set<Link> suspects, controls;
};

/// Nodes that are no worse than others in their links, in an order that is always the same.
std::vector<int> usual_ends(const Links& all, const stats::LinkStandings& found) {
  std::set<std::size_t> bad;
  for (std::size_t k = 0; k < all.links.size(); ++k)
    if (found.links[k].worse()) bad.insert({all.values[k].a, all.values[k].b});
  std::vector<int> usual;
  for (std::size_t end = 0; end < found.ends.of.size(); ++end)
    if (!found.ends.of[end].worse() && !bad.contains(end)) usual.push_back(static_cast<int>(end));
  return usual;
}

/// Of a sample: a node that stands out meets usual ones, whether they have met or not. Worst first.
void choose_partners(const Links& all, const stats::LinkStandings& found, Choice& choice) {
  std::vector<std::size_t> ends(found.ends.of.size());
  std::iota(ends.begin(), ends.end(), std::size_t{0});
  std::ranges::sort(ends, {}, [&](std::size_t end) { return found.ends.of[end].off; });
  const auto usual = usual_ends(all, found);
  const auto partners = std::min(usual.size(), partners_of_a_suspect);
  for (std::size_t k = 0; k < std::min<std::size_t>(ends.size(), most_again); ++k) {
    if (!found.ends.of[ends[k]].worse()) return;
    const int end = static_cast<int>(ends[k]);
    for (std::size_t p = 0; p < partners; ++p) {
      const int other = usual[(static_cast<std::size_t>(end) + p * usual.size() / partners) % usual.size()];
      choice.suspects.insert({std::min(end, other), std::max(end, other)});
    }
  }
}

void choose(const Links& all, const stats::LinkStandings& found, std::size_t most, Choice& choice) {
  std::vector<std::size_t> order(all.links.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t k) { return found.links[k].off; });
  const auto bad_end = [&](std::size_t k) {
    return found.ends.of[all.values[k].a].worse() || found.ends.of[all.values[k].b].worse();
  };
  std::map<std::size_t, std::size_t> taken;
  for (const std::size_t k : order) {
    if (choice.suspects.size() >= most) break;
    bool wanted = found.links[k].worse();
    for (const std::size_t end : {all.values[k].a, all.values[k].b})
      if (found.ends.of[end].worse() && taken[end] < pairs_of_a_suspect) {
        ++taken[end];
        wanted = true;
      }
    if (wanted) choice.suspects.insert(all.links[k]);
  }
  if (choice.suspects.empty()) return;
  std::ranges::sort(order, {}, [&](std::size_t k) { return std::abs(found.links[k].off); });
  for (const std::size_t k : order) {
    if (choice.controls.size() >= most_controls) return;
    if (!bad_end(k) && !found.links[k].worse() && !choice.suspects.contains(all.links[k]))
      choice.controls.insert(all.links[k]);
  }
}

/// The same list on all leaders: suspects, then controls.
std::vector<PairSample> agreed(const mpi::Communicator& leaders, const Choice& choice,
                               std::size_t& suspects) {
  std::vector<PairSample> list;
  for (const auto* links : {&choice.suspects, &choice.controls})
    for (const auto& [a, b] : *links) list.push_back({a, b});
  suspects = leaders.broadcast(choice.suspects.size());
  list.resize(leaders.broadcast(list.size()));
  leaders.broadcast(std::span(list));
  return list;
}

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
    case Test::fma:
      return "flop_rate_flop_s";
    case Test::random_access:
      return "update_rate_update_s";
    case Test::chase:
      return "time_s";
    default:
      return "bandwidth_byte_s";
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

/// A part of a table that grows row by row.
class Columns {
 public:
  explicit Columns(std::initializer_list<const char*> names) {
    for (const char* name : names) columns_[name] = Json::array();
  }
  Columns& put(const char* name, Json value) {
    columns_[name].push_back(std::move(value));
    return *this;
  }
  [[nodiscard]] record::TableRecord table(std::string_view name) const {
    return {std::string(name), std::string(suite_name), std::string(suite_name), 1, 1, columns_};
  }

 private:
  Json columns_ = Json::object();
};

Json known(double value) {
  return value > 0 ? Json(value) : Json();
}

void put_node(Columns& table, const TestSpec& spec, std::size_t node, std::size_t visit,
              const NodeSample& sample) {
  table.put("host", static_cast<std::int64_t>(node))
      .put("benchmark", std::string(spec.benchmark))
      .put("visit", static_cast<std::int64_t>(visit + 1))
      .put("value", known(sample.value))
      .put("verified", sample.wrong == 0)
      .put("processes", static_cast<std::int64_t>(sample.processes))
      .put("domain", sample.domain < 0 ? Json() : Json(std::int64_t{sample.domain}));
}

void put_pair(Columns& table, const PairSample& sample, const std::vector<int>& leader_of) {
  table.put("from_rank", std::int64_t{leader_of[static_cast<std::size_t>(sample.a)]})
      .put("to_rank", std::int64_t{leader_of[static_cast<std::size_t>(sample.b)]})
      .put("latency_s", known(sample.latency_s))
      .put("bandwidth_byte_s", known(sample.byte_s))
      .put("visit", std::int64_t{sample.visit})
      .put("round", std::int64_t{sample.round})
      .put("verified", sample.wrong == 0);
}

Columns node_columns() {
  return Columns{"host", "benchmark", "visit", "value", "verified", "processes", "domain"};
}
Columns pair_columns() {
  return Columns{"from_rank", "to_rank", "latency_s", "bandwidth_byte_s", "visit", "round", "verified"};
}

/// One node has no links.
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

// Nodes.

bool is_of_one_process(Test test) {
  return test == Test::chase || test == Test::disk;
}

NodeVisits::NodeVisits(const Nodes& nodes, const Domains& domains, const TestSpec& spec,
                       const Settings& settings, const MakeKernel& make, NodeLooks& looks,
                       const TellRows& tell)
    : nodes_(&nodes),
      domains_(&domains),
      spec_(spec),
      settings_(&settings),
      make_(&make),
      looks_(&looks),
      tell_(&tell) {}

int NodeVisits::run(std::uint64_t, std::uint64_t count) noexcept {
  try {
    for (std::uint64_t i = 0; i < count && !failure_; ++i) visit();
  } catch (...) {
    failure_ = std::current_exception();
  }
  return MPI_SUCCESS;
}

bool NodeVisits::takes_part() const {
  if (spec_.test == Test::numa_triad) return domains_->own == domain_;
  return !is_of_one_process(spec_.test) || nodes_->leads();
}

/// What cannot be made or fails is a value that is missing: other nodes are to be judged all the same.
void NodeVisits::prepare() noexcept {
  kernel_.reset();
  if (!takes_part()) return;
  try {
    kernel_ = (*make_)(spec_, *settings_);
    kernel_->warm();
  } catch (const std::exception&) {
    kernel_.reset();
  }
}

OwnSample NodeVisits::execute() noexcept {
  if (!kernel_) return {};
  const Look look = looked_at(*kernel_);
  wrong_ += look.check.errors;
  if (first_wrong_.empty()) first_wrong_ = look.check.first;
  kernel_.reset();
  return {look.value, static_cast<double>(look.check.errors)};
}

/// One node after the other; the others sleep.
OwnSample NodeVisits::take_turns(const std::vector<int>& nodes) {
  OwnSample own;
  for (const int node : nodes) {
    if (node == nodes_->own()) {
      prepare();
      nodes_->node().barrier();
      own = execute();
    }
    nodes_->team().sleepy_barrier();
  }
  return own;
}

OwnSample NodeVisits::together() {
  prepare();
  nodes_->team().barrier();
  const OwnSample own = execute();
  nodes_->team().sleepy_barrier();  // who has ended does not spin beside who has not
  return own;
}

namespace {

/// Of the domains of a node the one with the least stands for it; one without a value leaves it without.
void keep_least(NodeSample& kept, const NodeSample& next) {
  if (next.tellers == 0) return;
  const double wrong = kept.wrong + next.wrong;
  if (kept.tellers == 0 || next.value < kept.value) kept = next;
  kept.wrong = wrong;
}

}  // namespace

/// Of all nodes: one look by every process, or one by those of each domain while the others sleep.
std::vector<NodeSample> NodeVisits::samples(const std::function<OwnSample()>& look) {
  const bool by_domain = spec_.test == Test::numa_triad;
  const int turns = by_domain ? domains_->most : 1;
  std::vector<NodeSample> all;
  for (domain_ = 0; domain_ < turns; ++domain_) {
    const OwnSample own = look();
    auto found = gathered(*nodes_, own, takes_part(), by_domain ? domains_->number : -1);
    if (all.empty())
      all = std::move(found);
    else
      for (std::size_t node = 0; node < all.size(); ++node) keep_least(all[node], found[node]);
  }
  return all;
}

void NodeVisits::visit() {
  std::vector<int> one_by_one(static_cast<std::size_t>(nodes_->count()));
  std::iota(one_by_one.begin(), one_by_one.end(), 0);
  auto found = samples([&] { return settings_->alone ? take_turns(one_by_one) : together(); });
  if (!nodes_->team().is_root()) return;
  Columns rows = node_columns();
  for (std::size_t node = 0; node < found.size(); ++node)
    put_node(rows, spec_, node, looks_->visits.size(), found[node]);
  looks_->visits.push_back(std::move(found));
  (*tell_)(rows.table(node_table));
}

namespace {

/// Nodes that are compared with one another: of as many processes, and of one model of processor.
std::vector<std::vector<int>> alike_nodes(const Nodes& nodes, const NodeLooks& looks) {
  std::map<std::pair<std::uint64_t, double>, std::vector<int>> kinds;
  for (int node = 0; node < nodes.count(); ++node) {
    const auto place = static_cast<std::size_t>(node);
    kinds[{nodes.kinds()[place], looks.visits.front()[place].processes}].push_back(node);
  }
  std::vector<std::vector<int>> all;
  for (auto& [kind, members] : kinds) all.push_back(std::move(members));
  return all;
}

/// A node with a value, beside those like it.
struct Placed {
  int node = 0;
  stats::Standing standing;
};

}  // namespace

std::vector<NodeLooks::Again> NodeVisits::suspects() const {
  if (looks_->visits.empty()) return {};
  const Quantity& what = *quantity(spec_.benchmark);
  std::vector<Placed> all;
  for (const auto& members : alike_nodes(*nodes_, *looks_)) {
    std::vector<int> numbers;
    std::vector<double> logs;
    for (const int node : members)
      if (const auto value = typical(values_of(*looks_, static_cast<std::size_t>(node)))) {
        numbers.push_back(node);
        logs.push_back(good(*value, what));
      }
    const auto found = stats::standings(logs, tolerance_of(*settings_, what.name), tests_of_nodes,
                                        static_cast<std::size_t>(nodes_->count()));
    for (std::size_t k = 0; k < numbers.size(); ++k) all.push_back({numbers[k], found.of[k]});
  }
  std::ranges::sort(all, {}, [](const Placed& one) { return one.standing.off; });
  std::vector<NodeLooks::Again> list;
  for (const Placed& one : all)
    if (one.standing.worse() && list.size() < most_suspects(*settings_, nodes_->count()))
      list.push_back({one.node});
  if (list.empty()) return list;
  std::ranges::sort(all, {}, [](const Placed& one) { return std::abs(one.standing.off); });
  const std::size_t most = list.size() + most_controls;
  for (const Placed& one : all)
    if (!one.standing.worse() && list.size() < most) list.push_back({one.node, true});
  return list;
}

void NodeVisits::measure_again() {
  const auto& team = nodes_->team();
  if (team.is_root()) looks_->again = suspects();
  std::vector<int> numbers(team.broadcast(looks_->again.size()));
  for (std::size_t k = 0; k < looks_->again.size(); ++k) numbers[k] = looks_->again[k].node;
  team.broadcast(std::span(numbers));
  for (int visit = 0; visit < again_visits && !numbers.empty(); ++visit) {
    const auto found = samples([&] { return take_turns(numbers); });
    for (auto& one : looks_->again)
      if (team.is_root()) one.visits.push_back(found[static_cast<std::size_t>(one.node)]);
  }
  if (team.is_root() && !numbers.empty()) tell_again();
}

void NodeVisits::tell_again() const {
  Columns rows = node_columns();
  for (const auto& one : looks_->again)
    for (std::size_t visit = 0; visit < one.visits.size(); ++visit) {
      put_node(rows, spec_, static_cast<std::size_t>(one.node), visit, one.visits[visit]);
      rows.put("control", one.control);
    }
  (*tell_)(rows.table(node_again_table));
}

std::optional<measure::CheckResult> NodeVisits::verify(std::uint64_t) {
  if (failure_) std::rethrow_exception(failure_);
  measure_again();
  return measure::CheckResult{wrong_, wrong_ > 0 ? 1.0 : 0.0, first_wrong_};
}

// Links.

PairVisits::PairVisits(const Nodes& nodes, const Settings& settings, const PairEffort& effort,
                       PairLooks& looks, const TellRows& tell)
    : nodes_(&nodes), settings_(&settings), looks_(&looks), tell_(&tell) {
  if (nodes.leads()) meter_.emplace(nodes.leaders(), effort);
}

PairKind PairVisits::kind() const {
  return settings_->pairs.value_or(usual_pairs(nodes_->count()));
}

/// A shift is a load on the whole network.
PairMeter::Order PairVisits::order() const {
  const bool few = nodes_->count() <= most_nodes_of_links_alone && kind() != PairKind::shift;
  return settings_->alone && few ? PairMeter::Order::one_by_one : PairMeter::Order::together;
}

int PairVisits::run(std::uint64_t, std::uint64_t count) noexcept {
  try {
    for (std::uint64_t i = 0; i < count && !failure_; ++i) visit();
  } catch (...) {
    failure_ = std::current_exception();
  }
  return MPI_SUCCESS;
}

void PairVisits::visit() {
  ++visits_;
  if (meter_) {
    const PairSchedule schedule(kind(), nodes_->count(),
                                settings_->rounds.value_or(usual_rounds(nodes_->count())), settings_->seed,
                                visits_);
    const auto own = meter_->visit(schedule, visits_, order());
    for (const auto& sample : own) wrong_ += static_cast<std::int64_t>(sample.wrong);
    const auto all = gathered(nodes_->leaders(), own);
    if (nodes_->leaders().is_root()) {
      std::vector<double> rounds;
      if (order() == PairMeter::Order::together) rounds.resize(static_cast<std::size_t>(schedule.rounds()));
      for (const auto& sample : all)
        if (!rounds.empty()) rounds[static_cast<std::size_t>(sample.round)] += sample.byte_s;
      looks_->round_byte_s.push_back(std::move(rounds));
      looks_->samples.insert(looks_->samples.end(), all.begin(), all.end());
      Columns rows = pair_columns();
      for (const auto& sample : all) put_pair(rows, sample, nodes_->first_ranks());
      if (!all.empty()) (*tell_)(rows.table(pair_table));
    }
  }
  nodes_->team().sleepy_barrier();
}

void PairVisits::measure_again() {
  if (meter_) {
    Choice choice;
    const auto switches = switches_of(nodes_->hosts(), settings_->switch_of);
    if (nodes_->leaders().is_root())
      for (const Quantity& what : quantities) {
        if (!what.of_pairs) continue;
        const Links all = links_of(looks_->samples, what, switches);
        const auto found = stats::link_standings(all.values, static_cast<std::size_t>(nodes_->count()),
                                                 tolerance_of(*settings_, what.name), tests_of_nodes);
        choose(all, found, most_again, choice);
        if (kind() == PairKind::sample) choose_partners(all, found, choice);
      }
    std::size_t suspects = 0;
    const auto list = agreed(nodes_->leaders(), choice, suspects);
    const auto all = gathered(nodes_->leaders(), meter_->alone(list, list.empty() ? 0 : again_visits));
    for (const auto& sample : all)
      (static_cast<std::size_t>(sample.round) < suspects ? looks_->again : looks_->controls)
          .push_back(sample);
    if (!all.empty()) tell_again();
  }
  nodes_->team().sleepy_barrier();
}

void PairVisits::tell_again() const {
  Columns rows = pair_columns();
  for (const auto& [list, control] : {std::pair{&looks_->again, false}, std::pair{&looks_->controls, true}})
    for (const auto& sample : *list) {
      put_pair(rows, sample, nodes_->first_ranks());
      rows.put("control", control);
    }
  (*tell_)(rows.table(pair_again_table));
}

std::optional<measure::CheckResult> PairVisits::verify(std::uint64_t) {
  if (failure_) std::rethrow_exception(failure_);
  if (kind() != PairKind::shift) measure_again();
  return measure::CheckResult{wrong_, wrong_ > 0 ? 1.0 : 0.0,
                              wrong_ > 0 ? "bytes of an exchange between nodes" : ""};
}

// The session.

measure::Decision OnceAVisit::next(const measure::History& history) const {
  if (history.stop_requested) return measure::Stop{measure::StopReason::interrupted};
  if (history.visits > 0) return measure::Stop{measure::StopReason::count};
  return measure::Visit{.warmup = 0, .ops_per_batch = 1, .batches = 1};
}

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
  const auto all = looked_.size() * static_cast<std::size_t>(settings_.visits);
  return suites::BlockProgress{
      static_cast<double>(done) / static_cast<double>(all),
      "visit " + std::to_string(done / looked_.size() + 1) + " of " + std::to_string(settings_.visits)};
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
      if (const auto value = typical(values_of(looked.nodes, static_cast<std::size_t>(node))))
        values.push_back(*value);
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
