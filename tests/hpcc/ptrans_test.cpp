// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/ptrans/ptrans.hpp"

#include <gtest/gtest.h>

#include "world.hpp"

using namespace steelyard;
using namespace steelyard::hpcc;

class PtransOf : public testing::TestWithParam<Form> {};

TEST_P(PtransOf, sums_are_exact_on_every_grid) {
  for (const auto& grid : grids())
    for (const auto& [n, nb] : {std::pair{1, 1}, {7, 3}, {16, 4}, {33, 8}, {40, 80}, {100, 7}, {129, 16}}) {
      Ptrans ptrans(world(), {n, nb, grid}, GetParam());
      ptrans.prepare(Way::messages);
      for (int run = 0; run < 2; ++run) {
        ASSERT_EQ(ptrans.run(), MPI_SUCCESS);
        const auto found = ptrans.verify();
        EXPECT_EQ(found.errors, 0) << n << " in " << nb << " on " << grid.rows << "x" << grid.columns;
        EXPECT_EQ(found.worst, 0) << n << " in " << nb << " on " << grid.rows << "x" << grid.columns;
      }
    }
}

TEST_P(PtransOf, many_pieces_arrive_in_order) {
  for (const auto& grid : grids())
    for (const std::int64_t nb : {24, 100}) {  // several slabs in a piece; several pieces of a slab
      Ptrans ptrans(world(), {1100 + nb / 2, nb, grid}, GetParam());
      ptrans.prepare(Way::messages);
      for (int run = 0; run < 3; ++run) ASSERT_EQ(ptrans.run(), MPI_SUCCESS);
      EXPECT_EQ(ptrans.verify().worst, 0);
    }
}

TEST_P(PtransOf, messages_longer_than_a_count_arrive_whole) {
  constexpr std::int64_t longest = 11;
  for (const auto& grid : grids()) {
    Ptrans ptrans(world(), {129, 16, grid}, GetParam(), longest);
    ptrans.prepare(Way::messages);
    for (int run = 0; run < 2; ++run) ASSERT_EQ(ptrans.run(), MPI_SUCCESS);
    EXPECT_EQ(ptrans.verify().worst, 0);
  }
}

TEST_P(PtransOf, without_a_run_the_check_fails) {
  for (const auto& grid : grids()) {
    Ptrans ptrans(world(), {64, 8, grid}, GetParam());
    ptrans.prepare();
    ASSERT_EQ(ptrans.run(), MPI_SUCCESS);
    const std::int64_t own = GridMatrix{64, 8, grid}.local_rows(world().rank()) *
                             GridMatrix{64, 8, grid}.local_columns(world().rank());
    std::fill_n(ptrans.result(), own, 0.25);
    EXPECT_EQ(ptrans.verify().errors, own);
  }
}

TEST_P(PtransOf, one_wrong_element_is_found_by_its_owner) {
  Ptrans ptrans(world(), {50, 5, grids().front()}, GetParam());
  ptrans.prepare();
  ASSERT_EQ(ptrans.run(), MPI_SUCCESS);
  if (world().is_root()) ptrans.result()[3] += 1e-9;
  const auto found = ptrans.verify();
  EXPECT_EQ(found.errors, world().is_root() ? 1 : 0);
  EXPECT_GT(found.worst, default_threshold);
  EXPECT_NEAR(ptrans.error(), 1e-9 / 2, 1e-9);
}

TEST_P(PtransOf, not_a_number_fails) {
  Ptrans ptrans(world(), {50, 5, grids().front()}, GetParam());
  ptrans.prepare();
  ASSERT_EQ(ptrans.run(), MPI_SUCCESS);
  if (world().is_root()) ptrans.result()[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(ptrans.verify().errors, world().is_root() ? 1 : 0);
}

INSTANTIATE_TEST_SUITE_P(forms, PtransOf, testing::Values(Form::base, Form::optimized));

TEST(ptrans, blocks_that_are_read_where_they_lie_make_the_same_sums) {
  for (const auto& grid : grids()) {
    Ptrans ptrans(world(), {129, 16, grid}, Form::optimized);
    ptrans.prepare(Way::shared_memory);
    EXPECT_EQ(ptrans.way(), world().size() > 1 ? Way::shared_memory : Way::messages);
    for (int run = 0; run < 2; ++run) ASSERT_EQ(ptrans.run(), MPI_SUCCESS);
    EXPECT_EQ(ptrans.verify().worst, 0);
  }
}

TEST(ptrans, without_a_wish_one_of_both_ways_is_chosen_by_all) {
  Ptrans ptrans(world(), {129, 16, grids().front()}, Form::optimized);
  ptrans.prepare();
  EXPECT_FALSE(world().any(ptrans.way() == Way::messages) && world().any(ptrans.way() == Way::shared_memory));
  EXPECT_EQ(ptrans.verify().worst, 0);
}

TEST(ptrans, grid_of_another_size_is_refused) {
  EXPECT_THROW(Ptrans(world(), {10, 2, {world().size() + 1, 1}}, Form::base), std::invalid_argument);
}
