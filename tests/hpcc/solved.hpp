// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "suites/hpcc/blas/blas.hpp"
#include "suites/hpcc/congruence.hpp"
#include "suites/hpcc/form.hpp"
#include "suites/hpcc/hpl/solver.hpp"
#include "world.hpp"

/// What the tests of the linear solver share: a small problem, its solution element by element.
namespace steelyard::hpcc::hpl {

/// x by elimination on one process.
inline std::vector<double> plain_solution(std::int64_t order) {
  const auto n = static_cast<std::size_t>(order);
  std::vector<double> a(n * (n + 1)), x(n);
  for (std::size_t k = 0; k < a.size(); ++k) a[k] = solver_value(solver_state(1 + k));
  const auto at = [&](std::size_t i, std::size_t j) -> double& { return a[i + j * n]; };
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::abs(at(i, k)) > std::abs(at(pivot, k))) pivot = i;
    for (std::size_t j = k; j <= n; ++j) std::swap(at(k, j), at(pivot, j));
    for (std::size_t i = k + 1; i < n; ++i)
      for (std::size_t j = n + 1; j-- > k;) at(i, j) -= at(i, k) / at(k, k) * at(k, j);
  }
  for (std::size_t k = n; k-- > 0;) {
    x[k] = at(k, n) / at(k, k);
    for (std::size_t i = 0; i < k; ++i) at(i, n) -= at(i, k) * x[k];
  }
  return x;
}

inline Variant small(const Grid& grid, std::int64_t n) {
  Variant variant;
  variant.grid = grid;
  variant.n = n;
  variant.nb = 8;
  variant.stop = 2;
  variant.swap_threshold = 10;
  variant.at_once = 1 + static_cast<int>(n % 4);
  variant.slice_rows = 5;
  variant.strip = 6;
  return variant;
}

inline std::string words(const Variant& v) {
  return tv_code(v) + " " + std::to_string(v.n) + " on " + std::to_string(v.grid.rows) + "x" +
         std::to_string(v.grid.columns) + " swap " + std::to_string(static_cast<int>(v.swap)) + " L1 " +
         std::to_string(static_cast<int>(v.l1)) + " U " + std::to_string(static_cast<int>(v.u)) + " equil " +
         std::to_string(static_cast<int>(v.equilibration)) + " align " + std::to_string(v.alignment);
}

/// Passes its check and agrees with the plain solution.
inline void expect_solved(const Variant& variant, const std::vector<double>& expected,
                          const blas::Routines& routines = blas::Routines::linked()) {
  Solver solver(world(), variant, routines);
  ASSERT_EQ(solver.run(), MPI_SUCCESS) << words(variant);
  const auto found = solver.verify(default_threshold);
  EXPECT_EQ(found.errors, 0) << words(variant) << ": " << found.first;
  EXPECT_LT(found.worst, 0.5) << words(variant);
  const auto x = solver.solution();
  double largest = 0;
  for (const double value : expected) largest = std::max(largest, std::abs(value));
  for (std::size_t j = 0; j < x.size(); ++j) {
    const auto& shape = solver.shape();
    const auto global = shape.columns().global(shape.at.column, static_cast<std::int64_t>(j));
    ASSERT_NEAR(x[j], expected[static_cast<std::size_t>(global)], 1e-9 * largest) << words(variant);
  }
}

/// Messages with pivots and rows that this process has received, where the program counts them.
extern int row_messages;

inline constexpr std::int64_t several_panels = 43;  // 5 NB + 3, all four panels at once where that can be

class HplSolver : public testing::Test {
 protected:
  void SetUp() override {
    if (!blas::available()) GTEST_SKIP() << "built without a BLAS";
    blas::set_threads(1);
  }
};

}  // namespace steelyard::hpcc::hpl
