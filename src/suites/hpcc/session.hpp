// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "measure/engine.hpp"
#include "record/records.hpp"
#include "suites/hpcc/definition.hpp"
#include "suites/hpcc/experiment.hpp"

namespace steelyard::hpcc {

/// Adds the slowest host beside the others, for a test that all processes of several hosts do at once, each
/// alone. The rate of a host is the mean of its processes. Classic values: hosts, host_repetitions,
/// slowest_host_rank (its first process), slowest_host_rates (median and best over the repetitions),
/// other_hosts_rates (median over the other hosts of their worst repetition; lower quartile, median, upper
/// quartile of their medians). On rank 0.
void put_hosts(const measure::Outcome& outcome, const PointSpec& spec, record::PointRecord& record);

}  // namespace steelyard::hpcc
