// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/ptrans/transpose.hpp"

#include "suites/hpcc/foundation/isa.hpp"
#include "suites/hpcc/foundation/lines.hpp"

namespace steelyard::hpcc {
namespace {

constexpr std::int64_t square = 8;

/// Rows become columns: pairs, then pairs of pairs, then halves.
__attribute__((always_inline)) inline void transpose(Line (&x)[square]) noexcept {
  Line y[square];
  for (int i = 0; i < 8; i += 2) {
    y[i] = __builtin_shufflevector(x[i], x[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
    y[i + 1] = __builtin_shufflevector(x[i], x[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
  }
  for (int i = 0; i < 8; i += 4)
    for (int j = i; j < i + 2; ++j) {
      x[j] = __builtin_shufflevector(y[j], y[j + 2], 0, 1, 8, 9, 4, 5, 12, 13);
      x[j + 2] = __builtin_shufflevector(y[j], y[j + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    }
  for (int j = 0; j < 4; ++j) {
    y[j] = __builtin_shufflevector(x[j], x[j + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    y[j + 4] = __builtin_shufflevector(x[j], x[j + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
  for (int j = 0; j < 8; ++j) x[j] = y[j];
}

enum class Put { copy, add };

/// Asks for the lines that the squares of the next eight columns of `to` meet at this place: both matrices are
/// walked across their columns, where the hardware foresees nothing.
__attribute__((always_inline)) inline void fetch_ahead(const double* to, std::int64_t to_stride,
                                                       const double* from, std::int64_t from_stride) noexcept {
  constexpr int second_level = 2;
  for (int k = 0; k < square; ++k) {
    __builtin_prefetch(from + square + k * from_stride, 0, second_level);
    __builtin_prefetch(to + (square + k) * to_stride, 1, second_level);
  }
}

template <Put put>
__attribute__((always_inline)) inline void put_square(double* to, std::int64_t to_stride, const double* from,
                                                      std::int64_t from_stride) noexcept {
  fetch_ahead(to, to_stride, from, from_stride);
  Line x[square];
  for (int i = 0; i < square; ++i) load(x[i], from + i * from_stride);
  transpose(x);
  for (int j = 0; j < square; ++j) {
    if constexpr (put == Put::add) {
      Line before;
      load(before, to + j * to_stride);
      x[j] += before;
    }
    store(to + j * to_stride, x[j]);
  }
}

template <Put put>
__attribute__((always_inline)) inline void put_elements(const Block& block, double* to,
                                                        std::int64_t to_stride, const double* from,
                                                        std::int64_t from_stride) noexcept {
  for (std::int64_t j = 0; j < block.columns; ++j)
    for (std::int64_t i = 0; i < block.rows; ++i) {
      double& element = to[i + j * to_stride];
      element = put == Put::add ? element + from[j + i * from_stride] : from[j + i * from_stride];
    }
}

template <Put put>
void put_transposed(const Block& block, double* to, std::int64_t to_stride, const double* from,
                    std::int64_t from_stride) noexcept {
  const std::int64_t rows = block.rows / square * square, columns = block.columns / square * square;
  run_widest([=]() __attribute__((always_inline)) {
    for (std::int64_t j = 0; j < columns; j += square)
      for (std::int64_t i = 0; i < rows; i += square)
        put_square<put>(to + i + j * to_stride, to_stride, from + j + i * from_stride, from_stride);
  });
  put_elements<put>({block.rows - rows, columns}, to + rows, to_stride, from + rows * from_stride,
                    from_stride);
  put_elements<put>({block.rows, block.columns - columns}, to + columns * to_stride, to_stride,
                    from + columns, from_stride);
}

}  // namespace

void copy_transposed(const Block& block, double* to, std::int64_t to_stride, const double* from,
                     std::int64_t from_stride) noexcept {
  put_transposed<Put::copy>(block, to, to_stride, from, from_stride);
}

void add_transposed(const Block& block, double* to, std::int64_t to_stride, const double* from,
                    std::int64_t from_stride) noexcept {
  put_transposed<Put::add>(block, to, to_stride, from, from_stride);
}

void add_block(const Block& block, double* to, std::int64_t to_stride, const double* from,
               std::int64_t from_stride) noexcept {
  run_widest([=]() __attribute__((always_inline)) {
    for (std::int64_t j = 0; j < block.columns; ++j)
      for (std::int64_t i = 0; i < block.rows; ++i) to[i + j * to_stride] += from[i + j * from_stride];
  });
}

}  // namespace steelyard::hpcc
