// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/hpl/column_memory.hpp"

#include <algorithm>
#include <atomic>
#include <thread>

#include "mpi/error.hpp"

namespace steelyard::hpcc::hpl {
namespace {

constexpr std::int64_t line = 8;  // doubles
constexpr std::int64_t value_byte = sizeof(double);

}  // namespace

// The part of every process: a line for its count of meetings, then two candidates. The first process has what is there
// once behind them.
ColumnMemory::ColumnMemory(const mpi::Communicator& column, const Shape& shape) : column_(&column) {
  if (column.size() == 1) return;
  const auto width = std::min(shape.nb, shape.n);
  candidate_length_ = panel_leading(line + 2 * width);
  rows_length_ = width * leading(shape.local_columns());
  const auto together = column.is_root() ? 3 * rows_length_ : 0;
  memory_ = NodeMemory(column, value_byte * (line + 2 * candidate_length_ + together));
  if (!memory_.whole()) memory_ = {};
  if (!available()) return;
  memory_.populate();
  std::fill_n(of(column.rank()), line + 2 * candidate_length_ + together, 0.0);
  memory_.publish();
}

std::uint64_t& ColumnMemory::count_of(int process_row) const {
  return *reinterpret_cast<std::uint64_t*>(memory_.of(process_row));
}

double* ColumnMemory::candidate(int process_row) const {
  return of(process_row) + line + candidates_ * candidate_length_;
}

double* ColumnMemory::rows_of_u() const {
  return of(0) + line + 2 * candidate_length_ + rows_ * rows_length_;
}

double* ColumnMemory::displaced_rows() const {
  return of(0) + line + 2 * candidate_length_ + 2 * rows_length_;
}

void ColumnMemory::meet(const std::function<void()>& between) {
  std::atomic_ref(count_of(column_->rank())).store(++meetings_, std::memory_order_release);
  for (int other = 0; other < column_->size(); ++other) {
    const std::atomic_ref count(count_of(other));
    look_until(
        *column_, [&] { return count.load(std::memory_order_acquire) >= meetings_; }, between);
  }
}

void look_until(const mpi::Communicator& comm, const std::function<bool()>& is_so,
                const std::function<void()>& between) {
  constexpr int looks_alone = 50;
  for (int looks = 0; !is_so(); ++looks) {
    if (looks < looks_alone) continue;
    // Somebody may be waiting for a message of this process, which moves only while it looks.
    int found = 0;
    mpi::check(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm.get(), &found, MPI_STATUS_IGNORE), "MPI_Iprobe");
    if (between) between();
    std::this_thread::yield();
  }
}

}  // namespace steelyard::hpcc::hpl
