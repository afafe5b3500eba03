// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/named.hpp"

namespace steelyard::imb {
namespace {

// Sum of a vector on the root.
class Reduce {
 public:
  explicit Reduce(const Point& point)
      : cursors_(point),
        roots_(point),
        vector_(point.type(), point.settings.contiguous_type, point.elements()),
        sum_(point.type(), point.settings.contiguous_type),
        size_(point.size.count()),
        rank_(point.rank),
        processes_(point.processes),
        comm_(point.comm()) {}

  int operator()(std::uint64_t) noexcept {
    const int root = roots_.next();
    std::byte* const out = cursors_.send.next();
    std::byte* const in = cursors_.receive.next();
    return vector_.for_each_piece([&](std::int64_t at, const Message& piece) {
      return mpi::noted(MPI_Reduce(out + at, in + at, piece.count(), piece.type(), sum_.get(), root, comm_),
                        "MPI_Reduce");
    });
  }
  void seek(std::uint64_t i) noexcept {
    cursors_.seek(i);
    roots_.seek(i);
  }
  [[nodiscard]] Arrival arrival(std::uint64_t i) const {
    if (roots_.of(i) != rank_) return {};
    return {.segments = {}, .sum = SumSegment{.bytes = size_, .ranks = processes_}, .aside = {}};
  }

 private:
  Cursors cursors_;
  Roots roots_;
  Vector vector_;
  Sum sum_;
  std::int64_t size_;
  int rank_;
  int processes_;
  MPI_Comm comm_;
};

}  // namespace

std::unique_ptr<measure::Workload> open(Named<"Reduce">, const Point& point) {
  return workload(Reduce(point), point);
}

}  // namespace steelyard::imb
