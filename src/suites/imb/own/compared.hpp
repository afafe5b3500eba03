// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "suites/imb/overlapped.hpp"
#include "suites/imb/workloads.hpp"

/// Benchmarks that are compared with others in the same row: those of suite mpi4 and of IMB-MPI4.
namespace steelyard::imb {

/// Workload of a benchmark and of what it is compared with, which runs as often before each sample and before
/// what the benchmark itself begins with. As before the benchmark, an operation that is not timed precedes.
class Compared final : public measure::Workload {
 public:
  /// `once(operations)`, which may be empty, runs behind the comparison, where figures of the point are still
  /// missing; error code as run().
  Compared(std::unique_ptr<measure::Workload> benchmark, std::unique_ptr<measure::Workload> other,
           const Point& point, std::function<int(std::uint64_t operations)> once = {})
      : benchmark_(std::move(benchmark)),
        other_(std::move(other)),
        before_(point),
        warms_up_(point.settings.warm_up),
        times_(point.own),
        once_(std::move(once)) {}

  int run(std::uint64_t first, std::uint64_t count) noexcept override {
    return benchmark_->run(first, count);
  }
  int complete() noexcept override { return benchmark_->complete(); }
  std::optional<measure::CheckResult> verify(std::uint64_t repetitions) override {
    return benchmark_->verify(repetitions);
  }

  int lead_in(std::uint64_t count) noexcept override {
    int error = MPI_SUCCESS;
    if (warms_up_) measure::keep_first(error, other_->run(0, 1));
    const double seconds = before_.seconds(
        0, count, error, [this](std::uint64_t first, std::uint64_t n) { return other_->run(first, n); });
    times_->add(count, {.other_s = seconds / static_cast<double>(count)});
    if (once_) measure::keep_first(error, once_(count));
    measure::keep_first(error, benchmark_->lead_in(count));
    return error;
  }
  void timed(std::uint64_t count, double seconds) noexcept override { times_->set_own(count, seconds); }

 private:
  std::unique_ptr<measure::Workload> benchmark_, other_;
  TimedBefore before_;
  bool warms_up_;
  OwnTimes* times_;
  std::function<int(std::uint64_t)> once_;
};

/// Persistent requests, `of_one` for each place, one place after the other; freed with this object.
class PersistentRequests {
 public:
  PersistentRequests(std::int64_t places, int of_one)
      : of_one_(of_one), requests_(static_cast<std::size_t>(places * of_one), MPI_REQUEST_NULL) {}
  PersistentRequests(PersistentRequests&& other) noexcept
      : of_one_(other.of_one_), at_(other.at_), requests_(std::exchange(other.requests_, {})) {}
  PersistentRequests& operator=(PersistentRequests&&) = delete;
  ~PersistentRequests() {
    for (auto& request : requests_)
      if (request != MPI_REQUEST_NULL && mpi::active()) MPI_Request_free(&request);
  }

  [[nodiscard]] MPI_Request* of_place(std::int64_t place) noexcept {
    return requests_.data() + place * of_one_;
  }
  /// Requests of one place after the other.
  [[nodiscard]] MPI_Request* next() noexcept {
    MPI_Request* const here = requests_.data() + at_;
    at_ += static_cast<std::size_t>(of_one_);
    if (at_ == requests_.size()) at_ = 0;
    return here;
  }
  void seek(std::uint64_t i) noexcept {
    const auto places = requests_.size() / static_cast<std::size_t>(of_one_);
    at_ = static_cast<std::size_t>(i % places) * static_cast<std::size_t>(of_one_);
  }

 private:
  int of_one_;
  std::size_t at_ = 0;
  std::vector<MPI_Request> requests_;
};

/// Point with as many slots on both sides as there are requests for: at most 64.
[[nodiscard]] inline Point with_request_slots(Point point) {
  constexpr std::int64_t most = 64;
  const auto slots = std::min({most, point.send.layout.slots.slots, point.receive.layout.slots.slots});
  point.send.layout.slots.slots = point.receive.layout.slots.slots = slots;
  return point;
}

/// Workloads of the benchmarks of suite mpi4 by name, a function for each kind: nullptr for others, and for
/// those that the MPI library has no functions for.
[[nodiscard]] std::unique_ptr<measure::Workload> open_requests(const Point& point);
[[nodiscard]] std::unique_ptr<measure::Workload> open_made_collective(const Point& point);
[[nodiscard]] std::unique_ptr<measure::Workload> open_partitioned(const Point& point);
[[nodiscard]] std::unique_ptr<measure::Workload> open_neighbours(const Point& point);

/// Reasons why functions of this family cannot be measured; empty if they can. Once MPI runs, each family is
/// tried with 8 byte when it is first asked for: messages in parts between neighbours in a ring of all processes of the
/// world (collective over it, ends after five seconds at the latest), neighbours by this process alone.
[[nodiscard]] std::string partitioned_obstacle();
[[nodiscard]] std::string persistent_neighbours_obstacle();

}  // namespace steelyard::imb
