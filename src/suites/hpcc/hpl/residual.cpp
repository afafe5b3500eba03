// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/hpl/residual.hpp"

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "mpi/error.hpp"
#include "mpi/handle.hpp"
#include "suites/hpcc/form.hpp"

namespace steelyard::hpcc::hpl {
namespace {

double magnitude(double value) {
  return std::isnan(value) ? std::numeric_limits<double>::infinity() : std::abs(value);
}

double largest(std::span<const double> values) {
  double most = 0;
  for (const double value : values) most = std::max(most, magnitude(value));
  return most;
}

double sum_of_magnitudes(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += magnitude(value);
  return sum;
}

/// Adds up vectors, element by element, over the processes of a row or column.
void add_up(const mpi::Communicator& comm, std::vector<double>& values) {
  mpi::check(MPI_Allreduce(MPI_IN_PLACE, values.data(), mpi::to_int(static_cast<std::int64_t>(values.size())),
                           MPI_DOUBLE, MPI_SUM, comm.get()),
             "MPI_Allreduce");
}

struct Sums {
  std::vector<double> ax, rows, columns;  // A x; sums of magnitudes of rows and of columns
};

Sums own_sums(const Shape& shape, std::span<const double> x) {
  const auto rows = static_cast<std::size_t>(shape.local_rows());
  Sums sums{std::vector<double>(rows), std::vector<double>(rows), {}};
  std::vector<double> values(rows);
  for (std::size_t j = 0; j < x.size(); ++j) {
    generate_column(shape, shape.columns().global(shape.at.column, static_cast<std::int64_t>(j)),
                    values.data());
    for (std::size_t i = 0; i < rows; ++i) {
      sums.ax[i] += values[i] * x[j];
      sums.rows[i] += std::abs(values[i]);
    }
    sums.columns.push_back(sum_of_magnitudes(values));
  }
  return sums;
}

}  // namespace

Norms norms(const mpi::Communicator& row, const mpi::Communicator& column, const Shape& shape,
            std::span<const double> x) {
  auto sums = own_sums(shape, x);
  add_up(row, sums.ax);
  add_up(row, sums.rows);
  add_up(column, sums.columns);
  std::vector<double> b(sums.ax.size());
  generate_column(shape, shape.n, b.data());
  Norms found;
  found.b_inf = column.max(largest(b));
  for (std::size_t i = 0; i < b.size(); ++i) b[i] -= sums.ax[i];
  found.r_inf = column.max(largest(b));
  found.a_inf = column.max(largest(sums.rows));
  found.a_1 = row.max(largest(sums.columns));
  found.x_inf = row.max(largest(x));
  found.x_1 = row.sum(sum_of_magnitudes(x));
  return found;
}

double scaled_residual(const Norms& norms, std::int64_t n) {
  if (n == 0) return 0;
  return norms.r_inf / (half_epsilon * (norms.a_inf * norms.x_inf + norms.b_inf) * static_cast<double>(n));
}

}  // namespace steelyard::hpcc::hpl
