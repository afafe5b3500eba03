// SPDX-License-Identifier: Apache-2.0
#include "campaign/quiet.hpp"

#include <chrono>

#include "machine/node_counters.hpp"

namespace steelyard::campaign {
namespace {

constexpr std::chrono::milliseconds window{200};
constexpr double busy_share = 0.02;  // as the finding busy_neighbours

/// Looked at from one process of a node while the others sleep, so that their waiting is not taken for load.
bool node_is_busy() {
  return machine::watch_load(window, machine::affinity().processors).foreign().value_or(0) > busy_share;
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
