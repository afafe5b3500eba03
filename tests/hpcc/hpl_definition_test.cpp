// SPDX-License-Identifier: Apache-2.0
// What the linear solver is defined by, without processes.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>
#include <set>

#include "suites/hpcc/congruence.hpp"
#include "suites/hpcc/hpl/schedule.hpp"
#include "suites/hpcc/hpl/shape.hpp"

using namespace steelyard::hpcc;
using namespace steelyard::hpcc::hpl;

namespace {

Shape shape(std::int64_t n, std::int64_t nb, Grid grid, Place at = {}) {
  return {n, nb, grid, at, 8};
}

/// The whole of [A|b] by columns, put together from the parts of all processes.
std::vector<double> whole_matrix(std::int64_t n, std::int64_t nb, Grid grid) {
  std::vector<double> whole(static_cast<std::size_t>(n * (n + 1)), 7);
  for (int row = 0; row < grid.rows; ++row)
    for (std::int64_t j = 0; j <= n; ++j) {
      const auto part = shape(n, nb, grid, {row, 0});
      std::vector<double> column(static_cast<std::size_t>(part.local_rows()));
      generate_column(part, j, column.data());
      for (std::int64_t i = 0; i < part.local_rows(); ++i)
        whole[static_cast<std::size_t>(part.rows().global(row, i) + j * n)] =
            column[static_cast<std::size_t>(i)];
    }
  return whole;
}

}  // namespace

TEST(hpl_options, combinations_come_in_the_order_of_the_loops) {
  Options options;
  options.depth = {0, 1};
  options.parts = {2, 3};
  options.stop = {4, 8};
  const auto all = variants({{10, 20}, {4}, {{1, 2}, {2, 1}}}, options);
  ASSERT_EQ(all.size(), 32U);
  EXPECT_EQ(all[1].parts, 3);
  EXPECT_EQ(all[2].stop, 8);
  EXPECT_EQ(all[4].depth, 1);
  EXPECT_EQ(all[8].n, 20);
  EXPECT_EQ(all[16].grid, (Grid{2, 1}));
}

TEST(hpl_options, code_names_mapping_depth_broadcast_and_factorisation) {
  Variant variant;
  variant.mapping = Mapping::row_major;
  EXPECT_EQ(tv_code(variant), "WR11C2R4");
  variant.mapping = Mapping::column_major;
  variant.depth = 0;
  variant.broadcast = Broadcast::spread_roll_modified;
  variant.recursive = Factorisation::left;
  variant.panel = Factorisation::crout;
  variant.stop = 16;
  variant.parts = 3;
  EXPECT_EQ(tv_code(variant), "WC05L3C16");
  EXPECT_DOUBLE_EQ(operations(1000), 2e9 / 3 + 1.5e6);
}

TEST(hpl_shape, ranks_follow_the_mapping) {
  EXPECT_EQ(place_of(1, {2, 3}, Mapping::row_major), (Place{0, 1}));
  EXPECT_EQ(place_of(1, {2, 3}, Mapping::column_major), (Place{1, 0}));
  EXPECT_EQ(place_of(5, {2, 3}, Mapping::row_major), (Place{1, 2}));
}

TEST(hpl_shape, leading_dimension_is_aligned_and_no_power_of_two) {
  EXPECT_EQ(shape(0, 8, {1, 1}).leading(), 24);  // 8 and 16 are
  EXPECT_EQ(shape(20, 8, {1, 1}).leading(), 24);
  EXPECT_EQ(shape(60, 8, {1, 1}).leading(), 72);
  auto odd = shape(64, 8, {1, 1});
  odd.alignment = 3;
  EXPECT_EQ(odd.leading(), 66);
}

TEST(hpl_shape, blocks_of_the_whole_of_the_largest_matrix_take_more_memory_than_can_be_counted) {
  Variant variant;
  variant.n = 2147483646, variant.nb = 2147483647;
  for (const Grid grid : {Grid{1, 1}, Grid{2, 1}}) {
    variant.grid = grid;
    EXPECT_EQ(memory_byte(variant), std::int64_t{1} << 62) << grid.rows;
  }
}

TEST(hpl_shape, parts_of_all_processes_are_the_whole) {
  for (const std::int64_t n : {0, 1, 7, 8, 9, 43})
    for (const auto& grid : {Grid{1, 1}, Grid{2, 3}, Grid{3, 2}, Grid{5, 1}})
      for (const std::int64_t nb : {1, 3, 8, 100}) {
        std::int64_t rows = 0, columns = 0;
        for (int p = 0; p < grid.rows; ++p) rows += shape(n, nb, grid, {p, 0}).local_rows();
        for (int q = 0; q < grid.columns; ++q) columns += shape(n, nb, grid, {0, q}).local_columns();
        EXPECT_EQ(rows, n);
        EXPECT_EQ(columns, n + 1);
      }
}

TEST(hpl_shape, panels_follow_each_other) {
  const auto part = shape(43, 8, {2, 3}, {1, 2});
  EXPECT_EQ(panels(part), 6);
  for (std::int64_t k = 0; k + 1 < panels(part); ++k) {
    const auto panel = panel_shape(part, k), next = panel_shape(part, k + 1);
    EXPECT_EQ(panel.end(), next.first);
    EXPECT_EQ(panel.below, next.top);
    EXPECT_EQ(panel.right, next.column);
    EXPECT_EQ(panel.below + panel.rows, part.local_rows());
  }
  EXPECT_EQ(panel_shape(part, 5).width, 3);
  EXPECT_EQ(panel_shape(part, 5).owner, (Place{1, 2}));
  EXPECT_EQ(panels(shape(0, 8, {1, 1})), 0);
}

TEST(hpl_generator, states_and_values_are_those_of_the_reference) {
  EXPECT_EQ(solver_state(1), 0x800361b1ea65ad95U);
  EXPECT_EQ(solver_state(4), 0xf5e0f72b751c94b0U);
  const auto a = whole_matrix(43, 8, {1, 1});
  EXPECT_EQ(a[0], -5.159944193766641e-05);
  EXPECT_EQ(a[1], 0.38413122531282284);
  EXPECT_EQ(a[2], 0.4436836675989427);
  EXPECT_EQ(a[3], -0.46046395121548966);
  const auto small = whole_matrix(3, 2, {1, 1});
  EXPECT_EQ(small[9], -0.3563056497366903);
  EXPECT_EQ(small[10], -0.1682336957705569);
  EXPECT_EQ(small[11], -0.09083182062316575);
}

TEST(hpl_generator, matrix_does_not_depend_on_the_distribution) {
  const auto whole = whole_matrix(43, 43, {1, 1});
  for (std::size_t k = 0; k < whole.size(); ++k) ASSERT_EQ(whole[k], solver_value(solver_state(1 + k)));
  for (const auto& grid : {Grid{1, 1}, Grid{2, 1}, Grid{3, 1}, Grid{7, 1}})
    for (const std::int64_t nb : {1, 5, 17, 64}) EXPECT_EQ(whole_matrix(43, nb, grid), whole);
}

TEST(hpl_interchanges, composition_equals_the_interchanges_one_by_one) {
  Random random(3);
  for (int round = 0; round < 200; ++round) {
    const Grid grid{1 + random.below(4), 1};
    const std::int64_t nb = 1 + random.below(9), n = nb + random.below(40);
    const auto part = shape(n, nb, grid);
    const auto k = random.below(static_cast<int>(panels(part)));
    const auto panel = panel_shape(part, k);
    std::vector<double> pivots;
    for (std::int64_t i = panel.first; i < panel.end(); ++i)
      pivots.push_back(static_cast<double>(i + random.below(static_cast<int>(n - i))));
    std::vector<std::int64_t> expected(static_cast<std::size_t>(n));
    std::iota(expected.begin(), expected.end(), 0);
    auto found = expected;
    const auto at = [](std::int64_t i) { return static_cast<std::size_t>(i); };
    for (std::size_t i = 0; i < pivots.size(); ++i)
      std::swap(expected[at(panel.first) + i], expected[static_cast<std::size_t>(pivots[i])]);
    const auto original = found;
    const auto all = compose(part, panel, pivots);
    for (const auto& [slot, from] : all.staying)
      found[at(panel.first + slot)] = original[at(panel.first + from)];
    for (int row = 0; row < grid.rows; ++row)
      for (const auto& one : all.coming[at(row)]) {
        const auto global = part.rows().global(row, one.row);
        found[at(panel.first + one.slot)] = original[at(global)];
        found[at(global)] = original[at(panel.first + one.displaced)];
      }
    ASSERT_EQ(found, expected);
  }
}

namespace {

auto place(auto& values, std::int64_t at) {
  return values.begin() + static_cast<std::ptrdiff_t>(at);
}

/// Lets all members carry out their steps with messages that are matched in order; what each holds then.
std::vector<std::vector<int>> carried_out(const std::vector<Steps>& steps, std::int64_t length,
                                          const std::vector<std::vector<int>>& before) {
  auto held = before;
  std::map<std::pair<int, int>, std::deque<std::pair<Transfer, std::vector<int>>>> sent;
  std::vector<std::size_t> at(steps.size()), posted(steps.size());
  bool moved = true;
  while (std::exchange(moved, false))
    for (std::size_t me = 0; me < steps.size(); ++me) {
      if (at[me] == steps[me].size()) continue;
      const auto& step = steps[me][at[me]];
      if (posted[me] == at[me]) {
        for (const auto& t : step) {
          if (t.direction == Direction::receive) continue;
          EXPECT_LE(t.first + t.count, length);
          sent[{static_cast<int>(me), t.partner}].push_back(
              {t, {place(held[me], t.first), place(held[me], t.first + t.count)}});
        }
        ++posted[me];
        moved = true;
      }
      const bool all_there = std::ranges::all_of(step, [&](const Transfer& t) {
        return t.direction == Direction::send || !sent[{t.partner, static_cast<int>(me)}].empty();
      });
      if (!all_there) continue;
      for (const auto& t : step) {
        if (t.direction == Direction::send) continue;
        auto& queue = sent[{t.partner, static_cast<int>(me)}];
        EXPECT_EQ(queue.front().first.count, t.count);
        EXPECT_EQ(queue.front().first.first, t.first);
        std::ranges::copy(queue.front().second, place(held[me], t.first));
        queue.pop_front();
      }
      ++at[me];
      moved = true;
    }
  for (std::size_t me = 0; me < steps.size(); ++me)
    EXPECT_EQ(at[me], steps[me].size()) << "member " << me << " waits";
  for (const auto& [pair, queue] : sent) EXPECT_TRUE(queue.empty());
  return held;
}

std::vector<int> message(std::int64_t length) {
  std::vector<int> values(static_cast<std::size_t>(length));
  std::iota(values.begin(), values.end(), 1);
  return values;
}

}  // namespace

TEST(hpl_schedule, every_broadcast_brings_everything_to_everybody) {
  for (int code = 0; code < 6; ++code)
    for (int size = 1; size <= 9; ++size)
      for (const std::int64_t length : {1, 2, 7, 40}) {
        std::vector<Steps> steps;
        for (int me = 0; me < size; ++me)
          steps.push_back(broadcast_steps(static_cast<Broadcast>(code), size, me, length));
        std::vector<std::vector<int>> held(static_cast<std::size_t>(size),
                                           std::vector<int>(static_cast<std::size_t>(length)));
        held[0] = message(length);
        for (const auto& one : carried_out(steps, length, held))
          ASSERT_EQ(one, message(length)) << "broadcast " << code << " to " << size;
      }
}

TEST(hpl_schedule, topologies_differ_as_their_names_say) {
  const auto sends = [](Broadcast broadcast, int size, int me) {
    std::vector<int> to;
    for (const auto& step : broadcast_steps(broadcast, size, me, 100))
      for (const auto& t : step)
        if (t.direction == Direction::send) to.push_back(t.partner);
    return to;
  };
  using enum Broadcast;
  EXPECT_EQ(sends(ring, 6, 0), (std::vector{1}));
  EXPECT_EQ(sends(ring, 6, 1), (std::vector{2}));
  EXPECT_EQ(sends(ring_modified, 6, 0), (std::vector{1, 2}));
  EXPECT_EQ(sends(ring_modified, 6, 1), std::vector<int>{});
  EXPECT_EQ(sends(two_rings, 6, 0), (std::vector{1, 3}));
  EXPECT_EQ(sends(two_rings, 6, 2), std::vector<int>{});
  EXPECT_EQ(sends(two_rings_modified, 6, 0), (std::vector{1, 2, 3}));
  EXPECT_EQ(sends(two_rings_modified, 6, 1), std::vector<int>{});
  EXPECT_EQ(sends(spread_roll, 4, 0), (std::vector{2, 1, 1, 3, 1}));
  EXPECT_EQ(sends(spread_roll_modified, 4, 1), std::vector<int>{});
}

TEST(hpl_schedule, pieces_fill_the_message) {
  EXPECT_EQ(even_bounds(10, 4), (std::vector<std::int64_t>{0, 2, 4, 6, 10}));
  EXPECT_EQ(even_bounds(2, 4), (std::vector<std::int64_t>{0, 1, 2, 2, 2}));
}
