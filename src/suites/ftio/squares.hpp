// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>

#include "mpi/communicator.hpp"
#include "suites/ftio/column_file.hpp"

/// The transposition of the matrix on disk. Source: FTIO paper, 3.6.
namespace steelyard::ftio {

/// Objects that both steps work with. `effort` collects what goes wrong: nothing is thrown. A message of more
/// than `longest` numbers is one element of a derived type.
struct SquareWork {
  const Shape& shape;
  ColumnFile& file;
  Meter& meter;
  Effort& effort;
  std::int64_t longest = std::numeric_limits<int>::max();
};

/// Transposes each Square of this process with two Mini-Squares in memory, `one` and `other`. Local.
void transpose_squares(const SquareWork& work, Complex* one, Complex* other);

/// Exchanges each Square s of process p with Square p of process s, Diagonal by Diagonal, so many rows at a
/// time in `memory`. Collective.
void exchange_squares(const SquareWork& work, const mpi::Communicator& team, std::int64_t rows,
                      Complex* memory);

/// Transposes a square of that width in memory.
void transpose_in_place(Complex* square, std::int64_t width);

}  // namespace steelyard::ftio
