// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/rma/window.hpp"

#include <utility>

#include "measure/workload.hpp"
#include "mpi/error.hpp"
#include "suites/imb/ext/transfer.hpp"

namespace steelyard::imb {

// An epoch that cannot be opened is told by the first transfer: a rank that threw here would wait for the
// others to free the window with it.
PassiveWindow::PassiveWindow(const Point& point, const Area& exposed, int unit, WindowAccess access)
    : access_(std::move(access)), rank_(point.rank) {
  const auto info = window_hints(point.settings);
  mpi::check(
      MPI_Win_create(exposed.base, exposed.layout.slots.bytes, unit, info.get(), point.comm(), window_.put()),
      "MPI_Win_create");
  mpi::return_errors(window_.get());
  error_ = open();
}

int PassiveWindow::open() noexcept {
  if (access_.lock == WindowAccess::Lock::none || open_) return MPI_SUCCESS;
  int error = MPI_SUCCESS;
  if (access_.lock == WindowAccess::Lock::all)
    measure::keep_first(error, MPI_Win_lock_all(0, get()), "MPI_Win_lock_all");
  for (const int target : access_.targets)
    measure::keep_first(error, MPI_Win_lock(MPI_LOCK_SHARED, target, 0, get()), "MPI_Win_lock");
  open_ = error == MPI_SUCCESS;
  return error;
}

int PassiveWindow::close() noexcept {
  if (!open_ || get() == MPI_WIN_NULL || !mpi::active()) return MPI_SUCCESS;
  open_ = false;
  int error = MPI_SUCCESS;
  if (access_.lock == WindowAccess::Lock::all)
    measure::keep_first(error, MPI_Win_unlock_all(get()), "MPI_Win_unlock_all");
  for (const int target : access_.targets)
    measure::keep_first(error, MPI_Win_unlock(target, get()), "MPI_Win_unlock");
  return error;
}

int PassiveWindow::flush() noexcept {
  if (access_.lock == WindowAccess::Lock::all)
    return mpi::noted(MPI_Win_flush_all(get()), "MPI_Win_flush_all");
  int error = MPI_SUCCESS;
  for (const int target : access_.targets)
    measure::keep_first(error, MPI_Win_flush(target, get()), "MPI_Win_flush");
  return error;
}

int PassiveWindow::flush_local() noexcept {
  if (access_.lock == WindowAccess::Lock::all)
    return mpi::noted(MPI_Win_flush_local_all(get()), "MPI_Win_flush_local_all");
  int error = MPI_SUCCESS;
  for (const int target : access_.targets)
    measure::keep_first(error, MPI_Win_flush_local(target, get()), "MPI_Win_flush_local");
  return error;
}

// A shared lock lets the others keep theirs.
int PassiveWindow::synchronise() noexcept {
  if (open_) return mpi::noted(MPI_Win_sync(get()), "MPI_Win_sync");
  int error = MPI_SUCCESS;
  measure::keep_first(error, MPI_Win_lock(MPI_LOCK_SHARED, rank_, 0, get()), "MPI_Win_lock");
  measure::keep_first(error, MPI_Win_unlock(rank_, get()), "MPI_Win_unlock");
  return error;
}

}  // namespace steelyard::imb
