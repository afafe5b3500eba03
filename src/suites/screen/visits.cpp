// SPDX-License-Identifier: Apache-2.0
#include "suites/screen/visits.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <span>

#include "machine/topology.hpp"
#include "mpi/error.hpp"
#include "stats/order.hpp"
#include "suites/imb/sides.hpp"

namespace steelyard::screen {
namespace {

constexpr int again_visits = 3;
constexpr std::size_t most_controls = 3;

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

/// Links that are measured again: those that stand out, some of each node whose links do, and usual ones.
struct Choice {
  std::set<Link> suspects, controls;
};

/// Chooses links of a sample: a node that stands out meets usual ones, whether they have met
/// or not. Worst first.
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

/// Median of the visits that have a value.
std::optional<double> typical(const std::vector<double>& values) {
  std::vector<double> known;
  std::ranges::copy_if(values, std::back_inserter(known), [](double value) { return value > 0; });
  if (known.empty()) return std::nullopt;
  return stats::median(known);
}

constexpr int ping_tag = 1, exchange_tag = 2;

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
    if (!missing_) missing_ = std::current_exception();
  }
}

OwnSample NodeVisits::execute() noexcept {
  if (!kernel_) return {};
  const Look look = looked_at(*kernel_);
  wrong_ += look.check.errors;
  if (first_wrong_.empty()) first_wrong_ = look.check.first;
  if (!missing_) missing_ = look.failure;
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
  looks_->missing = measure::agree(nodes_->team(), measure::attempt([this] {
                                     if (missing_) std::rethrow_exception(missing_);
                                   }));
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

PairMeter::PairMeter(const mpi::Communicator& leaders, const PairEffort& effort)
    : leaders_(&leaders),
      effort_(effort),
      sent_(static_cast<std::size_t>(effort.exchange_byte)),
      received_(sent_.size()) {}

/// Median over batches of half the time of a message to and fro. Both nodes of a pair find their
/// own; the first tells.
double PairMeter::one_way_s(int partner, bool first) {
  std::array<std::byte, 8> message{};
  const auto send = [&] {
    mpi::check(MPI_Send(message.data(), 8, MPI_BYTE, partner, ping_tag, leaders_->get()), "MPI_Send");
  };
  const auto receive = [&] {
    mpi::check(MPI_Recv(message.data(), 8, MPI_BYTE, partner, ping_tag, leaders_->get(), MPI_STATUS_IGNORE),
               "MPI_Recv");
  };
  std::vector<double> batches;
  for (int batch = -1; batch < effort_.batches; ++batch) {  // the first meets and connects
    const double start = MPI_Wtime();
    for (int ping = 0; ping < effort_.pings; ++ping) {
      if (first) send();
      receive();
      if (!first) send();
    }
    if (batch >= 0) batches.push_back((MPI_Wtime() - start) / (2 * effort_.pings));
  }
  return stats::median(batches);
}

/// Sends and receives in pieces: over TCP the consent to a long message waits behind what is on its way in
/// its own direction, and the two directions then follow each other, now of one pair and now of another.
void PairMeter::exchange(const Turn& turn) {
  const auto piece = static_cast<std::size_t>(effort_.piece_byte);
  requests_.clear();
  for (std::size_t at = 0; at < received_.size(); at += piece)
    mpi::check(MPI_Irecv(received_.data() + at, static_cast<int>(std::min(piece, received_.size() - at)),
                         MPI_BYTE, *turn.from, exchange_tag, leaders_->get(), &requests_.emplace_back()),
               "MPI_Irecv");
  for (std::size_t at = 0; at < sent_.size(); at += piece)
    mpi::check(MPI_Isend(sent_.data() + at, static_cast<int>(std::min(piece, sent_.size() - at)), MPI_BYTE,
                         *turn.to, exchange_tag, leaders_->get(), &requests_.emplace_back()),
               "MPI_Isend");
  mpi::check(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE),
             "MPI_Waitall");
}

std::int64_t PairMeter::wrong_bytes(int sender, int mark) const {
  std::vector<std::byte> expected(received_.size());
  imb::fill_bytes(sender, static_cast<std::uint64_t>(mark), 0, expected);
  std::int64_t wrong = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) wrong += expected[i] == received_[i] ? 0 : 1;
  return wrong;
}

/// Seconds of an exchange. The first one is compared and not timed.
double PairMeter::exchange_s(const Turn& turn, int mark) {
  imb::fill_bytes(leaders_->rank(), static_cast<std::uint64_t>(mark), 0, sent_);
  std::ranges::fill(received_, imb::untouched);
  exchange(turn);
  wrong_ = wrong_bytes(*turn.from, mark);
  std::vector<double> seconds;
  for (int i = 0; i < effort_.exchanges; ++i) {
    const double start = MPI_Wtime();
    exchange(turn);
    seconds.push_back(MPI_Wtime() - start);
  }
  return stats::median(seconds);
}

void PairMeter::play(const Turn& turn, int visit, int round, std::vector<PairSample>& told) {
  if (!turn.to || !turn.from) return;
  const int own = leaders_->rank();
  const bool shifts = turn.to != turn.from;
  PairSample sample{*turn.from, own, visit, round};
  if (!shifts) {
    sample = {std::min(own, *turn.to), std::max(own, *turn.to), visit, round};
    sample.latency_s = one_way_s(*turn.to, own < *turn.to);
  }
  // The mark differs between neighbouring rounds and visits.
  constexpr int most_rounds = 1 << 15;
  sample.byte_s = static_cast<double>(sent_.size()) / exchange_s(turn, visit * most_rounds + round);
  sample.wrong = static_cast<double>(wrong_);
  // The first node of a pair tells; the other one only what was wrong at its end.
  if (shifts || own < *turn.to || wrong_ > 0) told.push_back(sample);
}

std::vector<PairSample> PairMeter::visit(const PairSchedule& schedule, int number, Order order) {
  std::vector<PairSample> told;
  const int own = leaders_->rank(), turns = order == Order::one_by_one ? leaders_->size() : 1;
  for (int round = 0; round < schedule.rounds(); ++round) {
    const Turn turn = schedule.turn(round, own);
    const int of_pair = turns > 1 ? std::min(own, turn.to.value_or(own)) : 0;  // that of its first node
    for (int next = 0; next < turns; ++next) {
      if (next == of_pair) play(turn, number, round, told);
      leaders_->sleepy_barrier(turns > 1 ? effort_.long_nap_s : effort_.nap_s);
    }
  }
  return told;
}

std::vector<PairSample> PairMeter::alone(const std::vector<PairSample>& pairs, int visits) {
  std::vector<PairSample> told;
  const int own = leaders_->rank();
  for (int visit = 1; visit <= visits; ++visit)
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      const auto& pair = pairs[k];
      Turn turn;
      if (own == pair.a) turn = {pair.b, pair.b};
      if (own == pair.b) turn = {pair.a, pair.a};
      play(turn, visit, static_cast<int>(k), told);
      leaders_->sleepy_barrier(effort_.long_nap_s);
    }
  return told;
}

PairVisits::PairVisits(const Nodes& nodes, const Settings& settings, const PairEffort& effort,
                       PairLooks& looks, const TellRows& tell)
    : nodes_(&nodes), settings_(&settings), looks_(&looks), tell_(&tell) {
  if (nodes.leads()) meter_.emplace(nodes.leaders(), effort);
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
    const auto switches = machine::switches_of(nodes_->hosts(), settings_->switch_of);
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

}  // namespace steelyard::screen
