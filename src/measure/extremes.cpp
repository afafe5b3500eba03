// SPDX-License-Identifier: Apache-2.0
#include "measure/extremes.hpp"

#include <algorithm>

namespace steelyard::measure {
namespace {

std::optional<double> unless_absent(double value) {
  if (value <= 0) return std::nullopt;
  return value;
}

}  // namespace

void Extremes::set(const stats::Probe& probe) {
  c2c_s = probe.c2c_s.value_or(absent);
  chain_s = probe.chain_s.value_or(absent);
  wide_s = probe.wide_s.value_or(absent);
}

stats::Probe Extremes::probe() const {
  return {unless_absent(c2c_s), unless_absent(chain_s), unless_absent(wide_s)};
}

void Extremes::add(const Extremes& other) {
  failed = std::max(failed, other.failed);
  c2c_s = std::max(c2c_s, other.c2c_s);
  chain_s = std::max(chain_s, other.chain_s);
  wide_s = std::max(wide_s, other.wide_s);
  waited_s += other.waited_s;
  switches += other.switches;
  faults += other.faults;
  migrated = std::max(migrated, other.migrated);
  late += other.late;
}

std::optional<int> Extremes::failed_rank(int ranks) const {
  if (failed <= 0) return std::nullopt;
  return ranks - static_cast<int>(failed);
}

}  // namespace steelyard::measure
