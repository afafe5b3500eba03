// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/hpl/block_trial.hpp"

#include <gtest/gtest.h>

#include <array>

#include "suites/hpcc/blas/blas.hpp"
#include "suites/hpcc/hpl/model.hpp"
#include "suites/hpcc/hpl/shape.hpp"

using namespace steelyard;
using namespace steelyard::hpcc;

namespace {

TEST(block_trial, wide_blocks_pay_in_large_problems_and_narrow_ones_in_small) {
  const std::array rates = {suites::PanelRate{64, 80e9, 8e9}, suites::PanelRate{128, 95e9, 7e9},
                            suites::PanelRate{256, 100e9, 5e9}};
  EXPECT_EQ(hpl::best_block(rates, 1'000'000), 256);
  EXPECT_EQ(hpl::best_block(rates, 8000), 128);
  EXPECT_EQ(hpl::best_block(rates, 500), 64);
}

TEST(block_trial, small_problem_has_eight_panels_or_the_narrowest) {
  const std::array rates = {suites::PanelRate{128, 200e9, 50e9}, suites::PanelRate{64, 90e9, 5e9},
                            suites::PanelRate{384, 300e9, 90e9}};
  EXPECT_EQ(hpl::best_block(rates, 1100), 128);
  EXPECT_EQ(hpl::best_block(rates, 362), 64);
}

TEST(block_trial, narrowest_of_nearly_equal_blocks_is_taken) {
  const std::array rates = {suites::PanelRate{64, 90e9, 5e9}, suites::PanelRate{128, 99.5e9, 5e9},
                            suites::PanelRate{192, 100e9, 5e9}};
  EXPECT_EQ(hpl::best_block(rates, 1'000'000), 128);
  EXPECT_EQ(hpl::best_block({}, 1000), 192);
}

TEST(block_trial, reason_tells_every_rate) {
  const std::array rates = {suites::PanelRate{64, 90e9, 5e9}, suites::PanelRate{128, 99.5e9, 4.3e9}};
  EXPECT_EQ(hpl::block_reason(rates, 8000),
            "NB: least time at N = 8000 by a trial of update and panel, Gflop/s: 64 90.0 and 5.0, 128 99.5 "
            "and 4.3");
  EXPECT_EQ(hpl::block_reason({}, 8000), "");
}

/// Columns that a large system gets at once from panels of this width.
std::int64_t at_once(const Grid& grid, std::int64_t block) {
  hpl::Variant variant;
  variant.grid = grid;
  variant.n = 1'000'000;
  variant.nb = block;
  return hpl::panels_at_once(variant) * block;
}

TEST(block_trial, all_processes_measure_alike) {
  const auto world = mpi::Communicator::world();
  for (const auto& grid : {Grid{1, world.size()}, Grid{world.size(), 1}}) {
    const auto rates = panel_rates(world, grid);
    EXPECT_EQ(rates.empty(), !blas::available());
    for (const auto& rate : rates) {
      EXPECT_GT(rate.panel_flop_s, 0);
      EXPECT_GT(rate.update_flop_s, 0);
      EXPECT_EQ(world.max(rate.update_flop_s), world.min(rate.update_flop_s));
      EXPECT_EQ(world.max(rate.panel_flop_s), world.min(rate.panel_flop_s));
      for (const auto& other : rates)
        if (at_once(grid, other.block) == at_once(grid, rate.block)) {
          EXPECT_EQ(other.update_flop_s, rate.update_flop_s) << "products of as many columns";
          EXPECT_EQ(other.solve_flop_s, rate.solve_flop_s);
        }
    }
  }
}

}  // namespace
