// SPDX-License-Identifier: Apache-2.0
// Interleaved schedules: rounds over the unfinished points in shuffled order; results are delivered in the
// order of the plan. What has to wait for that is handed over as it is so far, now and then.
#include <algorithm>
#include <utility>

#include "measure/block.hpp"

namespace steelyard::measure {
namespace {

constexpr double keeping_costs = 50;  // at most a fiftieth of the time

}  // namespace

void Block::run_rounds(Indices points) {
  const Indices all = points;
  kept_at_ = context_.timer->now();
  for (std::uint64_t round = 1; !points.empty() && !spoilt_; ++round) {
    run_round(points, round);
    std::erase_if(points, [this](std::size_t point) { return closed_[point]; });
    if (!measurer_.uses_window()) deliver_prefix(all);
    if (!points.empty()) hand_over_so_far(all);
  }
  if (const auto clocks = spoilt_ ? std::nullopt : measurer_.check_clocks_again())
    for (const std::size_t point : all) note_clocks(point, *clocks);
  for (const std::size_t point : all) deliver(point);
}

// With windows a point is judged by what its clocks are worth at the end of the block.
void Block::deliver_prefix(const Indices& all) {
  for (; delivered_ < all.size() && closed_[all[delivered_]]; ++delivered_) deliver(all[delivered_]);
}

bool Block::keep_due() const {
  if (!*context_.keep) return false;
  const double age_s = context_.timer->seconds(context_.timer->now() - kept_at_);
  return age_s >= std::max(context_.options->keep_every_s, keeping_costs * keeping_s_);
}

// Collective: the values over ranks belong to it.
void Block::note_so_far(std::size_t point) {
  ClassicValues values = classic_so_far(point);
  if (!root() || ledgers_[point].batches() < context_.options->min_batches) return;
  Ledger so_far = ledgers_[point];
  so_far.add_classic(std::move(values));
  so_far_[point] = so_far.outcome(StopReason::interrupted, measurer_.effective(task(point).traits));
}

void Block::hand_over_so_far(const Indices& all) {
  if (!root() || !keeps_) return;
  const Ticks start = context_.timer->now();
  std::vector<SoFar> kept;
  for (const std::size_t point : all) {
    const auto& outcome = outcomes_[point] ? outcomes_[point] : so_far_[point];
    if (outcome) kept.push_back({point, *outcome});
  }
  (*context_.keep)(std::move(kept));
  kept_at_ = context_.timer->now();
  keeping_s_ = context_.timer->seconds(kept_at_ - start);
}

void Block::run_round(const Indices& points, std::uint64_t round) {
  const Indices sequence = shuffled(points.size(), context_.options->seed, context_.number, round);
  const std::vector<Order> orders = agree_on(points, sequence);
  for (const std::size_t i : sequence) {
    obey(points[i], orders[i]);
    if (spoilt_) return;
  }
  merge_trials();
}

}  // namespace steelyard::measure
