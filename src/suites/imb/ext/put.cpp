// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/ext/transfer.hpp"

namespace steelyard::imb {
namespace {

Arrival from(int source, std::int64_t bytes) {
  return {.segments = {{.at = 0, .bytes = bytes, .source = source, .from = 0}}, .sum = {}, .aside = {}};
}

// X bytes to the other rank, which receives none itself.
class Put {
 public:
  explicit Put(const Point& point)
      : sections_(point.send, point.receive), message_(point.message()), partner_(1 - point.rank) {}
  [[nodiscard]] static const Area& exposed(const Point& point) { return point.receive; }

  void reach_through(MPI_Win window) noexcept { window_ = window; }
  int operator()(std::uint64_t) noexcept {
    return mpi::noted(MPI_Put(sections_.next_own(), message_.count(), message_.type(), partner_,
                              sections_.next_displacement(), message_.count(), message_.type(), window_),
                      "MPI_Put");
  }
  void seek(std::uint64_t i) noexcept { sections_.seek(i); }
  [[nodiscard]] Arrival arrival(std::int64_t) const { return {}; }

 protected:
  [[nodiscard]] int partner() const noexcept { return partner_; }

 private:
  Sections sections_;
  Message message_;
  int partner_;
  MPI_Win window_ = MPI_WIN_NULL;
};

// X bytes to the other rank and X bytes from it.
struct MutualPut : Put {
  using Put::Put;
  [[nodiscard]] Arrival arrival(std::int64_t bytes) const { return from(partner(), bytes); }
};

// The rank that only lets the other one work.
struct PutIdle {
  explicit PutIdle(const Point& point) : partner(1 - point.rank) {}
  [[nodiscard]] static const Area& exposed(const Point& point) { return point.receive; }
  void reach_through(MPI_Win) noexcept {}
  int operator()(std::uint64_t) noexcept { return 0; }
  void seek(std::uint64_t) noexcept {}
  [[nodiscard]] Arrival arrival(std::int64_t bytes) const { return from(partner, bytes); }
  int partner;
};

}  // namespace

std::unique_ptr<measure::Workload> open(Named<"Unidir_Put">, const Point& point) {
  return point.rank == 0 ? transfers<Put>(point) : transfers<PutIdle>(point);
}
std::unique_ptr<measure::Workload> open(Named<"Bidir_Put">, const Point& point) {
  return transfers<MutualPut>(point);
}

}  // namespace steelyard::imb
