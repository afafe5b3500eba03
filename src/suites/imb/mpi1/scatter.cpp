// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/mpi1/pieces.hpp"
#include "suites/imb/named.hpp"

namespace steelyard::imb {
namespace {

// X bytes from the root to each rank; the v-form differs in the call only.
class FromRoot {
 public:
  explicit FromRoot(const Point& point)
      : cursors_(point), roots_(point), size_(point.size.count()), rank_(point.rank), comm_(point.comm()) {}
  void seek(std::uint64_t i) noexcept {
    cursors_.seek(i);
    roots_.seek(i);
  }
  [[nodiscard]] Arrival arrival(std::uint64_t i) const {
    return {.segments = {{.at = 0, .bytes = size_, .source = roots_.of(i), .from = rank_ * size_}},
            .sum = {},
            .aside = {}};
  }

 protected:
  Cursors cursors_;
  Roots roots_;
  std::int64_t size_;
  int rank_;
  MPI_Comm comm_;
};

class Scatter : public FromRoot {
 public:
  explicit Scatter(const Point& point) : FromRoot(point), message_(point.message()) {}
  int operator()(std::uint64_t) noexcept {
    return mpi::noted(
        MPI_Scatter(cursors_.send.next(), message_.count(), message_.type(), cursors_.receive.next(),
                    message_.count(), message_.type(), roots_.next(), comm_),
        "MPI_Scatter");
  }

 private:
  Message message_;
};

class Scatterv : public FromRoot {
 public:
  explicit Scatterv(const Point& point) : FromRoot(point), pieces_(point) {}
  int operator()(std::uint64_t) noexcept {
    return mpi::noted(
        MPI_Scatterv(cursors_.send.next(), pieces_.counts(), pieces_.displacements(), pieces_.type(),
                     cursors_.receive.next(), pieces_.count(), pieces_.type(), roots_.next(), comm_),
        "MPI_Scatterv");
  }

 private:
  PerRank pieces_;
};

}  // namespace

std::unique_ptr<measure::Workload> open(Named<"Scatter">, const Point& point) {
  return workload(Scatter(point), point);
}
std::unique_ptr<measure::Workload> open(Named<"Scatterv">, const Point& point) {
  return workload(Scatterv(point), point);
}

}  // namespace steelyard::imb
