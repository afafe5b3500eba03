// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/overlap_records.hpp"

#include <algorithm>

#include "suites/imb/computation.hpp"
#include "suites/imb/overlap_times.hpp"

namespace steelyard::imb {
namespace {

using measure::Outcome;
using record::PointRecord;

/// The computation beside takes so much longer than alone: something else has used the processor.
constexpr double undisturbed = 1.05;
/// Below so many products the computation is no finer than what it is compared with.
constexpr double fewest_products = 2;

const measure::RankSpread& ranks_of(const Outcome& outcome, const PointRecord& record) {
  const auto* group = record::find(record.params, "group");
  if (group == nullptr) return outcome.classic;
  return outcome.by_group.at(static_cast<std::size_t>(std::get<std::int64_t>(*group)));
}

OverlapFigures of_rank(const Outcome& outcome, int rank) {
  return OverlapFigures::from(outcome.figures.data() +
                              static_cast<std::size_t>(rank) * OverlapFigures::count);
}

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

void put_all_ranks(const Outcome& outcome, int first, int ranks, PointRecord& record) {
  std::vector<double> pure, overlapped, computing, block;
  for (int rank = first; rank < first + ranks; ++rank) {
    const auto one = of_rank(outcome, rank);
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

}  // namespace

void put_overlap(Version version, const suites::BlockPlan& block, const Outcome& outcome,
                 PointRecord& record) {
  if (outcome.figures.empty()) return;
  const auto& spread = ranks_of(outcome, record);
  const auto own = of_rank(outcome, spread.slowest_rank);
  const auto of = version == Version::v2021 ? OverlapOf::longer : OverlapOf::shorter;
  const double overlap = overlap_percent(own.pure_s, own.computing_s, own.overlapped_s, of);
  put_metrics(own, overlap, record);
  record.classic.emplace_back("t_ovrl_s", own.overlapped_s);
  record.classic.emplace_back("t_pure_s", own.pure_s);
  record.classic.emplace_back("t_cpu_s", own.computing_s);
  record.classic.emplace_back("overlap_percent", overlap);
  if (own.computing_s > undisturbed * own.block_s) record.flags.emplace_back("computation_disturbed");
  const auto* group = record::find(record.params, "group");
  const int ranks = group == nullptr ? block.processes * block.groups : block.processes;
  const int first = group == nullptr ? 0 : static_cast<int>(std::get<std::int64_t>(*group)) * block.processes;
  if (ranks <= most_ranks_listed) put_all_ranks(outcome, first, ranks, record);
}

void put_requests(const suites::BlockPlan& block, const Outcome& outcome, PointRecord& record) {
  const auto all = static_cast<int>(outcome.figures.size() / OverlapFigures::count);
  if (all == 0) return;
  const auto* group = record::find(record.params, "group");
  const int ranks = group == nullptr ? all : block.processes;
  const int first = group == nullptr ? 0 : static_cast<int>(std::get<std::int64_t>(*group)) * block.processes;
  double making_s = 0, freeing_s = 0, longest_making_s = 0, longest_freeing_s = 0;
  for (int rank = first; rank < first + ranks; ++rank) {
    const auto one = of_rank(outcome, rank);
    making_s += one.making_s / ranks;
    freeing_s += one.freeing_s / ranks;
    longest_making_s = std::max(longest_making_s, one.making_s);
    longest_freeing_s = std::max(longest_freeing_s, one.freeing_s);
  }
  record.metrics.emplace_back("request_init_time_s", making_s);
  record.metrics.emplace_back("request_free_time_s", freeing_s);
  record.classic.emplace_back("t_init_s", making_s);
  record.classic.emplace_back("t_free_s", freeing_s);
  record.classic.emplace_back("t_init_max_s", longest_making_s);
  record.classic.emplace_back("t_free_max_s", longest_freeing_s);
}

}  // namespace steelyard::imb
