// SPDX-License-Identifier: Apache-2.0
#include "suites/screen/node_visits.hpp"

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <span>
#include <utility>

#include "stats/alike.hpp"
#include "suites/screen/again.hpp"

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

}  // namespace steelyard::screen
