// SPDX-License-Identifier: Apache-2.0
#include "campaign/quiet.hpp"

#include <algorithm>
#include <chrono>

#include "machine/findings.hpp"

namespace steelyard::campaign {
namespace {

/// Looked at from one process of a node while the others sleep, so that their waiting is not taken for load.
bool node_is_busy() {
  const auto findings = machine::examine({});
  return std::ranges::any_of(findings, [](const machine::Finding& finding) {
    return finding.code == "busy_neighbours" && finding.level != machine::Level::ok;
  });
}

}  // namespace

double wait_until_quiet(const mpi::Communicator& world, double limit_s) {
  const auto node = world.split_shared();
  const auto start = std::chrono::steady_clock::now();
  for (double waited = 0;;) {
    const bool busy = node.is_root() && node_is_busy();
    world.sleepy_barrier();
    if (!world.any(busy)) return waited;
    waited = world.broadcast(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    if (waited >= limit_s) return waited;
  }
}

}  // namespace steelyard::campaign
