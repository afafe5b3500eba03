// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/records.hpp"

#include <algorithm>
#include <iterator>

#include "record/point_view.hpp"
#include "suites/imb/rank_figures.hpp"

namespace steelyard::imb {
namespace {

using measure::Outcome;
using record::Metric;
using record::PointRecord;

// Ranks that a record speaks of, and what they have seen.
struct Ranks {
  RankFigures figures;
  int first = 0, count = 0;
  int sender = 0;  // rank 0 of the group, of several that of the slowest: its time is that of all
};

// The group that takes longest, which decides the time of all of them together.
std::size_t slowest_group(const Outcome& outcome) {
  const auto slowest = std::ranges::max_element(outcome.by_group, {}, &measure::RankSpread::max_s);
  return static_cast<std::size_t>(std::distance(outcome.by_group.begin(), slowest)) %
         std::max<std::size_t>(outcome.by_group.size(), 1);
}

Ranks ranks_of(const Definition& definition, const suites::BlockPlan& block, const Outcome& outcome,
               const PointRecord& record) {
  const RankFigures figures(definition, outcome.figures);
  const auto group = record::whole_of(record::find(record.params, "group"));
  const auto index = group ? static_cast<std::size_t>(*group) : slowest_group(outcome);
  const int sender = static_cast<int>(index) * block.processes;
  if (!group) return {figures, 0, figures.ranks(), sender};
  return {figures, sender, block.processes, sender};
}

template <class Value>
double longest_of(const Ranks& ranks, Value value) {
  double most = 0;
  for (int rank = ranks.first; rank < ranks.first + ranks.count; ++rank) most = std::max(most, value(rank));
  return most;
}

double longest(const Ranks& ranks, double OwnFigures::*figure) {
  return longest_of(ranks, [&](int rank) { return ranks.figures.own(rank).*figure; });
}

// A time of the benchmark or of what it is compared with, the same statistic of both: each rank's own mean, of
// the slowest rank. Half of a round trip is that of one rank 0.
double time_of(const Definition& definition, const Ranks& ranks, double OwnFigures::*figure) {
  if (definition.kind == Class::single_transfer)
    return ranks.figures.own(ranks.sender).*figure / definition.time_divisor;
  return longest(ranks, figure);
}

// The benchmark's own time. Where a computation stands beside it, the time without.
double own_time(const Definition& definition, const Ranks& ranks) {
  if (has_overlap_figures(definition))
    return longest_of(ranks, [&](int rank) { return ranks.figures.overlap(rank).pure_s; });
  return time_of(definition, ranks, &OwnFigures::own_s);
}

void put_request(const Ranks& ranks, PointRecord& record) {
  // Where many are made once, only making them is timed.
  const double longest_freeing_s = longest(ranks, &OwnFigures::freeing_s);
  double making_s = 0, freeing_s = 0;
  for (int rank = ranks.first; rank < ranks.first + ranks.count; ++rank) {
    making_s += ranks.figures.own(rank).making_s / ranks.count;
    freeing_s += ranks.figures.own(rank).freeing_s / ranks.count;
  }
  record.metrics.emplace_back("request_init_time_s", making_s);
  record.classic.emplace_back("t_init_s", making_s);
  record.classic.emplace_back("t_init_max_s", longest(ranks, &OwnFigures::making_s));
  if (longest_freeing_s == 0) return;
  record.metrics.emplace_back("request_free_time_s", freeing_s);
  record.classic.emplace_back("t_free_s", freeing_s);
  record.classic.emplace_back("t_free_max_s", longest_freeing_s);
}

void put_messages(double own_s, double other_s, PointRecord& record) {
  record.metrics.emplace_back("plain_time_s", other_s);
  record.metrics.emplace_back("saving_percent", saving_percent(other_s, own_s));
}

void put_collective(const Ranks& ranks, double own_s, double other_s, PointRecord& record) {
  put_messages(own_s, other_s, record);
  const double request_s = longest(ranks, &OwnFigures::making_s) + longest(ranks, &OwnFigures::freeing_s);
  const auto executions = break_even(request_s, other_s, own_s);
  record.classic.emplace_back("t_exec_s", own_s);
  record.classic.emplace_back("t_call_s", other_s);
  record.classic.emplace_back("break_even", executions ? record::Value{*executions} : record::Value{nullptr});
  record.metrics.emplace_back("break_even",
                              executions ? Metric{static_cast<double>(*executions)} : Metric{nullptr});
}

// All on the clock of one sender. `own_s` ends with the answer.
void put_parts(const Ranks& ranks, double own_s, PointRecord& record) {
  const auto seen = ranks.figures.own(ranks.sender);
  const double part_s = std::max(0.0, own_s - seen.answer_s);
  const double bytes = record::number_of(record::find(record.params, "message_byte")).value_or(0);
  const auto over = [](double value, double by) { return by > 0 ? Metric{value / by} : Metric{nullptr}; };
  const Metric overhead = over(seen.bare_s, seen.other_s);
  const auto told = [](const std::optional<double>& value) {
    return value ? Metric{*value} : Metric{nullptr};
  };
  const auto perceived = perceived_bandwidth(bytes, seen.last_s);
  record.metrics.emplace_back("part_time_s", part_s);
  record.metrics.emplace_back("message_time_s", seen.other_s);
  record.metrics.emplace_back("compute_time_s", seen.piece_s);
  record.metrics.emplace_back("part_overhead", overhead);
  record.metrics.emplace_back("perceived_bandwidth_byte_s", told(perceived));
  record.metrics.emplace_back("availability", told(availability(seen.last_s, seen.other_s)));
  record.metrics.emplace_back("early_percent", 100 * seen.early_share);
  record.classic.emplace_back("t_part_s", part_s);
  record.classic.emplace_back("t_p2p_s", seen.other_s);
  record.classic.emplace_back("t_comp_s", seen.piece_s);
  record.classic.emplace_back("t_last_s", seen.last_s);
  record.classic.emplace_back("overhead", seen.other_s > 0 ? seen.bare_s / seen.other_s : 0.0);
  if (perceived) record.classic.emplace_back("perceived_bandwidth_byte_s", *perceived);
  record.classic.emplace_back("early_percent", 100 * seen.early_share);
}

void put_neighbours(const Ranks& ranks, double own_s, double other_s, PointRecord& record) {
  record.metrics.emplace_back("halo_time_s", other_s);
  record.metrics.emplace_back("ratio_to_p2p", other_s > 0 ? Metric{own_s / other_s} : Metric{nullptr});
  const bool exchanged = longest(ranks, &OwnFigures::exchanged) > 0;
  record.classic.emplace_back("neighbour_order", std::string(exchanged ? "exchanged" : "standard"));
  if (exchanged) record.flags.emplace_back("neighbour_order_unspecified");
}

// Threads that hand parts over may be more than the processes that the run knows of.
void put_crowd(const Ranks& ranks, PointRecord& record) {
  constexpr std::string_view flag = "oversubscribed";
  const bool crowded = longest(ranks, &OwnFigures::crowded) > 0;
  if (crowded && !has_flag(record, flag)) record.flags.emplace_back(flag);
}

}  // namespace

void put_own(const Definition& definition, const suites::BlockPlan& block, const Outcome& outcome,
             PointRecord& record) {
  if (outcome.figures.empty()) return;
  const auto ranks = ranks_of(definition, block, outcome, record);
  const double own_s = own_time(definition, ranks);
  const double other_s = time_of(definition, ranks, &OwnFigures::other_s);
  if (longest(ranks, &OwnFigures::making_s) > 0) put_request(ranks, record);
  put_crowd(ranks, record);
  switch (definition.comparison) {
    case Comparison::none:
      return;
    case Comparison::messages:
      return put_messages(own_s, other_s, record);
    case Comparison::collective:
      return put_collective(ranks, own_s, other_s, record);
    case Comparison::whole_message:
      return put_parts(ranks, own_s, record);
    case Comparison::halo:
      return put_neighbours(ranks, own_s, other_s, record);
  }
}

}  // namespace steelyard::imb
