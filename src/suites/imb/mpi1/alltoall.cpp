// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/mpi1/pieces.hpp"
#include "suites/imb/named.hpp"

namespace steelyard::imb {
namespace {

// X bytes from each rank to each; the v-form differs in the call only.
class ToAll {
 public:
  explicit ToAll(const Point& point)
      : cursors_(point),
        size_(point.size.count()),
        rank_(point.rank),
        processes_(point.processes),
        comm_(point.comm()) {}
  void seek(std::uint64_t i) noexcept { cursors_.seek(i); }
  [[nodiscard]] Arrival arrival(std::uint64_t) const {
    return {.segments = one_piece_per_rank(size_, processes_, rank_ * size_), .sum = {}, .aside = {}};
  }

 protected:
  Cursors cursors_;
  std::int64_t size_;
  int rank_;
  int processes_;
  MPI_Comm comm_;
};

class Alltoall : public ToAll {
 public:
  explicit Alltoall(const Point& point) : ToAll(point), message_(point.message()) {}
  int operator()(std::uint64_t) noexcept {
    return mpi::noted(MPI_Alltoall(cursors_.send.next(), message_.count(), message_.type(),
                                   cursors_.receive.next(), message_.count(), message_.type(), comm_),
                      "MPI_Alltoall");
  }

 private:
  Message message_;
};

class Alltoallv : public ToAll {
 public:
  explicit Alltoallv(const Point& point) : ToAll(point), pieces_(point) {}
  int operator()(std::uint64_t) noexcept {
    return mpi::noted(MPI_Alltoallv(cursors_.send.next(), pieces_.counts(), pieces_.displacements(),
                                    pieces_.type(), cursors_.receive.next(), pieces_.counts(),
                                    pieces_.displacements(), pieces_.type(), comm_),
                      "MPI_Alltoallv");
  }

 private:
  PerRank pieces_;
};

}  // namespace

std::unique_ptr<measure::Workload> open(Named<"Alltoall">, const Point& point) {
  return workload(Alltoall(point), point);
}
std::unique_ptr<measure::Workload> open(Named<"Alltoallv">, const Point& point) {
  return workload(Alltoallv(point), point);
}

}  // namespace steelyard::imb
