// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "suites/hpcc/congruence.hpp"

/// Matrices of PTRANS, C <- transposed A + C, and the placement of its grid. Pure.
namespace steelyard::hpcc {

enum class Matrix { a, c };

/// A runs down its columns, C along its rows: walking along k, element k of line l is number k + l n of the
/// sequence. States X_0 = 100 for A, 200 for C; value 1 - 2 X / 2^31.
class PtransSequence {
 public:
  PtransSequence(Matrix matrix, std::int64_t n) : seed_(matrix == Matrix::a ? 100 : 200), n_(n) {}
  /// State of element k of line l: column l of A, row l of C.
  [[nodiscard]] std::uint64_t state(std::int64_t k, std::int64_t line) const {
    return narrow_step.times(static_cast<std::uint64_t>(1 + k + line * n_))(seed_) & mask;
  }
  [[nodiscard]] static constexpr std::uint64_t next(std::uint64_t x) { return narrow_step(x) & mask; }
  [[nodiscard]] static constexpr double value(std::uint64_t x) {
    return 1.0 - static_cast<double>(x) * 0x1p-30;
  }

 private:
  static constexpr std::uint64_t mask = (std::uint64_t{1} << 31) - 1;
  std::uint64_t seed_;
  std::int64_t n_;
};

/// World rank at place i + j Q of the grid, for a random placement; the first P Q of them are used.
[[nodiscard]] std::vector<int> random_placement(int world, std::uint64_t seed);

inline constexpr int ptrans_placements = 5;

}  // namespace steelyard::hpcc
