// SPDX-License-Identifier: Apache-2.0
#include "suites/screen/pair_visits.hpp"

#include <mpi.h>

#include <cstdint>
#include <span>
#include <utility>

#include "machine/switches.hpp"
#include "stats/alike.hpp"
#include "suites/screen/again.hpp"
#include "suites/screen/suspect_links.hpp"
#include "suites/screen/tournament.hpp"

namespace steelyard::screen {
namespace {

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
