// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "measure/clock.hpp"
#include "measure/workload.hpp"
#include "suites/imb/mt/thread_team.hpp"
#include "suites/imb/point.hpp"

namespace steelyard::imb {

/// Seconds of every thread over all operations that count for the result.
struct ThreadTimes {
  std::vector<double> seconds;  // one for each thread; empty where none takes part
  std::uint64_t operations = 0;
};

/// Times at which threads read their clocks: around all operations of a run, or around each, where all
/// threads of all processes may meet five times in between.
struct ThreadClocks {
  bool each = false;
  measure::Synchroniser* gap =
      nullptr;  // brings processes together, called by one thread of each; nullptr: nobody meets
};

/// Workload of the same operation on every thread of this process, each of which reads its own clock.
class ThreadedWorkload final : public measure::Workload {
 public:
  /// `by_thread`: nullptr on all threads if this rank takes no part. `times` is added to when a visit has ended,
  /// not by trials, which only estimate.
  ThreadedWorkload(ThreadTeam& team, std::vector<std::unique_ptr<measure::Workload>> by_thread,
                   const ThreadClocks& clocks, bool checks_at_once, ThreadTimes& times);

  int run(std::uint64_t first, std::uint64_t count) noexcept override;
  int lead_in(std::uint64_t count) noexcept override;
  void begin_counting(std::size_t runs) override;
  [[nodiscard]] std::span<const double> counted_s() override;
  void timed(std::uint64_t count, double seconds) noexcept override;
  std::optional<measure::CheckResult> verify(std::uint64_t repetitions) override;

 private:
  struct alignas(128) Thread {
    std::unique_ptr<measure::Workload> workload;
    double seconds = 0;    // of the last run
    double counted_s = 0;  // since the last lead_in(), while the engine counted
    int error = 0;
  };
  void run_thread(int t, std::uint64_t first, std::uint64_t count) noexcept;
  int meet_five_times(int t) noexcept;
  [[nodiscard]] bool takes_part() const { return threads_.front().workload != nullptr; }

  ThreadTeam* team_;
  std::vector<Thread> threads_;
  ThreadClocks clocks_;
  bool checks_at_once_;
  ThreadTimes* times_;
  bool counting_ = false;
  std::vector<double> runs_s_;  // slowest thread of each
};

/// Workload that one thread of a process repeats in a benchmark of IMB-MT, on the communicator and the
/// buffers of the point; nullptr for a rank that takes no part. BarrierMT meets the threads of `team`.
/// Throws mpi::Error.
[[nodiscard]] std::unique_ptr<measure::Workload> open_thread(const Point& point, ThreadTeam& team);

}  // namespace steelyard::imb
