// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "measure/clock.hpp"
#include "measure/engine.hpp"
#include "mpi/communicator.hpp"

/// Synchronisation between the operations of timing mode `each`. Source: docs/methodology.md, "Synchronisation".
namespace steelyard::measure {

/// Makes a barrier of this kind over a communicator, which outlives it.
[[nodiscard]] std::unique_ptr<Synchroniser> make_barrier(Meeting kind, MPI_Comm comm);

/// Makes the synchroniser of a mode over one group. Collective over the group for the window mode, which then
/// synchronises the clocks first. Lives no longer than the communicator and the timer.
[[nodiscard]] std::unique_ptr<Synchroniser> make_synchroniser(Sync mode, const mpi::Communicator& group,
                                                              Timer& timer);

/// Estimate of the time that the mode takes before each operation, the clock's readings included: the median
/// of a few tries on the slowest rank of the group. For the window mode it is estimated from its barrier and
/// broadcast; no clocks are synchronised. Collective over the group. Throws mpi::Error.
[[nodiscard]] double synchronisation_time(Sync mode, const mpi::Communicator& group, Timer& timer);

/// Synchroniser by agreed start times: barrier, rank 0 broadcasts now + slack, every rank waits for that
/// moment of the common clock.
class WindowSynchroniser final : public Synchroniser {
 public:
  /// Collective: measures the slack, 3 times the slowest rank's median broadcast after a barrier.
  WindowSynchroniser(const mpi::Communicator& group, Timer& timer, ClockModel model);
  int synchronise() noexcept override;
  std::int64_t take_late() noexcept override;
  /// Makes room for the marks of so many operations; forgets the old ones. Without room none are kept.
  void expect(std::size_t operations);
  /// 1 for each operation since expect() whose agreed start had passed on this rank, else 0.
  [[nodiscard]] std::span<const double> marks() const { return marks_; }
  /// This rank's clock on that of rank 0, in seconds.
  [[nodiscard]] double global(double local_s) const noexcept { return model_.global(local_s); }
  [[nodiscard]] const ClockModel& model() const { return model_; }
  /// Raises the slack by half; called after a visit in which more than 5 % of the operations were late.
  void widen() { slack_s_ *= 1.5; }
  [[nodiscard]] double slack_s() const { return slack_s_; }

 private:
  [[nodiscard]] double global_now() const noexcept { return model_.global(timer_->seconds(timer_->now())); }

  MPI_Comm comm_;
  bool root_;
  Timer* timer_;
  ClockModel model_;
  double slack_s_ = 0;
  std::int64_t late_ = 0;
  std::vector<double> marks_;
};

/// Errors of models against the reference clock: over at most 16 ranks, the same on all.
struct ClockErrors {
  double max_s = 0;
  double median_s = 0;
};

/// Checks the best of 100 exchanges of each checked rank with rank 0 against its model. Collective over the
/// group. Throws mpi::Error.
[[nodiscard]] ClockErrors check_clocks(const mpi::Communicator& group, Timer& timer, const ClockModel& model);

struct ClockAgreement {
  ClockModel model;        // of this rank
  double error_max_s = 0;  // over the checked ranks, the same on all ranks
  double error_median_s = 0;
  double spent_s = 0;
  bool shared_clock = false;  // every node's ranks read one clock
};

/// Synchronises clocks by an HCA3-like tree over node leaders; nothing is estimated within a node whose ranks
/// read the same clock. Collective over the group; O(log P) rounds of about 0.3 s, none on a single node with
/// one clock. Throws mpi::Error.
[[nodiscard]] ClockAgreement synchronise_clocks(const mpi::Communicator& group, Timer& timer);

/// Makes a series of exchanges between two ranks, the building block of the tree; collective over the two.
/// The client returns the one with the shortest round trip out of `tries`, or of fewer where they would take
/// longer than 20 ms.
[[nodiscard]] Exchange ask_clock(const mpi::Communicator& comm, int reference, Timer& timer, int tries);
/// Answers one series, as the reference, with its own model of the common clock.
void answer_clock(const mpi::Communicator& comm, int client, Timer& timer, const ClockModel& model);

/// Times of single operations on the clock that a group has in common: from the first start on any rank to
/// the last end. Source: docs/methodology.md, "Timing modes and synchronisation".
class GlobalTimes {
 public:
  explicit GlobalTimes(const mpi::Communicator& group) : group_(&group) {}

  /// Merges the times of the operations that the window has just separated; all spans have one element per
  /// operation. On the group's rank 0 `seconds` gets the times, elsewhere zeros. Returns there how many
  /// operations were late on any rank, elsewhere 0. Collective over the group: one reduction. Throws mpi::Error.
  [[nodiscard]] std::int64_t merge(const WindowSynchroniser& window, const Timer& timer,
                                   std::span<const Ticks> begin, std::span<const Ticks> end,
                                   std::span<double> seconds);

 private:
  const mpi::Communicator* group_;
  std::vector<double> own_, merged_;
};

}  // namespace steelyard::measure
