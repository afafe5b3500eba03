// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Loops over column-major blocks, compiled for the processor's widest lines; transposition in squares of 8
/// by 8 that stay in registers.
namespace steelyard::hpcc {

/// A block of rows x columns doubles.
struct Block {
  std::int64_t rows = 0, columns = 0;
};

/// to(i, j) = from(j, i) for the block of `to`.
void copy_transposed(const Block& block, double* to, std::int64_t to_stride, const double* from,
                     std::int64_t from_stride) noexcept;
/// to(i, j) += from(j, i)
void add_transposed(const Block& block, double* to, std::int64_t to_stride, const double* from,
                    std::int64_t from_stride) noexcept;
/// to(i, j) += from(i, j)
void add_block(const Block& block, double* to, std::int64_t to_stride, const double* from,
               std::int64_t from_stride) noexcept;

}  // namespace steelyard::hpcc
