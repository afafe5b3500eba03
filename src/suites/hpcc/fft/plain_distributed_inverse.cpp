// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "fourier/roots.hpp"
#include "mpi/error.hpp"
#include "suites/hpcc/fft/distributed_fft.hpp"
#include "suites/hpcc/fft/plain_transform.hpp"

namespace steelyard::hpcc {
namespace {

/// A matrix in blocks of rows, element by element.
struct Rows {
  std::int64_t count = 0, length = 0;  // of this process; of a row
  std::vector<Complex> values;

  Rows(std::int64_t rows, std::int64_t columns)
      : count(rows), length(columns), values(static_cast<std::size_t>(rows * columns)) {}
  Complex& at(std::int64_t row, std::int64_t column) {
    return values[static_cast<std::size_t>(row * length + column)];
  }
  [[nodiscard]] std::span<Complex> row(std::int64_t i) {
    return std::span(values).subspan(static_cast<std::size_t>(i * length), static_cast<std::size_t>(length));
  }
};

Rows transposed(const mpi::Communicator& comm, Rows from) {
  const std::int64_t p = comm.size(), width = from.length / p;
  Rows to(width, from.count * p);
  std::vector<Complex> out, in(from.values.size());
  out.reserve(in.size());
  for (std::int64_t q = 0; q < p; ++q)
    for (std::int64_t j = 0; j < width; ++j)
      for (std::int64_t i = 0; i < from.count; ++i) out.push_back(from.at(i, q * width + j));
  const auto doubles = static_cast<int>(2 * width * from.count);
  mpi::check(MPI_Alltoall(out.data(), doubles, MPI_DOUBLE, in.data(), doubles, MPI_DOUBLE, comm.get()),
             "MPI_Alltoall");
  auto next = in.begin();
  for (std::int64_t s = 0; s < p; ++s)
    for (std::int64_t j = 0; j < width; ++j)
      for (std::int64_t i = 0; i < from.count; ++i) to.at(j, s * from.count + i) = *next++;
  return to;
}

void transform_rows(Rows& rows) {
  std::vector<Complex> buffer(static_cast<std::size_t>(rows.length));
  for (std::int64_t i = 0; i < rows.count; ++i) plain_forward(rows.row(i), buffer);
}

}  // namespace

void plain_distributed_inverse(const mpi::Communicator& comm, const Factors& factors,
                               std::span<Complex> values) {
  const auto n = factors.n1 * factors.n2;
  const fourier::Roots roots(n);
  Rows rows(factors.n1 / comm.size(), factors.n2);
  for (std::size_t i = 0; i < values.size(); ++i) rows.values[i] = std::conj(values[i]);
  auto columns = transposed(comm, std::move(rows));
  transform_rows(columns);
  const std::int64_t first = comm.rank() * columns.count;
  for (std::int64_t j = 0; j < columns.count; ++j)
    for (std::int64_t k = 0; k < columns.length; ++k) columns.at(j, k) *= roots((first + j) * k);
  rows = transposed(comm, std::move(columns));
  transform_rows(rows);
  const auto result = transposed(comm, std::move(rows));
  const double scale = 1 / static_cast<double>(n);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::conj(result.values[i]) * scale;
}

}  // namespace steelyard::hpcc
