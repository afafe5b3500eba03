// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "campaign/node_events.hpp"
#include "mpi/communicator.hpp"
#include "record/records.hpp"

namespace steelyard::campaign {

/// Surroundings of a run. `head`, `layout` and `events` on rank 0 only, the rest on all ranks.
struct Surroundings {
  record::RunRecord
      head;  // the given record, with machine, layout, mpi, libraries, job, environment, program filled in
  Layout layout;
  std::vector<record::EventRecord> events;  // disturbances of the measurement
  bool oversubscribed = false;
  std::int64_t memory_byte = 0;  // least that a process may use, over all ranks
};

enum class Depth { full, names_only };  // names_only: no examination of disturbances

/// Describes the machine as the processes of `world` see it. Collective; O(nodes) on rank 0, at most about half a
/// second. `head` is read on rank 0; with `anonymous` the returned one is anonymous, layout and events are not.
[[nodiscard]] Surroundings survey(const mpi::Communicator& world, const record::RunRecord& head,
                                  bool anonymous, Depth depth = Depth::full);

/// Member `mpi` of the run record: library, standard, thread level and the control variables (MPI_T) that
/// decide how messages travel. No communication.
[[nodiscard]] record::Document describe_mpi();

}  // namespace steelyard::campaign
