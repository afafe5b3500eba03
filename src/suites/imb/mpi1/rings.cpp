// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "suites/imb/workloads.hpp"

namespace steelyard::imb {
namespace {

// Base of the benchmarks in which every rank sends to its neighbours in a ring. One rank alone sends to itself.
class RingOf {
 public:
  explicit RingOf(const Point& point)
      : message_(point.message()),
        size_(point.size.count()),
        right_((point.rank + 1) % point.processes),
        left_((point.rank + point.processes - 1) % point.processes),
        comm_(point.comm()) {}

 protected:
  Message message_;
  std::int64_t size_;
  int right_;
  int left_;
  MPI_Comm comm_;
};

// X bytes to the right neighbour, X bytes from the left one.
class Sendrecv : public RingOf {
 public:
  explicit Sendrecv(const Point& point) : RingOf(point), cursors_(point) {}

  int operator()(std::uint64_t) noexcept {
    return mpi::noted(MPI_Sendrecv(cursors_.send.next(), message_.count(), message_.type(), right_, tag,
                                   cursors_.receive.next(), message_.count(), message_.type(), left_, tag,
                                   comm_, MPI_STATUS_IGNORE),
                      "MPI_Sendrecv");
  }
  void seek(std::uint64_t i) noexcept { cursors_.seek(i); }
  [[nodiscard]] Arrival arrival(std::uint64_t) const {
    return {.segments = {{.at = 0, .bytes = size_, .source = left_, .from = 0}}};
  }

 private:
  Cursors cursors_;
};

// X bytes to either neighbour, then X bytes from either. Both receives use the same buffer, so that the first
// message is gone at the end; the check lets it arrive in a place of its own.
class Exchange : public RingOf {
 public:
  explicit Exchange(const Point& point)
      : RingOf(point),
        send_(point.send.cursor()),
        from_left_(point.receive.cursor()),
        from_right_(point.receive.cursor()),
        usual_left_(from_left_),
        half_(point.size.count() * point.stride()),
        aside_byte_(point.receive.layout.length) {}

  int operator()(std::uint64_t) noexcept {
    std::array<MPI_Request, 2> requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    std::byte* const out = send_.next();
    int error = 0;
    measure::keep_first(error, send(out, right_, requests[0]));
    measure::keep_first(error, send(out + half_, left_, requests[1]));
    measure::keep_first(error, receive(from_left_.next(), left_));
    measure::keep_first(error, receive(from_right_.next(), right_));
    measure::keep_first(error, MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
    return error;
  }

  void seek(std::uint64_t i) noexcept {
    send_.seek(i);
    from_left_.seek(i);
    from_right_.seek(i);
    usual_left_.seek(i);
  }

  // With two processes both neighbours are one rank, and its messages arrive in the order in which they were
  // sent: what it sent to its right first.
  [[nodiscard]] Arrival arrival(std::uint64_t) const {
    return {.segments = {{.at = 0, .bytes = size_, .source = right_, .from = size_}},
            .aside = {{.at = 0, .bytes = size_, .source = left_, .from = 0}}};
  }
  void set_aside(std::byte* place) noexcept {
    from_left_ = place == nullptr
                     ? usual_left_
                     : measure::SlotCursor(place, {.offset = aside_byte_, .slots = 1, .bytes = aside_byte_});
  }
  [[nodiscard]] std::int64_t aside_byte() const noexcept { return aside_byte_; }

 private:
  int send(const std::byte* data, int to, MPI_Request& request) noexcept {
    return mpi::noted(MPI_Isend(data, message_.count(), message_.type(), to, tag, comm_, &request),
                      "MPI_Isend");
  }
  int receive(std::byte* data, int from) noexcept {
    return mpi::noted(MPI_Recv(data, message_.count(), message_.type(), from, tag, comm_, MPI_STATUS_IGNORE),
                      "MPI_Recv");
  }

  measure::SlotCursor send_, from_left_, from_right_, usual_left_;
  std::int64_t half_;
  std::int64_t aside_byte_;
};

}  // namespace

std::unique_ptr<measure::Workload> open(Named<"Sendrecv">, const Point& point) {
  return workload(Sendrecv(point), point);
}
std::unique_ptr<measure::Workload> open(Named<"Exchange">, const Point& point) {
  return workload(Exchange(point), point);
}

}  // namespace steelyard::imb
