// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/named.hpp"

namespace steelyard::imb {
namespace {

// A ring: X bytes to the right neighbour, X bytes from the left one. One rank alone sends to itself.
class Sendrecv {
 public:
  explicit Sendrecv(const Point& point)
      : cursors_(point),
        message_(point.message()),
        size_(point.size.count()),
        right_((point.rank + 1) % point.processes),
        left_((point.rank + point.processes - 1) % point.processes),
        comm_(point.comm()) {}

  int operator()(std::uint64_t) noexcept {
    return mpi::noted(MPI_Sendrecv(cursors_.send.next(), message_.count(), message_.type(), right_, tag,
                                   cursors_.receive.next(), message_.count(), message_.type(), left_, tag,
                                   comm_, MPI_STATUS_IGNORE),
                      "MPI_Sendrecv");
  }
  void seek(std::uint64_t i) noexcept { cursors_.seek(i); }
  [[nodiscard]] Arrival arrival(std::uint64_t) const {
    return {.segments = {{.at = 0, .bytes = size_, .source = left_, .from = 0}}, .sum = {}, .aside = {}};
  }

 private:
  Cursors cursors_;
  Message message_;
  std::int64_t size_;
  int right_;
  int left_;
  MPI_Comm comm_;
};

}  // namespace

std::unique_ptr<measure::Workload> open(Named<"Sendrecv">, const Point& point) {
  return workload(Sendrecv(point), point);
}

}  // namespace steelyard::imb
