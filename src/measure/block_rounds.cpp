// SPDX-License-Identifier: Apache-2.0
// Interleaved schedules: rounds over the unfinished points in shuffled order; results are delivered in the
// order of the plan when the block ends.
#include <algorithm>

#include "measure/block.hpp"

namespace steelyard::measure {

void Block::run_rounds(Indices points) {
  const Indices all = points;
  for (std::uint64_t round = 1; !points.empty(); ++round) {
    run_round(points, round);
    std::erase_if(points, [this](std::size_t point) { return closed_[point]; });
  }
  if (const auto clocks = measurer_.check_clocks_again())
    for (const std::size_t point : all) note_clocks(point, *clocks);
  for (const std::size_t point : all) deliver(point);
}

void Block::run_round(const Indices& points, std::uint64_t round) {
  const Indices sequence = shuffled(points.size(), context_.options->seed, context_.number, round);
  const std::vector<Order> orders = agree_on(points, sequence);
  for (const std::size_t i : sequence) obey(points[i], orders[i]);
  merge_trials();
}

}  // namespace steelyard::measure
