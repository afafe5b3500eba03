// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <thread>
#include <type_traits>
#include <vector>

#include "machine/processors.hpp"
#include "mpi/communicator.hpp"

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

}  // namespace steelyard::imb
