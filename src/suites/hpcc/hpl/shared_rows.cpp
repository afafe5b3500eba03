// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/hpl/shared_rows.hpp"

#include <algorithm>
#include <atomic>

#include "machine/pages.hpp"
#include "suites/hpcc/hpl/column_memory.hpp"

namespace steelyard::hpcc::hpl {
namespace {

constexpr std::int64_t double_byte = sizeof(double), line_length = 8;  // doubles
constexpr int place_line = 0, taken_line = 1, finished_line = 2, head_lines = 3;
constexpr int product_shift = 32;  // number of the product above the rows that are taken
constexpr std::uint64_t rows_mask = (std::uint64_t{1} << product_shift) - 1;

std::int64_t matrix_length(const Shape& shape) {
  return shape.leading() * std::max<std::int64_t>(shape.local_rows(), 1) + shape.alignment;
}

bool lacks_huge_pages(const NodeMemory& memory) {
  constexpr std::int64_t some = 16 * machine::HugeMemory::huge_page;
  return memory.size() >= some && memory.in_huge_pages() < memory.size() / 2;
}

}  // namespace

// The part of every process: a line each for the place of its matrix, for rows that are taken and for those that are
// finished; then the panels; then the matrix.
SharedRows::SharedRows(const mpi::Communicator& column, const Shape& shape, std::int64_t slots)
    : column_(&column), shape_(shape), slots_(slots) {
  if (column.size() == 1) return;
  const auto before = head_lines * line_length + slots * panel_length(shape);
  memory_ = NodeMemory(column, double_byte * (before + matrix_length(shape)));
  if (!memory_.whole()) memory_ = {};
  if (!available()) return;
  memory_.populate();
  if (column.any(lacks_huge_pages(memory_))) memory_ = {};
  if (!available()) return;
  auto* const own = reinterpret_cast<double*>(memory_.of(column.rank()));
  std::fill_n(own, before, 0.0);
  // Where the first multiple of the alignment lies, only this process knows: others see the memory elsewhere.
  const auto unit = static_cast<std::uintptr_t>(shape.alignment * double_byte);
  const auto address = reinterpret_cast<std::uintptr_t>(own + before);
  word(column.rank(), place_line) =
      static_cast<std::uint64_t>(before) + ((address + unit - 1) / unit * unit - address) / double_byte;
  memory_.publish();
}

Shape SharedRows::shape_of(int process_row) const {
  auto shape = shape_;
  shape.at.row = process_row;
  return shape;
}

std::uint64_t& SharedRows::word(int process_row, int number) const {
  return reinterpret_cast<std::uint64_t*>(memory_.of(process_row))[number * line_length];
}

double* SharedRows::matrix(int process_row) const {
  return reinterpret_cast<double*>(memory_.of(process_row)) + word(process_row, place_line);
}

double* SharedRows::panel(int process_row, std::int64_t k) const {
  return reinterpret_cast<double*>(memory_.of(process_row)) + head_lines * line_length +
         k % slots_ * panel_length(shape_of(process_row));
}

void SharedRows::offer() {
  ++products_;
  std::atomic_ref(word(column_->rank(), finished_line)).store(0, std::memory_order_relaxed);
  std::atomic_ref(word(column_->rank(), taken_line))
      .store(products_ << product_shift, std::memory_order_release);
}

std::optional<SharedRows::Range> SharedRows::take(int process_row, std::int64_t rows, std::int64_t least,
                                                  std::int64_t most) {
  const std::atomic_ref taken(word(process_row, taken_line));
  auto seen = taken.load(std::memory_order_acquire);
  while (seen >> product_shift == products_) {
    const auto first = static_cast<std::int64_t>(seen & rows_mask), left = rows - first;
    if (left <= 0) break;
    const auto part = process_row == column_->rank() ? left - left / 4 : left / 2;
    const auto count = std::min({std::max(part, least), most, left});
    if (taken.compare_exchange_weak(seen, seen + static_cast<std::uint64_t>(count),
                                    std::memory_order_acq_rel))
      return Range{first, count};
  }
  return std::nullopt;
}

void SharedRows::finish(int process_row, const Range& range) {
  std::atomic_ref(word(process_row, finished_line))
      .fetch_add(static_cast<std::uint64_t>(range.count), std::memory_order_release);
}

void SharedRows::await(std::int64_t rows, const std::function<void()>& between) const {
  const std::atomic_ref finished(word(column_->rank(), finished_line));
  look_until(
      *column_, [&] { return finished.load(std::memory_order_acquire) >= static_cast<std::uint64_t>(rows); },
      between);
}

}  // namespace steelyard::hpcc::hpl
