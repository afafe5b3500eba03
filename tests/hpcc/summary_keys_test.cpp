// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/summary_keys.hpp"

#include <gtest/gtest.h>

#include <set>

using namespace steelyard::hpcc;

TEST(summary_keys, names_are_unique_and_found) {
  std::set<std::string_view> names;
  for (const auto& key : summary_keys()) {
    EXPECT_TRUE(names.insert(key.name).second) << key.name;
    EXPECT_EQ(summary_key(key.name), &key);
  }
  EXPECT_EQ(summary_key("HPL_Tflops"), nullptr);
}

TEST(summary_keys, what_was_not_measured_is_told_by_the_initial_value) {
  EXPECT_EQ(summary_key("StarSTREAM_Triad")->initial, -1);
  EXPECT_EQ(summary_key("STREAM_Threads")->initial, 1);
  EXPECT_EQ(summary_key("MPIFFT_time3")->initial, 0);
}

TEST(summary_keys, both_generators_have_nine_keys_of_the_distributed_table) {
  int polynomial = 0, congruential = 0;
  for (const auto& key : summary_keys()) {
    polynomial += key.test == "MPIRandomAccess" ? 1 : 0;
    congruential += key.test == "MPIRandomAccess_LCG" ? 1 : 0;
  }
  EXPECT_EQ(polynomial, 9);
  EXPECT_EQ(congruential, 9);
}
