// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/named.hpp"

namespace steelyard::imb {
namespace {

// Rank 0 sends X bytes and receives X bytes; rank 1 answers with data of its own.
class PingPong {
 public:
  PingPong(const Point& point, int source)
      : cursors_(point),
        message_(point.message()),
        size_(point.size.count()),
        partner_(1 - point.rank),
        source_(source),
        comm_(point.comm()) {}

 protected:
  int send() noexcept {
    return mpi::noted(MPI_Send(cursors_.send.next(), message_.count(), message_.type(), partner_, tag, comm_),
                      "MPI_Send");
  }
  int receive() noexcept {
    return mpi::noted(MPI_Recv(cursors_.receive.next(), message_.count(), message_.type(), source_, tag,
                               comm_, MPI_STATUS_IGNORE),
                      "MPI_Recv");
  }

 public:
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

struct Server : PingPong {
  using PingPong::PingPong;
  int operator()(std::uint64_t) noexcept {
    int error = 0;
    measure::keep_first(error, send());
    measure::keep_first(error, receive());
    return error;
  }
};

struct Returner : PingPong {
  using PingPong::PingPong;
  int operator()(std::uint64_t) noexcept {
    int error = 0;
    measure::keep_first(error, receive());
    measure::keep_first(error, send());
    return error;
  }
};

std::unique_ptr<measure::Workload> open(const Point& point, int source) {
  if (point.rank == 0) return workload(Server(point, source), point);
  return workload(Returner(point, source), point);
}

}  // namespace

std::unique_ptr<measure::Workload> open(Named<"PingPong">, const Point& point) {
  return open(point, 1 - point.rank);
}
std::unique_ptr<measure::Workload> open(Named<"PingPongSpecificSource">, const Point& point) {
  return open(Named<"PingPong">{}, point);
}
std::unique_ptr<measure::Workload> open(Named<"PingPongAnySource">, const Point& point) {
  return open(point, MPI_ANY_SOURCE);
}

}  // namespace steelyard::imb
