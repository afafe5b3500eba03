// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/foundation/transpose.hpp"

#include "suites/hpcc/foundation/isa.hpp"
#include "suites/hpcc/foundation/lines.hpp"

namespace steelyard::hpcc {
namespace {

constexpr std::int64_t square = 8;

enum class Put { copy, add };

/// Asks for the lines that the squares of the next eight columns of `to` meet at this place: both matrices
/// are walked across their columns, where the hardware foresees nothing.
__attribute__((always_inline)) inline void fetch_ahead(const double* to, std::int64_t to_stride,
                                                       const double* from,
                                                       std::int64_t from_stride) noexcept {
  constexpr int second_level = 2;
  for (int k = 0; k < square; ++k) {
    __builtin_prefetch(from + square + k * from_stride, 0, second_level);
    __builtin_prefetch(to + (square + k) * to_stride, 1, second_level);
  }
}

/// Transposes a square as wide as a register.
template <Put put, class V>
__attribute__((always_inline)) inline void put_part(double* to, std::int64_t to_stride, const double* from,
                                                    std::int64_t from_stride) noexcept {
  constexpr int width = width_of<V>;
  Square<V> x;
  for (int i = 0; i < width; ++i) x[i] = load<V>(from + i * from_stride);
  transpose(x);
  for (int j = 0; j < width; ++j) {
    double* const column = to + j * to_stride;
    if constexpr (put == Put::add) x[j] += load<V>(column);
    store(column, x[j]);
  }
}

template <Put put, class V>
__attribute__((always_inline)) inline void put_square(double* to, std::int64_t to_stride, const double* from,
                                                      std::int64_t from_stride) noexcept {
  fetch_ahead(to, to_stride, from, from_stride);
  for (int j = 0; j < square; j += width_of<V>)
    for (int i = 0; i < square; i += width_of<V>)
      put_part<put, V>(to + i + j * to_stride, to_stride, from + j + i * from_stride, from_stride);
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
  run_widest([=](auto isa) __attribute__((always_inline)) {
    using V = Part<decltype(isa)::value>;
    for (std::int64_t j = 0; j < columns; j += square)
      for (std::int64_t i = 0; i < rows; i += square)
        put_square<put, V>(to + i + j * to_stride, to_stride, from + j + i * from_stride, from_stride);
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
