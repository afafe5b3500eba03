// SPDX-License-Identifier: Apache-2.0
#include "suites/ftio/squares.hpp"

#include <algorithm>
#include <utility>

#include "mpi/handle.hpp"

namespace steelyard::ftio {
namespace {

constexpr std::int64_t tile = 8;  // two cache lines of elements

/// Row band a and column band b of a Square: i segments.
Pieces mini_square(const Shape& shape, std::int64_t square, std::int64_t a, std::int64_t b) {
  const std::int64_t i = shape.parameter, row = square * shape.band() + a * i;
  return {.offset = row * shape.section().count() + b * i * element_byte,
          .bytes = i * element_byte,
          .count = i,
          .distance = shape.section().count()};
}

void turn_pair(const SquareWork& work, const Pieces& here, const Pieces& mirror, Complex* one,
               Complex* other) {
  work.meter.read(work.file, here, one);
  work.meter.read(work.file, mirror, other);
  transpose_in_place(one, work.shape.parameter);
  transpose_in_place(other, work.shape.parameter);
  work.meter.write(work.file, mirror, one);
  work.meter.write(work.file, here, other);
}

void turn_alone(const SquareWork& work, const Pieces& here, Complex* one) {
  work.meter.read(work.file, here, one);
  transpose_in_place(one, work.shape.parameter);
  work.meter.write(work.file, here, one);
}

void exchange_rows(const SquareWork& work, const mpi::Communicator& team, int partner, int tag,
                   const Pieces& rows, Complex* memory) {
  work.effort([&] { work.meter.read(work.file, rows, memory); });
  work.effort.always([&] {
    const mpi::Transfer sent(rows.bytes / element_byte, MPI_C_DOUBLE_COMPLEX, work.longest);
    work.meter.communicate([&] {
      mpi::check(MPI_Sendrecv_replace(memory, sent.count(), sent.type(), partner, tag, partner, tag,
                                      team.get(), MPI_STATUS_IGNORE),
                 "MPI_Sendrecv_replace");
    });
  });
  work.effort([&] { work.meter.write(work.file, rows, memory); });
}

}  // namespace

void transpose_in_place(Complex* square, std::int64_t width) {
  for (std::int64_t top = 0; top < width; top += tile)
    for (std::int64_t left = top; left < width; left += tile)
      for (std::int64_t row = top; row < std::min(top + tile, width); ++row)
        for (std::int64_t column = std::max(left, row + 1); column < std::min(left + tile, width); ++column)
          std::swap(square[row * width + column], square[column * width + row]);
}

void transpose_squares(const SquareWork& work, Complex* one, Complex* other) {
  const Shape& shape = work.shape;
  work.effort([&] {
    for (std::int64_t square = 0; square < shape.processes; ++square)
      for (std::int64_t a = 0; a < shape.parameter; ++a) {
        turn_alone(work, mini_square(shape, square, a, a), one);
        for (std::int64_t b = a + 1; b < shape.parameter; ++b)
          turn_pair(work, mini_square(shape, square, a, b), mini_square(shape, square, b, a), one, other);
      }
  });
}

void exchange_squares(const SquareWork& work, const mpi::Communicator& team, std::int64_t rows,
                      Complex* memory) {
  const Shape& shape = work.shape;
  const std::int64_t section = shape.section().count(), band = shape.band();
  const int c = shape.processes;
  for (int diagonal = 0; diagonal < c; ++diagonal) {
    const int square = (diagonal - team.rank() + c) % c;
    if (square == team.rank()) continue;
    for (std::int64_t row = 0; row < band; row += rows) {
      const Pieces pieces{.offset = (square * band + row) * section,
                          .bytes = std::min(rows, band - row) * section};
      exchange_rows(work, team, square, diagonal, pieces, memory);
    }
  }
}

}  // namespace steelyard::ftio
