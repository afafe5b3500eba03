// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "measure/clock.hpp"
#include "measure/schedule.hpp"
#include "measure/workload.hpp"
#include "record/records.hpp"

/// Input of the engine: points, how they are timed and merged, and options for all of them; and its results.
namespace steelyard::measure {

enum class Timing { whole, batch, each };
enum class Sync { none, barrier, barrier2, dissemination, window };
/// Merging of times over ranks. max: slowest rank of each batch, with windows from the first start to the
/// last end on the common clock (recorded as "global"); one: only ranks that own the result read (rank 0 of a
/// group's PingPong).
enum class OverRanks { max, one };
/// Operation that brings the processes of a group together twice before the clock starts: MPI_Barrier, or our
/// own dissemination barrier (IMB's -imb_barrier), or none.
enum class Meeting { mpi, dissemination, none };

/// Traits of one point: how it is timed and merged. The same on all ranks, but for owns_result.
struct Traits {
  Timing timing = Timing::batch;
  Sync sync = Sync::none;
  Meeting meeting = Meeting::mpi;
  int meetings = 2;  // so often, one after the other
  OverRanks over_ranks = OverRanks::max;
  bool owns_result = true;  // of this rank; used with OverRanks::one
  double time_divisor = 1;  // reported time = measured / divisor (PingPong: 2)
  /// The warm-up stands between the barrier and the clock, not before the barrier: processes leave a barrier
  /// one after the other, and its operations bring them together. Not with Timing::each.
  bool warm_up_meets = false;
  /// Warm-up and timed operations both begin with operation 0: what an operation does follows from its number.
  bool counts_anew = false;
  bool by_host = false;  // classic values also of every host
  bool rooted = false;   // root moves: trials and batches cover whole rounds of roots where they can
};

inline constexpr std::uint64_t all_single_times = static_cast<std::uint64_t>(-1);

/// One point of a block for the engine.
struct Task {
  Traits traits;
  const Schedule* schedule = nullptr;
  std::int64_t bytes = 0;  // for EarlierPoint
  /// Makes the workload on this rank for placement p (counts visits); may throw. Outside timed regions.
  std::function<std::unique_ptr<Workload>(int placement)> open;
  std::uint64_t verify_repetitions = 0;  // 0 = no checking pass
  /// Numbers that this rank has gathered beside the engine's times, as many on every rank: asked for once,
  /// when the point ends. May be empty.
  std::function<std::vector<double>()> figures = {};
  /// Number of first timed operations whose times are kept (-show_tail, -dumpfile); 0 = none. The clock is
  /// then read after every operation of the timed loop.
  std::uint64_t single_times = 0;
  /// Buffer places that `open` can offer, taken in turn: each for a visit, then each for `visits_at_a_place`
  /// of them. The workload stays open while the placement does not change. 1 is recorded (flag one_placement).
  int placements = 1;
  int visits_at_a_place = 1;  // more where opening costs more than a visit; classic schedules have one
  bool opens_anew = false;    // for every visit, because what `open` does belongs to it
  /// Number of classic passes over the block for this task; 0 = as EngineOptions says. b_eff: its repetitions.
  int passes = 0;
  /// Name of the call in the reason of an error of run(); the workload knows only the code.
  std::string operation = "MPI operation";
  /// Value of Engine::in_flight() while the task is measured.
  std::int64_t number = 0;
};

enum class SamplesKept { none, thin, all };

struct EngineOptions {
  std::uint64_t seed = 1;
  SamplesKept samples = SamplesKept::thin;
  bool probe_states = true;  // off under oversubscription and for classic front-ends
  ClockFigures clock;        // maxima over ranks
  double back_to_back_s = 25e-9;
  int classic_passes = 1;  // --rounds with a classic rule: the whole pass is repeated, median of the values
  std::uint64_t min_batches = 8;  // an interrupted interleaved point with fewer is dropped
  int min_visits = 6;             // an interleaved point that ends by budget with fewer is partial
  double keep_every_s = 1;        // between two calls of Keep, and at least 50 times what one costs
  /// Called on the rank on which a call of the engine itself has failed, while the others wait for it: giving
  /// back windows and the like would wait for them. Should not come back.
  std::function<void(const std::exception&)> when_lost;
  /// Called on rank 0 of the active communicator with Task::number before anything of a point is done,
  /// because the point may never end. Once in each pass. May be empty.
  std::function<void(std::int64_t number)> begins;
  /// Called on every rank each time that all of them have come, by way of rank 0, to the next decision. May
  /// be empty.
  std::function<void()> met;
  /// Called on every rank when an MPI error has ended a point, before anything of the point is given back. May
  /// be empty.
  std::function<void()> spoilt;
};

// Results of the engine.

/// IMB's statistics over ranks, of each rank's mean over everything timed.
struct RankSpread {
  double min_s = 0, max_s = 0, mean_s = 0;
  int slowest_rank = 0;       // in the active communicator
  double mean_rate_op_s = 0;  // mean over ranks of 1 / time; of a single pass
};

/// Mean rate of the ranks of a host.
struct HostRate {
  int rank = 0;  // its first, in the active communicator
  double rate_op_s = 0;
};

/// One repetition of a classic rule at one point. Not divided by time_divisor.
struct PassValues {
  int pass = 1;
  std::uint64_t ops = 0;
  RankSpread ranks;
  std::vector<HostRate> hosts = {};  // if the task asks for them and there are several
};

/// Result of one point, on rank 0 of the active communicator (others get an empty one).
struct Outcome {
  record::Status status = record::Status::ok;
  std::optional<record::Reason> reason;
  record::Schedule schedule;
  record::Statistics time;           // seconds per operation, divided by time_divisor; of the dominant state
  RankSpread classic;                // over all groups, divided
  std::vector<RankSpread> by_group;  // one per group
  std::vector<PassValues> passes;    // of a classic schedule: one per pass that measured the point
  std::vector<record::State> states;
  std::optional<record::Check> check;
  std::vector<double> single_times_s;  // of this rank, in the order of time, divided
  /// Figures of all ranks of the active communicator, one after the other, if the task has figures.
  std::vector<double> figures;
  std::optional<double> disturbed_share, preempted_s, late_share;
  /// Median before the correction for the clock, if the flag clock_corrected is set; divided.
  std::optional<double> uncorrected_median_s;
  std::vector<std::string> flags;
  /// Seconds spent on this point: timed, warm-up, everything else (trials, synchronisation, reduction, verification).
  double timed_s = 0, warmup_s = 0, overhead_s = 0;
};

/// Classic values of one pass, on rank 0 of the active communicator.
struct ClassicValues {
  RankSpread all;
  std::vector<RankSpread> by_group;
  std::vector<HostRate> hosts = {};  // of a single pass
};
/// Called on rank 0 of the active communicator when a point is finished, in the order in which points finish
/// (classic schedules), or in plan order as soon as those before it are (interleaved ones).
using Sink = std::function<void(std::size_t task, Outcome outcome)>;

/// Results so far of points measured in rounds that were not handed over yet, finished or not (status
/// partial), in plan order. Called with them on rank 0 of the active communicator now and then, because a
/// process may be killed before they are finished.
struct SoFar {
  std::size_t task = 0;
  Outcome outcome;
};
using Keep = std::function<void(std::vector<SoFar>)>;

/// Asked on rank 0 of the active communicator between batches; true = stop in order.
using StopRequest = std::function<bool()>;

}  // namespace steelyard::measure
