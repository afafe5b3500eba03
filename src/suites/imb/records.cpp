// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/records.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "record/point_view.hpp"
#include "suites/imb/computation.hpp"
#include "suites/imb/mt/partners.hpp"
#include "suites/imb/p2p/sequence.hpp"
#include "suites/imb/part_definition.hpp"
#include "suites/imb/point.hpp"
#include "suites/imb/rank_figures.hpp"

namespace steelyard::imb {
namespace {

using measure::Outcome;
using measure::RankSpread;
using record::Metric;
using record::PointRecord;
using record::Statistics;

// Rate count / t: of the median, and of the ends of the interval, which are exchanged.
Metric rate(double count, const Statistics& time) {
  if (!time.median || *time.median <= 0) return nullptr;
  Statistics result;
  result.median = count / *time.median;
  if (time.ci && time.ci->first > 0) {
    result.ci = {count / time.ci->second, count / time.ci->first};
    result.ci_level = time.ci_level;
  }
  return result;
}

Metric rate(double count, const Metric& time) {
  if (const auto* statistics = std::get_if<Statistics>(&time)) return rate(count, *statistics);
  const auto* seconds = std::get_if<double>(&time);
  if (seconds == nullptr || *seconds <= 0) return nullptr;
  return count / *seconds;
}

struct Counted {
  double bytes = 0, messages = 0;
};

Counted counted(const RecordContext& context, Bytes size) {
  const auto& [settings, definition, block, world, bundle] = context;
  if (definition.kind == Class::threads) {
    const auto volume = thread_volume(definition, settings, size, block.processes);
    return {static_cast<double>(volume.bytes), static_cast<double>(volume.messages)};
  }
  return {static_cast<double>(counted_byte(definition, size, block.processes, settings.window)),
          static_cast<double>(counted_messages(definition, block.processes, settings.window))};
}

// Threads of one process, or of the whole run: figures that must not be mixed up.
std::string bandwidth_name(const Definition& definition) {
  if (definition.kind != Class::threads) return "bandwidth_byte_s";
  return definition.table == Table::bands ? "bandwidth_total_byte_s" : "bandwidth_process_byte_s";
}

// The meaning of a time of IMB-P2P differs from benchmark to benchmark.
std::string_view time_of_pattern(const Definition& definition) {
  if (definition.pairs) return definition.time_divisor > 1 ? "half_round_trip_s" : "exchange_time_s";
  return "time_per_message_s";
}

void put_metrics(const RecordContext& context, Bytes size, const Metric& time, PointRecord& record) {
  const auto [bytes, messages] = counted(context, size);
  record.metrics.emplace_back("time_s", time);
  if (context.definition.kind == Class::pattern)
    record.metrics.emplace_back(std::string(time_of_pattern(context.definition)), time);
  if (bytes > 0) record.metrics.emplace_back(bandwidth_name(context.definition), rate(bytes, time));
  const bool total = context.definition.kind == Class::threads;
  if (messages > 0)
    record.metrics.emplace_back(total ? "message_rate_total_op_s" : "message_rate_op_s",
                                rate(messages, time));
  const bool by_rate = context.definition.kind == Class::message_rate;
  record.primary = by_rate ? "message_rate_op_s" : "time_s";
  record.lower_is_better = !by_rate;
}

void put_rates(const RecordContext& context, Bytes size, const RankSpread& spread, PointRecord& record) {
  const auto [bytes, messages] = counted(context, size);
  const auto over_time = [&](double count) { return spread.max_s > 0 ? count / spread.max_s : 0.0; };
  if (bytes > 0) record.classic.emplace_back("bandwidth_byte_s", over_time(bytes));
  if (messages > 0) record.classic.emplace_back("message_rate_op_s", over_time(messages));
}

// The largest deviation; at least something if any element differs.
double defects(const record::Check& check) {
  return check.errors == 0 ? 0.0 : std::max(check.worst.value_or(1), 1e-300);
}

std::vector<double> as_numbers(const std::vector<std::int64_t>& counts) {
  return {counts.begin(), counts.end()};
}

// Draws that the processes have counted; all groups draw alike.
Loads counted_loads(int processes, const std::vector<double>& figures) {
  Loads counted;
  for (std::size_t rank = 0; rank < static_cast<std::size_t>(processes); ++rank) {
    counted.first.push_back(std::llround(figures.at(2 * rank)));
    counted.second.push_back(std::llround(figures.at(2 * rank + 1)));
  }
  return counted;
}

// The wait of random pairs is decided by the busiest process. Under IMB's own rule it is known which
// repetitions were timed, without those that only estimated how many there should be.
void put_drawn(const RecordContext& context, const Outcome& outcome, PointRecord& record) {
  const auto& [settings, definition, block, world, bundle] = context;
  constexpr int most_told = 1024;
  constexpr std::uint64_t most_drawn_again = std::uint64_t{1} << 24;  // on rank 0: a tenth of a second
  if (!definition.random_pairs || block.processes > most_told) return;
  const auto ops = static_cast<std::uint64_t>(outcome.schedule.ops.value_or(0));
  const bool again =
      outcome.schedule.rule == "imb" && ops * static_cast<std::uint64_t>(block.processes) <= most_drawn_again;
  const auto counted = [](double draws) { return draws > 0; };
  if (!again && std::ranges::none_of(outcome.figures, counted)) return;
  const Loads drawn =
      again ? loads(block.processes, ops, settings.seed) : counted_loads(block.processes, outcome.figures);
  record.classic.emplace_back("drawn_first", as_numbers(drawn.first));
  record.classic.emplace_back("drawn_second", as_numbers(drawn.second));
}

void put_classic(const RecordContext& context, Bytes size, const Outcome& outcome, const RankSpread& spread,
                 PointRecord& record) {
  const auto& [settings, definition, block, world, bundle] = context;
  record.classic.emplace_back("repetitions",
                              outcome.schedule.ops.value_or(0) * static_cast<std::int64_t>(bundle));
  record.classic.emplace_back("t_min_s", spread.min_s);
  record.classic.emplace_back("t_max_s", spread.max_s);
  record.classic.emplace_back("t_avg_s", spread.mean_s);
  put_rates(context, size, spread, record);
  put_drawn(context, outcome, record);
  if (settings.check && outcome.check && definition.shows_defects)
    record.classic.emplace_back("defects", defects(*outcome.check));
  record.classic.emplace_back("idle_processes", std::int64_t{world - block.processes * block.groups});
}

// Single times are those of rank 0, and so of group 0 where groups have records of their own.
void put_single_times(const Settings& settings, const Outcome& outcome, PointRecord& record) {
  if (outcome.single_times_s.empty()) return;
  if (settings.show_tail) record.classic.emplace_back("tail_s", tail(outcome.single_times_s));
  if (settings.dump) record.classic.emplace_back("single_times_s", outcome.single_times_s);
}

// Whether each transfer has a section of its own, as those of an aggregate have.
bool uses_new_memory(const RecordContext& context) {
  const auto mode = mode_of(context.block);
  return context.definition.one_sided && context.definition.together == Together::sections &&
         mode == Mode::aggregate && context.settings.version == Version::v31;
}

void put_flags(const RecordContext& context, Bytes size, PointRecord& record) {
  const auto& [settings, definition, block, world, bundle] = context;
  if (!has_sizes(definition)) return;
  if (!settings.off_cache.on() && !uses_new_memory(context)) record.flags.emplace_back("cache_warm");
  if (definition.kind == Class::message_rate && settings.window * size > separate_receives_limit)
    record.flags.emplace_back("overlapping_receives");
  if (definition.reduction && needs_pieces(size.count() / size_of(settings.reduction_type)))
    record.flags.emplace_back("reduction_in_pieces");
}

void put_slowest(const RecordContext& context, const RankSpread& spread, PointRecord& record) {
  const auto& order = context.block.rank_order;
  const auto rank = static_cast<std::size_t>(spread.slowest_rank);
  record.slowest_rank = rank < order.size() ? order[rank] : spread.slowest_rank;
}

PointRecord whole_record(const RecordContext& context, Bytes size, const Outcome& outcome,
                         const PointRecord& base) {
  PointRecord record = base;
  put_metrics(context, size, outcome.time, record);
  if (outcome.uncorrected_median_s)
    record.metrics.emplace_back("x_uncorrected_median_s", *outcome.uncorrected_median_s);
  put_classic(context, size, outcome, outcome.classic, record);
  put_single_times(context.settings, outcome, record);
  put_flags(context, size, record);
  put_slowest(context, outcome.classic, record);
  return record;
}

// The batches of the engine are maxima over all groups. Of a single group its slowest rank's mean is known.
PointRecord group_record(const RecordContext& context, Bytes size, const Outcome& outcome,
                         const PointRecord& base, int group) {
  const auto& spread = outcome.by_group[static_cast<std::size_t>(group)];
  PointRecord record = base;
  record.params["group"] = std::int64_t{group};
  record.key = record::key_of(record);
  if (context.block.groups == 1) put_metrics(context, size, outcome.time, record);
  if (context.block.groups > 1) put_metrics(context, size, spread.max_s, record);
  put_classic(context, size, outcome, spread, record);
  if (group == 0) put_single_times(context.settings, outcome, record);
  put_flags(context, size, record);
  put_slowest(context, spread, record);
  return record;
}

/// Largest ratio of the computation's time beside an operation to its time alone; beyond it something else
/// has used the processor.
constexpr double undisturbed = 1.05;
/// Number of products below which the computation is no finer than what it is compared with.
constexpr double fewest_products = 2;

void put_metrics(const OverlapFigures& own, double overlap, PointRecord& record) {
  record.metrics.emplace_back("pure_time_s", own.pure_s);
  record.metrics.emplace_back("compute_time_s", own.computing_s);
  record.metrics.emplace_back("compute_alone_time_s", own.block_s);
  const bool coarse = own.pure_s < fewest_products * own.product_s;
  const double share = overlap_percent(own.pure_s, own.computing_s, own.overlapped_s, OverlapOf::transfer);
  record.metrics.emplace_back("overlap_percent", coarse ? record::Metric{nullptr} : record::Metric{overlap});
  record.metrics.emplace_back("overlap_share_of_communication",
                              coarse ? record::Metric{nullptr} : record::Metric{share / 100});
}

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

void put_all_ranks(const Ranks& ranks, PointRecord& record) {
  std::vector<double> pure, overlapped, computing, block;
  for (int rank = ranks.first; rank < ranks.first + ranks.count; ++rank) {
    const auto one = ranks.figures.overlap(rank);
    pure.push_back(one.pure_s);
    overlapped.push_back(one.overlapped_s);
    computing.push_back(one.computing_s);
    block.push_back(one.block_s);
  }
  record.classic.emplace_back("t_ovrl_of_ranks_s", std::move(overlapped));
  record.classic.emplace_back("t_pure_of_ranks_s", std::move(pure));
  record.classic.emplace_back("t_cpu_of_ranks_s", std::move(computing));
  record.classic.emplace_back("t_block_of_ranks_s", std::move(block));
}

// Of the rank whose operations beside the computation took longest, the first of equals.
OverlapFigures longest_overlapped(const Ranks& ranks) {
  auto longest = ranks.figures.overlap(ranks.first);
  for (int rank = ranks.first + 1; rank < ranks.first + ranks.count; ++rank) {
    const auto one = ranks.figures.overlap(rank);
    if (one.overlapped_s > longest.overlapped_s) longest = one;
  }
  return longest;
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

std::vector<PointRecord> make_records(const RecordContext& context, Bytes size, const Outcome& outcome,
                                      const PointRecord& base) {
  if (context.settings.multi != 1) return {whole_record(context, size, outcome, base)};
  std::vector<PointRecord> records;
  for (int group = 0; group < context.block.groups; ++group)
    records.push_back(group_record(context, size, outcome, base, group));
  return records;
}

void put_pairs(std::int64_t on_one_node, std::int64_t pairs, PointRecord& record) {
  record.classic.emplace_back("pairs_on_one_node", on_one_node);
  if (pairs > 0)
    record.metrics.emplace_back("pairs_on_one_node_share",
                                static_cast<double>(on_one_node) / static_cast<double>(pairs));
}

std::vector<double> tail(std::vector<double> times) {
  if (times.empty()) return {};
  std::ranges::sort(times);
  constexpr std::array quantiles{0.10, 0.25, 0.50, 0.75, 0.90, 0.95, 0.99, 0.995, 0.999, 0.9999};
  const auto last = times.size() - 1;
  std::vector<double> values{times.front()};
  for (const double q : quantiles)
    values.push_back(times[std::min(last, static_cast<std::size_t>(static_cast<double>(times.size()) * q))]);
  values.push_back(times.back());
  return values;
}

void put_overlap(Version version, const Definition& definition, const suites::BlockPlan& block,
                 const Outcome& outcome, PointRecord& record) {
  if (outcome.figures.empty()) return;
  const auto ranks = ranks_of(definition, block, outcome, record);
  const auto own = longest_overlapped(ranks);
  const auto of = version == Version::v2021 ? OverlapOf::longer : OverlapOf::shorter;
  const double overlap = overlap_percent(own.pure_s, own.computing_s, own.overlapped_s, of);
  put_metrics(own, overlap, record);
  record.classic.emplace_back("t_ovrl_s", own.overlapped_s);
  record.classic.emplace_back("t_pure_s", own.pure_s);
  record.classic.emplace_back("t_cpu_s", own.computing_s);
  record.classic.emplace_back("overlap_percent", overlap);
  if (own.computing_s > undisturbed * own.block_s) record.flags.emplace_back("computation_disturbed");
  if (ranks.count <= most_ranks_listed) put_all_ranks(ranks, record);
}

void put_own(const Definition& definition, const suites::BlockPlan& block, const Outcome& outcome,
             PointRecord& record) {
  if (outcome.figures.empty()) return;
  const auto ranks = ranks_of(definition, block, outcome, record);
  const double own_s = own_time(definition, ranks);
  const double other_s = time_of(definition, ranks, &OwnFigures::other_s);
  if (longest(ranks, &OwnFigures::making_s) > 0) put_request(ranks, record);
  put_crowd(ranks, record);
  switch (definition.comparison) {
    case Comparison::none: return;
    case Comparison::messages: return put_messages(own_s, other_s, record);
    case Comparison::collective: return put_collective(ranks, own_s, other_s, record);
    case Comparison::whole_message: return put_parts(ranks, own_s, record);
    case Comparison::halo: return put_neighbours(ranks, own_s, other_s, record);
  }
}

}  // namespace steelyard::imb
