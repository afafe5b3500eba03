// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "campaign/node_events.hpp"
#include "machine/node_counters.hpp"
#include "machine/pages.hpp"
#include "measure/clock.hpp"
#include "measure/counter.hpp"
#include "measure/engine.hpp"
#include "mpi/communicator.hpp"
#include "record/records.hpp"

namespace steelyard::campaign {

/// A reading of a session's clock, and of the system's that never steps, at the same moment.
struct ClockStart {
  measure::Ticks clock = 0;
  std::chrono::steady_clock::time_point system = {};
};

/// Clock of a session, the same kind on every rank, and the result of its calibration (maxima over ranks).
struct Instruments {
  std::unique_ptr<measure::Timer> timer;
  measure::ClockQuality quality;
  record::Document clock;                                // member of the run record; on rank 0
  std::vector<record::EventRecord> events;               // on rank 0
  std::optional<measure::CounterPair> counter_at_start;  // if the processor's counter is the clock
  std::optional<ClockStart> start;                       // when the instruments were made
  [[nodiscard]] measure::ClockFigures figures() const { return {quality.cost_s, quality.resolution_s}; }
};

/// Judgement of the processor's counter over the whole session against its calibration: an event on rank 0, a warning
/// if any rank's rates differ by more than 20 ppm; nullopt with another clock or after less than 0.1 s. Collective.
[[nodiscard]] std::optional<record::EventRecord> judge_counter(const mpi::Communicator& world,
                                                               const Instruments& instruments);

/// What the clock did over the whole session that it did not at its start: an event on rank 0, a warning, if on any
/// rank it is behind the system's clock by more than the rates of two clocks differ, or two readings run backwards
/// now; nullopt if it did neither. Collective; about a millisecond.
[[nodiscard]] std::optional<record::EventRecord> judge_steps(const mpi::Communicator& world,
                                                             const Instruments& instruments);

/// Makes the instruments of a session. Collective; at most about 100 ms.
[[nodiscard]] Instruments make_instruments(const mpi::Communicator& world, measure::ClockKind wanted);

/// A wait for other work to end; the same on all ranks.
struct QuietWait {
  double seconds = 0;
  bool stopped = false;
};

/// Waits until no node has busy neighbours, at most limit_s, or until `stop`, which is asked on rank 0; the other ranks
/// of a node sleep meanwhile. Collective.
[[nodiscard]] QuietWait wait_until_quiet(const mpi::Communicator& world, double limit_s,
                                         const std::function<bool()>& stop);

/// Counters of the kernel of every node, from its making until it is asked. One rank of each node reads.
class NodeWatch {
 public:
  /// Collective. Throws mpi::Error.
  explicit NodeWatch(const mpi::Communicator& world, const machine::Roots& roots = {});

  /// What the nodes counted since, the same on all ranks; without visits, which the engine counts. Collective over
  /// the same ranks. Throws mpi::Error.
  [[nodiscard]] Disturbances met(const mpi::Communicator& world, const machine::Roots& roots = {}) const;

 private:
  std::optional<machine::NodeCounters> begin_;  // on the rank that reads
  std::vector<int> processors_;                 // that ranks of the node may use
};

/// Where the buffers of this process lie while it measures: a process that is bound to a NUMA domain expects them there.
class PageWatch {
 public:
  explicit PageWatch(const machine::Roots& roots = {});

  /// Looks at the memory that is in use now, unless looking has taken more than a part of the time so far. Does not
  /// communicate.
  void look(double elapsed_s);
  /// Adds what all processes saw. Collective. Throws mpi::Error.
  void tell(const mpi::Communicator& world, Disturbances& met) const;

 private:
  machine::Roots roots_;
  std::optional<int> domain_;
  double spent_s_ = 0, share_ = 0;  // of the memory that is elsewhere, at most
};

}  // namespace steelyard::campaign
