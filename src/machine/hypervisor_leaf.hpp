// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace steelyard::machine {

/// Name that a hypervisor gives in the x86 identification leaf 0x40000000; empty on other processors. Ask
/// only where the hypervisor flag is set.
[[nodiscard]] std::string hypervisor_leaf();

}  // namespace steelyard::machine
