// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/mpi1/pieces.hpp"
#include "suites/imb/named.hpp"

namespace steelyard::imb {
namespace {

// X bytes from each rank to the root; the v-form differs in the call only.
class ToRoot {
 public:
  explicit ToRoot(const Point& point)
      : cursors_(point),
        roots_(point),
        size_(point.size.count()),
        rank_(point.rank),
        processes_(point.processes),
        comm_(point.comm()) {}
  void seek(std::uint64_t i) noexcept {
    cursors_.seek(i);
    roots_.seek(i);
  }
  [[nodiscard]] Arrival arrival(std::uint64_t i) const {
    if (roots_.of(i) != rank_) return {};
    return {.segments = one_piece_per_rank(size_, processes_, 0), .sum = {}, .aside = {}};
  }

 protected:
  Cursors cursors_;
  Roots roots_;
  std::int64_t size_;
  int rank_;
  int processes_;
  MPI_Comm comm_;
};

class Gather : public ToRoot {
 public:
  explicit Gather(const Point& point) : ToRoot(point), message_(point.message()) {}
  int operator()(std::uint64_t) noexcept {
    return mpi::noted(
        MPI_Gather(cursors_.send.next(), message_.count(), message_.type(), cursors_.receive.next(),
                   message_.count(), message_.type(), roots_.next(), comm_),
        "MPI_Gather");
  }

 private:
  Message message_;
};

class Gatherv : public ToRoot {
 public:
  explicit Gatherv(const Point& point) : ToRoot(point), pieces_(point) {}
  int operator()(std::uint64_t) noexcept {
    return mpi::noted(
        MPI_Gatherv(cursors_.send.next(), pieces_.count(), pieces_.type(), cursors_.receive.next(),
                    pieces_.counts(), pieces_.displacements(), pieces_.type(), roots_.next(), comm_),
        "MPI_Gatherv");
  }

 private:
  PerRank pieces_;
};

}  // namespace

std::unique_ptr<measure::Workload> open(Named<"Gather">, const Point& point) {
  return workload(Gather(point), point);
}
std::unique_ptr<measure::Workload> open(Named<"Gatherv">, const Point& point) {
  return workload(Gatherv(point), point);
}

}  // namespace steelyard::imb
