// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "suites/imb/named.hpp"

namespace steelyard::imb {
namespace {

// Elements that each rank keeps: shares of a vector of X bytes (3.1), or X bytes each (2021).
std::vector<std::int64_t> shares(const Point& point) {
  std::vector<std::int64_t> elements;
  for (int rank = 0; rank < point.processes; ++rank)
    elements.push_back(point.settings.version == Version::v2021
                           ? point.elements()
                           : reduce_scatter_share(point.elements(), point.processes, rank));
  return elements;
}

// The shares differ in length, so that the datatype of a vector layout covers one element.
Message one_element(const Point& point) {
  return {point.type(), true, point.settings.contiguous_type, 1, Packing::free};
}

// Sum of a vector, scattered over the ranks.
class ReduceScatter {
 public:
  explicit ReduceScatter(const Point& point)
      : cursors_(point),
        element_(one_element(point)),
        sum_(point.type(), point.settings.contiguous_type),
        processes_(point.processes),
        comm_(point.comm()) {
    std::int64_t before = 0;
    const auto elements = shares(point);
    for (int rank = 0; rank < processes_; ++rank) {
      const auto share = elements[static_cast<std::size_t>(rank)];
      counts_.push_back(mpi::to_int(share));
      if (rank < point.rank) before += share;
      if (rank == point.rank) size_ = share * size_of(point.type());
    }
    from_ = before * size_of(point.type());
  }

  int operator()(std::uint64_t) noexcept {
    return mpi::noted(MPI_Reduce_scatter(cursors_.send.next(), cursors_.receive.next(), counts_.data(),
                                         element_.type(), sum_.get(), comm_),
                      "MPI_Reduce_scatter");
  }
  void seek(std::uint64_t i) noexcept { cursors_.seek(i); }
  [[nodiscard]] Arrival arrival(std::uint64_t) const {
    return {
        .segments = {}, .sum = SumSegment{.bytes = size_, .from = from_, .ranks = processes_}, .aside = {}};
  }

 private:
  Cursors cursors_;
  Message element_;
  Sum sum_;
  std::vector<int> counts_;
  std::int64_t size_ = 0;
  std::int64_t from_ = 0;
  int processes_;
  MPI_Comm comm_;
};

}  // namespace

std::unique_ptr<measure::Workload> open(Named<"Reduce_scatter">, const Point& point) {
  return workload(ReduceScatter(point), point);
}

}  // namespace steelyard::imb
