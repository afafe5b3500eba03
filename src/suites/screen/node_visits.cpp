// SPDX-License-Identifier: Apache-2.0
#include "suites/screen/node_visits.hpp"

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <numeric>
#include <span>
#include <utility>

#include "machine/topology.hpp"
#include "stats/alike.hpp"
#include "stats/order.hpp"

namespace steelyard::screen {

namespace {

std::size_t most_suspects(const Settings& settings, int nodes) {
  return static_cast<std::size_t>(std::clamp(std::ceil(settings.again * nodes), 1.0, double{most_again}));
}

/// Keeps the sample of the domain with the least value, which stands for its node; if a domain has no value,
/// neither has the node.
void keep_least(NodeSample& kept, const NodeSample& next) {
  if (next.tellers == 0) return;
  const double wrong = kept.wrong + next.wrong;
  if (kept.tellers == 0 || next.value < kept.value) kept = next;
  kept.wrong = wrong;
}

/// Groups of nodes that are compared with one another: of as many processes, and of one model of processor.
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

/// Node with a value, and its standing beside those like it.
struct Placed {
  int node = 0;
  stats::Standing standing;
};

constexpr std::size_t pairs_of_a_suspect = 3, partners_of_a_suspect = 8;

/// Value of a sample in this quantity; 0: it has none.
double value_of(const PairSample& sample, const Quantity& quantity) {
  return quantity.name == "latency" ? sample.latency_s : sample.byte_s;
}

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

}  // namespace

std::optional<double> typical_of(const NodeLooks& looks, int node) {
  std::vector<double> values;
  for (const auto& visit : looks.visits) values.push_back(visit[static_cast<std::size_t>(node)].value);
  return typical(values);
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

/// Makes the kernel. One that cannot be made or fails is a value that is missing: other nodes are to be
/// judged all the same.
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
  nodes_->team().sleepy_barrier();  // a process that has ended does not spin beside one that has not
  return own;
}

/// Samples of all nodes: one look by every process, or one by those of each domain while the others sleep.
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

std::vector<NodeLooks::Again> NodeVisits::suspects() const {
  if (looks_->visits.empty()) return {};
  const Quantity& what = *quantity(spec_.benchmark);
  std::vector<Placed> all;
  for (const auto& members : alike_nodes(*nodes_, *looks_)) {
    std::vector<int> numbers;
    std::vector<double> logs;
    for (const int node : members)
      if (const auto value = typical_of(*looks_, node)) {
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

Links links_of(const std::vector<PairSample>& samples, const Quantity& quantity,
               const std::vector<std::string>& switches) {
  std::map<Link, std::vector<double>> visits;
  for (const auto& sample : samples)
    if (const double value = value_of(sample, quantity); value > 0)
      visits[{sample.a, sample.b}].push_back(value);
  Links all;
  for (const auto& [link, values] : visits) {
    const auto a = static_cast<std::size_t>(link.first), b = static_cast<std::size_t>(link.second);
    const auto kind = switches.empty() ? 0 : machine::class_between(switches[a], switches[b]);
    all.links.push_back(link);
    all.values.push_back({a, b, good(stats::median(values), quantity), kind});
  }
  return all;
}

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

double tolerance_of(const Settings& settings, std::string_view name) {
  const auto said = settings.tolerances.find(name);
  return said == settings.tolerances.end() ? quantity(name)->tolerance : said->second;
}

std::optional<double> typical(const std::vector<double>& values) {
  std::vector<double> known;
  std::ranges::copy_if(values, std::back_inserter(known), [](double value) { return value > 0; });
  if (known.empty()) return std::nullopt;
  return stats::median(known);
}

}  // namespace steelyard::screen
