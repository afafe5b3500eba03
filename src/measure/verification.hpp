// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "measure/failure.hpp"
#include "measure/workload.hpp"
#include "mpi/communicator.hpp"
#include "record/records.hpp"

namespace steelyard::measure {

struct Verification {
  Failure failure;                     // of the pass itself, agreed on
  std::optional<record::Check> check;  // the same on all ranks; nothing if no rank had something to check
};

/// Lets every rank compare what it receives, outside all timed regions, and merges: sum of errors, worst
/// deviation, the first error of the lowest rank that has one. Collective over `active`.
[[nodiscard]] Verification verify(Workload& workload, std::uint64_t repetitions,
                                  const mpi::Communicator& active);

}  // namespace steelyard::measure
