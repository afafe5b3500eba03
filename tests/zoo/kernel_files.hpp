// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "machine/environment.hpp"
#include "machine_data.hpp"

namespace steelyard::zoo {

/// /proc and /sys of a machine as its kernel shows them.
[[nodiscard]] machine::Files kernel_files(const MachineData& machine);

}  // namespace steelyard::zoo
