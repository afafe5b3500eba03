// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <memory>
#include <optional>

#include "measure/synchronise.hpp"
#include "measure/workload.hpp"
#include "suites/imb/computation.hpp"
#include "suites/imb/point.hpp"
#include "suites/imb/schedule.hpp"

/// Operations that are started and waited for, alone and with a computation between. Source: the later
/// releases, IMB-NBC and IMB-MPI4.
namespace steelyard::imb {

/// Timer for what a row is compared with, before the row and in the way in which the row is timed: behind as
/// many barriers of the same kind, with one clock around all operations, or with a barrier before and a
/// clock around each.
class TimedBefore {
 public:
  explicit TimedBefore(const Point& point)
      : barrier_(measure::make_barrier(meeting(point.settings, point.definition), point.comm())),
        meetings_(point.settings.barriers),
        apart_(point.timed_apart) {}

  /// Seconds of operations first .. first + count - 1 that run(first, count) performs, without the barriers.
  /// The first error of a barrier or of run() is added to `error`.
  template <class Run>
  double seconds(std::uint64_t first, std::uint64_t count, int& error, Run run) noexcept {
    for (int i = 0; i < meetings_; ++i) measure::keep_first(error, barrier_->synchronise());
    if (!apart_) return clocked(first, count, error, run);
    double seconds = 0;
    for (std::uint64_t i = first; i != first + count; ++i) {
      measure::keep_first(error, barrier_->synchronise());
      seconds += clocked(i, 1, error, run);
    }
    return seconds;
  }

 private:
  template <class Run>
  static double clocked(std::uint64_t first, std::uint64_t count, int& error, Run& run) noexcept {
    const double start_s = steady_seconds();
    measure::keep_first(error, run(first, count));
    return steady_seconds() - start_s;
  }

  std::unique_ptr<measure::Synchroniser> barrier_;
  int meetings_;
  bool apart_;
};

/// Operation in two steps. `test` asks once whether it has ended.
template <class Op>
concept StartedOperation = requires(Op op, std::uint64_t i) {
  { op.start() }
  noexcept->std::same_as<int>;
  { op.wait() }
  noexcept->std::same_as<int>;
  { op.test() }
  noexcept->std::same_as<int>;
  { op.seek(i) }
  noexcept;
};

template <class Op>
concept Arriving = requires(const Op op, std::uint64_t i) {
  { op.arrival(i) } -> std::same_as<Arrival>;
};

/// Operation that is started and waited for.
template <StartedOperation Op>
class Alone {
 public:
  explicit Alone(Op op) : op_(std::move(op)) {}
  int operator()(std::uint64_t) noexcept {
    int error = MPI_SUCCESS;
    measure::keep_first(error, op_.start());
    measure::keep_first(error, op_.wait());
    return error;
  }
  void seek(std::uint64_t i) noexcept { op_.seek(i); }
  [[nodiscard]] Arrival arrival(std::uint64_t i) const requires Arriving<Op> { return op_.arrival(i); }

 protected:
  [[nodiscard]] Op& op() noexcept { return op_; }

 private:
  Op op_;
};

/// Operation with a computation: start, compute for as long as the operation takes alone, wait. Nothing
/// stands between start and wait but the computation, and as many tests as the user asks for: what overlaps
/// does so by the library's own means.
template <StartedOperation Op>
class Beside : public Alone<Op> {
 public:
  Beside(Op op, const Point& point)
      : Alone<Op>(std::move(op)),
        kernel_(&point.computation->kernel()),
        tests_(point.settings.progress_calls) {}

  /// Performs the operation; adds the time of the computation to `computing_s`.
  int operator()(double& computing_s) noexcept {
    int error = MPI_SUCCESS;
    measure::keep_first(error, this->op().start());
    computing_s -= steady_seconds();
    compute(error);
    computing_s += steady_seconds();
    measure::keep_first(error, this->op().wait());
    return error;
  }
  void set_products(std::uint64_t products) noexcept { products_ = products; }

 private:
  // Computes in pieces of equal length, with a test between each and the next.
  void compute(int& error) noexcept {
    std::uint64_t done = 0;
    for (std::uint64_t k = 1; k <= tests_; ++k) {
      const std::uint64_t until = products_ * k / (tests_ + 1);
      kernel_->multiply(until - done);
      done = until;
      measure::keep_first(error, this->op().test());
    }
    kernel_->multiply(products_ - done);
  }

  MatrixVector* kernel_;
  std::uint64_t tests_;
  std::uint64_t products_ = 1;
};

/// Workload of operations with a computation. Before each sample it performs as many operations alone, in the
/// same way; then the computation is made as long as one of them took, on each rank for itself.
template <StartedOperation Op>
class Overlapped final : public measure::Workload {
 public:
  Overlapped(Op op, const Point& point)
      : op_(std::move(op), point),
        checker_(point.checked_sides(), point.rank, point.processes),
        before_(point),
        computation_(point.computation),
        times_(point.overlap),
        counts_anew_(point.counts_anew) {}

  int run(std::uint64_t first, std::uint64_t count) noexcept override {
    if (first != next_) op_.seek(first);
    int error = MPI_SUCCESS;
    double computing_s = 0;
    const double start_s = steady_seconds();
    for (std::uint64_t i = 0; i < count; ++i) measure::keep_first(error, op_(computing_s));
    times_->add(count, steady_seconds() - start_s, computing_s);
    next_ = first + count;
    return error;
  }

  int lead_in(std::uint64_t count) noexcept override {
    const std::uint64_t first = counts_anew_ || next_ == unknown ? 0 : next_;
    op_.seek(first);
    next_ = unknown;
    int error = MPI_SUCCESS;
    const double seconds = before_.seconds(
        first, count, error, [this](std::uint64_t from, std::uint64_t n) { return together(from, n); });
    const double pure_s = seconds / static_cast<double>(count);
    auto& kernel = computation_->kernel();
    const auto block = rescale(kernel, computation_->block(), Seconds{pure_s}, steady_seconds);
    op_.set_products(block.products);
    times_->begin(count, pure_s, block.seconds, kernel.operations_of_one() / block.rate_flop_s);
    return error;
  }

  /// Checks `repetitions` operations alone, then as many beside the computation.
  std::optional<measure::CheckResult> verify(std::uint64_t repetitions) override {
    next_ = unknown;
    if constexpr (Arriving<Op>) {
      op_.seek(0);
      SubjectOf subject([&](std::uint64_t i) { return i < repetitions ? alone(i) : op_(unused_s_); },
                        [this](std::uint64_t i) { return op_.arrival(i); });
      return checker_.check(2 * repetitions, subject);
    } else {
      return std::nullopt;
    }
  }

 private:
  static constexpr std::uint64_t unknown = UINT64_MAX;

  int alone(std::uint64_t i) noexcept { return static_cast<Alone<Op>&>(op_)(i); }

  int together(std::uint64_t first, std::uint64_t count) noexcept {
    int error = MPI_SUCCESS;
    for (std::uint64_t i = first; i != first + count; ++i) measure::keep_first(error, alone(i));
    return error;
  }

  Beside<Op> op_;
  Checker checker_;
  TimedBefore before_;
  Computation* computation_;
  OverlapTimes* times_;
  bool counts_anew_;
  double unused_s_ = 0;
  std::uint64_t next_ = unknown;
};

/// Workload of the benchmark with a computation.
template <StartedOperation Op>
[[nodiscard]] std::unique_ptr<measure::Workload> overlapped(const Point& point) {
  return measure::make_workload<Overlapped<Op>>(Op(point), point);
}

/// Workload of the benchmark without a computation.
template <StartedOperation Op>
[[nodiscard]] std::unique_ptr<measure::Workload> alone(const Point& point) {
  if constexpr (Arriving<Op>)
    return workload(Alone<Op>(Op(point)), point);
  else
    return measure::make_workload<measure::Loop<Alone<Op>>>(Alone<Op>(Op(point)));
}

}  // namespace steelyard::imb
