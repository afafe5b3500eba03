// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/summary_keys.hpp"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

using namespace steelyard::hpcc;
using namespace steelyard;

TEST(summary_keys, names_are_unique_and_found) {
  std::set<std::string_view> names;
  for (const auto& key : summary_keys()) {
    EXPECT_TRUE(names.insert(key.name).second) << key.name;
    EXPECT_EQ(summary_key(key.name), &key);
  }
  EXPECT_EQ(summary_key("HPL_tflops"), nullptr);
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

TEST(summary_keys, a_figure_is_written_in_the_unit_of_its_key_and_read_back) {
  record::PointRecord record;
  put_figure(record, "HPL_Tflops", 2.5e12);
  put_figure(record, "MaxPingPongLatency_usec", 3e-6);
  put_figure(record, "PTRANS_time", 7);
  put_figure(record, "Sy_core_peak_Gflops", 40e9);
  const double written[] = {2.5, 3, 7, 40}, base[] = {2.5e12, 3e-6, 7, 40e9};
  for (std::size_t i = 0; i < std::size(written); ++i) {
    const auto& [key, value] = record.classic.at(i);
    EXPECT_DOUBLE_EQ(record::number(value), written[i]) << key;
    EXPECT_DOUBLE_EQ(in_base_units(key, record::number(value)), base[i]) << key;
  }
  EXPECT_THROW(put_figure(record, "HPL_Gflops", 1), std::out_of_range);
  EXPECT_THROW(static_cast<void>(in_base_units("HPL_Gflops", 1)), std::out_of_range);
  EXPECT_FALSE(key_unit("HPL_Gflops"));
}

// A unit that the table of scaled ones does not have would be taken for a base unit.
TEST(summary_keys, every_unit_is_a_base_unit_or_has_a_size) {
  const std::set<std::string_view> base = {"",         "s",      "byte",   "words",
                                           "elements", "flop/s", "byte/s", "update/s"};
  for (const auto& key : summary_keys())
    EXPECT_TRUE(base.contains(key_unit(key.name).value().base)) << key.unit;
}

// Keys of other releases are read by their ending: it must say what the table says.
TEST(summary_keys, endings_tell_the_unit_of_the_table) {
  std::size_t told = 0;
  for (const auto& key : summary_keys())
    if (const auto unit = unit_by_ending(key.name)) {
      ++told;
      EXPECT_EQ(unit->base, key_unit(key.name)->base) << key.name;
      EXPECT_EQ(unit->size, key_unit(key.name)->size) << key.name;
    }
  EXPECT_GT(told, 15u);
  EXPECT_EQ(unit_by_ending("BatchedDGEMM_Gflops")->base, "flop/s");
  EXPECT_FALSE(unit_by_ending("Rounds"));
}
