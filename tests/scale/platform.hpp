// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <simgrid/s4u.hpp>
#include <string>

/// What simulated platforms share. Their figures come from the environment, so that one library serves all
/// tests.
namespace steelyard::scale {

/// The number in an environment variable, else `otherwise`.
[[nodiscard]] double figure(const char* variable, double otherwise);

/// Hosts are named n0, n1, ...
[[nodiscard]] std::string host_name(unsigned long number);

/// Counts every message of this zone's network. Messages keep the latency and the bandwidth of their route.
void count_messages_of(simgrid::s4u::NetZone& zone);

/// Half of the bandwidth is left between two hosts, both ways.
void halve_between(simgrid::s4u::NetZone& zone, int a, int b);

}  // namespace steelyard::scale
