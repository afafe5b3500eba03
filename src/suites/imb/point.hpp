// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "measure/failure.hpp"
#include "measure/workload.hpp"
#include "mpi/communicator.hpp"
#include "mpi/handle.hpp"
#include "suites/imb/checker.hpp"
#include "suites/imb/computation.hpp"
#include "suites/imb/p2p/sequence.hpp"
#include "suites/imb/rank_figures.hpp"
#include "suites/imb/settings.hpp"

namespace steelyard::imb {

/// Form in which a message is handed over: as many elements where MPI's counts allow it, or always as one
/// element (for calls that count displacements in messages).
enum class Packing { free, one };

/// `elements` elements as count and datatype of an MPI call, laid out as `-contig_type` says. Beyond 2^31 - 1
/// elements it is one element of a derived type.
class Message {
 public:
  Message() = default;
  Message(DataType type, bool reduction, ContiguousType layout, std::int64_t elements,
          Packing packing = Packing::free);

  [[nodiscard]] int count() const noexcept { return count_; }
  [[nodiscard]] MPI_Datatype type() const noexcept { return type_; }

 private:
  int count_ = 0;
  MPI_Datatype type_ = MPI_BYTE;
  mpi::DatatypeHandle element_;  // with a doubled extent
  mpi::Transfer large_;
  mpi::DatatypeHandle whole_;
};

/// Sum of the elements of messages: MPI's own operation where the type is MPI's own.
class Sum {
 public:
  Sum(DataType type, ContiguousType layout);
  [[nodiscard]] MPI_Op get() const noexcept { return op_; }

 private:
  MPI_Op op_ = MPI_SUM;
  mpi::OpHandle own_;
};

/// Largest number of elements of one reduction when a longer vector must be cut.
inline constexpr std::int64_t reduction_piece = std::int64_t{1} << 30;

/// Whether a reduction of so many elements is cut into pieces.
[[nodiscard]] constexpr bool needs_pieces(std::int64_t elements) {
  return elements > std::numeric_limits<int>::max();
}

/// Vector that is reduced in one call, or in pieces if MPI cannot count its elements.
class Vector {
 public:
  /// Up to `longest` elements go into one call, more go into pieces of `piece`.
  Vector(DataType type, ContiguousType layout, std::int64_t elements,
         std::int64_t longest = std::numeric_limits<int>::max(), std::int64_t piece = reduction_piece);

  /// Makes call(offset in memory, message) for each piece; returns the first error code.
  template <class Call>
  int for_each_piece(Call call) const noexcept {
    int error = 0;
    measure::keep_first(error, call(std::int64_t{0}, first_));
    for (std::int64_t at = step_; at < bytes_; at += step_)
      measure::keep_first(error, call(at, at + step_ <= bytes_ ? first_ : last_));
    return error;
  }

 private:
  std::int64_t bytes_ = 0, step_ = 0;
  Message first_, last_;
};

inline constexpr int tag = 1;

/// Distance of threads in checked data: those of thread t are of repetitions from t times this on. Odd,
/// because sums repeat with powers of two.
inline constexpr std::uint64_t repetitions_of_a_thread = 1000003;

/// What the trial of a benchmark's persistent requests has found; of one group, so that nothing is tried twice.
struct StartTrial {
  bool done = false;
  measure::Failure failure = {};  // the same on all ranks of the group
};

/// Point of a benchmark on one rank: what its operation is made from. References live as long as the session.
struct Point {
  const Settings& settings;
  const Definition& definition;
  const mpi::Communicator& group;  // MY_COMM
  int rank = 0;
  int processes = 1;
  Bytes size;
  Area send, receive;
  Mode mode = Mode::none;
  std::uint64_t bundle =
      0;           // aggregate: so many transfers and their completion are one operation; 0: they are not
  int thread = 0;  // of its process
  // For benchmarks with a computation: what computes, where times go, and whether a barrier stands
  // between operations.
  Computation* computation = nullptr;
  OverlapTimes* overlap = nullptr;
  bool timed_apart = false;
  int partitions = 1;           // parts of a message
  OwnTimes* own = nullptr;      // of suite mpi4
  RankLoad* drawn = nullptr;    // of random pairs: added to while the engine counts
  bool counts_anew = false;     // what is timed begins with operation 0, and so does what precedes it
  StartTrial* trial = nullptr;  // of its persistent requests; without one they are not tried

  [[nodiscard]] MPI_Comm comm() const { return group.get(); }
  [[nodiscard]] DataType type() const { return element_type(settings, definition); }
  [[nodiscard]] std::int64_t stride() const { return imb::stride(settings.contiguous_type); }
  [[nodiscard]] std::int64_t elements() const { return size.count() / size_of(type()); }
  /// Message of X bytes of the benchmark's data type.
  [[nodiscard]] Message message(Packing packing = Packing::free) const {
    return {type(), definition.reduction, settings.contiguous_type, elements(), packing};
  }
  [[nodiscard]] CheckedSides checked_sides() const {
    return {.send = send,
            .receive = receive,
            .type = type(),
            .reduction = definition.reduction,
            .stride = stride(),
            .first_repetition = static_cast<std::uint64_t>(thread) * repetitions_of_a_thread};
  }
};

/// Slots of both sides, one per repetition in turn.
struct Cursors {
  explicit Cursors(const Point& point) : send(point.send.cursor()), receive(point.receive.cursor()) {}
  void seek(std::uint64_t i) noexcept {
    send.seek(i);
    receive.seek(i);
  }
  measure::SlotCursor send, receive;
};

/// Root of each repetition: i mod Q, or always 0.
class Roots {
 public:
  explicit Roots(const Point& point)
      : processes_(point.processes), step_(point.settings.root_shift ? 1 : 0) {}
  int next() noexcept {
    const int root = next_;
    next_ += step_;
    if (next_ == processes_) next_ = 0;
    return root;
  }
  [[nodiscard]] int of(std::uint64_t i) const noexcept {
    return step_ == 0 ? 0 : static_cast<int>(i % static_cast<std::uint64_t>(processes_));
  }
  void seek(std::uint64_t i) noexcept { next_ = of(i); }

 private:
  int processes_;
  int step_;
  int next_ = 0;
};

/// Operation of a benchmark that says what arrives.
template <class Op>
concept PatternOperation = measure::SeekableOperation<Op> && requires(const Op op, std::uint64_t i) {
  { op.arrival(i) } -> std::same_as<Arrival>;
};

/// Operation that receives twice into one place and can be told to use another.
template <class Op>
concept SettingAside = requires(Op op, const Op constant, std::byte* place) {
  op.set_aside(place);
  { constant.aside_byte() } -> std::same_as<std::int64_t>;
};

/// Operation together with its check.
template <PatternOperation Op>
class Checked final : private Subject {
 public:
  Checked(Op op, Checker checker) : op_(std::move(op)), checker_(checker) {}
  int operator()(std::uint64_t i) noexcept { return op_(i); }
  void seek(std::uint64_t i) noexcept { op_.seek(i); }
  std::optional<measure::CheckResult> verify(std::uint64_t repetitions) {
    op_.seek(0);
    return checker_.check(repetitions, *this);
  }

 private:
  int run(std::uint64_t i) override { return op_(i); }
  Arrival arrival(std::uint64_t i) override { return op_.arrival(i); }
  [[nodiscard]] std::int64_t aside_byte() const override {
    if constexpr (SettingAside<Op>) return op_.aside_byte();
    return 0;
  }
  void set_aside(std::byte* place) override {
    if constexpr (SettingAside<Op>) op_.set_aside(place);
  }

  Op op_;
  Checker checker_;
};

template <PatternOperation Op>
[[nodiscard]] std::unique_ptr<measure::Workload> workload(Op op, const Point& point,
                                                          const CheckedSides& sides) {
  return measure::make_workload<measure::Loop<Checked<Op>>>(
      Checked<Op>(std::move(op), Checker(sides, point.rank, point.processes)));
}

template <PatternOperation Op>
[[nodiscard]] std::unique_ptr<measure::Workload> workload(Op op, const Point& point) {
  return workload(std::move(op), point, point.checked_sides());
}

// Places of the messages of a window, of benchmarks that send many before they wait.

/// Places of messages: message w of a window lies in slot w mod slots of either side.
[[nodiscard]] inline std::vector<std::byte*> places(const Area& area, int window) {
  auto cursor = area.cursor();
  std::vector<std::byte*> result(static_cast<std::size_t>(window));
  std::ranges::generate(result, [&] { return cursor.next(); });
  return result;
}

/// Whole side as one slot: in every repetition the window uses all of it.
[[nodiscard]] inline Area whole(const Area& area) {
  const auto bytes = area.layout.slots.bytes;
  return {area.base, {bytes, {.offset = bytes, .slots = 1, .bytes = bytes}}};
}

[[nodiscard]] inline CheckedSides band_sides(const Point& point) {
  auto sides = point.checked_sides();
  sides.send = whole(point.send);
  sides.send_slots = point.send.layout;
  sides.receive = whole(point.receive);
  const bool overlapping = point.settings.window * point.size > separate_receives_limit;
  if (overlapping) sides.send_period = point.send.layout.slots.offset / point.stride();
  return sides;
}

/// Data that a window from `partner` delivers. Where receives overlap, all messages of the window are equal,
/// and so is what stands there at the end.
[[nodiscard]] inline Arrival window_arrival(const Point& point, int partner) {
  const auto from = places(point.send, point.settings.window);
  const auto to = places(point.receive, point.settings.window);
  Arrival arrival;
  for (std::size_t w = 0; w < to.size(); ++w) {
    if (w > 0 && to[w] <= to[w - 1]) break;
    arrival.segments.push_back({.at = (to[w] - point.receive.base) / point.stride(),
                                .bytes = point.size.count(),
                                .source = partner,
                                .from = (from[w] - point.send.base) / point.stride()});
  }
  return arrival;
}

}  // namespace steelyard::imb
