// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/hpl/rows.hpp"

#include <algorithm>
#include <utility>

namespace steelyard::hpcc::hpl {
namespace {

constexpr std::int64_t line = 8;  // doubles of a cache line

/// Calls move(part of a row of the matrix, its length, place of the buffer) for all of the pairs. Of buffers by columns a
/// line's worth of columns is moved at a time, so that they are written in whole lines.
template <class Move>
void move_rows(std::span<const Pair> pairs, std::int64_t n, RowMatrix a, RowBuffer buffer, Move move) {
  const std::int64_t some = buffer.column_step == 1 ? std::max<std::int64_t>(n, 1) : line;
  for (std::int64_t first = 0; first < n; first += some)
    for (const auto& [row, slot] : pairs)
      move(&a(row, first), std::min(some, n - first), &buffer(slot, first));
}

}  // namespace

void take_rows(std::span<const Pair> pairs, std::int64_t n, RowMatrix a, RowBuffer buffer) {
  const auto step = buffer.column_step;
  move_rows(pairs, n, a, buffer, [step](const double* row, std::int64_t count, double* copy) {
    if (step == 1)
      std::copy_n(row, count, copy);
    else
      for (std::int64_t c = 0; c < count; ++c) copy[c * step] = row[c];
  });
}

void put_rows(std::span<const Pair> pairs, std::int64_t n, RowBuffer buffer, RowMatrix a) {
  const auto step = buffer.column_step;
  move_rows(pairs, n, a, buffer, [step](double* row, std::int64_t count, const double* copy) {
    if (step == 1)
      std::copy_n(copy, count, row);
    else
      for (std::int64_t c = 0; c < count; ++c) row[c] = copy[c * step];
  });
}

void swap_rows(std::span<const Pair> pairs, std::int64_t n, RowBuffer buffer, RowMatrix a) {
  const auto step = buffer.column_step;
  move_rows(pairs, n, a, buffer, [step](double* row, std::int64_t count, double* copy) {
    if (step == 1)
      std::swap_ranges(row, row + count, copy);
    else
      for (std::int64_t c = 0; c < count; ++c) std::swap(row[c], copy[c * step]);
  });
}

void copy_rows(std::span<const Pair> pairs, std::int64_t n, RowBuffer from, RowBuffer to) {
  if (from.column_step == 1 && to.column_step == 1) {
    for (const auto& [row, slot] : pairs) std::copy_n(&from(row, 0), n, &to(slot, 0));
    return;
  }
  constexpr std::int64_t strip = 64;
  for (std::int64_t first = 0; first < n; first += strip)
    for (const auto& [row, slot] : pairs)
      for (auto c = first; c < std::min(first + strip, n); ++c) to(slot, c) = from(row, c);
}

void interchange(const Interchanges& interchanges, std::int64_t top, std::int64_t width, std::int64_t n,
                 RowMatrix a, double* scratch) {
  for (std::int64_t first = 0; first < n; first += columns_interchanged) {
    const auto count = std::min(columns_interchanged, n - first);
    const auto kept = [&](std::int64_t row) { return scratch + row * columns_interchanged; };
    for (std::int64_t i = 0; i < width; ++i) std::copy_n(&a(top + i, first), count, kept(i));
    for (const auto& [slot, from] : interchanges.staying)
      std::copy_n(kept(from), count, &a(top + slot, first));
    for (const auto& [row, slot, displaced] : interchanges.coming.front()) {
      std::copy_n(&a(row, first), count, &a(top + slot, first));
      std::copy_n(kept(displaced), count, &a(row, first));
    }
  }
}

void interchange(const Interchanges& interchanges, std::int64_t top, std::int64_t width, std::int64_t n,
                 blas::Out a, double* scratch) {
  for (std::int64_t c = 0; c < n; ++c) {
    double* const column = &a(0, c);
    double* const block = column + top;
    std::copy_n(block, width, scratch);
    for (const auto& [slot, from] : interchanges.staying) block[slot] = scratch[from];
    for (const auto& [row, slot, displaced] : interchanges.coming.front())
      block[slot] = std::exchange(column[row], scratch[displaced]);
  }
}

}  // namespace steelyard::hpcc::hpl
