// SPDX-License-Identifier: Apache-2.0
#include "measure/rank_spread.hpp"

#include <algorithm>

#include "stats/order.hpp"

namespace steelyard::measure {
namespace {

double median_member(const std::vector<RankSpread>& passes, double RankSpread::*member) {
  std::vector<double> values;
  for (const RankSpread& pass : passes) values.push_back(pass.*member);
  return stats::median(std::move(values));
}

RankSpread median_spread(const std::vector<RankSpread>& passes) {
  RankSpread result = *std::ranges::max_element(passes, {}, &RankSpread::max_s);
  result.min_s = median_member(passes, &RankSpread::min_s);
  result.max_s = median_member(passes, &RankSpread::max_s);
  result.mean_s = median_member(passes, &RankSpread::mean_s);
  return result;
}

}  // namespace

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

ClassicValues median_of(const std::vector<ClassicValues>& passes) {
  if (passes.empty()) return {};
  ClassicValues result;
  std::vector<RankSpread> values;
  for (const ClassicValues& pass : passes) values.push_back(pass.all);
  result.all = median_spread(values);
  for (std::size_t g = 0; g < passes.front().by_group.size(); ++g) {
    values.clear();
    for (const ClassicValues& pass : passes) values.push_back(pass.by_group[g]);
    result.by_group.push_back(median_spread(values));
  }
  return result;
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

}  // namespace steelyard::measure
