// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/named.hpp"

namespace steelyard::imb {
namespace {

// Adds the send buffer to the receive buffer, without communication.
class ReduceLocal {
 public:
  explicit ReduceLocal(const Point& point)
      : cursors_(point),
        vector_(point.type(), point.settings.contiguous_type, point.elements()),
        sum_(point.type(), point.settings.contiguous_type),
        size_(point.size.count()),
        rank_(point.rank) {}

  int operator()(std::uint64_t) noexcept {
    std::byte* const in = cursors_.send.next();
    std::byte* const inout = cursors_.receive.next();
    return vector_.for_each_piece([&](std::int64_t at, const Message& piece) {
      return mpi::noted(MPI_Reduce_local(in + at, inout + at, piece.count(), piece.type(), sum_.get()),
                        "MPI_Reduce_local");
    });
  }
  void seek(std::uint64_t i) noexcept { cursors_.seek(i); }
  [[nodiscard]] Arrival arrival(std::uint64_t) const {
    return {.segments = {},
            .sum = SumSegment{.bytes = size_, .first_rank = rank_, .ranks = 2, .accumulates = true},
            .aside = {}};
  }

 private:
  Cursors cursors_;
  Vector vector_;
  Sum sum_;
  std::int64_t size_;
  int rank_;
};

}  // namespace

std::unique_ptr<measure::Workload> open(Named<"Reduce_local">, const Point& point) {
  return workload(ReduceLocal(point), point);
}

}  // namespace steelyard::imb
