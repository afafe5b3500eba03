// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "measure/engine.hpp"
#include "record/records.hpp"
#include "suites/beffio/pattern_run.hpp"

namespace steelyard::beffio {

/// What a session knows about a point beside its result.
struct PointFacts {
  Pattern pattern;
  int processes = 1;
  double scheduled_s = 0;
  std::string pointer;                             // of type 1: shared, individual
  std::string file;                                // without the common beginning
  std::string open_hints, hints, hints_in_effect;  // words; empty: none were given
  std::optional<double> open_s;                    // of the type's first pattern
  std::optional<std::int64_t> segment_byte, cache_byte;
  std::string mpi_io;     // OMPIO, ROMIO
  bool overlong = false;  // repeating took more than four times as long as scheduled
};

/// The record of one pattern of one access method. classic: docs/suites/b-eff-io.md, "Records". On rank 0
/// only.
[[nodiscard]] record::PointRecord point_record(const PointFacts& facts, const PatternResult& result,
                                               record::PointRecord base);

}  // namespace steelyard::beffio
