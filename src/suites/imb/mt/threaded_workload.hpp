// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <thread>
#include <type_traits>
#include <vector>

#include "machine/processors.hpp"
#include "measure/clock.hpp"
#include "measure/workload.hpp"
#include "mpi/communicator.hpp"
#include "suites/imb/point.hpp"

namespace steelyard::imb {

/// Places where the threads of this process run.
struct ThreadPlaces {
  bool crowded = false;         // more threads on the node than processors: those that wait let others run
  std::vector<int> processors;  // one for each thread; empty: where the system puts them
};

/// Places of threads: a core for each of so many, if the launcher has bound the processes of the node to
/// processors of their own with as many cores as there are threads; else none, because two processes would
/// take the same. Collective over `processes`, whose threads may differ in number; throws mpi::Error.
[[nodiscard]] ThreadPlaces thread_places(const mpi::Communicator& processes, int threads);

/// Threads of a process that do the same at the same time. They stay between calls, so that a call costs a
/// look at a shared word where every thread has a processor. The caller is thread 0.
class ThreadTeam {
 public:
  /// `crowded`: more threads than processors; a thread that waits then gives its processor away. Thread t
  /// keeps to the t-th of `processors`, the caller until the team ends; empty: threads are where the system
  /// puts them. Throws std::system_error.
  ThreadTeam(int threads, bool crowded, const std::vector<int>& processors = {});
  ThreadTeam(int threads, const ThreadPlaces& places)
      : ThreadTeam(threads, places.crowded, places.processors) {}
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;
  ~ThreadTeam();

  [[nodiscard]] int size() const { return threads_; }
  [[nodiscard]] bool bound() const { return !places_.empty(); }

  /// Runs body(t) on every thread; returns when all have ended. The body must not throw.
  template <class Body>
  void run(Body&& body) noexcept {
    using Held = std::remove_reference_t<Body>;
    if (threads_ == 1) return body(0);
    start([](void* held, int t) { (*static_cast<Held*>(held))(t); }, std::addressof(body));
    body(0);
    finish();
  }

  /// Runs body(t), which may throw; when all have ended the exception of the first thread that has thrown goes on.
  template <class Body>
  void run_throwing(Body&& body) {
    std::vector<std::exception_ptr> failed(static_cast<std::size_t>(threads_));
    run([&](int t) {
      try {
        body(t);
      } catch (...) {
        failed[static_cast<std::size_t>(t)] = std::current_exception();
      }
    });
    for (const auto& exception : failed)
      if (exception) std::rethrow_exception(exception);
  }

  /// Waits, inside a body, until all threads have come.
  void meet() noexcept;

 private:
  using Call = void (*)(void* body, int t);

  void start(Call call, void* body) noexcept;
  void finish() noexcept;
  void work(int t) noexcept;
  void end() noexcept;
  template <class Condition>
  void wait_until(Condition done) const noexcept;

  void bind(int t) const noexcept;

  int threads_;
  bool crowded_;
  std::vector<machine::ProcessorSet> places_;  // of the threads
  machine::ProcessorSet callers_;              // before it was bound
  Call call_ = nullptr;
  void* body_ = nullptr;
  bool ends_ = false;
  std::atomic<std::uint64_t> calls_{0};
  std::atomic<int> working_{0};
  std::atomic<int> arrived_{0};
  std::atomic<std::uint64_t> meetings_{0};
  std::vector<std::thread> workers_;
};

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
