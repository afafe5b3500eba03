// SPDX-License-Identifier: Apache-2.0
// Prints the probes of the machine's state, "c2c chain wide" in seconds: medians of 200 looks, maximum over
// ranks.
#include <cstdio>
#include <vector>

#include "measure/probe.hpp"
#include "mpi/environment.hpp"
#include "stats/order.hpp"

using namespace steelyard;

int main(int argc, char** argv) {
  mpi::Environment environment(&argc, &argv, mpi::ThreadLevel::single);
  const auto world = mpi::Communicator::world();
  const auto timer = measure::make_timer(measure::ClockKind::automatic);
  measure::StateProbe probe(world, *timer.timer);
  std::vector<double> c2c, chain, wide;
  for (int look = 0; look < 200; ++look) {
    const auto seen = probe.measure();
    c2c.push_back(world.max(seen.c2c_s.value_or(0)));
    chain.push_back(world.max(seen.chain_s.value_or(0)));
    wide.push_back(world.max(seen.wide_s.value_or(0)));
  }
  if (world.is_root())
    std::printf("%.4e %.4e %.4e\n", stats::median(c2c), stats::median(chain), stats::median(wide));
}
