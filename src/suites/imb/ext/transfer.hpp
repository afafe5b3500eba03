// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <concepts>
#include <memory>
#include <string>

#include "mpi/handle.hpp"
#include "suites/imb/point.hpp"
#include "suites/imb/workloads.hpp"

namespace steelyard::imb {

/// Memory of every rank of a group that the others of the group reach through a window.
class Exposure {
 public:
  /// Makes the window over all slots of the area, with the user's hints, and begins an access epoch with a
  /// fence (IMB 3.1 User's Guide, 5.2.3.1). Collective. Throws mpi::Error.
  Exposure(const Point& point, const Area& area);

  [[nodiscard]] MPI_Win get() const noexcept { return window_.get(); }
  /// Completes all transfers of the epoch and begins the next one; returns an error code. Collective.
  int fence() const noexcept { return mpi::noted(MPI_Win_fence(0, window_.get()), "MPI_Win_fence"); }

 private:
  mpi::WindowHandle window_;
};

/// Advice for an MPI library that cannot make or use a window, to stand behind the reason of a failure;
/// empty if none is known.
[[nodiscard]] std::string window_advice();

/// The user's hints for windows; the null handle if there are none.
[[nodiscard]] mpi::InfoHandle window_hints(const Settings& settings);

/// Sections of repetition after repetition on both sides of a transfer: an address of one's own memory and a
/// displacement in the memory of the other, which is laid out alike.
class Sections {
 public:
  Sections(const Area& own, const Area& exposed)
      : own_(own.cursor()), exposed_(exposed.cursor()), base_(exposed.base) {}
  [[nodiscard]] std::byte* next_own() noexcept { return own_.next(); }
  [[nodiscard]] MPI_Aint next_displacement() noexcept { return exposed_.next() - base_; }
  void seek(std::uint64_t i) noexcept {
    own_.seek(i);
    exposed_.seek(i);
  }

 private:
  measure::SlotCursor own_, exposed_;
  std::byte* base_;
};

// Completion of one-sided transfers: after each of them, or after all of a sample.

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

// Completion and checks of the transfers of IMB-EXT.

/// Transfer through a window. Called with its index it starts; a fence completes it. Made from a point, one
/// side of which it exposes to the others: exposed(point). arrival(bytes): what is there after so many bytes.
template <class T>
concept Transfer = measure::SeekableOperation<T> && std::constructible_from<T, const Point&> &&
    requires(T transfer, const T constant, MPI_Win window, const Point& point, std::int64_t bytes) {
  transfer.reach_through(window);
  { constant.arrival(bytes) } -> std::same_as<Arrival>;
  { T::exposed(point) } -> std::same_as<const Area&>;
};

/// Number of transfers of the check that lie in one epoch, and the memory that they use.
struct CheckedEpoch {
  CheckedSides sides;
  std::uint64_t transfers = 1;
};
/// Epoch of a check of `transfers`: where the sections of an aggregate touch each other they are one message
/// of at most `transfers` sections; otherwise an epoch has one transfer.
[[nodiscard]] CheckedEpoch checked_epoch(const Point& point, std::uint64_t transfers);

/// Transfer of one rank, its window and its check.
template <Transfer T>
class OneSided {
 public:
  // The window comes last: a rank that fails before it must not wait for the others to free it.
  explicit OneSided(const Point& point)
      : point_(point), transfer_(point), exposure_(point, T::exposed(point)) {
    transfer_.reach_through(exposure_.get());
  }

  int start(std::uint64_t i) noexcept { return transfer_(i); }
  int complete() noexcept { return exposure_.fence(); }
  void seek(std::uint64_t i) noexcept { transfer_.seek(i); }

  /// Checks outside the timed region; see measure::Workload::verify.
  measure::CheckResult verify(std::uint64_t repetitions) {
    const auto epoch = checked_epoch(point_, repetitions);
    const std::int64_t bytes = static_cast<std::int64_t>(epoch.transfers) * point_.size.count();
    SubjectOf subject([&](std::uint64_t i) { return run_epoch(i, epoch.transfers); },
                      [&](std::uint64_t) { return transfer_.arrival(bytes); });
    return Checker(epoch.sides, point_.rank, point_.processes)
        .check(std::max<std::uint64_t>(repetitions / epoch.transfers, 1), subject);
  }

 private:
  // The first fence lets nobody write before everybody has prepared its memory.
  int run_epoch(std::uint64_t i, std::uint64_t transfers) noexcept {
    int error = 0;
    measure::keep_first(error, exposure_.fence());
    transfer_.seek(transfers > 1 ? 0 : i);
    for (std::uint64_t t = 0; t < transfers; ++t) measure::keep_first(error, transfer_(t));
    measure::keep_first(error, exposure_.fence());
    return error;
  }

  Point point_;
  T transfer_;
  Exposure exposure_;
};

/// Transfers of which each stands between two fences, as later releases have it.
template <Transfer T>
class FencedEach {
 public:
  explicit FencedEach(const Point& point) : side_(point) {}
  int operator()(std::uint64_t i) noexcept {
    int error = 0;
    measure::keep_first(error, side_.complete());
    measure::keep_first(error, side_.start(i));
    measure::keep_first(error, side_.complete());
    return error;
  }
  void seek(std::uint64_t i) noexcept { side_.seek(i); }
  std::optional<measure::CheckResult> verify(std::uint64_t repetitions) { return side_.verify(repetitions); }

 private:
  OneSided<T> side_;
};

/// Transfers that are complete together, with an opening fence inside the clock, where the
/// later rules have one.
template <Transfer T>
class OpenedByFence final : public measure::Workload {
 public:
  explicit OpenedByFence(const Point& point) : loop_(CompletedTogether<OneSided<T>>(point)) {}
  int run(std::uint64_t first, std::uint64_t count) noexcept override {
    int error = loop_.complete();
    measure::keep_first(error, loop_.run(first, count));
    return error;
  }
  int complete() noexcept override { return loop_.complete(); }
  std::optional<measure::CheckResult> verify(std::uint64_t repetitions) override {
    return loop_.verify(repetitions);
  }

 private:
  measure::Loop<CompletedTogether<OneSided<T>>> loop_;
};

/// Workload of this transfer in the point's mode.
template <Transfer T>
[[nodiscard]] std::unique_ptr<measure::Workload> transfers(const Point& point) {
  return completed<OneSided<T>>(point);
}

}  // namespace steelyard::imb
