// SPDX-License-Identifier: Apache-2.0
#include "suites/screen/pair_visits.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "machine/topology.hpp"
#include "mpi/error.hpp"
#include "stats/alike.hpp"
#include "stats/order.hpp"
#include "suites/imb/check_data.hpp"
#include "suites/screen/definition.hpp"
#include "suites/screen/node_visits.hpp"

namespace steelyard::screen {
namespace {

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
