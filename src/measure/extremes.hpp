// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "stats/states.hpp"

namespace steelyard::measure {

/// What ranks tell about one visit besides its times. Merged by maximum, in the same message as the times.
struct Extremes {
  static constexpr double absent = -1;  // below every time; never leaves the message

  double failed = 0;  // ranks from this one to the last: the largest belongs to the lowest failed rank
  double c2c_s = absent;
  double chain_s = absent;
  double wide_s = absent;
  double waited_s = 0;
  double switches = 0;
  double faults = 0;
  double migrated = 0;
  double late = 0;

  void set(const stats::Probe& probe);
  [[nodiscard]] stats::Probe probe() const;
  [[nodiscard]] bool probed() const { return chain_s > 0 || wide_s > 0 || c2c_s > 0; }

  /// Of several messages of one visit: sums of counts and times, worst of the rest.
  void add(const Extremes& other);

  /// This rank has failed.
  void set_failed(int rank, int ranks) { failed = ranks - rank; }
  /// The lowest one of `ranks` ranks that has.
  [[nodiscard]] std::optional<int> failed_rank(int ranks) const;
};

}  // namespace steelyard::measure
