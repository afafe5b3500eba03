// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/named.hpp"

namespace steelyard::imb {
namespace {

// Sum of a vector on every rank.
class Allreduce {
 public:
  explicit Allreduce(const Point& point)
      : cursors_(point),
        vector_(point.type(), point.settings.contiguous_type, point.elements()),
        sum_(point.type(), point.settings.contiguous_type),
        size_(point.size.count()),
        processes_(point.processes),
        comm_(point.comm()) {}

  int operator()(std::uint64_t) noexcept {
    std::byte* const out = cursors_.send.next();
    std::byte* const in = cursors_.receive.next();
    return vector_.for_each_piece([&](std::int64_t at, const Message& piece) {
      return mpi::noted(MPI_Allreduce(out + at, in + at, piece.count(), piece.type(), sum_.get(), comm_),
                        "MPI_Allreduce");
    });
  }
  void seek(std::uint64_t i) noexcept { cursors_.seek(i); }
  [[nodiscard]] Arrival arrival(std::uint64_t) const {
    return {.segments = {}, .sum = SumSegment{.bytes = size_, .ranks = processes_}, .aside = {}};
  }

 private:
  Cursors cursors_;
  Vector vector_;
  Sum sum_;
  std::int64_t size_;
  int processes_;
  MPI_Comm comm_;
};

}  // namespace

std::unique_ptr<measure::Workload> open(Named<"Allreduce">, const Point& point) {
  return workload(Allreduce(point), point);
}

}  // namespace steelyard::imb
