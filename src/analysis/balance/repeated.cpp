// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <tuple>

#include "analysis/balance/measured.hpp"
#include "stats/order.hpp"

namespace steelyard::balance {
namespace {

auto identity(const System& system) {
  return std::tuple(system.name, system.curve, system.processes(), system.threads(),
                    system.processes_per_node, system.run_type);
}

Inputs medians(const std::vector<const System*>& group) {
  Inputs inputs = group.front()->inputs;
  for (const QuantityInfo& quantity : quantities()) {
    std::vector<double> values;
    for (const System* system : group)
      if (const auto value = system->inputs.get(quantity.quantity)) values.push_back(*value);
    if (!values.empty()) inputs.set(quantity.quantity, stats::median(values));
  }
  return inputs;
}

System merged(const std::vector<const System*>& group) {
  System system = *group.front();
  if (group.size() == 1) return system;
  system.inputs = medians(group);
  system.source = "median of " + std::to_string(group.size()) + " runs";
  for (const System* other : group) {
    system.doubts.failed.insert(other->doubts.failed.begin(), other->doubts.failed.end());
    system.doubts.subset.insert(other->doubts.subset.begin(), other->doubts.subset.end());
    system.doubts.shortened.insert(other->doubts.shortened.begin(), other->doubts.shortened.end());
    system.doubts.oversubscribed = system.doubts.oversubscribed || other->doubts.oversubscribed;
  }
  return system;
}

}  // namespace

std::vector<System> merge_repeated(std::vector<System> systems) {
  std::vector<std::vector<const System*>> groups;
  for (const System& system : systems) {
    const auto found = std::ranges::find_if(
        groups, [&](const auto& group) { return identity(*group.front()) == identity(system); });
    if (found == groups.end())
      groups.push_back({&system});
    else
      found->push_back(&system);
  }
  std::vector<System> list;
  for (const auto& group : groups) list.push_back(merged(group));
  return list;
}

}  // namespace steelyard::balance
