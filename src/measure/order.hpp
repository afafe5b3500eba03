// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "measure/schedule.hpp"

namespace steelyard::measure {

/// What all ranks do next at one point: a schedule's decision in the form that is broadcast.
struct Order {
  enum class Kind : std::int32_t { trial, visit, stop, fail };
  /// What becomes of the last step at this point.
  enum class Before : std::int32_t { nothing, adopt_trial, forget_visit };

  Kind kind = Kind::stop;
  Before before = Before::nothing;
  StopReason why = StopReason::count;  // of a stop
  std::int32_t failed_rank = -1;       // of a failure, in the active communicator
  std::uint64_t warmup = 0;            // before a visit or a trial
  std::uint64_t ops = 0;               // of a trial; per batch of a visit
  std::uint64_t batches = 0;
  double shortest_op_s = 0;  // shortest operation of the block as far as known; 0 = not known
  bool probe = false;        // look at the machine's state before
  bool widen = false;        // too many operations were late
  bool keep = false;         // after the visit: what is known of the point so far
};

}  // namespace steelyard::measure
