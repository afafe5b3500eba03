// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "mpi/error.hpp"
#include "suites/imb/p2p/touch.hpp"
#include "suites/imb/point.hpp"

namespace steelyard::imb {

/// Base of the patterns of IMB-P2P, which consist of whole messages between sections of the two sides.
class Patterned {
 public:
  explicit Patterned(const Point& point)
      : message_(point.message()),
        rank_(point.rank),
        processes_(point.processes),
        send_(point.send.base),
        receive_(point.receive.base),
        section_(std::max<std::int64_t>(point.size.count(), 4)),
        comm_(point.comm()) {}

 protected:
  [[nodiscard]] std::byte* out(int section = 0) const noexcept { return send_ + section * section_; }
  [[nodiscard]] std::byte* in(int section = 0) const noexcept { return receive_ + section * section_; }

  int send(int to) noexcept {
    return mpi::noted(MPI_Send(out(), message_.count(), message_.type(), to, tag, comm_), "MPI_Send");
  }
  int receive(int from) noexcept {
    return mpi::noted(MPI_Recv(in(), message_.count(), message_.type(), from, tag, comm_, MPI_STATUS_IGNORE),
                      "MPI_Recv");
  }
  int start_send(int section, int to, int with, MPI_Request& request) noexcept {
    return mpi::noted(MPI_Isend(out(section), message_.count(), message_.type(), to, with, comm_, &request),
                      "MPI_Isend");
  }
  int start_receive(int section, int from, int with, MPI_Request& request) noexcept {
    return mpi::noted(MPI_Irecv(in(section), message_.count(), message_.type(), from, with, comm_, &request),
                      "MPI_Irecv");
  }

  /// Sends to one process and receives from another at the same time.
  template <class Hand>
  int exchange(const Label& outgoing, const Label& incoming, Hand& hand) noexcept {
    MPI_Request request = MPI_REQUEST_NULL;
    hand.write(out(), outgoing);
    int error = 0;
    measure::keep_first(error, start_receive(0, incoming.sender, tag, request));
    measure::keep_first(error, send(outgoing.receiver));
    measure::keep_first(error, MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
    hand.read(in(), incoming);
    return error;
  }

  Message message_;
  int rank_, processes_;

 private:
  std::byte *send_, *receive_;
  std::int64_t section_;

 protected:
  MPI_Comm comm_;
};

template <class Pattern>
concept TallyingPattern = requires(Pattern pattern, std::uint64_t i) {
  pattern.tally(i, i);
};

/// Pattern as an operation: `repeat(i, hand)` with a hand that touches data while it is timed, with one that
/// inspects them in a check.
template <class Pattern>
class PatternOperationOf {
 public:
  PatternOperationOf(Pattern pattern, const Point& point)
      : pattern_(std::move(pattern)),
        touch_(point.settings.writes, point.settings.reads, point.size.count()),
        sides_(point.checked_sides()),
        rank_(point.rank),
        processes_(point.processes),
        bytes_(point.size.count()) {}

  int operator()(std::uint64_t i) noexcept { return pattern_.repeat(i, touch_); }
  void foresee(std::uint64_t first, std::uint64_t count) {
    if constexpr (requires { pattern_.foresee(first, count); }) pattern_.foresee(first, count);
  }
  void tally(std::uint64_t first, std::uint64_t count) requires TallyingPattern<Pattern> {
    pattern_.tally(first, count);
  }
  std::optional<measure::CheckResult> verify(std::uint64_t repetitions) {
    Inspection inspection(sides_, rank_, processes_, bytes_, Pattern::travels);
    for (std::uint64_t i = 0; i < repetitions; ++i) {
      inspection.begin(i);
      mpi::check(pattern_.repeat(i, inspection), "checked operation");
      inspection.end();
    }
    return inspection.finish();
  }

 private:
  Pattern pattern_;
  Touch touch_;
  CheckedSides sides_;
  int rank_, processes_;
  std::int64_t bytes_;
};

/// Workload of a benchmark of IMB-P2P; nullptr if there is none of this name.
[[nodiscard]] std::unique_ptr<measure::Workload> open_pattern(const Point& point);

}  // namespace steelyard::imb
