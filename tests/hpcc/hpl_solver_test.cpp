// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <set>

#include "suites/hpcc/blas.hpp"
#include "suites/hpcc/congruence.hpp"
#include "suites/hpcc/form.hpp"
#include "suites/hpcc/hpl/solver.hpp"
#include "world.hpp"

using namespace steelyard;
using namespace steelyard::hpcc;
using namespace steelyard::hpcc::hpl;

namespace {

/// x by elimination on one process, element by element.
std::vector<double> plain_solution(std::int64_t order) {
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

Variant small(const Grid& grid, std::int64_t n) {
  Variant variant;
  variant.grid = grid;
  variant.n = n;
  variant.nb = 8;
  variant.stop = 2;
  variant.swap_threshold = 10;
  return variant;
}

std::string words(const Variant& v) {
  return tv_code(v) + " " + std::to_string(v.n) + " on " + std::to_string(v.grid.rows) + "x" +
         std::to_string(v.grid.columns) + " swap " + std::to_string(static_cast<int>(v.swap)) + " L1 " +
         std::to_string(static_cast<int>(v.l1)) + " U " + std::to_string(static_cast<int>(v.u)) + " equil " +
         std::to_string(static_cast<int>(v.equilibration)) + " align " + std::to_string(v.alignment);
}

/// Passes its check and agrees with the plain solution.
void expect_solved(const Variant& variant, const std::vector<double>& expected) {
  Solver solver(world(), variant);
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

constexpr std::int64_t several_panels = 43;  // 5 NB + 3

/// Draws every option anew.
Variant drawn(Random& random, Variant variant) {
  const auto draw = [&random]<class Option>(Option& option, int values) {
    option = static_cast<Option>(random.below(values));
  };
  draw(variant.mapping, 2);
  draw(variant.depth, 4);
  draw(variant.broadcast, 6);
  draw(variant.recursive, 3);
  draw(variant.panel, 3);
  draw(variant.swap, 3);
  draw(variant.l1, 2);
  draw(variant.u, 2);
  draw(variant.equilibration, 2);
  variant.stop = 1 + random.below(5);
  variant.parts = 2 + random.below(3);
  variant.alignment = 1 + random.below(9);
  variant.nb = 3 + random.below(9);
  return variant;
}

}  // namespace

class HplSolver : public testing::Test {
 protected:
  void SetUp() override {
    if (!blas::available()) GTEST_SKIP() << "built without a BLAS";
    blas::set_threads(1);
  }
};

TEST_F(HplSolver, orders_around_a_block_are_solved_at_every_depth) {
  for (const auto& grid : grids())
    for (const std::int64_t n : {0, 1, 7, 8, 9, 43})
      for (int depth = 0; depth < 4; ++depth) {
        auto variant = small(grid, n);
        variant.depth = depth;
        expect_solved(variant, plain_solution(n));
      }
}

TEST_F(HplSolver, nine_factorisations_agree_in_all_forms) {
  const auto expected = plain_solution(several_panels);
  for (const auto& grid : grids())
    for (int combination = 0; combination < 9; ++combination)
      for (int form = 0; form < 4; ++form) {
        // Processes that share processors are slow: each combination in one of the forms.
        if (world().size() > 2 && form != combination % 4) continue;
        auto variant = small(grid, several_panels);
        variant.recursive = static_cast<Factorisation>(combination / 3);
        variant.panel = static_cast<Factorisation>(combination % 3);
        variant.l1 = static_cast<Storage>(form / 2);
        variant.u = static_cast<Storage>(form % 2);
        variant.stop = 1 + form;
        expect_solved(variant, expected);
      }
}

TEST_F(HplSolver, broadcasts_and_swaps_agree) {
  const auto expected = plain_solution(several_panels);
  for (const auto& grid : grids())
    for (int broadcast = 0; broadcast < 6; ++broadcast)
      for (int swap = 0; swap < 3; ++swap) {
        auto variant = small(grid, several_panels);
        variant.broadcast = static_cast<Broadcast>(broadcast);
        variant.swap = static_cast<Swap>(swap);
        variant.depth = (broadcast + swap) % 4;
        variant.equilibration = static_cast<Equilibration>((broadcast + swap) % 2);
        variant.u = static_cast<Storage>(broadcast % 2);
        expect_solved(variant, expected);
      }
}

TEST_F(HplSolver, options_drawn_at_random_agree) {
  const auto expected = plain_solution(several_panels);
  Random random(static_cast<std::uint64_t>(world().size()));
  const int draws = world().size() > 2 ? 16 : 60;
  for (const auto& grid : grids())
    for (int draw = 0; draw < draws; ++draw)
      expect_solved(drawn(random, small(grid, several_panels)), expected);
}

TEST_F(HplSolver, every_triangle_is_split_and_solved) {
  auto variant = small(grids().front(), 150);
  variant.nb = 70;
  const auto expected = plain_solution(150);
  for (int form = 0; form < 4; ++form) {
    variant.l1 = static_cast<Storage>(form / 2);
    variant.u = static_cast<Storage>(form % 2);
    for (const auto& grid : grids()) {
      variant.grid = grid;
      expect_solved(variant, expected);
    }
  }
}

TEST_F(HplSolver, norms_are_those_of_the_reference) {
  auto variant = small(grids().back(), 1000);
  variant.nb = 40;
  variant.stop = 4;
  Solver solver(world(), variant);
  ASSERT_EQ(solver.run(), MPI_SUCCESS);
  EXPECT_EQ(solver.verify(default_threshold).errors, 0);
  const auto& norms = solver.norms();
  EXPECT_NEAR(norms.a_1, 263.865, 5e-4);
  EXPECT_NEAR(norms.a_inf, 262.773, 5e-4);
  EXPECT_NEAR(norms.x_1, 2619.63, 5e-3);
  EXPECT_NEAR(norms.x_inf, 11.3513, 5e-5);
  EXPECT_NEAR(norms.b_inf, 0.499776, 5e-7);
}

TEST_F(HplSolver, one_flipped_bit_in_a_panel_fails) {
  for (const auto& grid : grids()) {
    Solver solver(world(), small(grid, several_panels));
    solver.meddle_with([&](const PanelShape& panel, blas::Out a) {
      if (panel.first != 16 || solver.shape().at.row != panel.owner.row) return;
      double& element = a(panel.top + 1, 2);
      element = std::bit_cast<double>(std::bit_cast<std::uint64_t>(element) ^ (std::uint64_t{1} << 44));
    });
    ASSERT_EQ(solver.run(), MPI_SUCCESS);
    const auto found = solver.verify(default_threshold);
    EXPECT_EQ(found.errors, world().is_root() ? 1 : 0);
    EXPECT_GT(found.worst, default_threshold);
  }
}

TEST_F(HplSolver, matrix_without_an_inverse_fails_and_ends) {
  for (const auto& grid : grids())
    for (int depth = 0; depth < 2; ++depth) {
      auto variant = small(grid, several_panels);
      variant.depth = depth;
      Solver solver(world(), variant);
      const auto& shape = solver.shape();
      if (shape.columns().owner(20) == shape.at.column)
        for (std::int64_t i = 0; i < shape.local_rows(); ++i)
          solver.matrix()(i, shape.columns().local(20)) = 0;
      ASSERT_EQ(solver.run(), MPI_SUCCESS);
      EXPECT_EQ(solver.verify(default_threshold).errors, world().is_root() ? 1 : 0);
    }
}

TEST_F(HplSolver, zero_on_the_diagonal_is_no_obstacle) {
  for (const auto& grid : grids()) {
    Solver solver(world(), small(grid, several_panels));
    const auto& shape = solver.shape();
    if (shape.at == Place{}) solver.matrix()(0, 0) = 0;
    ASSERT_EQ(solver.run(), MPI_SUCCESS);
    for (const double value : solver.solution()) ASSERT_TRUE(std::isfinite(value));
  }
}

TEST_F(HplSolver, not_a_number_in_the_matrix_fails_and_ends) {
  for (const auto& grid : grids()) {
    Solver solver(world(), small(grid, several_panels));
    const auto& shape = solver.shape();
    if (shape.local_rows() > 0 && shape.local_columns() > 0)
      solver.matrix()(shape.local_rows() - 1, 0) = std::numeric_limits<double>::quiet_NaN();
    ASSERT_EQ(solver.run(), MPI_SUCCESS);
    EXPECT_EQ(solver.verify(default_threshold).errors, world().is_root() ? 1 : 0);
  }
}

TEST_F(HplSolver, run_stops_between_panels_when_the_first_process_is_told_to) {
  for (const auto& grid : grids())
    for (int depth = 0; depth < 3; ++depth) {
      auto variant = small(grid, several_panels);
      variant.depth = depth;
      Solver solver(world(), variant);
      std::vector<double> shares;
      solver.watch_with([&](double share) {
        shares.push_back(share);
        return shares.size() == 3;
      });
      ASSERT_EQ(solver.run(), MPI_SUCCESS);
      EXPECT_TRUE(solver.stopped());
      EXPECT_TRUE(solver.solution().empty());
      EXPECT_EQ(shares.size(), world().is_root() ? 3U : 0U);
      EXPECT_TRUE(std::ranges::is_sorted(shares));
    }
}

TEST_F(HplSolver, timeline_tells_of_every_panel) {
  Solver solver(world(), small(grids().front(), several_panels));
  Timeline timeline;
  solver.record_in(&timeline);
  ASSERT_EQ(solver.run(), MPI_SUCCESS);
  std::set<std::int64_t> multiplied;
  for (const auto& span : timeline) {
    EXPECT_LE(span.begin_s, span.end_s);
    if (span.phase == Phase::multiply) multiplied.insert(span.panel);
  }
  EXPECT_EQ(multiplied.contains(0), solver.shape().local_columns() > panel_shape(solver.shape(), 0).right);
  EXPECT_EQ(timeline.back().phase, Phase::substitute);
}

TEST_F(HplSolver, grid_of_another_size_and_impossible_options_are_refused) {
  EXPECT_THROW(Solver(world(), small({world().size() + 1, 1}, 10)), std::invalid_argument);
  auto variant = small(grids().front(), 10);
  variant.parts = 1;
  EXPECT_THROW(Solver(world(), variant), std::invalid_argument);
}

TEST(even_out, groups_differ_by_one_row_at_most) {
  Random random(5);
  for (int round = 0; round < 100; ++round) {
    std::vector<std::int64_t> rows;
    std::int64_t sum = 0;
    for (int p = 3 + random.below(6); p > 0; --p) sum += rows.emplace_back(random.below(30));
    const auto size = static_cast<std::int64_t>(rows.size());
    for (const auto& [from, to, count] : even_out(rows)) {
      rows[static_cast<std::size_t>(from)] -= count;
      rows[static_cast<std::size_t>(to)] += count;
      EXPECT_GT(count, 0);
    }
    for (const auto count : rows) {
      EXPECT_GE(count, sum / size);
      EXPECT_LE(count, (sum + size - 1) / size);
    }
  }
  EXPECT_TRUE(even_out(std::vector<std::int64_t>{3, 4, 3}).empty());
}
