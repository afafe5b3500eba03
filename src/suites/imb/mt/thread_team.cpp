// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/mt/thread_team.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "machine/environment.hpp"

namespace steelyard::imb {
namespace {

// Number of processes on whose list each processor of the node stands.
std::vector<int> processes_on(const mpi::Communicator& node, const std::vector<int>& processors) {
  const auto own_last = processors.empty() ? 0 : processors.back();
  std::vector<int> taken(static_cast<std::size_t>(node.max(std::int64_t{own_last})) + 1);
  for (const int processor : processors) taken[static_cast<std::size_t>(processor)] = 1;
  mpi::check(
      MPI_Allreduce(MPI_IN_PLACE, taken.data(), static_cast<int>(taken.size()), MPI_INT, MPI_SUM, node.get()),
      "MPI_Allreduce");
  return taken;
}

std::vector<int> cores_of_threads(const mpi::Communicator& node, int threads) {
  const auto [processors, cores] = machine::affinity();
  const auto taken = processes_on(node, processors);
  std::vector<int> own;
  std::ranges::set_intersection(cores, processors, std::back_inserter(own));
  const bool shared = std::ranges::any_of(taken, [](int processes) { return processes > 1; });
  const bool enough = static_cast<int>(own.size()) >= threads;
  if (!node.all(enough && !shared)) return {};
  own.resize(static_cast<std::size_t>(threads));
  return own;
}

}  // namespace

ThreadPlaces thread_places(const mpi::Communicator& processes, int threads) {
  if (processes.max(std::int64_t{threads}) == 1) return {};
  const auto node = processes.split_shared();
  ThreadPlaces places{node.any(node.sum(std::int64_t{threads}) > machine::usable_cores()),
                      cores_of_threads(node, threads)};
  // Cores of their own are as many as there are threads, however few one process may use.
  if (!places.processors.empty()) places.crowded = false;
  return places;
}

// Spins for about as long as a short row takes, then lets others run: between two rows the processor belongs
// to the main thread, which prepares the next one.
template <class Condition>
void ThreadTeam::wait_until(Condition done) const noexcept {
  constexpr int spins = 20000;
  for (int i = 0; !crowded_ && i < spins; ++i)
    if (done()) return;
  while (!done()) std::this_thread::yield();
}

ThreadTeam::ThreadTeam(int threads, bool crowded, const std::vector<int>& processors)
    : threads_(threads), crowded_(crowded) {
  if (auto callers = machine::processors_of_thread()) {
    callers_ = std::move(*callers);
    for (const int processor : processors) places_.push_back({processor});
  }
  bind(0);
  try {
    for (int t = 1; t < threads; ++t) workers_.emplace_back([this, t] { work(t); });
  } catch (...) {
    end();
    throw;
  }
}

ThreadTeam::~ThreadTeam() {
  end();
}

void ThreadTeam::end() noexcept {
  ends_ = true;
  calls_.fetch_add(1, std::memory_order_release);
  calls_.notify_all();
  for (auto& worker : workers_) worker.join();
  if (bound()) static_cast<void>(machine::keep_thread_to(callers_));
}

void ThreadTeam::start(Call call, void* body) noexcept {
  call_ = call;
  body_ = body;
  working_.store(threads_ - 1, std::memory_order_relaxed);
  calls_.fetch_add(1, std::memory_order_release);
  calls_.notify_all();
}

void ThreadTeam::finish() noexcept {
  wait_until([this] { return working_.load(std::memory_order_acquire) == 0; });
}

// A system that refuses leaves the thread where it is.
void ThreadTeam::bind(int t) const noexcept {
  if (bound()) static_cast<void>(machine::keep_thread_to(places_[static_cast<std::size_t>(t)]));
}

void ThreadTeam::work(int t) noexcept {
  bind(t);
  for (std::uint64_t seen = 0;; ++seen) {
    constexpr int looks = 20000;
    for (int i = 0; !crowded_ && i < looks && calls_.load(std::memory_order_acquire) == seen; ++i) {
    }
    calls_.wait(seen, std::memory_order_acquire);
    if (ends_) return;
    call_(body_, t);
    working_.fetch_sub(1, std::memory_order_release);
  }
}

void ThreadTeam::meet() noexcept {
  if (threads_ == 1) return;
  const auto meeting = meetings_.load(std::memory_order_relaxed);
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) == threads_ - 1) {
    arrived_.store(0, std::memory_order_relaxed);
    meetings_.store(meeting + 1, std::memory_order_release);
    return;
  }
  wait_until([&] { return meetings_.load(std::memory_order_acquire) != meeting; });
}

}  // namespace steelyard::imb
