// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "record/records.hpp"

namespace steelyard::campaign {

/// What was found on one node, as events without data.
using NodeFindings = std::vector<record::EventRecord>;

/// Findings of all nodes, one event a code, in the order of the first node that has it, with the number of nodes that
/// have it where there are several nodes. Of sentences that differ only from their first number on, the first stays.
[[nodiscard]] std::vector<record::EventRecord> merged(const std::vector<NodeFindings>& nodes);

}  // namespace steelyard::campaign
