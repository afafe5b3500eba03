// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/ext/transfer.hpp"
#include "suites/imb/workloads.hpp"

namespace steelyard::imb {
namespace {

Arrival from(int source, std::int64_t bytes) {
  return {.segments = {{.at = 0, .bytes = bytes, .source = source, .from = 0}}};
}

// Transfer between two ranks: its own side, and the other's, which is exposed.
class BetweenTwo {
 public:
  void reach_through(MPI_Win window) noexcept { window_ = window; }
  void seek(std::uint64_t i) noexcept { sections_.seek(i); }

 protected:
  BetweenTwo(const Point& point, const Area& own, const Area& exposed)
      : sections_(own, exposed), message_(point.message()), partner_(1 - point.rank) {}

  Sections sections_;
  Message message_;
  int partner_;
  MPI_Win window_ = MPI_WIN_NULL;
};

// X bytes to the other rank, which receives none itself.
class Put : public BetweenTwo {
 public:
  explicit Put(const Point& point) : BetweenTwo(point, point.send, point.receive) {}
  [[nodiscard]] static const Area& exposed(const Point& point) { return point.receive; }

  int operator()(std::uint64_t) noexcept {
    return mpi::noted(MPI_Put(sections_.next_own(), message_.count(), message_.type(), partner_,
                              sections_.next_displacement(), message_.count(), message_.type(), window_),
                      "MPI_Put");
  }
  [[nodiscard]] Arrival arrival(std::int64_t) const { return {}; }
};

// X bytes to the other rank and X bytes from it.
struct MutualPut : Put {
  using Put::Put;
  [[nodiscard]] Arrival arrival(std::int64_t bytes) const { return from(partner_, bytes); }
};

// X bytes from the memory of the other rank.
class Get : public BetweenTwo {
 public:
  explicit Get(const Point& point) : BetweenTwo(point, point.receive, point.send) {}
  [[nodiscard]] static const Area& exposed(const Point& point) { return point.send; }

  int operator()(std::uint64_t) noexcept {
    return mpi::noted(MPI_Get(sections_.next_own(), message_.count(), message_.type(), partner_,
                              sections_.next_displacement(), message_.count(), message_.type(), window_),
                      "MPI_Get");
  }
  [[nodiscard]] Arrival arrival(std::int64_t bytes) const { return from(partner_, bytes); }
};

// The rank that only lets the other one work.
struct Idle {
  void reach_through(MPI_Win) noexcept {}
  int operator()(std::uint64_t) noexcept { return 0; }
  void seek(std::uint64_t) noexcept {}
};

struct PutIdle : Idle {
  explicit PutIdle(const Point& point) : partner(1 - point.rank) {}
  [[nodiscard]] static const Area& exposed(const Point& point) { return point.receive; }
  [[nodiscard]] Arrival arrival(std::int64_t bytes) const { return from(partner, bytes); }
  int partner;
};

struct GetIdle : Idle {
  explicit GetIdle(const Point&) {}
  [[nodiscard]] static const Area& exposed(const Point& point) { return point.send; }
  [[nodiscard]] Arrival arrival(std::int64_t) const { return {}; }
};

// Every rank, the first one included, adds a vector to the memory of the first one.
class Accumulate {
 public:
  explicit Accumulate(const Point& point)
      : sections_(point.send, point.receive),
        message_(point.message()),
        sum_(point.type(), point.settings.contiguous_type),
        is_target_(point.rank == 0),
        processes_(point.processes) {}
  [[nodiscard]] static const Area& exposed(const Point& point) { return point.receive; }

  void reach_through(MPI_Win window) noexcept { window_ = window; }
  int operator()(std::uint64_t) noexcept {
    return mpi::noted(
        MPI_Accumulate(sections_.next_own(), message_.count(), message_.type(), 0,
                       sections_.next_displacement(), message_.count(), message_.type(), sum_.get(), window_),
        "MPI_Accumulate");
  }
  void seek(std::uint64_t i) noexcept { sections_.seek(i); }

  // The contents before count as the summand of one rank more than there are.
  [[nodiscard]] Arrival arrival(std::int64_t bytes) const {
    if (!is_target_) return {};
    return {.sum = SumSegment{.bytes = bytes, .ranks = processes_ + 1, .accumulates = true}};
  }

 private:
  Sections sections_;
  Message message_;
  Sum sum_;
  bool is_target_;
  int processes_;
  MPI_Win window_ = MPI_WIN_NULL;
};

// Later releases have an opening fence inside the clock.
std::unique_ptr<measure::Workload> opened_transfers(const Point& point) {
  if (point.mode == Mode::non_aggregate) return loop_over<FencedEach<Accumulate>>(point);
  return measure::make_workload<OpenedByFence<Accumulate>>(point);
}

// A window of X bytes is made, used and freed. The second fence completes the byte that the process puts into
// its own memory, so that no library can leave out an unused window (IMB 3.1 User's Guide, 4.2.3.6).
class Cycle {
 public:
  explicit Cycle(const Point& point)
      : cursors_(point),
        info_(window_hints(point.settings)),
        size_(point.size.count()),
        rank_(point.rank),
        comm_(point.comm()) {}

  int operator()(std::uint64_t) noexcept {
    std::byte* const origin = cursors_.send.next();
    std::byte* const memory = cursors_.receive.next();
    MPI_Win window = MPI_WIN_NULL;
    if (const int code = MPI_Win_create(memory, size_, 1, info_.get(), comm_, &window); code != 0)
      return code;
    int error = use(window, origin);
    measure::keep_first(error, MPI_Win_free(&window), "MPI_Win_free");
    return error;
  }
  void seek(std::uint64_t i) noexcept { cursors_.seek(i); }
  [[nodiscard]] Arrival arrival(std::uint64_t) const {
    return {.segments = {{.at = 0, .bytes = put_byte(), .source = rank_, .from = 0}}};
  }

 private:
  [[nodiscard]] int put_byte() const noexcept { return size_ > 0 ? 1 : 0; }

  // Windows end the program at an error unless they are told otherwise.
  [[nodiscard]] int use(MPI_Win window, const std::byte* origin) const noexcept {
    int error = 0;
    measure::keep_first(error, MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN), "MPI_Win_set_errhandler");
    measure::keep_first(error, MPI_Win_fence(0, window), "MPI_Win_fence");
    if (size_ > 0)
      measure::keep_first(error, MPI_Put(origin, 1, MPI_BYTE, rank_, 0, 1, MPI_BYTE, window), "MPI_Put");
    measure::keep_first(error, MPI_Win_fence(0, window), "MPI_Win_fence");
    return error;
  }

  Cursors cursors_;
  mpi::InfoHandle info_;
  std::int64_t size_;
  int rank_;
  MPI_Comm comm_;
};

}  // namespace

std::unique_ptr<measure::Workload> open(Named<"Unidir_Put">, const Point& point) {
  return point.rank == 0 ? transfers<Put>(point) : transfers<PutIdle>(point);
}
std::unique_ptr<measure::Workload> open(Named<"Bidir_Put">, const Point& point) {
  return transfers<MutualPut>(point);
}
std::unique_ptr<measure::Workload> open(Named<"Unidir_Get">, const Point& point) {
  return point.rank == 0 ? transfers<Get>(point) : transfers<GetIdle>(point);
}
std::unique_ptr<measure::Workload> open(Named<"Bidir_Get">, const Point& point) {
  return transfers<Get>(point);
}

std::unique_ptr<measure::Workload> open(Named<"Accumulate">, const Point& point) {
  const bool later = point.settings.version == Version::v2021 && point.bundle == 0;
  return later ? opened_transfers(point) : transfers<Accumulate>(point);
}

std::unique_ptr<measure::Workload> open(Named<"Window">, const Point& point) {
  return workload(Cycle(point), point);
}

}  // namespace steelyard::imb
