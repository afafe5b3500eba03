// SPDX-License-Identifier: Apache-2.0
#include "measure/global_times.hpp"

#include <algorithm>

#include "mpi/error.hpp"
#include "mpi/transfer.hpp"

namespace steelyard::measure {

// One maximum for all: of the negative starts, the ends and the marks of being late.
std::int64_t GlobalTimes::merge(const WindowSynchroniser& window, const Timer& timer,
                                std::span<const Ticks> begin, std::span<const Ticks> end,
                                std::span<double> seconds) {
  const std::size_t n = begin.size();
  const auto late = window.marks();
  own_.assign(3 * n, 0);
  merged_.assign(3 * n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    own_[i] = -window.global(timer.seconds(begin[i]));
    own_[n + i] = window.global(timer.seconds(end[i]));
    own_[2 * n + i] = late[i];
  }
  const int length = mpi::to_int(static_cast<std::int64_t>(own_.size()));
  mpi::check(MPI_Reduce(own_.data(), merged_.data(), length, MPI_DOUBLE, MPI_MAX, 0, group_->get()),
             "MPI_Reduce");
  std::ranges::fill(seconds, 0.0);
  if (!group_->is_root()) return 0;
  for (std::size_t i = 0; i < n; ++i) seconds[i] = merged_[i] + merged_[n + i];
  return std::count_if(merged_.begin() + static_cast<std::ptrdiff_t>(2 * n), merged_.end(),
                       [](double mark) { return mark > 0; });
}

}  // namespace steelyard::measure
