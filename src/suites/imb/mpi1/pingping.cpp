// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/named.hpp"

namespace steelyard::imb {
namespace {

// Both ranks send at the same time: MPI_Isend, MPI_Recv, MPI_Wait.
class PingPing {
 public:
  PingPing(const Point& point, int source)
      : cursors_(point),
        message_(point.message()),
        size_(point.size.count()),
        partner_(1 - point.rank),
        source_(source),
        comm_(point.comm()) {}

  int operator()(std::uint64_t) noexcept {
    MPI_Request request = MPI_REQUEST_NULL;
    int error = 0;
    measure::keep_first(
        error,
        MPI_Isend(cursors_.send.next(), message_.count(), message_.type(), partner_, tag, comm_, &request),
        "MPI_Isend");
    measure::keep_first(error,
                        MPI_Recv(cursors_.receive.next(), message_.count(), message_.type(), source_, tag,
                                 comm_, MPI_STATUS_IGNORE),
                        "MPI_Recv");
    measure::keep_first(error, MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
    return error;
  }
  void seek(std::uint64_t i) noexcept { cursors_.seek(i); }
  [[nodiscard]] Arrival arrival(std::uint64_t) const {
    return {.segments = {{.at = 0, .bytes = size_, .source = partner_, .from = 0}}, .sum = {}, .aside = {}};
  }

 private:
  Cursors cursors_;
  Message message_;
  std::int64_t size_;
  int partner_;
  int source_;
  MPI_Comm comm_;
};

}  // namespace

std::unique_ptr<measure::Workload> open(Named<"PingPing">, const Point& point) {
  return workload(PingPing(point, 1 - point.rank), point);
}
std::unique_ptr<measure::Workload> open(Named<"PingPingSpecificSource">, const Point& point) {
  return open(Named<"PingPing">{}, point);
}
std::unique_ptr<measure::Workload> open(Named<"PingPingAnySource">, const Point& point) {
  return workload(PingPing(point, MPI_ANY_SOURCE), point);
}

}  // namespace steelyard::imb
