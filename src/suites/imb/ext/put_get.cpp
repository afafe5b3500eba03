// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/ext/transfer.hpp"

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

}  // namespace steelyard::imb
