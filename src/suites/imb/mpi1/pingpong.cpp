// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/workloads.hpp"

namespace steelyard::imb {
namespace {

// Two ranks of which each sends X bytes of its own and receives X bytes.
class Pair {
 public:
  Pair(const Point& point, int source)
      : cursors_(point),
        message_(point.message()),
        size_(point.size.count()),
        partner_(1 - point.rank),
        source_(source),
        comm_(point.comm()) {}

 protected:
  // Each step adds its first error to that of the steps before it.
  void send(int& error) noexcept {
    measure::keep_first(
        error, MPI_Send(cursors_.send.next(), message_.count(), message_.type(), partner_, tag, comm_),
        "MPI_Send");
  }
  void start_send(int& error, MPI_Request& request) noexcept {
    measure::keep_first(
        error,
        MPI_Isend(cursors_.send.next(), message_.count(), message_.type(), partner_, tag, comm_, &request),
        "MPI_Isend");
  }
  void receive(int& error) noexcept {
    measure::keep_first(error,
                        MPI_Recv(cursors_.receive.next(), message_.count(), message_.type(), source_, tag,
                                 comm_, MPI_STATUS_IGNORE),
                        "MPI_Recv");
  }

 public:
  void seek(std::uint64_t i) noexcept { cursors_.seek(i); }
  [[nodiscard]] Arrival arrival(std::uint64_t) const {
    return {.segments = {{.at = 0, .bytes = size_, .source = partner_, .from = 0}}};
  }

 private:
  Cursors cursors_;
  Message message_;
  std::int64_t size_;
  int partner_;
  int source_;
  MPI_Comm comm_;
};

// PingPong on rank 0.
struct Server : Pair {
  using Pair::Pair;
  int operator()(std::uint64_t) noexcept {
    int error = 0;
    send(error);
    receive(error);
    return error;
  }
};

// PingPong on rank 1, which answers.
struct Returner : Pair {
  using Pair::Pair;
  int operator()(std::uint64_t) noexcept {
    int error = 0;
    receive(error);
    send(error);
    return error;
  }
};

// Both ranks send at the same time: MPI_Isend, MPI_Recv, MPI_Wait.
struct PingPing : Pair {
  using Pair::Pair;
  int operator()(std::uint64_t) noexcept {
    MPI_Request request = MPI_REQUEST_NULL;
    int error = 0;
    start_send(error, request);
    receive(error);
    measure::keep_first(error, MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
    return error;
  }
};

std::unique_ptr<measure::Workload> pingpong(const Point& point, int source) {
  if (point.rank == 0) return workload(Server(point, source), point);
  return workload(Returner(point, source), point);
}

}  // namespace

std::unique_ptr<measure::Workload> open(Named<"PingPong">, const Point& point) {
  return pingpong(point, 1 - point.rank);
}
std::unique_ptr<measure::Workload> open(Named<"PingPongSpecificSource">, const Point& point) {
  return open(Named<"PingPong">{}, point);
}
std::unique_ptr<measure::Workload> open(Named<"PingPongAnySource">, const Point& point) {
  return pingpong(point, MPI_ANY_SOURCE);
}
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
