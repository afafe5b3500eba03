// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/hpl/rows.hpp"

#include <algorithm>
#include <utility>

namespace steelyard::hpcc::hpl {
namespace {

constexpr std::int64_t line = 8;        // doubles of a cache line
constexpr std::size_t ahead = 8;        // rows
constexpr std::int64_t in_flight = 64;  // cache lines that should be on their way

void ask_for(const double* element) {
  __builtin_prefetch(element, 1);
}

/// Calls move(matrix element, buffer element) for some columns of all pairs, a line's worth of columns at a
/// time, so that buffers by rows are written in whole lines.
template <class Move>
void move_rows(std::span<const Pair> pairs, std::int64_t n, blas::Out a, RowBuffer buffer, Move move) {
  for (std::int64_t first = 0; first < n; first += line) {
    const auto last = std::min(first + line, n);
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      if (p + ahead < pairs.size())
        for (auto c = first; c < last; ++c) ask_for(&a(pairs[p + ahead].row, c));
      for (auto c = first; c < last; ++c) move(a(pairs[p].row, c), buffer(pairs[p].slot, c));
    }
  }
}

}  // namespace

void take_rows(std::span<const Pair> pairs, std::int64_t n, blas::Out a, RowBuffer buffer) {
  move_rows(pairs, n, a, buffer, [](double& element, double& copy) { copy = element; });
}

void put_rows(std::span<const Pair> pairs, std::int64_t n, RowBuffer buffer, blas::Out a) {
  move_rows(pairs, n, a, buffer, [](double& element, double& copy) { element = copy; });
}

void swap_rows(std::span<const Pair> pairs, std::int64_t n, RowBuffer buffer, blas::Out a) {
  move_rows(pairs, n, a, buffer, [](double& element, double& copy) { std::swap(element, copy); });
}

void copy_rows(std::span<const Pair> pairs, std::int64_t n, RowBuffer from, RowBuffer to) {
  constexpr std::int64_t strip = 64;
  for (std::int64_t first = 0; first < n; first += strip)
    for (const auto& [row, slot] : pairs)
      for (auto c = first; c < std::min(first + strip, n); ++c) to(slot, c) = from(row, c);
}

void interchange(const Interchanges& interchanges, std::int64_t top, std::int64_t width, std::int64_t n,
                 blas::Out a, double* scratch) {
  const auto& coming = interchanges.coming.front();
  const std::int64_t columns_ahead = 1 + in_flight / width;
  for (std::int64_t c = 0; c < n; ++c) {
    double* const column = &a(0, c);
    double* const block = column + top;
    const double* const later = &a(0, std::min(c + columns_ahead, n - 1));
    std::copy_n(block, width, scratch);
    for (const auto& [slot, from] : interchanges.staying) block[slot] = scratch[from];
    for (const auto& [row, slot, displaced] : coming) {
      ask_for(later + row);
      block[slot] = std::exchange(column[row], scratch[displaced]);
    }
  }
}

}  // namespace steelyard::hpcc::hpl
