// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "measure/engine.hpp"
#include "record/records.hpp"
#include "suites/hpcc/definition.hpp"

namespace steelyard::hpcc {

/// Of a test that all processes do at once, each alone, on several hosts: the slowest host beside the others.
/// The rate of a host is the mean of its processes. classic: hosts, host_repetitions, slowest_host_rank (its
/// first process), slowest_host_rates (median and best over the repetitions), other_hosts_rates (median over
/// the other hosts of their worst repetition; lower quartile, median, upper quartile of their medians). On
/// rank 0.
void put_hosts(const measure::Outcome& outcome, const PointSpec& spec, record::PointRecord& record);

}  // namespace steelyard::hpcc
