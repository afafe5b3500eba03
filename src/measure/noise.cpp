// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "measure/disturbance.hpp"
#include "measure/engine.hpp"
#include "measure/usage.hpp"
#include "mpi/environment.hpp"
#include "mpi/error.hpp"
#include "record/json.hpp"
#include "stats/order.hpp"

namespace steelyard::measure {
namespace {

using record::Json;

constexpr double quantum_s = 100e-6;
constexpr std::int64_t most_quanta = 2000;
constexpr double work_share = 0.4;   // of the time: fixed work on all ranks at once
constexpr double alone_share = 0.2;  // and on one rank of each node
constexpr double far_from_median = 2;
constexpr std::size_t most_nodes_listed = 64;

/// What one rank found.
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

// Fixed work of the node's first rank while the others sleep; 0 elsewhere and on nodes with one rank.
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
