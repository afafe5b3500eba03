// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "suites/imb/named.hpp"

namespace steelyard::imb {
namespace {

// X bytes to either neighbour, then X bytes from either. Both receives use the same buffer, so that the first
// message is gone at the end; the check lets it arrive in a place of its own.
class Exchange {
 public:
  explicit Exchange(const Point& point)
      : send_(point.send.cursor()),
        from_left_(point.receive.cursor()),
        from_right_(point.receive.cursor()),
        usual_left_(from_left_),
        message_(point.message()),
        size_(point.size.count()),
        half_(point.size.count() * point.stride()),
        aside_byte_(point.receive.layout.length),
        right_((point.rank + 1) % point.processes),
        left_((point.rank + point.processes - 1) % point.processes),
        comm_(point.comm) {}

  int operator()(std::uint64_t) noexcept {
    std::array<MPI_Request, 2> requests{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    std::byte* const out = send_.next();
    const int codes[] = {
        MPI_Isend(out, message_.count(), message_.type(), right_, tag, comm_, &requests[0]),
        MPI_Isend(out + half_, message_.count(), message_.type(), left_, tag, comm_, &requests[1]),
        MPI_Recv(from_left_.next(), message_.count(), message_.type(), left_, tag, comm_, MPI_STATUS_IGNORE),
        MPI_Recv(from_right_.next(), message_.count(), message_.type(), right_, tag, comm_,
                 MPI_STATUS_IGNORE),
        MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE)};
    int error = 0;
    for (const int code : codes) error = error == 0 ? code : error;
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
            .sum = {},
            .aside = {{.at = 0, .bytes = size_, .source = left_, .from = 0}}};
  }
  void set_aside(std::byte* place) noexcept {
    from_left_ = place == nullptr
                     ? usual_left_
                     : measure::SlotCursor(place, {.offset = aside_byte_, .slots = 1, .bytes = aside_byte_});
  }
  [[nodiscard]] std::int64_t aside_byte() const noexcept { return aside_byte_; }

 private:
  measure::SlotCursor send_, from_left_, from_right_, usual_left_;
  Message message_;
  std::int64_t size_;
  std::int64_t half_;
  std::int64_t aside_byte_;
  int right_;
  int left_;
  MPI_Comm comm_;
};

}  // namespace

std::unique_ptr<measure::Workload> open(Named<"Exchange">, const Point& point) {
  return workload(Exchange(point), point);
}

}  // namespace steelyard::imb
