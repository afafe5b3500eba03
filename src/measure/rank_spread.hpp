// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "measure/engine.hpp"
#include "measure/team.hpp"
#include "mpi/reduction.hpp"

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

/// Classic values of a point, on rank 0 of the active communicator.
struct ClassicValues {
  RankSpread all;
  std::vector<RankSpread> by_group;
  std::vector<HostRate> hosts = {};  // of a single pass
};
/// Member by member the median over passes; the slowest rank is that of the pass with the largest maximum.
[[nodiscard]] ClassicValues median_of(const std::vector<ClassicValues>& passes);

/// Merges rank means over groups and ranks. Construction is collective over team.active.
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

}  // namespace steelyard::measure
