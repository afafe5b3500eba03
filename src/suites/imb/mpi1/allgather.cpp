// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/mpi1/pieces.hpp"
#include "suites/imb/named.hpp"

namespace steelyard::imb {
namespace {

// X bytes from each rank to all; the v-form differs in the call only.
class Gathering {
 public:
  explicit Gathering(const Point& point)
      : cursors_(point), size_(point.size.count()), processes_(point.processes), comm_(point.comm()) {}
  void seek(std::uint64_t i) noexcept { cursors_.seek(i); }
  [[nodiscard]] Arrival arrival(std::uint64_t) const {
    return {.segments = one_piece_per_rank(size_, processes_, 0), .sum = {}, .aside = {}};
  }

 protected:
  Cursors cursors_;
  std::int64_t size_;
  int processes_;
  MPI_Comm comm_;
};

class Allgather : public Gathering {
 public:
  explicit Allgather(const Point& point) : Gathering(point), message_(point.message()) {}
  int operator()(std::uint64_t) noexcept {
    return mpi::noted(MPI_Allgather(cursors_.send.next(), message_.count(), message_.type(),
                                    cursors_.receive.next(), message_.count(), message_.type(), comm_),
                      "MPI_Allgather");
  }

 private:
  Message message_;
};

class Allgatherv : public Gathering {
 public:
  explicit Allgatherv(const Point& point) : Gathering(point), pieces_(point) {}
  int operator()(std::uint64_t) noexcept {
    return mpi::noted(
        MPI_Allgatherv(cursors_.send.next(), pieces_.count(), pieces_.type(), cursors_.receive.next(),
                       pieces_.counts(), pieces_.displacements(), pieces_.type(), comm_),
        "MPI_Allgatherv");
  }

 private:
  PerRank pieces_;
};

}  // namespace

std::unique_ptr<measure::Workload> open(Named<"Allgather">, const Point& point) {
  return workload(Allgather(point), point);
}
std::unique_ptr<measure::Workload> open(Named<"Allgatherv">, const Point& point) {
  return workload(Allgatherv(point), point);
}

}  // namespace steelyard::imb
