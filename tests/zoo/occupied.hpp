// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "machine_data.hpp"

namespace steelyard::zoo {

/// What a survey would find with so many processes on a machine of `cores` usable cores, origin measured.
[[nodiscard]] suites::Rates occupied(const MachineRates& machine, int cores, int processes,
                                     bool hardware_threads);

}  // namespace steelyard::zoo
