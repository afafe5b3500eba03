// SPDX-License-Identifier: Apache-2.0
#include "analysis/balance/evidence.hpp"

namespace steelyard::balance {
namespace {

/// Beyond the quartiles by this many times their distance lies what does not belong to them.
constexpr double far_out = 3;
/// Of links: what lies nearer is distance in the network. It is the factor by which the verdict betters a
/// resource.
constexpr double twice = 2;
constexpr int fewest_repetitions = 2, fewest_hosts = 2, fewest_places = 3;

/// Both ways, so that one disturbance names nobody.
constexpr std::int64_t fewest_pairs = 2;

bool slower(const PairTimes& pairs, double time_s) {
  return pairs.places >= fewest_places && time_s >= twice * pairs.typical_s && time_s > pairs.typical_worst_s;
}

}  // namespace

bool stands_out(const HostRates& hosts) {
  const double fence = hosts.others_low - far_out * (hosts.others_high - hosts.others_low);
  return hosts.hosts >= fewest_hosts && hosts.repetitions >= fewest_repetitions && hosts.rate > 0 &&
         hosts.best_rate < hosts.others_worst_rate && hosts.rate < fence && hosts.slowdown() >= noticeable;
}

bool pair_stands_out(const PairTimes& pairs) {
  return slower(pairs, pairs.slowest_s) && pairs.between >= fewest_pairs &&
         pairs.slow_between == pairs.between && pairs.slow == pairs.slow_between;
}

bool place_stands_out(const PairTimes& pairs) {
  return slower(pairs, pairs.place_s) && pairs.with_place >= fewest_pairs &&
         pairs.slow_with_place == pairs.with_place && pairs.slow == pairs.slow_with_place;
}

bool limits(const Quota& quota) {
  return quota.cores > 0 && quota.slowdown() >= noticeable;
}

}  // namespace steelyard::balance
