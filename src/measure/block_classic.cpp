// SPDX-License-Identifier: Apache-2.0
// Classic schedules: one point after the other, in the order given; results are delivered as points finish.
#include <algorithm>
#include <utility>

#include "measure/block.hpp"

namespace steelyard::measure {

void Block::run_classic(const Indices& points) {
  int passes = std::max(1, context_.options->classic_passes);
  for (const std::size_t point : points) passes = std::max(passes, task(point).passes);
  for (int pass = 1; pass <= passes && !stopped_ && !spoilt_; ++pass) run_pass(points, pass == passes);
  if (spoilt_)
    for (const std::size_t point : points) deliver(point);
  if (!stopped_) return;
  // What earlier passes have measured is kept.
  for (const std::size_t point : points) {
    if (!closed_[point]) finish(point, StopReason::interrupted);
    deliver(point);
  }
}

void Block::run_pass(const Indices& points, bool last) {
  earlier_.clear();
  for (const std::size_t point : points) {
    if (!closed_[point]) measure_alone(point, last);
    if (stopped_ || spoilt_) return;
    if (last) deliver(point);
  }
}

void Block::measure_alone(std::size_t point, bool last_pass) {
  const Indices alone{point};
  if (root()) ledgers_[point].start_pass();
  while (!closed_[point] && !spoilt_) {
    const Order order = agree_on(alone, {0}).front();
    const bool stops = order.kind == Order::Kind::stop && order.why != StopReason::interrupted;
    if (stops && !last_pass) break;
    obey(point, order);
    merge_trials();
  }
  if (root()) earlier_.push_back({task(point).bytes, ledgers_[point].history().ops});
  if (!closed_[point] && !spoilt_ && runs_[point].ops > 0) merge_classic(point);
}

}  // namespace steelyard::measure
