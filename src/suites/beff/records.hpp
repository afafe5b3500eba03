// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "measure/engine.hpp"
#include "record/records.hpp"
#include "suites/beff/definition.hpp"

namespace steelyard::beff {

/// The record of one pattern at one length by one method. classic: what the pattern is (pattern_name, set,
/// slots, messages, used) and, one element per measured repetition, repetition (1, 2, 3), looplength,
/// repeats_s (loop of the slowest process), min_byte_s, avg_byte_s, max_byte_s (bandwidth of single
/// processes); best_s and bandwidth_byte_s of the best repetition. On rank 0 only.
[[nodiscard]] record::PointRecord point_record(const Pattern& pattern, Bytes length,
                                               const measure::Outcome& outcome, record::PointRecord base);

}  // namespace steelyard::beff
