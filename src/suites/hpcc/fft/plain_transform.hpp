// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <cstdint>
#include <span>
#include <vector>

#include "fourier/transforms.hpp"

/// A transform that checks the measured ones; it shares only the table of roots, and moves of vectors, with them.
namespace steelyard::hpcc {

/// Forward transforms of rows that lie one after the other, of a length whose prime factors are 2, 3 and 5, in
/// self-sorting passes of radix 2, 3, 4 or 5; as many rows at once as registers hold numbers. Throws
/// std::invalid_argument for other lengths.
void plain_forward(std::span<std::complex<double>> rows, std::size_t length);
/// Rows that lie in blocks, one after the other, each with `part` elements of every row.
struct Blocks {
  std::span<const std::complex<double>> values;
  std::int64_t part;
};
/// The same of rows in blocks, which become whole in `rows`, as many as fit there; may be the same memory where there is
/// one block.
void plain_forward(const Blocks& from, std::span<std::complex<double>> rows, std::int64_t length);
/// The same, and element k of row j times power (first + j) k of the root.
void plain_forward(const Blocks& from, std::span<std::complex<double>> rows, std::int64_t length,
                   const fourier::Roots& roots, std::int64_t first);
/// Inverse transform, divided by the length: transforms of columns, then of rows, of a
/// matrix that is nearly square.
void plain_inverse(std::span<std::complex<double>> values, std::span<std::complex<double>> buffer);

/// Prime factors 2, 3, 5 of n, largest first. Throws std::invalid_argument if there are others.
[[nodiscard]] std::vector<int> smooth_factors(std::int64_t n);

}  // namespace steelyard::hpcc
