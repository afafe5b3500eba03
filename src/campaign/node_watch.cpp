// SPDX-License-Identifier: Apache-2.0
#include "campaign/node_watch.hpp"

#include <algorithm>
#include <string>

#include "record/json.hpp"

namespace steelyard::campaign {
namespace {

/// What one node counted.
Disturbances of_node(const machine::NodeLoad& load) {
  Disturbances met;
  met.steal_share = std::max(0.0, load.steal_share.value_or(0) - load.resolution);
  met.throttled_s = load.throttled_s.value_or(0);
  met.throttled_periods = load.throttled_periods.value_or(0);
  return met;
}

}  // namespace

NodeWatch::NodeWatch(const mpi::Communicator& world, const machine::Roots& roots) {
  const auto node = world.split_shared();
  for (const std::string& text : node.gather(record::Json(machine::affinity(roots).processors).dump()))
    for (const record::Json& processor : record::Json::parse(text))
      processors_.push_back(processor.get<int>());
  std::ranges::sort(processors_);
  const auto again = std::ranges::unique(processors_);
  processors_.erase(again.begin(), again.end());
  if (node.is_root()) begin_ = machine::read_node_counters(roots);
}

Disturbances NodeWatch::met(const mpi::Communicator& world, const machine::Roots& roots) const {
  Disturbances own;
  if (begin_) own = of_node(machine::difference(*begin_, machine::read_node_counters(roots), processors_));
  Disturbances most;
  most.steal_share = world.max(own.steal_share);
  most.throttled_s = world.max(own.throttled_s);
  most.throttled_periods = world.max(own.throttled_periods);
  return most;
}

}  // namespace steelyard::campaign
