// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "mpi/error.hpp"

namespace steelyard::measure {

/// Keeps the first code of a series of calls that is no success, for regions that neither throw nor end
/// early. As in MPI, 0 is success. Each error is reported to the listener at once; `call`, a literal, is the
/// MPI function that returned the code.
inline void keep_first(int& error, int code, const char* call = "") noexcept {
  if (code == 0) [[likely]]
    return;
  mpi::note(code, call);
  error = error == 0 ? code : error;
}

/// Result of one rank that compared received data with the expected data.
struct CheckResult {
  std::int64_t errors = 0;  // elements that differ
  double worst = 0;         // largest deviation (1 for bytes)
  std::string first;        // "rank 1, repetition 0, byte 17: found 0x5a, expected 0x13"; empty if none
};

/// Elementary operations of one point. Owns communicators, datatypes, windows; the buffers belong to the
/// block. All ranks of the point make the same calls in the same order.
class Workload {
 public:
  virtual ~Workload() = default;

  /// Performs operations first .. first+count-1; returns the first MPI error code met, MPI_SUCCESS (0)
  /// otherwise. This is the timed region: nothing but the operation and a counter.
  virtual int run(std::uint64_t first, std::uint64_t count) noexcept = 0;

  /// Runs what a workload compares its operations with: called on all ranks outside the timed region, after
  /// the warm-up of a trial or a visit of `count` operations. Returns an error code as run().
  virtual int lead_in(std::uint64_t count) noexcept {
    static_cast<void>(count);
    return 0;
  }
  /// Begins to count runs if threads read clocks of their own: from now on `runs` runs, until counted_s() is called.
  virtual void begin_counting(std::size_t runs) { static_cast<void>(runs); }
  /// Seconds of each run() since begin_counting() by those clocks, which replace the engine's; empty if there are none.
  [[nodiscard]] virtual std::span<const double> counted_s() { return {}; }

  /// Tells how long the `count` operations of the last visit, or of a trial that counts as one, have taken on this
  /// rank, as the result has them. Outside the timed region.
  virtual void timed(std::uint64_t count, double seconds) noexcept {
    static_cast<void>(count);
    static_cast<void>(seconds);
  }

  /// Completes what run() has started, inside the timed region, once after the last operation of a sample
  /// (aggregate modes). Returns an error code as run().
  virtual int complete() noexcept { return 0; }

  /// Runs `repetitions` operations outside the timed region with data that depend on rank, position and
  /// repetition, receive side poisoned before each, and compares every byte on this rank. nullopt if there is
  /// nothing to check. Afterwards the buffers hold what they held before. Throws mpi::Error.
  virtual std::optional<CheckResult> verify(std::uint64_t repetitions) {
    static_cast<void>(repetitions);
    return std::nullopt;
  }
};

/// A workload of this kind, as what it is used as: a pointer to each kind of its own would take the compiler long.
template <class Kind, class... Arguments>
[[nodiscard]] std::unique_ptr<Workload> make_workload(Arguments&&... arguments) {
  return std::unique_ptr<Workload>(new Kind(std::forward<Arguments>(arguments)...));
}

/// One operation: called with its index, returns the MPI return code.
template <class Op>
concept Operation = requires(Op op, std::uint64_t i) {
  { op(i) }
  noexcept->std::same_as<int>;
};

/// Operation with state that depends on the index (buffer slot, root): seek(i) is called when the index jumps.
template <class Op>
concept SeekableOperation = Operation<Op> && requires(Op op, std::uint64_t i) {
  { op.seek(i) }
  noexcept;
};

template <class Op>
concept VerifiableOperation = Operation<Op> && requires(Op op, std::uint64_t n) {
  { op.verify(n) } -> std::same_as<std::optional<CheckResult>>;
};

/// Operation whose effect is complete only after complete(): several are completed at once.
template <class Op>
concept CompletableOperation = Operation<Op> && requires(Op op) {
  { op.complete() }
  noexcept->std::same_as<int>;
};

/// Operation that prepares the next ones, outside the timed region.
template <class Op>
concept ForeseeingOperation = Operation<Op> && requires(Op op, std::uint64_t i) {
  op.foresee(i, i);
};

/// Operation that is told which of its calls have counted, outside the timed region and soon after them.
template <class Op>
concept TallyingOperation = Operation<Op> && requires(Op op, std::uint64_t i) {
  op.tally(i, i);
};

/// Loop over operations, written once. The call of op is inlined: per operation there is the operation, a
/// counter and the merging of its return code.
template <Operation Op>
class Loop final : public Workload {
 public:
  explicit Loop(Op op) : op_(std::move(op)) {}

  int run(std::uint64_t first, std::uint64_t count) noexcept override {
    if constexpr (SeekableOperation<Op>) {
      if (first != next_) op_.seek(first);
    }
    if constexpr (TallyingOperation<Op>) counted_from_ = counted_from_.value_or(first);
    int error = 0;
    for (std::uint64_t i = first; i != first + count; ++i) keep_first(error, op_(i));
    next_ = first + count;
    return error;
  }

  int lead_in(std::uint64_t count) noexcept override {
    if constexpr (ForeseeingOperation<Op>) op_.foresee(next_ == UINT64_MAX ? 0 : next_, count);
    return 0;
  }

  void begin_counting(std::size_t) override { counted_from_.reset(); }
  [[nodiscard]] std::span<const double> counted_s() override {
    if constexpr (TallyingOperation<Op>) {
      if (counted_from_) op_.tally(*counted_from_, next_ - *counted_from_);
    }
    return {};
  }

  int complete() noexcept override {
    if constexpr (CompletableOperation<Op>) return mpi::noted(op_.complete());
    return 0;
  }

  std::optional<CheckResult> verify(std::uint64_t repetitions) override {
    if constexpr (VerifiableOperation<Op>) {
      next_ = UINT64_MAX;
      return op_.verify(repetitions);
    } else {
      return std::nullopt;
    }
  }

 private:
  Op op_;
  std::uint64_t next_ = UINT64_MAX;            // the index that needs no seek
  std::optional<std::uint64_t> counted_from_;  // the first operation since begin_counting()
};

}  // namespace steelyard::measure
