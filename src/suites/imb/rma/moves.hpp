// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "mpi/handle.hpp"
#include "suites/imb/checker.hpp"
#include "suites/imb/ext/transfer.hpp"
#include "suites/imb/part_definition.hpp"
#include "suites/imb/point.hpp"

namespace steelyard::imb {

/// Targets that one rank works on through a window: none, some ranks with a shared lock on each, or
/// all with one call.
struct WindowAccess {
  enum class Lock { none, each, all };
  Lock lock = Lock::none;
  std::vector<int> targets = {};  // of Lock::each
};

/// Memory of every rank of a group that others reach while its owner makes no call for it. The access epoch
/// of a rank that works on others is open as long as the window, so that no lock is measured.
class PassiveWindow {
 public:
  /// Makes the window over all slots of the area, displacements in `unit` bytes, with the user's hints. Then
  /// opens the epoch, whose error code is in error(). Collective. Throws mpi::Error.
  PassiveWindow(const Point& point, const Area& exposed, int unit, WindowAccess access);
  PassiveWindow(PassiveWindow&&) noexcept = default;
  PassiveWindow& operator=(PassiveWindow&&) = delete;
  ~PassiveWindow() { static_cast<void>(close()); }

  [[nodiscard]] MPI_Win get() const noexcept { return window_.get(); }
  /// Whether this rank has an epoch: it may work on its targets.
  [[nodiscard]] bool is_open() const noexcept { return open_; }
  /// Error code of the opening of the epoch.
  [[nodiscard]] int error() const noexcept { return error_; }

  /// Completes all transfers of this rank at their targets, or as far as its own memory is
  /// concerned. Error code.
  int flush() noexcept;
  int flush_local() noexcept;
  /// Ends the epoch, with all its transfers complete, and begins it. No effect on a rank
  /// without one. Error code.
  int close() noexcept;
  int open() noexcept;
  /// Lets others see what this rank has stored into its own memory, and this rank what they have put there
  /// and completed; their epochs go on. Error code.
  int synchronise() noexcept;

 private:
  mpi::WindowHandle window_;
  WindowAccess access_;
  int rank_;
  bool open_ = false;
  int error_ = 0;
};

// Checks of transfers whose target makes no call. Not timed; all ranks of the group at the same time.

/// Calls of the benchmark itself, on one rank.
class PassiveSubject {
 public:
  virtual int start() = 0;  // one repetition
  virtual int complete() = 0;
  virtual void begin(std::uint64_t i) = 0;
  /// What is there after so many bytes; nothing where that is not asked for.
  [[nodiscard]] virtual Arrival arrival(std::int64_t bytes) = 0;

 protected:
  ~PassiveSubject() = default;
};

/// Promise of a completion at the origin alone: that its memory may be used again (put), or that it holds
/// what was read (get).
enum class Early { nothing, put, get };

/// Checks transfers of a benchmark that says what arrives. It looks at what has come when the benchmark's own
/// completion is over: the origins' epochs go on, so that their end completes nothing in its place. After a
/// completion at the origin alone a put's memory is overwritten before the epoch ends, and what was put must
/// still arrive; what was got must be there before the epoch ends. In aggregate mode transfers to sections
/// without a gap are one epoch. Throws mpi::Error.
[[nodiscard]] measure::CheckResult check_transfers(const Point& point, PassiveWindow& window,
                                                   PassiveSubject& subject, Early early,
                                                   std::uint64_t repetitions);

/// Updates of one place: each adds the same to every element.
struct Updates {
  bool fetches = false;  // into the receive side, one result in each of its slots
  bool own_operand =
      false;  // adds one, whatever the send side holds, to a place that is zero when the window is made
};

/// Checks updates. In aggregate mode all updates of the check are complete together, else each: the target
/// holds the first value and as many times what was added, the result of update i is the first value and i
/// times that. With an operand of its own the place must hold the number of updates that were `started` so
/// far; afterwards it is zero. Throws mpi::Error.
[[nodiscard]] measure::CheckResult check_updates(const Point& point, PassiveWindow& window,
                                                 PassiveSubject& subject, const Updates& updates,
                                                 std::uint64_t started, std::uint64_t repetitions);

// Base of the benchmarks of IMB-RMA: a window, and the rank that works through it.

/// Event that complete() waits for: everything has reached its target, or the origin may
/// use its memory again.
enum class Waits { at_target, at_origin };

/// Work of one rank through a window in one repetition. Made from a point; called with the window on ranks
/// with an access() alone. exposed(point): the side that others reach, whose displacements count in
/// unit(point) bytes. Either arrival(bytes) says what is there after so many bytes, or updates() what
/// repeated updates do.
template <class W>
concept PassiveWork = std::constructible_from<W, const Point&> &&
    requires(W work, const W constant, const Point& point, MPI_Win window, std::uint64_t i) {
  { work(window) }
  noexcept->std::same_as<int>;
  { work.seek(i) }
  noexcept;
  { W::exposed(point) } -> std::same_as<const Area&>;
  { W::unit(point) } -> std::same_as<int>;
  { constant.access() } -> std::same_as<WindowAccess>;
};

/// Work whose repetitions change one place of the target again and again.
template <class W>
concept UpdatingWork = PassiveWork<W> && requires(W work, const W constant) {
  { constant.updates() } -> std::same_as<Updates>;
  work.restart();  // the place holds its first value again
};

/// Side of one rank; see TransferSide.
template <PassiveWork Work, Waits waits = Waits::at_target>
class PassiveSide final : private PassiveSubject {
 public:
  // The window comes last: a rank that fails before it must not wait for the others to free it.
  explicit PassiveSide(const Point& point)
      : point_(point),
        work_(point),
        most_(complete_together(point.definition, point.mode)
                  ? point.settings.outstanding.value_or(std::numeric_limits<std::uint64_t>::max())
                  : std::numeric_limits<std::uint64_t>::max()),
        window_(point, Work::exposed(point), Work::unit(point), work_.access()) {}

  int start(std::uint64_t) noexcept {
    ++started_;
    if (!window_.is_open()) return window_.error();
    int error = MPI_SUCCESS;
    measure::keep_first(error, work_(window_.get()));
    if (++under_way_ == most_) measure::keep_first(error, complete());
    return error;
  }
  int complete() noexcept override {
    under_way_ = 0;
    if (!window_.is_open()) return window_.error();
    return waits == Waits::at_origin ? window_.flush_local() : window_.flush();
  }
  void seek(std::uint64_t i) noexcept { work_.seek(i); }

  /// Checks outside the timed region; see measure::Workload::verify.
  measure::CheckResult verify(std::uint64_t repetitions) {
    if constexpr (UpdatingWork<Work>) {
      auto result = check_updates(point_, window_, *this, work_.updates(), started_, repetitions);
      started_ = 0;
      begin(0);
      return result;
    } else {
      const auto early = waits == Waits::at_origin ? Work::early(point_) : Early::nothing;
      return check_transfers(point_, window_, *this, early, repetitions);
    }
  }

 private:
  int start() override { return start(0); }
  void begin(std::uint64_t i) override {
    work_.seek(i);
    if constexpr (UpdatingWork<Work>) work_.restart();
  }
  Arrival arrival(std::int64_t bytes) override {
    if constexpr (UpdatingWork<Work>)
      return {};
    else
      return work_.arrival(bytes);
  }

  Point point_;
  Work work_;
  std::uint64_t most_;
  std::uint64_t under_way_ = 0;
  std::uint64_t started_ = 0;  // repetitions since the window was made or checked, on every rank
  PassiveWindow window_;
};

enum class RmaOperation { put, get };

/// Side of a point that the origin of a transfer uses, and side that its target exposes.
template <RmaOperation direction>
[[nodiscard]] const Area& own_side(const Point& point) {
  return direction == RmaOperation::put ? point.send : point.receive;
}
template <RmaOperation direction>
[[nodiscard]] const Area& exposed_side(const Point& point) {
  return direction == RmaOperation::put ? point.receive : point.send;
}

/// Moves X bytes between `own` and displacement `at` of the target; returns an error code.
template <RmaOperation direction>
[[nodiscard]] int move(std::byte* own, const Message& message, int target, MPI_Aint at,
                       MPI_Win window) noexcept {
  if constexpr (direction == RmaOperation::put)
    return mpi::noted(
        MPI_Put(own, message.count(), message.type(), target, at, message.count(), message.type(), window),
        "MPI_Put");
  else
    return mpi::noted(
        MPI_Get(own, message.count(), message.type(), target, at, message.count(), message.type(), window),
        "MPI_Get");
}

/// Bytes from one section of several to the next: max(X, 4), as memory is counted.
[[nodiscard]] inline std::int64_t section_byte(const Point& point) {
  return std::max<std::int64_t>(point.size.count(), 4);
}

/// Base of works that put or get bytes.
template <RmaOperation direction>
class Moves {
 public:
  explicit Moves(const Point& point)
      : sections_(own_side<direction>(point), exposed_side<direction>(point)), message_(point.message()) {}
  [[nodiscard]] static const Area& exposed(const Point& point) { return exposed_side<direction>(point); }
  [[nodiscard]] static int unit(const Point&) { return 1; }
  [[nodiscard]] static Early early(const Point&) {
    return direction == RmaOperation::put ? Early::put : Early::get;
  }
  void seek(std::uint64_t i) noexcept { sections_.seek(i); }

 protected:
  Sections sections_;
  Message message_;
};

/// X bytes between the first and the last process: by the first one, or by both at the same time.
template <RmaOperation direction>
class PairMove : public Moves<direction> {
 public:
  explicit PairMove(const Point& point)
      : Moves<direction>(point),
        partner_(point.processes - 1 - point.rank),
        works_(point.definition.mutual || point.rank == 0),
        partner_works_(point.definition.mutual || point.rank != 0) {}

  [[nodiscard]] WindowAccess access() const {
    return works_ ? WindowAccess{WindowAccess::Lock::each, {partner_}} : WindowAccess{};
  }
  int operator()(MPI_Win window) noexcept {
    std::byte* const own = this->sections_.next_own();
    return move<direction>(own, this->message_, partner_, this->sections_.next_displacement(), window);
  }
  [[nodiscard]] Arrival arrival(std::int64_t bytes) const {
    const bool receives = direction == RmaOperation::put ? partner_works_ : works_;
    if (!receives) return {};
    return {.segments = {{.at = 0, .bytes = bytes, .source = partner_, .from = 0}}};
  }

 private:
  int partner_;
  bool works_, partner_works_;
};

}  // namespace steelyard::imb
