// SPDX-License-Identifier: Apache-2.0
#include "analysis/hpcc_keys.hpp"

#include <gtest/gtest.h>

#include <set>

using namespace steelyard::analysis;

TEST(hpcc_keys, names_are_unique_and_found) {
  std::set<std::string_view> names;
  for (const auto& key : hpcc_keys()) {
    EXPECT_TRUE(names.insert(key.name).second) << key.name;
    EXPECT_EQ(hpcc_key(key.name), &key);
  }
  EXPECT_EQ(hpcc_key("HPL_tflops"), nullptr);
}

TEST(hpcc_keys, what_was_not_measured_is_told_by_the_initial_value) {
  EXPECT_EQ(hpcc_key("StarSTREAM_Triad")->initial, -1);
  EXPECT_EQ(hpcc_key("STREAM_Threads")->initial, 1);
  EXPECT_EQ(hpcc_key("MPIFFT_time3")->initial, 0);
}

TEST(hpcc_keys, both_generators_have_nine_keys_of_the_distributed_table) {
  int polynomial = 0, congruential = 0;
  for (const auto& key : hpcc_keys()) {
    polynomial += key.test == "MPIRandomAccess" ? 1 : 0;
    congruential += key.test == "MPIRandomAccess_LCG" ? 1 : 0;
  }
  EXPECT_EQ(polynomial, 9);
  EXPECT_EQ(congruential, 9);
}
