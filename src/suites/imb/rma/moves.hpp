// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include "suites/imb/ext/transfer.hpp"
#include "suites/imb/rma/side.hpp"

namespace steelyard::imb {

enum class RmaOperation { put, get };

/// Side of a point that the origin of a transfer uses, and side that its target exposes.
template <RmaOperation direction>
[[nodiscard]] const Area& own_side(const Point& point) {
  return direction == RmaOperation::put ? point.send : point.receive;
}
template <RmaOperation direction>
[[nodiscard]] const Area& exposed_side(const Point& point) {
  return direction == RmaOperation::put ? point.receive : point.send;
}

/// Moves X bytes between `own` and displacement `at` of the target; returns an error code.
template <RmaOperation direction>
[[nodiscard]] int move(std::byte* own, const Message& message, int target, MPI_Aint at,
                       MPI_Win window) noexcept {
  if constexpr (direction == RmaOperation::put)
    return mpi::noted(
        MPI_Put(own, message.count(), message.type(), target, at, message.count(), message.type(), window),
        "MPI_Put");
  else
    return mpi::noted(
        MPI_Get(own, message.count(), message.type(), target, at, message.count(), message.type(), window),
        "MPI_Get");
}

/// Bytes from one section of several to the next: max(X, 4), as memory is counted.
[[nodiscard]] inline std::int64_t section_byte(const Point& point) {
  return std::max<std::int64_t>(point.size.count(), 4);
}

/// Base of works that put or get bytes.
template <RmaOperation direction>
class Moves {
 public:
  explicit Moves(const Point& point)
      : sections_(own_side<direction>(point), exposed_side<direction>(point)), message_(point.message()) {}
  [[nodiscard]] static const Area& exposed(const Point& point) { return exposed_side<direction>(point); }
  [[nodiscard]] static int unit(const Point&) { return 1; }
  [[nodiscard]] static Early early(const Point&) {
    return direction == RmaOperation::put ? Early::put : Early::get;
  }
  void seek(std::uint64_t i) noexcept { sections_.seek(i); }

 protected:
  Sections sections_;
  Message message_;
};

/// X bytes between the first and the last process: by the first one, or by both at the same time.
template <RmaOperation direction>
class PairMove : public Moves<direction> {
 public:
  explicit PairMove(const Point& point)
      : Moves<direction>(point),
        partner_(point.processes - 1 - point.rank),
        works_(point.definition.mutual || point.rank == 0),
        partner_works_(point.definition.mutual || point.rank != 0) {}

  [[nodiscard]] WindowAccess access() const {
    return works_ ? WindowAccess{WindowAccess::Lock::each, {partner_}} : WindowAccess{};
  }
  int operator()(MPI_Win window) noexcept {
    std::byte* const own = this->sections_.next_own();
    return move<direction>(own, this->message_, partner_, this->sections_.next_displacement(), window);
  }
  [[nodiscard]] Arrival arrival(std::int64_t bytes) const {
    const bool receives = direction == RmaOperation::put ? partner_works_ : works_;
    if (!receives) return {};
    return {.segments = {{.at = 0, .bytes = bytes, .source = partner_, .from = 0}}};
  }

 private:
  int partner_;
  bool works_, partner_works_;
};

}  // namespace steelyard::imb
