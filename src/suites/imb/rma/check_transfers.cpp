// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <span>
#include <vector>

#include "measure/first_error.hpp"
#include "suites/imb/ext/transfer.hpp"
#include "suites/imb/rma/check.hpp"

namespace steelyard::imb {
namespace {

std::span<std::byte> bytes_of(const Area& area) {
  return {area.base, static_cast<std::size_t>(area.layout.slots.bytes)};
}

// The epoch ends behind the origin's back: what it sent must have left its memory, what it read must be there.
int end_epoch_early(PassiveWindow& window, const CheckedSides& sides, Early early) {
  if (early == Early::nothing || !window.is_open()) return MPI_SUCCESS;
  const auto memory = bytes_of(early == Early::put ? sides.send : sides.receive);
  const std::vector<std::byte> kept(memory.begin(), memory.end());
  if (early == Early::put) std::ranges::fill(memory, ~untouched);
  int error = MPI_SUCCESS;
  measure::keep_first(error, window.close());
  measure::keep_first(error, window.open());
  std::ranges::copy(kept, memory.begin());
  return error;
}

}  // namespace

measure::CheckResult check_transfers(const Point& point, PassiveWindow& window, const PassiveSubject& subject,
                                     const std::function<Arrival(std::int64_t)>& arrival, Early early,
                                     std::uint64_t repetitions) {
  const auto epoch = checked_epoch(point, repetitions);
  // The barriers let nobody write before everybody has prepared its memory, and nobody look before all is there.
  const auto run = [&](std::uint64_t i) {
    int error = MPI_SUCCESS;
    measure::keep_first(error, window.synchronise());
    measure::keep_first(error, MPI_Barrier(point.comm));
    subject.seek(epoch.transfers > 1 ? 0 : i);
    for (std::uint64_t t = 0; t < epoch.transfers; ++t) measure::keep_first(error, subject.start());
    measure::keep_first(error, subject.complete());
    measure::keep_first(error, end_epoch_early(window, epoch.sides, early));
    measure::keep_first(error, MPI_Barrier(point.comm));
    measure::keep_first(error, window.synchronise());
    return error;
  };
  const auto arrived = [&](std::uint64_t) {
    return arrival(static_cast<std::int64_t>(epoch.transfers) * point.size.count());
  };
  return Checker(epoch.sides, point.rank, point.processes)
      .check(std::max<std::uint64_t>(repetitions / epoch.transfers, 1),
             {.run = run, .arrival = arrived, .set_aside = {}, .aside_byte = 0});
}

}  // namespace steelyard::imb
