// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/block_trial.hpp"

#include <gtest/gtest.h>

#include <array>
#include <stdexcept>

using namespace steelyard;
using namespace steelyard::hpcc;

namespace {

TEST(block_trial, narrowest_block_within_three_percent_of_the_fastest_is_taken) {
  const std::array rates = {BlockRate{64, 90}, BlockRate{128, 97.5}, BlockRate{192, 100}, BlockRate{256, 99}};
  EXPECT_EQ(narrowest_fast(rates), 128);
  EXPECT_EQ(narrowest_fast(std::array{BlockRate{256, 100}, BlockRate{64, 98}}), 64);
  EXPECT_THROW(static_cast<void>(narrowest_fast({})), std::invalid_argument);
}

TEST(block_trial, all_processes_agree) {
  const auto world = mpi::Communicator::world();
  const auto block = best_block(world);
  EXPECT_GE(block, 64);
  EXPECT_LE(block, 384);
  EXPECT_EQ(world.max(block), world.min(block));
}

}  // namespace
