// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/latency_bandwidth/ring_times.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "mpi/error.hpp"

namespace steelyard::hpcc {
namespace {

constexpr int to_left_tag = 71, to_right_tag = 72;

/// One process's place in the rings: a buffer for each direction and side.
class Place {
 public:
  Place(const mpi::Communicator& comm, const RingRule& rule, double enough_s)
      : comm_(comm),
        loops_(rule.ring_loops),
        enough_s_(enough_s),
        to_left_(rule.message_byte),
        to_right_(rule.message_byte),
        from_left_(rule.message_byte),
        from_right_(rule.message_byte) {}

  /// Time of one message by the faster of both ways on this process.
  double fastest(const Neighbours& beside) {
    const double sendrecv = timed(beside, [this](const Neighbours& b) { exchange_both(b); });
    const double nonblocking = loop(beside, [this](const Neighbours& b) { exchange_at_once(b); });
    return std::min(sendrecv, nonblocking) / (2.0 * loops_);
  }

  [[nodiscard]] std::int64_t wrong() const { return wrong_; }

 private:
  /// Grows the loop until it is long enough on any process.
  template <class Exchange>
  double timed(const Neighbours& beside, Exchange exchange) {
    for (;; loops_ = longer_loop(loops_)) {
      const double seconds = loop(beside, exchange);
      if (comm_.max(seconds) >= enough_s_) return seconds;
    }
  }

  template <class Exchange>
  double loop(const Neighbours& beside, Exchange exchange) {
    double start = 0;
    for (int i = 0; i <= loops_; ++i) {
      if (i == 1) start = MPI_Wtime();
      to_left_.mark(i + comm_.rank() + 1);
      to_right_.mark(i + comm_.rank() + 2);
      exchange(beside);
      wrong_ += from_left_.marked(i + beside.left + 2) ? 0 : 1;
      wrong_ += from_right_.marked(i + beside.right + 1) ? 0 : 1;
    }
    return MPI_Wtime() - start;
  }

  void exchange_both(const Neighbours& beside) {
    shift(to_right_, beside.right, from_left_, beside.left, to_right_tag);
    shift(to_left_, beside.left, from_right_, beside.right, to_left_tag);
  }

  void shift(MarkedBuffer& send, int to, MarkedBuffer& receive, int from, int tag) const {
    mpi::check(MPI_Sendrecv(send.data(), send.size(), MPI_BYTE, to, tag, receive.data(), receive.size(),
                            MPI_BYTE, from, tag, comm_.get(), MPI_STATUS_IGNORE),
               "MPI_Sendrecv");
  }

  void exchange_at_once(const Neighbours& beside) {
    std::array<MPI_Request, 4> requests;
    const auto receive = [&](MarkedBuffer& buffer, int from, int tag, MPI_Request& request) {
      mpi::check(MPI_Irecv(buffer.data(), buffer.size(), MPI_BYTE, from, tag, comm_.get(), &request),
                 "MPI_Irecv");
    };
    const auto send = [&](MarkedBuffer& buffer, int to, int tag, MPI_Request& request) {
      mpi::check(MPI_Isend(buffer.data(), buffer.size(), MPI_BYTE, to, tag, comm_.get(), &request),
                 "MPI_Isend");
    };
    receive(from_left_, beside.left, to_right_tag, requests[0]);
    receive(from_right_, beside.right, to_left_tag, requests[1]);
    send(to_right_, beside.right, to_right_tag, requests[2]);
    send(to_left_, beside.left, to_left_tag, requests[3]);
    mpi::check(MPI_Waitall(4, requests.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
  }

  const mpi::Communicator& comm_;
  int loops_;
  double enough_s_;
  MarkedBuffer to_left_, to_right_, from_left_, from_right_;
  std::int64_t wrong_ = 0;
};

}  // namespace

RingTimes ring_times(const mpi::Communicator& comm, const RingRule& rule, std::uint64_t seed) {
  const auto rings = ring_patterns(comm.size(), rule.random_rings, seed);
  Place place(comm, rule, shortest_loop_s(comm));
  std::vector<double> best(rings.size(), std::numeric_limits<double>::max());
  for (int m = 0; m < rule.measurements; ++m)
    for (std::size_t q = 0; q < rings.size(); ++q)
      best[q] = std::min(best[q], comm.max(place.fastest(neighbours(rings[q], comm.rank()))));
  double logarithms = 0;
  for (std::size_t q = 1; q < rings.size(); ++q) logarithms += std::log(best[q]);
  const auto random = static_cast<double>(rings.size() - 1);
  return {best.front(), random > 0 ? std::exp(logarithms / random) : best.front(), comm.sum(place.wrong())};
}

}  // namespace steelyard::hpcc
