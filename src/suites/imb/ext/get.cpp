// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/ext/transfer.hpp"

namespace steelyard::imb {
namespace {

// X bytes from the memory of the other rank.
class Get {
 public:
  explicit Get(const Point& point)
      : sections_(point.receive, point.send), message_(point.message()), partner_(1 - point.rank) {}
  [[nodiscard]] static const Area& exposed(const Point& point) { return point.send; }

  void reach_through(MPI_Win window) noexcept { window_ = window; }
  int operator()(std::uint64_t) noexcept {
    return mpi::noted(MPI_Get(sections_.next_own(), message_.count(), message_.type(), partner_,
                              sections_.next_displacement(), message_.count(), message_.type(), window_),
                      "MPI_Get");
  }
  void seek(std::uint64_t i) noexcept { sections_.seek(i); }
  [[nodiscard]] Arrival arrival(std::int64_t bytes) const {
    return {.segments = {{.at = 0, .bytes = bytes, .source = partner_, .from = 0}}, .sum = {}, .aside = {}};
  }

 private:
  Sections sections_;
  Message message_;
  int partner_;
  MPI_Win window_ = MPI_WIN_NULL;
};

// The rank that only lets the other one work.
struct GetIdle {
  explicit GetIdle(const Point&) {}
  [[nodiscard]] static const Area& exposed(const Point& point) { return point.send; }
  void reach_through(MPI_Win) noexcept {}
  int operator()(std::uint64_t) noexcept { return 0; }
  void seek(std::uint64_t) noexcept {}
  [[nodiscard]] Arrival arrival(std::int64_t) const { return {}; }
};

}  // namespace

std::unique_ptr<measure::Workload> open(Named<"Unidir_Get">, const Point& point) {
  return point.rank == 0 ? transfers<Get>(point) : transfers<GetIdle>(point);
}
std::unique_ptr<measure::Workload> open(Named<"Bidir_Get">, const Point& point) {
  return transfers<Get>(point);
}

}  // namespace steelyard::imb
