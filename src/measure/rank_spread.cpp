// SPDX-License-Identifier: Apache-2.0
#include "measure/rank_spread.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <utility>

namespace steelyard::measure {

void merge_means(const RankMeans& in, RankMeans& into) {
  if (in.ranks == 0) return;
  if (into.ranks == 0) {
    into = in;
    return;
  }
  const bool slower = in.max_s > into.max_s;
  const bool equal = in.max_s == into.max_s;
  if (slower || (equal && in.slowest_rank < into.slowest_rank)) into.slowest_rank = in.slowest_rank;
  into.max_s = std::max(into.max_s, in.max_s);
  into.min_s = std::min(into.min_s, in.min_s);
  into.sum_s += in.sum_s;
  into.sum_rate_op_s += in.sum_rate_op_s;
  into.ranks += in.ranks;
}

RankSpread spread_of(const RankMeans& means) {
  if (means.ranks == 0) return {};
  const auto ranks = static_cast<double>(means.ranks);
  return {means.min_s, means.max_s, means.sum_s / ranks, means.slowest_rank, means.sum_rate_op_s / ranks};
}

SpreadOverRanks::SpreadOverRanks(const Team& team) : team_(&team) {
  if (team.groups > 1) roots_ = team.active.split(team.group.is_root() ? 0 : -1, team.index);
}

std::vector<RankMeans> SpreadOverRanks::by_group(const RankMeans& own) const {
  RankMeans mine = reduction_.to_root(own, team_->group);
  if (team_->groups == 1) return {mine};
  std::vector<RankMeans> all;
  if (!roots_.valid()) return all;
  all.resize(static_cast<std::size_t>(roots_.is_root() ? team_->groups : 0));
  constexpr int bytes = sizeof(RankMeans);
  mpi::check(MPI_Gather(&mine, bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, 0, roots_.get()), "MPI_Gather");
  return all;
}

ClassicValues SpreadOverRanks::merge(double mean_s, bool takes_part) const {
  RankMeans own;
  const double rate_op_s = mean_s > 0 ? 1 / mean_s : 0;
  if (takes_part) own = {mean_s, mean_s, mean_s, 1, team_->active.rank(), rate_op_s};
  ClassicValues result;
  RankMeans total;
  for (const RankMeans& group : by_group(own)) {
    merge_means(group, total);
    result.by_group.push_back(spread_of(group));
  }
  result.all = spread_of(total);
  return result;
}

RatesOfHosts::RatesOfHosts(const mpi::Communicator& active) : RatesOfHosts(active, active.split_shared()) {}

RatesOfHosts::RatesOfHosts(const mpi::Communicator& active, mpi::Communicator host)
    : host_(std::move(host)), leaders_(active.split(host_.is_root() ? 0 : -1, active.rank())) {
  first_rank_ = host_.broadcast(active.rank());
}

std::vector<HostRate> RatesOfHosts::merge(double mean_s, bool takes_part) const {
  const bool counts = takes_part && mean_s > 0;
  const std::array<double, 2> own{counts ? 1 / mean_s : 0.0, counts ? 1.0 : 0.0};
  std::array<double, 2> sum{};
  mpi::check(MPI_Reduce(own.data(), sum.data(), 2, MPI_DOUBLE, MPI_SUM, 0, host_.get()), "MPI_Reduce");
  if (!leaders_.valid() || leaders_.size() < 2) return {};
  HostRate mine{first_rank_, sum[1] > 0 ? sum[0] / sum[1] : 0};
  std::vector<HostRate> all(leaders_.is_root() ? static_cast<std::size_t>(leaders_.size()) : 0);
  constexpr int bytes = sizeof(HostRate);
  mpi::check(MPI_Gather(&mine, bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, 0, leaders_.get()),
             "MPI_Gather");
  std::erase_if(all, [](const HostRate& one) { return one.rate_op_s <= 0; });
  return all;
}

}  // namespace steelyard::measure
