// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "suites/imb/paired.hpp"

namespace steelyard::imb {

/// IMB-NBC, in the order of the definition.
inline constexpr auto nbc_benchmarks = paired({{
    {"Ibcast", "Ibcast_pure"},
    {"Iallgather", "Iallgather_pure"},
    {"Iallgatherv", "Iallgatherv_pure"},
    {"Igather", "Igather_pure"},
    {"Igatherv", "Igatherv_pure"},
    {"Iscatter", "Iscatter_pure"},
    {"Iscatterv", "Iscatterv_pure"},
    {"Ialltoall", "Ialltoall_pure"},
    {"Ialltoallv", "Ialltoallv_pure"},
    {"Ireduce", "Ireduce_pure"},
    {"Ireduce_scatter", "Ireduce_scatter_pure"},
    {"Iallreduce", "Iallreduce_pure"},
    {"Ibarrier", "Ibarrier_pure"},
}});

}  // namespace steelyard::imb
