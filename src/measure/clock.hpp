// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "measure/workload.hpp"

/// The clock and its calibration. Source of every rule: docs/methodology.md, "Clock".
namespace steelyard::measure {

using Ticks = std::int64_t;

enum class ClockKind { automatic, raw, mono, tsc, mpi };

/// Result of calibrate(); the rules use the maxima over ranks.
struct ClockQuality {
  std::string source;  // "clock_gettime(CLOCK_MONOTONIC_RAW)"
  double cost_s = 0;   // c: one read, median of group means
  double cost_min_s = 0;
  double resolution_s = 0;    // g: the step that was observed
  double back_to_back_s = 0;  // c0: median difference of two consecutive reads
  double detour_share = 0;    // share of differences > 1 us
  double detour_max_s = 0;
  double tick_claimed_s = 0;
  std::int64_t backwards = 0;
  double counter_hz = 0;  // tsc only
};

/// Synchronisation before each operation of timing mode `each`, outside the timed interval.
class Synchroniser {
 public:
  virtual ~Synchroniser() = default;
  /// Collective over the ranks of a group. MPI error code.
  virtual int synchronise() noexcept = 0;
  /// Number of operations since the last call whose agreed start had passed on this rank (window mode);
  /// resets the count.
  virtual std::int64_t take_late() noexcept { return 0; }
};

/// Timer of workloads with one clock source; one instantiation of the loops per source.
class Timer {
 public:
  virtual ~Timer() = default;
  [[nodiscard]] virtual Ticks now() const noexcept = 0;
  [[nodiscard]] virtual double seconds(Ticks ticks) const noexcept = 0;

  /// Times contiguous batches: batches * ops operations from `first`, stamps[b] .. stamps[b+1] is batch b; complete()
  /// of the workload is inside the last batch. stamps has batches + 1 elements. Returns the first error code.
  virtual int contiguous(Workload& workload, std::uint64_t first, std::uint64_t ops,
                         std::span<Ticks> stamps) noexcept = 0;

  /// Times every operation on its own: synchronise, read, operation (+ complete()), read. begin and end have
  /// one element per operation. Returns the first error code.
  virtual int each(Workload& workload, Synchroniser& synchroniser, std::uint64_t first,
                   std::span<Ticks> begin, std::span<Ticks> end) noexcept = 0;
};

/// The two loops for one source, which has `Ticks now() const noexcept` and `double seconds(Ticks) const noexcept`.
template <class Source>
class TimerOf final : public Timer {
 public:
  explicit TimerOf(Source source = {}) : source_(source) {}
  [[nodiscard]] Ticks now() const noexcept override { return source_.now(); }
  [[nodiscard]] double seconds(Ticks ticks) const noexcept override { return source_.seconds(ticks); }

  int contiguous(Workload& workload, std::uint64_t first, std::uint64_t ops,
                 std::span<Ticks> stamps) noexcept override {
    const std::size_t batches = stamps.size() - 1;
    int error = 0;
    stamps[0] = source_.now();
    for (std::size_t b = 0; b < batches; ++b) {
      keep_first(error, workload.run(first + b * ops, ops));
      if (b + 1 == batches) keep_first(error, workload.complete());
      stamps[b + 1] = source_.now();
    }
    return error;
  }

  int each(Workload& workload, Synchroniser& synchroniser, std::uint64_t first, std::span<Ticks> begin,
           std::span<Ticks> end) noexcept override {
    int error = 0;
    for (std::size_t i = 0; i < begin.size(); ++i) {
      keep_first(error, synchroniser.synchronise());
      begin[i] = source_.now();
      keep_first(error, workload.run(first + i, 1));
      keep_first(error, workload.complete());
      end[i] = source_.now();
    }
    return error;
  }

 private:
  Source source_;
};

/// CLOCK_MONOTONIC_RAW and CLOCK_MONOTONIC in nanoseconds since boot.
struct RawSource {
  [[nodiscard]] Ticks now() const noexcept;
  [[nodiscard]] double seconds(Ticks t) const noexcept { return static_cast<double>(t) * 1e-9; }
};
struct MonoSource {
  [[nodiscard]] Ticks now() const noexcept;
  [[nodiscard]] double seconds(Ticks t) const noexcept { return static_cast<double>(t) * 1e-9; }
};

/// A timer of the kind asked for. `automatic`: raw if its cost is at most 1.5 times that of mono, else mono.
/// `tsc` falls back to automatic where its conditions do not hold (methodology, "Clock"); `fallback` then
/// says why.
struct ChosenTimer {
  std::unique_ptr<Timer> timer;
  ClockKind kind = ClockKind::raw;
  std::string fallback;
  std::string source;  // for calibrate() and the record: "clock_gettime(CLOCK_MONOTONIC_RAW)", "rdtscp"
};
/// Makes a timer without MPI. Throws std::invalid_argument for `mpi`. `automatic` costs two calibrations,
/// `tsc` 0.25 to 0.8 s.
[[nodiscard]] ChosenTimer make_timer(ClockKind wanted);

/// Calibration of this rank's clock: cost, step, monotonicity, detours; at most 50 ms. No communication.
[[nodiscard]] ClockQuality calibrate(const Timer& timer, std::string_view source);

/// Step of a clock in ticks, from consecutive differences: values within `tolerance` form a cluster, clusters
/// hold at least 1 % of the readings, the step is the smallest distance between two centres (0 counts if it
/// holds that much). Where all frequent values lie in one cluster, the smallest distance between two of them;
/// if there is one value only, that value: a step cannot be longer. If that is 0, as of a clock so coarse that
/// fewer than 1 % of the readings see it move, the smallest positive difference. At least 1 tick.
[[nodiscard]] double find_step(std::span<const Ticks> differences, Ticks tolerance);

// Models between the clocks of two processes. Pure. Source: docs/methodology.md, "Synchronised clocks".

/// Conversion of this rank's clock to that of rank 0: G(x) = x - (offset + slope (x - x0)), in seconds of the timer.
struct ClockModel {
  double offset_s = 0;
  double slope = 0;
  double x0_s = 0;
  [[nodiscard]] double global(double local_s) const {
    return local_s - (offset_s + slope * (local_s - x0_s));
  }
};

/// One exchange between client and reference: the client's clock before and after, the reference's in between.
struct Exchange {
  double before_s = 0, reference_s = 0, after_s = 0;
  [[nodiscard]] double round_trip_s() const { return after_s - before_s; }
  [[nodiscard]] double middle_s() const { return before_s + round_trip_s() / 2; }
  [[nodiscard]] double offset_s() const { return middle_s() - reference_s; }
};

/// Fit of one pair from the best exchange of each fit point: those with a round trip of at most 1.5 times the
/// smallest (at least the 10 best); slope = Theil-Sen median, 0 if they span less than 0.1 s; offset = median
/// of the residuals. Throws std::invalid_argument for no exchange.
[[nodiscard]] ClockModel fit_clock(std::span<const Exchange> best);

}  // namespace steelyard::measure
