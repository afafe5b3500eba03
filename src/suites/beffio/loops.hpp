// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <span>

#include "measure/workload.hpp"
#include "suites/beffio/content.hpp"
#include "suites/beffio/patterns.hpp"
#include "suites/beffio/shuffle.hpp"

/// The timed loops: calls of MPI-IO, stamps and a counter.
namespace steelyard::beffio {

/// How a pattern type calls MPI-IO; placed: independent calls at explicit offsets.
enum class Call { collective, ordered, independent, placed };
enum class Direction { out, in };

/// Where placed calls go: call i to place order(i) behind `begin_byte` of the view.
struct Places {
  Shuffle order;
  std::int64_t begin_byte = 0;
};

/// What a loop works on: an open file with its view, the memory of one call.
struct LoopPlan {
  MPI_File file = MPI_FILE_NULL;
  Pattern pattern;
  Origin origin;
  std::span<std::uint64_t> memory;  // of one call
  Places places = {};
};

/// Operation i is call i of the pattern, or what lies at its place: out stamps the chunks and writes, in reads and compares the stamps.
/// Collective over the file's processes, but for independent calls. `wrong` outlives the workload.
[[nodiscard]] std::unique_ptr<measure::Workload> open_loop(Call call, Direction direction,
                                                           const LoopPlan& plan, Mismatches& wrong);

}  // namespace steelyard::beffio
