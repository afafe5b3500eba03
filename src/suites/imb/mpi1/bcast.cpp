// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/named.hpp"

namespace steelyard::imb {
namespace {

// X bytes from the root, which sends its send buffer, to all others.
class Bcast {
 public:
  explicit Bcast(const Point& point)
      : cursors_(point),
        roots_(point),
        message_(point.message()),
        size_(point.size.count()),
        rank_(point.rank),
        comm_(point.comm()) {}

  int operator()(std::uint64_t) noexcept {
    const int root = roots_.next();
    std::byte* const out = cursors_.send.next();
    std::byte* const in = cursors_.receive.next();
    return mpi::noted(MPI_Bcast(root == rank_ ? out : in, message_.count(), message_.type(), root, comm_),
                      "MPI_Bcast");
  }
  void seek(std::uint64_t i) noexcept {
    cursors_.seek(i);
    roots_.seek(i);
  }
  [[nodiscard]] Arrival arrival(std::uint64_t i) const {
    const int root = roots_.of(i);
    if (root == rank_) return {};
    return {.segments = {{.at = 0, .bytes = size_, .source = root, .from = 0}}, .sum = {}, .aside = {}};
  }

 private:
  Cursors cursors_;
  Roots roots_;
  Message message_;
  std::int64_t size_;
  int rank_;
  MPI_Comm comm_;
};

}  // namespace

std::unique_ptr<measure::Workload> open(Named<"Bcast">, const Point& point) {
  return workload(Bcast(point), point);
}

}  // namespace steelyard::imb
