// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "record/records.hpp"

namespace steelyard::campaign {

/// What disturbed the nodes between the start and the end of a session: the most that any node counted.
struct Disturbances {
  double steal_share = 0;  // of the processors in use, less one step of the kernel's counting
  double throttled_s = 0;  // control groups were stopped because their quota was spent
  std::int64_t throttled_periods = 0;
  double remote_share = 0;  // of a process's memory that lay in other NUMA domains than its processors
  std::int64_t remote_processes = 0;             // of which more did so than is tolerated
  std::int64_t visits = 0, migrated_visits = 0;  // of rank 0; in how many some rank changed its processor
};

/// Part of a process's memory that may lie elsewhere: libraries have their own.
inline constexpr double tolerated_remote_share = 0.05;

/// Warnings of what is more than measurements bear: `steal` above 0.5 % of the time, `container_quota` at the first
/// stop, `remote_memory` above 5 % of a process's memory, `migrated` above 1 % of the visits. Pure.
[[nodiscard]] std::vector<record::EventRecord> events_of(const Disturbances& met);

/// What was found on one node, as events without data.
using NodeFindings = std::vector<record::EventRecord>;

/// Findings of all nodes, one event a code, in the order of the first node that has it, with the number of nodes that
/// have it where there are several nodes. Of sentences that differ only from their first number on, the first stays.
[[nodiscard]] std::vector<record::EventRecord> merged(const std::vector<NodeFindings>& nodes);

}  // namespace steelyard::campaign
