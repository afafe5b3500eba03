// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "measure/engine.hpp"
#include "measure/task.hpp"
#include "mpi/communicator.hpp"

namespace steelyard::measure {

/// One rank's mean over everything timed, or several ranks' merged.
struct RankMeans {
  double min_s = 0, max_s = 0, sum_s = 0;
  std::int64_t ranks = 0;  // that have a result; 0 = nothing to merge
  int slowest_rank = -1;
  double sum_rate_op_s = 0;
};
void merge_means(const RankMeans& in, RankMeans& into);
[[nodiscard]] RankSpread spread_of(const RankMeans& means);

/// Merger of rank means over groups and ranks. Construction is collective over team.active.
class SpreadOverRanks {
 public:
  explicit SpreadOverRanks(const Team& team);
  /// Collective; `takes_part` is false on ranks that own no result.
  [[nodiscard]] ClassicValues merge(double mean_s, bool takes_part) const;

 private:
  [[nodiscard]] std::vector<RankMeans> by_group(const RankMeans& own) const;

  const Team* team_;
  mpi::Communicator roots_;  // of the groups, only with several
  mpi::Reduction<RankMeans, merge_means> reduction_;
};

/// Rates of hosts, each the mean over its ranks. Construction is collective over the communicator.
class RatesOfHosts {
 public:
  explicit RatesOfHosts(const mpi::Communicator& active);
  /// `host`: the ranks that count as one, in the order of the active communicator.
  RatesOfHosts(const mpi::Communicator& active, mpi::Communicator host);
  /// Collective: every rank contributes two numbers within its host, every host two. On rank 0 one element
  /// per host with a rank that takes part, in the order of their first ranks; empty on other ranks, and with
  /// fewer than two hosts.
  [[nodiscard]] std::vector<HostRate> merge(double mean_s, bool takes_part) const;

 private:
  mpi::Communicator host_, leaders_;
  int first_rank_ = 0;  // of this host
};

}  // namespace steelyard::measure
