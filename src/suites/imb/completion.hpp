// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <memory>

#include "suites/imb/workloads.hpp"

/// Completion of one-sided transfers: after each of them, or after all of a sample.
namespace steelyard::imb {

/// One rank's side of a transfer: start(i) starts transfer i, complete() waits for all that were started,
/// seek(i) goes to transfer i, verify(n) checks n transfers outside the timed region. Made from a point, on
/// all ranks of the group.
template <class S>
concept TransferSide = std::constructible_from<S, const Point&> && requires(S side, std::uint64_t i) {
  { side.start(i) }
  noexcept->std::same_as<int>;
  { side.complete() }
  noexcept->std::same_as<int>;
  { side.seek(i) }
  noexcept;
  { side.verify(i) } -> std::same_as<measure::CheckResult>;
};

/// Transfers of which each is complete before the next one starts.
template <TransferSide S>
class CompletedEach {
 public:
  explicit CompletedEach(const Point& point) : side_(point) {}
  int operator()(std::uint64_t i) noexcept {
    int error = 0;
    measure::keep_first(error, side_.start(i));
    measure::keep_first(error, side_.complete());
    return error;
  }
  void seek(std::uint64_t i) noexcept { side_.seek(i); }
  std::optional<measure::CheckResult> verify(std::uint64_t repetitions) { return side_.verify(repetitions); }

 private:
  S side_;
};

/// Transfers that are complete when the sample ends.
template <TransferSide S>
class CompletedTogether {
 public:
  explicit CompletedTogether(const Point& point) : side_(point) {}
  int operator()(std::uint64_t i) noexcept { return side_.start(i); }
  int complete() noexcept { return side_.complete(); }
  void seek(std::uint64_t i) noexcept { side_.seek(i); }
  std::optional<measure::CheckResult> verify(std::uint64_t repetitions) { return side_.verify(repetitions); }

 private:
  S side_;
};

/// Whole aggregate as one operation: as many transfers as the benchmark's rule says, then their completion.
template <TransferSide S>
class Bundle {
 public:
  explicit Bundle(const Point& point) : transfers_(point.bundle), side_(point) {}
  int operator()(std::uint64_t i) noexcept {
    int error = 0;
    for (std::uint64_t t = i * transfers_; t != (i + 1) * transfers_; ++t)
      measure::keep_first(error, side_.start(t));
    measure::keep_first(error, side_.complete());
    return error;
  }
  void seek(std::uint64_t i) noexcept { side_.seek(i * transfers_); }
  std::optional<measure::CheckResult> verify(std::uint64_t repetitions) { return side_.verify(repetitions); }

 private:
  std::uint64_t transfers_;
  S side_;
};

template <measure::Operation Op>
[[nodiscard]] std::unique_ptr<measure::Workload> loop_over(const Point& point) {
  return measure::make_workload<measure::Loop<Op>>(Op(point));
}

/// Workload of transfers that are completed together.
template <TransferSide S>
[[nodiscard]] std::unique_ptr<measure::Workload> together(const Point& point) {
  return point.bundle > 0 ? loop_over<Bundle<S>>(point) : loop_over<CompletedTogether<S>>(point);
}

/// Workload of this transfer in the point's mode.
template <TransferSide S>
[[nodiscard]] std::unique_ptr<measure::Workload> completed(const Point& point) {
  return point.mode == Mode::non_aggregate ? loop_over<CompletedEach<S>>(point) : together<S>(point);
}

}  // namespace steelyard::imb
