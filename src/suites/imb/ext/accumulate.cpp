// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/ext/transfer.hpp"

namespace steelyard::imb {
namespace {

// Every rank, the first one included, adds a vector to the memory of the first one.
class Accumulate {
 public:
  explicit Accumulate(const Point& point)
      : sections_(point.send, point.receive),
        message_(point.message()),
        sum_(point.type(), point.settings.contiguous_type),
        is_target_(point.rank == 0),
        processes_(point.processes) {}
  [[nodiscard]] static const Area& exposed(const Point& point) { return point.receive; }

  void reach_through(MPI_Win window) noexcept { window_ = window; }
  int operator()(std::uint64_t) noexcept {
    return mpi::noted(
        MPI_Accumulate(sections_.next_own(), message_.count(), message_.type(), 0,
                       sections_.next_displacement(), message_.count(), message_.type(), sum_.get(), window_),
        "MPI_Accumulate");
  }
  void seek(std::uint64_t i) noexcept { sections_.seek(i); }

  // The contents before count as the summand of one rank more than there are.
  [[nodiscard]] Arrival arrival(std::int64_t bytes) const {
    if (!is_target_) return {};
    return {.sum = SumSegment{.bytes = bytes, .ranks = processes_ + 1, .accumulates = true}};
  }

 private:
  Sections sections_;
  Message message_;
  Sum sum_;
  bool is_target_;
  int processes_;
  MPI_Win window_ = MPI_WIN_NULL;
};

// Later releases have an opening fence inside the clock.
std::unique_ptr<measure::Workload> opened_transfers(const Point& point) {
  if (point.mode == Mode::non_aggregate) return loop_over<FencedEach<Accumulate>>(point);
  return std::make_unique<OpenedByFence<Accumulate>>(point);
}

}  // namespace

std::unique_ptr<measure::Workload> open(Named<"Accumulate">, const Point& point) {
  const bool later = point.settings.version == Version::v2021 && point.bundle == 0;
  return later ? opened_transfers(point) : transfers<Accumulate>(point);
}

}  // namespace steelyard::imb
