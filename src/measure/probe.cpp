// SPDX-License-Identifier: Apache-2.0
#include "measure/probe.hpp"

#include <algorithm>
#include <limits>

#include "measure/kernels.hpp"
#include "measure/line_exchange.hpp"

namespace steelyard::measure {
namespace {

constexpr std::int64_t chain_steps = 3000;
constexpr std::int64_t wide_steps = 2000;
constexpr int probe_tries = 3;

// Smallest of three; nothing where the clock does not tell (it stood still or stepped back).
template <class Work>
std::optional<double> fastest(const Timer& timer, Work work) {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < probe_tries; ++i) {
    const Ticks before = timer.now();
    keep(work());
    best = std::min(best, timer.seconds(timer.now() - before));
  }
  if (best <= 0) return std::nullopt;
  return best;
}

}  // namespace

struct StateProbe::Impl {
  Impl(const mpi::Communicator& comm, Timer& clock)
      : timer(&clock), node(comm.split_shared()), line(node, clock) {
    for (std::size_t i = 0; i < table.size(); ++i) table[i] = i * 0x9e3779b97f4a7c15U;
  }
  Timer* timer;
  mpi::Communicator node;
  LineExchange line;
  WideTable table{};
  double cost_s = 0;
};

StateProbe::StateProbe(const mpi::Communicator& comm, Timer& timer)
    : impl_(std::make_unique<Impl>(comm, timer)) {
  static_cast<void>(measure());
  const Ticks before = timer.now();
  static_cast<void>(measure());
  impl_->cost_s = comm.max(timer.seconds(timer.now() - before));
}

StateProbe::~StateProbe() = default;

stats::Probe StateProbe::measure() {
  stats::Probe probe;
  const WideTable& table = impl_->table;
  probe.chain_s = fastest(*impl_->timer, [] { return dependent_chain(1, chain_steps); });
  probe.wide_s = fastest(*impl_->timer, [&table] { return independent_mix(table, wide_steps); });
  probe.c2c_s = impl_->line.measure();
  return probe;
}

double StateProbe::cost_s() const {
  return impl_->cost_s;
}

}  // namespace steelyard::measure
