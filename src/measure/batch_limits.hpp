// SPDX-License-Identifier: Apache-2.0
/// What every schedule keeps to when it chooses the operations of a batch (measurement.md 3.2).
#pragma once

namespace steelyard::measure {

/// A batch lasts no longer, unless a single operation does.
inline constexpr double longest_batch_s = 10e-3;
/// An operation that seems to be shorter is counted as taking so long.
inline constexpr double least_op_s = 1e-10;

}  // namespace steelyard::measure
