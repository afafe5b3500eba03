// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <bit>
#include <map>

#include "covering.hpp"
#include "machine/processors.hpp"
#include "solved.hpp"
#include "suites/hpcc/blas/library.hpp"

using namespace steelyard;
using namespace steelyard::hpcc;
using namespace steelyard::hpcc::hpl;

// Processes that share processors are slow.
constexpr const char* crowded = "every_pair_of_option_values_agrees_on_every_grid is for many processes";

TEST_F(HplSolver, orders_around_a_block_are_solved_at_every_depth) {
  if (world().size() > 2) GTEST_SKIP() << crowded;
  for (const auto& grid : grids())
    for (const std::int64_t n : {0, 1, 7, 8, 9, 20, 31, 43, 70, 72})
      for (int depth = 0; depth < 4; ++depth) {
        auto variant = small(grid, n);
        variant.depth = depth;
        expect_solved(variant, plain_solution(n));
      }
}

TEST_F(HplSolver, panels_are_applied_several_at_once_where_one_process_row_has_all_rows) {
  auto variant = small({1, world().size()}, several_panels);
  const int together = panels_at_once(variant);
  EXPECT_EQ(together, 4);
  Solver solver(world(), variant);
  Timeline timeline;
  timeline.keep(0, several_panels);
  solver.record_in(&timeline);
  ASSERT_EQ(solver.run(), MPI_SUCCESS);
  // Of the last panel of a group alone no column is left: what comes after it gets the whole group.
  for (const auto& span : timeline.spans()) {
    if (span.phase == Phase::multiply) {
      EXPECT_NE(span.panel % together, together - 1);
    }
  }
}

TEST(panels_at_once, reach_a_width_of_384_in_one_process_row) {
  const auto with = [](const Grid& grid, std::int64_t block, int depth, std::int64_t n = 16000) {
    Variant variant;
    variant.grid = grid;
    variant.n = n;
    variant.nb = block;
    variant.depth = depth;
    return panels_at_once(variant);
  };
  EXPECT_EQ(with({1, 2}, 192, 1), 2);
  EXPECT_EQ(with({1, 2}, 128, 0), 3);
  EXPECT_EQ(with({1, 1}, 80, 1), 4);
  EXPECT_EQ(with({1, 2}, 193, 1), 1);
  EXPECT_EQ(with({1, 2}, 1000, 1), 1);
  EXPECT_EQ(with({2, 1}, 64, 1), 1);
  EXPECT_EQ(with({1, 2}, 64, 2), 1);
  EXPECT_EQ(with({1, 2}, 80, 1, 7680), 4);
  EXPECT_EQ(with({1, 2}, 80, 1, 3840), 2);
  EXPECT_EQ(with({1, 2}, 80, 1, 3839), 1);
  EXPECT_EQ(with({1, 2}, 80, 1, 0), 1);
}

TEST_F(HplSolver, nine_factorisations_agree_in_all_forms) {
  if (world().size() > 2) GTEST_SKIP() << crowded;
  const auto expected = plain_solution(several_panels);
  for (const auto& grid : grids())
    for (int combination = 0; combination < 9; ++combination)
      for (int form = 0; form < 4; ++form) {
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
  if (world().size() > 2) GTEST_SKIP() << crowded;
  const auto expected = plain_solution(several_panels);
  for (const auto& grid : grids())
    for (int broadcast = -1; broadcast < 6; ++broadcast)
      for (int swap = -1; swap < 3; ++swap) {
        auto variant = small(grid, several_panels);
        variant.broadcast = static_cast<Broadcast>(broadcast);
        variant.swap = static_cast<Swap>(swap);
        variant.share = false;
        variant.depth = (broadcast + swap + 2) % 4;
        variant.equilibration = static_cast<Equilibration>((broadcast + swap + 2) % 2);
        variant.u = static_cast<Storage>((broadcast + 1) % 2);
        expect_solved(variant, expected);
      }
}

namespace {

constexpr std::array option_levels = {9, 7, 4, 4, 2, 4, 2, 6, 2};
constexpr std::array<std::int64_t, 6> orders = {several_panels, 0, 1, 7, 8, 9};  // NB is 8

/// The variant of one value of every option: both factorisations, broadcast, swap, forms, equilibration,
/// depth, mapping, order, shared memory.
Variant combined(const Grid& grid, std::span<const int> value) {
  auto variant = small(grid, orders[static_cast<std::size_t>(value[7])]);
  variant.recursive = static_cast<Factorisation>(value[0] / 3);
  variant.panel = static_cast<Factorisation>(value[0] % 3);
  variant.broadcast = static_cast<Broadcast>(value[1] - 1);
  variant.swap = static_cast<Swap>(value[2] - 1);
  variant.l1 = static_cast<Storage>(value[3] / 2);
  variant.u = static_cast<Storage>(value[3] % 2);
  variant.equilibration = static_cast<Equilibration>(value[4]);
  variant.depth = value[5];
  variant.mapping = static_cast<Mapping>(value[6]);
  variant.share = value[8] != 0;
  // What has many values takes another one in each combination.
  variant.stop = 1 + (value[0] + value[1]) % 5;
  variant.parts = 2 + (value[1] + value[2]) % 3;
  variant.alignment = 1 + (value[0] + value[5]) % 9;
  return variant;
}

}  // namespace

TEST_F(HplSolver, every_pair_of_option_values_agrees_on_every_grid) {
  std::map<std::int64_t, std::vector<double>> expected;
  for (const auto n : orders) expected[n] = plain_solution(n);
  for (const auto& value : covering_combinations(option_levels))
    for (const auto& grid : grids()) {
      const auto variant = combined(grid, value);
      expect_solved(variant, expected[variant.n]);
    }
}

TEST(covering, every_pair_occurs_in_few_combinations) {
  auto missing = all_pairs(option_levels);
  const auto rows = covering_combinations(option_levels);
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i)
      for (std::size_t j = i + 1; j < row.size(); ++j) missing.erase({i, row[i], j, row[j]});
  EXPECT_TRUE(missing.empty());
  EXPECT_LT(rows.size(), 100U);  // 9 x 7 are necessary
}

TEST_F(HplSolver, every_installed_library_solves) {
  const auto expected = plain_solution(several_panels);
  for (const auto& file : known_blas_files()) {
    const auto library = BlasLibrary::open(file);
    if (!library) continue;
    const auto routines = blas::Routines::of(*library);
    if (!world().all(routines.available())) continue;
    library->set_threads(1);
    for (const auto& grid : grids()) expect_solved(small(grid, several_panels), expected, routines);
  }
}

TEST_F(HplSolver, library_without_the_routines_is_refused) {
  EXPECT_THROW(Solver(world(), small(grids().front(), 10), blas::Routines{}), std::runtime_error);
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

TEST_F(HplSolver, nobody_helps_where_all_are_kept_to_one_processor) {
  const auto before = machine::processors_of_thread();
  ASSERT_TRUE(before);
  const bool kept = machine::keep_thread_to({world().broadcast(before->list().front())});
  const Solver solver(world(), small({world().size(), 1}, several_panels));
  EXPECT_TRUE(machine::keep_thread_to(*before));
  if (world().all(kept)) {
    EXPECT_FALSE(solver.helps());
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
    solver.set_panel_hook([&](const PanelShape& panel, RowMatrix a) {
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
      const auto found = solver.verify(default_threshold);
      EXPECT_EQ(found.errors, world().is_root() ? 1 : 0);
      EXPECT_EQ(found.first.rfind("the matrix is singular, column 20 has no pivot; scaled residual ", 0), 0U)
          << found.first;
      EXPECT_EQ(solver.singular_column(), 20);
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
      auto variant = small(grid, 4 * several_panels);
      variant.depth = depth;
      Solver solver(world(), variant);
      std::vector<std::int64_t> columns;
      solver.watch_with([&](std::int64_t done) {
        columns.push_back(done);
        return columns.size() == 3;
      });
      ASSERT_EQ(solver.run(), MPI_SUCCESS);
      EXPECT_TRUE(solver.stopped());
      EXPECT_TRUE(solver.solution().empty());
      const std::int64_t group = 8 * panels_at_once(variant);
      EXPECT_EQ(columns, world().is_root() ? (std::vector<std::int64_t>{0, group, 2 * group})
                                           : std::vector<std::int64_t>{});
    }
}

TEST_F(HplSolver, grid_of_another_size_and_impossible_options_are_refused) {
  EXPECT_THROW(Solver(world(), small({world().size() + 1, 1}, 10)), std::invalid_argument);
  auto variant = small(grids().front(), 10);
  variant.parts = 1;
  EXPECT_THROW(Solver(world(), variant), std::invalid_argument);
}

TEST_F(HplSolver, rows_travel_without_messages_where_a_node_has_the_process_column) {
  for (const auto& grid : grids())
    for (const bool share : {false, true}) {
      auto variant = small(grid, several_panels);
      variant.share = share;
      row_messages = 0;
      expect_solved(variant, plain_solution(several_panels));
      EXPECT_EQ(world().any(row_messages > 0), grid.rows > 1 && !share) << words(variant);
    }
}

TEST_F(HplSolver, every_way_finds_the_same_pivot) {
  const std::int64_t width = 3;
  const Shape shape = shape_of(small({world().size(), 1}, several_panels), world().rank());
  ColumnMemory memory(world(), shape), none;
  EXPECT_EQ(memory.available(), world().size() > 1);
  Random random(7);
  for (int round = 0; round < 50; ++round) {
    // Few values, so that there are ties; sometimes a process has no rows.
    std::vector<double> values;
    for (int p = 0; p < world().size(); ++p) values.push_back(static_cast<double>(random.below(5) - 2));
    const auto lacks_rows = [&](int p) { return round % 5 == 4 && p == round % world().size(); };
    int winner = -1;
    for (int p = 0; p < world().size(); ++p)
      if (!lacks_rows(p) && (winner < 0 || std::abs(values[static_cast<std::size_t>(p)]) >
                                               std::abs(values[static_cast<std::size_t>(winner)])))
        winner = p;
    for (ColumnMemory* way : {&memory, &none}) {
      PivotExchange exchange(world(), width, *way);
      const int me = world().rank(), owner = round % world().size();
      exchange.begin();
      if (lacks_rows(me))
        exchange.offer_nothing();
      else
        exchange.offer(values[static_cast<std::size_t>(me)], 10 + me, 20 + me);
      if (!lacks_rows(me)) std::ranges::fill(exchange.row(), 30 + me);
      if (me == owner) std::ranges::fill(exchange.diagonal(), 40 + me);
      exchange.run(owner);
      if (winner < 0) continue;
      EXPECT_EQ(exchange.process_row(), winner);
      EXPECT_EQ(exchange.local_row(), 10 + winner);
      EXPECT_EQ(exchange.global_row(), 20 + winner);
      EXPECT_EQ(exchange.winning_row()[width - 1], 30 + winner);
      EXPECT_EQ(exchange.displaced_row()[width - 1], 40 + owner);
    }
  }
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
