// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "measure/buffers.hpp"
#include "measure/task.hpp"
#include "mpi/communicator.hpp"

namespace steelyard::measure {

/// Processes that measure a block. `active`: the ranks of all groups, in group order, rank 0 is rank 0 of the world.
/// `group`: the ranks that run the operation together (MY_COMM of IMB). Idle ranks hold invalid communicators.
struct Team {
  mpi::Communicator active;
  mpi::Communicator group;
  int groups = 1;
  int index = 0;  // of this rank's group

  [[nodiscard]] bool takes_part() const { return active.valid(); }
};

// The measurement engine: takes the points of a block to samples on rank 0. Source of every rule: docs/methodology.md.

/// Wall time of this rank inside Engine::measure so far. A timed region of mode `each` includes the
/// synchronisation between its operations; overhead is everything that is neither timed nor warm-up.
struct EngineAccount {
  double timed_s = 0, warmup_s = 0, overhead_s = 0;
  std::int64_t visits = 0;
  std::int64_t migrated_visits = 0;  // on rank 0: visits in which some rank changed its processor
};

/// Notice that the run should record as an event; code is one of record::is_event_code.
struct EngineNotice {
  std::string code;
  std::string text;
};

class Engine {
 public:
  Engine(Timer& timer, EngineOptions options, StopRequest stop = {});
  ~Engine();

  /// Measures the tasks of one block. Collective over team.active; ranks that take no part must not call it.
  /// A workload that cannot be opened or that fails on any rank ends its point as failed on all ranks; the
  /// others go on, unless the reason is mpi_error: then messages of the failed operation may still be under
  /// way, and nothing more is measured with these communicators (left_out). Cost: O(log P) messages of
  /// bounded size per visit. Returns true if it was stopped by StopRequest (the same on all ranks).
  bool measure(const Team& team, std::span<const Task> tasks, const Sink& sink, const Keep& keep = {});

  /// State after the last measure(), the same on all ranks: whether an MPI error has ended it, and the tasks
  /// that were not finished because of it.
  [[nodiscard]] bool spoilt() const;
  [[nodiscard]] std::span<const std::size_t> left_out() const;

  /// Number of the task that is being measured, -1 for none. On any rank and from any thread.
  [[nodiscard]] std::int64_t in_flight() const;

  /// Asks the StopRequest, for operations that take longer than anybody should wait. On rank 0 of the active
  /// communicator; false without a StopRequest.
  [[nodiscard]] bool stop_requested() const;

  /// Account of this rank, over all blocks so far. Local.
  [[nodiscard]] EngineAccount account() const;
  /// Notices since the last call; on rank 0 of the blocks' active communicators. Local.
  [[nodiscard]] std::vector<EngineNotice> take_notices();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Spins the processors up (at most 0.2 s), calibrates on all ranks of the communicator at once and merges to
/// the maxima (cost_min_s: minimum; counter_hz: of this rank). What MPI_Wtime claims as its tick, only MPI tells:
/// `source` is then wtime_name. Collective.
[[nodiscard]] ClockQuality calibrate(const Timer& timer, const std::string& source,
                                     const mpi::Communicator& comm);

/// Measures the noise record (detours, fixed work, crowding, waiting time) for `seconds`. On rank 0 a JSON
/// object with the members of docs/methodology.md, "Noise", null elsewhere. Collective.
[[nodiscard]] record::Document noise(const Timer& timer, const mpi::Communicator& comm, double seconds);

/// Memory of MPI_Alloc_mem: a library may register it with the network when it is made. Taking it throws mpi::Error.
[[nodiscard]] RawMemory mpi_memory();

}  // namespace steelyard::measure
