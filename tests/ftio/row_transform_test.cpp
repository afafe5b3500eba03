// SPDX-License-Identifier: Apache-2.0
#include "suites/ftio/row_transform.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "fourier/transforms.hpp"
#include "ftio_bench.hpp"

namespace steelyard::ftio {
namespace {

using test::world;

std::vector<Complex> random_values(std::int64_t n, unsigned seed) {
  std::mt19937_64 next(seed);
  std::uniform_real_distribution<double> value(-1, 1);
  std::vector<Complex> values(static_cast<std::size_t>(n));
  for (auto& one : values) one = {value(next), value(next)};
  return values;
}

std::vector<Complex> by_definition(const std::vector<Complex>& values) {
  const auto n = static_cast<std::int64_t>(values.size());
  std::vector<Complex> out(values.size());
  for (std::int64_t k = 0; k < n; ++k)
    for (std::int64_t j = 0; j < n; ++j)
      out[static_cast<std::size_t>(k)] += values[static_cast<std::size_t>(j)] * fourier::root(j * k, n);
  return out;
}

/// Rows of the same random numbers on all processes; this one's sections are transformed.
void expect_transform(std::int64_t parameter, std::int64_t rows,
                      std::int64_t longest = std::numeric_limits<int>::max()) {
  const Shape shape{world().size(), parameter};
  const std::int64_t band = shape.band(), first = world().rank() * band;
  const WorkRows here(shape, rows), there(shape, rows);
  RowTransform transform(world(), shape, rows, here.data(), there.data(), longest);
  PhaseSums sums;
  Meter meter;
  meter.begin(sums);
  std::vector<std::vector<Complex>> expected;
  for (std::int64_t row = 0; row < rows; ++row) {
    const auto whole = random_values(shape.order(), static_cast<unsigned>(17 + row));
    std::copy_n(whole.begin() + first, band, here.data() + row * band);
    expected.push_back(by_definition(whole));
  }
  const Complex* found = transform.forward(meter);
  const double bound = 1e-14 * static_cast<double>(shape.order());
  for (std::int64_t row = 0; row < rows; ++row)
    for (std::int64_t k = 0; k < band; ++k)
      ASSERT_LT(std::abs(found[row * band + k] -
                         expected[static_cast<std::size_t>(row)][static_cast<std::size_t>(first + k)]),
                bound)
          << shape.processes << " processes, i = " << parameter << ", row " << row << ", k " << k;
  EXPECT_GT(sums.communication_s, 0);
}

}  // namespace

TEST(row_transform, is_the_transform_by_definition) {
  for (const auto parameter : valid_parameters(world().size(), 2, 3)) expect_transform(parameter, 1);
}

TEST(row_transform, several_rows_at_a_time_are_each_transformed) {
  for (const auto parameter : valid_parameters(world().size(), 2, 2))
    for (const std::int64_t rows : {2, 3}) expect_transform(parameter, rows);
}

TEST(row_transform, parts_longer_than_a_count_are_exchanged_whole) {
  for (const auto parameter : valid_parameters(world().size(), 4, 2)) expect_transform(parameter, 3, 5);
}

}  // namespace steelyard::ftio
