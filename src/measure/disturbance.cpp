// SPDX-License-Identifier: Apache-2.0
#include "measure/disturbance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <string>

#include "measure/engine.hpp"
#include "measure/probe.hpp"
#include "mpi/environment.hpp"
#include "mpi/error.hpp"
#include "record/json.hpp"
#include "stats/order.hpp"

namespace steelyard::measure {
namespace {

constexpr double shortest_detour_s = 1e-6;
constexpr double detour_in_medians = 5;
constexpr int gaps_for_median = 2000;
constexpr std::int64_t trial_steps = 20000;
constexpr int trials = 5;

double median_gap(const Timer& timer) {
  std::vector<double> gaps;
  Ticks before = timer.now();
  for (int i = 0; i < gaps_for_median; ++i) {
    const Ticks now = timer.now();
    gaps.push_back(timer.seconds(now - before));
    before = now;
  }
  return stats::median(std::move(gaps));
}

std::size_t class_of(double gap_s) {
  const auto& ends = Detours::class_ends_s;
  return static_cast<std::size_t>(std::ranges::upper_bound(ends, gap_s) - ends.begin());
}

using record::Json;

constexpr double quantum_s = 100e-6;
constexpr std::int64_t most_quanta = 2000;
constexpr double work_share = 0.4;   // of the time: fixed work on all ranks at once
constexpr double alone_share = 0.2;  // and on one rank of each node
constexpr double far_from_median = 2;
constexpr std::size_t most_nodes_listed = 64;

/// Findings of one rank.
struct Figures {
  FixedWork work;
  Detours detours;
  double noise = 0;     // mean / min - 1 of fixed work
  double crowding = 0;  // 0 = not measured: one rank on its node, or not the node's first
  double waiting_share = 0;
};

std::int64_t quanta_in(double seconds) {
  return std::clamp(static_cast<std::int64_t>(seconds / quantum_s), std::int64_t{1}, most_quanta);
}

// Times fixed work on the node's first rank while the others sleep; 0 elsewhere and on nodes with one rank.
double crowding(const Timer& timer, const mpi::Communicator& node, std::int64_t steps, double busy_min_s,
                double limit_s) {
  double ratio = 0;
  if (node.size() > 1 && node.is_root())
    ratio = busy_min_s / time_fixed_work(timer, steps, quanta_in(limit_s), limit_s).min_s;
  node.sleepy_barrier();
  return ratio;
}

Figures examine(const Timer& timer, const mpi::Communicator& comm, double seconds,
                std::vector<double>& times) {
  const mpi::Communicator node = comm.split_shared();
  const UsageReader usage;
  const double work_s = work_share * seconds;
  const double alone_s = alone_share * seconds;
  comm.barrier();
  const std::int64_t steps = steps_for(timer, quantum_s);
  comm.barrier();
  const Usage before = usage.read();
  const Ticks start = timer.now();
  Figures figures;
  figures.detours = scan_detours(timer, seconds - work_s - alone_s);
  times = fixed_work_times(timer, steps, quanta_in(work_s), work_s);
  figures.work = summary_of(times);
  figures.waiting_share = between(before, usage.read()).waited_s / timer.seconds(timer.now() - start);
  figures.noise = figures.work.mean_s / figures.work.min_s - 1;
  figures.crowding = crowding(timer, node, steps, figures.work.min_s, alone_s);
  return figures;
}

std::vector<Figures> gather(const Figures& own, const mpi::Communicator& comm) {
  std::vector<Figures> all(comm.is_root() ? static_cast<std::size_t>(comm.size()) : 0);
  constexpr int bytes = sizeof(Figures);
  mpi::check(MPI_Gather(&own, bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, 0, comm.get()), "MPI_Gather");
  return all;
}

template <class Value>
double largest(const std::vector<Figures>& ranks, Value value) {
  double found = value(ranks.front());
  for (const Figures& rank : ranks) found = std::max(found, value(rank));
  return found;
}

template <class Value>
double middle(const std::vector<Figures>& ranks, Value value) {
  std::vector<double> values;
  for (const Figures& rank : ranks) values.push_back(value(rank));
  return stats::median(std::move(values));
}

Json detour_counts(const std::vector<Figures>& ranks) {
  Json counts = Json::array();
  for (std::size_t c = 0; c < ranks.front().detours.counts.size(); ++c) {
    std::int64_t sum = 0;
    for (const Figures& rank : ranks) sum += rank.detours.counts[c];
    counts.push_back(sum);
  }
  return {{"class_ends_s", Detours::class_ends_s}, {"counts", counts}};
}

/// Times of all ranks in common classes; on every rank, complete on the root.
WorkClasses classes_of(const std::vector<double>& times, const mpi::Communicator& comm) {
  constexpr double shortest_s = 1e-9;  // a coarse clock may say 0
  WorkClasses own{.low_s = -comm.max(-std::max(shortest_s, times.front())),
                  .high_s = comm.max(std::max(shortest_s, times.back()))};
  own.add(times);
  WorkClasses all = own;
  mpi::check(MPI_Reduce(own.counts.data(), all.counts.data(), static_cast<int>(WorkClasses::size),
                        MPI_INT64_T, MPI_SUM, 0, comm.get()),
             "MPI_Reduce");
  return all;
}

Json fixed_work(const Figures& worst) {
  const FixedWork& work = worst.work;
  return {{"quanta", work.quanta}, {"min_s", work.min_s},   {"median_s", work.median_s},
          {"p99_s", work.p99_s},   {"p999_s", work.p999_s}, {"max_s", work.max_s}};
}

// Nodes whose largest detour share is beyond twice the median over nodes.
Json far_nodes(const std::vector<Figures>& ranks, const std::vector<std::string>& hosts) {
  std::map<std::string, double> shares;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    double& share = shares[hosts[r]];
    share = std::max(share, ranks[r].detours.share);
  }
  std::vector<double> values;
  for (const auto& [host, share] : shares) values.push_back(share);
  const double limit = far_from_median * stats::median(std::move(values));
  Json far = Json::array();
  for (const auto& [host, share] : shares)
    if (share > limit && far.size() < most_nodes_listed)
      far.push_back({{"host", host}, {"detour_share", share}});
  return far;
}

Json merged(const std::vector<Figures>& ranks, const std::vector<std::string>& hosts) {
  const auto noise = [](const Figures& f) { return f.noise; };
  const auto share = [](const Figures& f) { return f.detours.share; };
  const auto worst = std::ranges::max_element(ranks, {}, noise) - ranks.begin();
  const auto& at = ranks[static_cast<std::size_t>(worst)];
  Json json;
  json["work_s"] = largest(ranks, [](const Figures& f) { return f.work.min_s; });
  json["p99_over_median"] = largest(ranks, [](const Figures& f) { return f.work.p99_s / f.work.median_s; });
  json["noise"] = at.noise;
  json["detour_share"] = largest(ranks, share);
  json["detour_max_s"] = largest(ranks, [](const Figures& f) { return f.detours.largest_s; });
  json["detour_rate_hz"] = largest(ranks, [](const Figures& f) { return f.detours.rate_hz; });
  const double crowded = largest(ranks, [](const Figures& f) { return f.crowding; });
  json["crowding"] = crowded > 0 ? Json(crowded) : Json();
  json["waiting_share"] = largest(ranks, [](const Figures& f) { return f.waiting_share; });
  json["worst_rank"] = worst;
  json["worst_host"] = hosts[static_cast<std::size_t>(worst)];
  json["median_over_ranks"] = {{"noise", middle(ranks, noise)}, {"detour_share", middle(ranks, share)}};
  json["detours"] = detour_counts(ranks);
  json["fixed_work"] = fixed_work(at);
  json["far_nodes"] = far_nodes(ranks, hosts);
  return json;
}

}  // namespace

Detours scan_detours(const Timer& timer, double seconds) {
  const double median_s = median_gap(timer);
  const double limit_s = std::max(shortest_detour_s, detour_in_medians * median_s);
  Detours found;
  double lost_s = 0;
  std::int64_t count = 0;
  const Ticks start = timer.now();
  Ticks before = start;
  while (before == start || timer.seconds(before - start) < seconds) {
    const Ticks now = timer.now();
    const double gap_s = timer.seconds(now - before);
    before = now;
    if (gap_s <= limit_s) continue;
    ++count;
    lost_s += gap_s - median_s;
    found.largest_s = std::max(found.largest_s, gap_s);
    ++found.counts[class_of(gap_s)];
  }
  const double elapsed_s = timer.seconds(before - start);
  found.share = lost_s / elapsed_s;
  found.rate_hz = static_cast<double>(count) / elapsed_s;
  return found;
}

std::vector<double> fixed_work_times(const Timer& timer, std::int64_t steps, std::int64_t quanta,
                                     double limit_s) {
  std::vector<double> times;
  times.reserve(static_cast<std::size_t>(quanta));
  std::uint64_t value = 1;
  const Ticks start = timer.now();
  Ticks before = start;
  do {
    value = dependent_chain(value, steps);
    const Ticks now = timer.now();
    times.push_back(timer.seconds(now - before));
    before = now;
  } while (static_cast<std::int64_t>(times.size()) < quanta && timer.seconds(before - start) < limit_s);
  keep(value);
  std::ranges::sort(times);
  return times;
}

FixedWork summary_of(const std::vector<double>& times) {
  const double sum_s = std::accumulate(times.begin(), times.end(), 0.0);
  return {std::ssize(times),
          times.front(),
          stats::quantile(times, 0.5),
          sum_s / static_cast<double>(times.size()),
          stats::quantile(times, 0.99),
          stats::quantile(times, 0.999),
          times.back()};
}

FixedWork time_fixed_work(const Timer& timer, std::int64_t steps, std::int64_t quanta, double limit_s) {
  return summary_of(fixed_work_times(timer, steps, quanta, limit_s));
}

void WorkClasses::add(std::span<const double> times) {
  const double width = std::log(high_s / low_s) / size;
  for (const double time : times) {
    const double place = time > low_s && width > 0 ? std::log(time / low_s) / width : 0;
    ++counts[std::min(static_cast<std::size_t>(place), size - 1)];
  }
}

std::int64_t steps_for(const Timer& timer, double seconds) {
  const FixedWork work = time_fixed_work(timer, trial_steps, trials, std::numeric_limits<double>::infinity());
  const double per_step_s = work.min_s / static_cast<double>(trial_steps);
  return per_step_s > 0 ? std::max<std::int64_t>(1, static_cast<std::int64_t>(seconds / per_step_s))
                        : trial_steps;
}

record::Document noise(const Timer& timer, const mpi::Communicator& comm, double seconds) {
  std::vector<double> times;
  const Figures own = examine(timer, comm, seconds, times);
  const std::vector<Figures> ranks = gather(own, comm);
  const WorkClasses classes = classes_of(times, comm);
  const std::vector<std::string> hosts = comm.gather(mpi::processor_name());
  if (!comm.is_root()) return {};
  Json json = merged(ranks, hosts);
  json["fixed_work"]["classes"] = {
      {"low_s", classes.low_s}, {"high_s", classes.high_s}, {"counts", classes.counts}};
  return json;
}

}  // namespace steelyard::measure
