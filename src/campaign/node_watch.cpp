// SPDX-License-Identifier: Apache-2.0
#include "campaign/node_watch.hpp"

#include <algorithm>
#include <chrono>
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

PageWatch::PageWatch(const machine::Roots& roots)
    : roots_(roots), domain_(machine::one_domain_of_several(roots)) {}

void PageWatch::look(double elapsed_s) {
  constexpr double part_of_time = 0.002;
  if (!domain_ || spent_s_ > part_of_time * elapsed_s) return;
  const auto start = std::chrono::steady_clock::now();
  const auto places = machine::page_places(*domain_, roots_);
  if (places.byte > 0)
    share_ = std::max(share_, static_cast<double>(places.remote_byte) / static_cast<double>(places.byte));
  spent_s_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void PageWatch::tell(const mpi::Communicator& world, Disturbances& met) const {
  met.remote_share = world.max(share_);
  met.remote_processes = world.sum(std::int64_t{share_ > tolerated_remote_share ? 1 : 0});
}

}  // namespace steelyard::campaign
