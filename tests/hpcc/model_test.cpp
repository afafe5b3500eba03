// SPDX-License-Identifier: Apache-2.0
// The expected time of the linear solver, with rates of which all but the one in question are as good as infinite.
#include "suites/hpcc/hpl/model.hpp"

#include <gtest/gtest.h>

namespace steelyard::hpcc::hpl {
namespace {

constexpr double at_once = 1e40;  // per second
constexpr std::int64_t nb = 128;
constexpr double w = nb;

suites::Rates rates_of(double update, double panel, double solve) {
  suites::Rates rates;
  rates.panels = {{nb, update, panel, solve}};
  rates.triad_byte_s = rates.exchange_byte_s = rates.far_exchange_byte_s = at_once;
  return rates;
}

Variant variant_of(const Grid& grid, std::int64_t n) {
  Variant variant;
  variant.grid = grid;
  variant.n = n;
  variant.nb = nb;
  return variant;
}

TEST(solver_parts, count_every_operation_once) {
  for (const int panels_at_once : {1, 3}) {
    auto variant = variant_of({1, 1}, 4096);
    variant.at_once = panels_at_once;
    const double all = 2.0 / 3 * 4096 * 4096 * 4096;
    EXPECT_NEAR(solve_parts(variant, rates_of(1, 1, 1)).all_s, all, 0.001 * all) << panels_at_once;
  }
}

TEST(solver_parts, have_a_rate_each) {
  auto variant = variant_of({1, 1}, 2 * nb);
  variant.at_once = 1;
  const auto parts = solve_parts(variant, rates_of(2, 4, 8));
  EXPECT_DOUBLE_EQ(parts.multiply_s, 2 * w * (w + 1) * w / 2);
  EXPECT_DOUBLE_EQ(parts.panels_s, (w * w * (w + 2 * w / 3) + w * w * 2 * w / 3) / 4);
  EXPECT_DOUBLE_EQ(parts.solve_s, (w * w * (w + 1) + w * w) / 8);
  EXPECT_DOUBLE_EQ(parts.all_s, parts.multiply_s + parts.panels_s + parts.solve_s);
}

TEST(solver_parts, last_as_long_as_the_process_row_with_most_blocks_and_the_other_waits_or_helps) {
  auto variant = variant_of({2, 1}, 3 * nb);
  const auto helped = solve_parts(variant, rates_of(1, at_once, at_once));
  variant.help = false;
  const auto parts = solve_parts(variant, rates_of(1, at_once, at_once));
  const double even = 2 * w * (2 * w + 1) * w, uneven = 2 * w * (w + 1) * w;  // a block each; one and none
  EXPECT_NEAR(parts.all_s, even + uneven, 1e-6);
  EXPECT_NEAR(parts.pivots_s, uneven, 1e-6);
  EXPECT_NEAR(parts.multiply_s, even + uneven, 1e-6);
  EXPECT_NEAR(helped.all_s, even + uneven / 2, 1e-6);
  EXPECT_NEAR(helped.pivots_s, 0, 1e-6);
}

TEST(solver_parts, last_as_long_as_the_process_column_with_most_blocks_and_the_other_waits_or_helps) {
  auto variant = variant_of({1, 2}, 4 * nb);
  variant.at_once = 1;
  const auto helped = solve_parts(variant, rates_of(1, at_once, at_once));
  variant.help = false;
  const auto parts = solve_parts(variant, rates_of(1, at_once, at_once));
  // Columns right of each panel, b with them: 3, 2, 1 blocks and 1.
  const double most[] = {2 * w, w + 1, w}, fewest[] = {w + 1, w, 1};
  double all = 0, waiting = 0;
  for (int k = 0; k < 3; ++k) {
    all += 2 * (3 - k) * w * w * most[k];
    waiting += 2 * (3 - k) * w * w * (most[k] - fewest[k]);
  }
  EXPECT_NEAR(parts.all_s, all, 1e-6);
  EXPECT_NEAR(parts.wait_s, waiting, 1e-6);
  const double last = 2 * w * w * (w - 1);  // nobody takes over columns of the panel that is made next
  EXPECT_NEAR(helped.all_s, all - (waiting - last) / 2, 1e-6);
  EXPECT_NEAR(helped.wait_s, last / 2, 1e-6);
}

TEST(solver_parts, wait_for_panels_that_are_slower_than_updates) {
  const auto rates = rates_of(at_once, 1, at_once);
  const auto alone = solve_parts(variant_of({1, 1}, 32 * nb), rates);
  const auto two = solve_parts(variant_of({1, 2}, 32 * nb), rates);
  EXPECT_NEAR(two.all_s, alone.all_s, 1e-9 * alone.all_s) << "one panel after the other";
  EXPECT_GT(two.wait_s, 0.4 * two.all_s);
  auto longer = rates;
  longer.panels[0].update_flop_s = 0.01;
  auto nobody = longer;
  nobody.panels[0].panel_flop_s = at_once;
  const double hidden =
      solve_s(variant_of({1, 2}, 32 * nb), longer) - solve_s(variant_of({1, 2}, 32 * nb), nobody);
  EXPECT_LT(hidden, 0.6 * alone.all_s) << "two make panels while both update";
}

TEST(solver_parts, share_triangles_where_they_share_memory) {
  auto variant = variant_of({2, 1}, 3 * nb);
  const auto rates = rates_of(at_once, at_once, 1);
  const double all = w * w * (2 * w + 1 + w + 1 + 1);
  EXPECT_NEAR(solve_parts(variant, rates).solve_s, all / 2, 1e-6);
  variant.share = false;
  EXPECT_NEAR(solve_parts(variant, rates).solve_s, all, 1e-6);
  variant.share = true;
  variant.swap = Swap::automatic;
  EXPECT_NEAR(solve_parts(variant, rates).solve_s, all, 1e-6);
}

TEST(solver_parts, copy_rows_and_read_u_for_the_substitution) {
  auto variant = variant_of({1, 1}, 2 * nb);
  variant.at_once = 1;
  auto rates = rates_of(at_once, at_once, at_once);
  rates.triad_byte_s = 8;
  const auto parts = solve_parts(variant, rates);
  EXPECT_DOUBLE_EQ(parts.interchange_s, 2 * 2 * w * (w + 1 + 1));  // two rows, read and written
  EXPECT_DOUBLE_EQ(parts.substitute_s, 2 * w * 2 * w / 2 + 2 * w * w / 2);
}

TEST(solver_parts, exchange_a_candidate_for_every_column) {
  auto rates = rates_of(at_once, at_once, at_once);
  rates.message_s = 1;
  EXPECT_NEAR(solve_parts(variant_of({4, 1}, 8 * nb), rates).pivots_s, 2 * 8 * w, 1e-6);
  EXPECT_NEAR(solve_parts(variant_of({1, 1}, 8 * nb), rates).pivots_s, 0, 1e-6);
}

TEST(solver_parts, many_steps_are_as_good_as_all) {
  // 5000 steps, of which every fifth is computed.
  const std::int64_t n = 5000 * nb;
  auto variant = variant_of({1, 1}, n);
  variant.at_once = 1;
  const double all = 2.0 / 3 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
  EXPECT_NEAR(solve_parts(variant, rates_of(1, 1, 1)).all_s, all, 0.001 * all);
}

}  // namespace
}  // namespace steelyard::hpcc::hpl
