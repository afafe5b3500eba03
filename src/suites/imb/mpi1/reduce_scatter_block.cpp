// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/named.hpp"

namespace steelyard::imb {
namespace {

// Sum of a vector of Q pieces of X bytes; rank i keeps piece i.
class ReduceScatterBlock {
 public:
  explicit ReduceScatterBlock(const Point& point)
      : cursors_(point),
        message_(point.message()),
        sum_(point.type(), point.settings.contiguous_type),
        size_(point.size.count()),
        rank_(point.rank),
        processes_(point.processes),
        comm_(point.comm()) {}

  int operator()(std::uint64_t) noexcept {
    return mpi::noted(MPI_Reduce_scatter_block(cursors_.send.next(), cursors_.receive.next(),
                                               message_.count(), message_.type(), sum_.get(), comm_),
                      "MPI_Reduce_scatter_block");
  }
  void seek(std::uint64_t i) noexcept { cursors_.seek(i); }
  [[nodiscard]] Arrival arrival(std::uint64_t) const {
    return {.segments = {},
            .sum = SumSegment{.bytes = size_, .from = rank_ * size_, .ranks = processes_},
            .aside = {}};
  }

 private:
  Cursors cursors_;
  Message message_;
  Sum sum_;
  std::int64_t size_;
  int rank_;
  int processes_;
  MPI_Comm comm_;
};

}  // namespace

std::unique_ptr<measure::Workload> open(Named<"Reduce_scatter_block">, const Point& point) {
  return workload(ReduceScatterBlock(point), point);
}

}  // namespace steelyard::imb
