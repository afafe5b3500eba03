// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace steelyard::beffio {

inline constexpr std::size_t most_partitions = 10;

/// Partitions that are measured unless others are named: {1}, {1, 2}, else a small one, a medium one and all
/// processes. Source: docs/suites/b-eff-io.md, "Partitions". Pure.
[[nodiscard]] std::vector<int> default_partitions(int processes);

}  // namespace steelyard::beffio
