// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "analysis/beff_run.hpp"

using namespace steelyard;
using namespace steelyard::analysis;

namespace {

constexpr int repetitions = 3;
constexpr int methods = 3;
constexpr std::size_t pingpong = 36;

std::vector<PatternRow> patterns() {
  std::vector<PatternRow> rows;
  for (int i = 0; i < 6; ++i) rows.push_back({"ring", PatternRole::ring, 2, 8});
  for (int i = 0; i < 30; ++i) rows.push_back({"random-cyc-1dim", PatternRole::random, 2, 8});
  rows.push_back({"one PingPong Pair", PatternRole::additional, 2, 2});
  return rows;
}

std::vector<Bytes> lengths() {
  std::vector<Bytes> result;
  for (int k = 0; k < 21; ++k) result.push_back(Bytes{std::int64_t{1} << k});
  return result;
}

template <class ValueAt>
BandwidthCube cube_of(ValueAt value_at) {
  BandwidthCube cube(4, patterns(), lengths(), repetitions, methods);
  for (int r = 0; r < repetitions; ++r)
    for (std::size_t p = 0; p < cube.patterns().size(); ++p)
      for (std::size_t k = 0; k < cube.lengths().size(); ++k)
        for (int m = 0; m < methods; ++m)
          if (p != pingpong || m == 0) cube.set(r, p, k, m, value_at(r, p, k, m));
  return cube;
}

}  // namespace

TEST(effective_bandwidth, of_equal_values_is_that_value_on_all_paths) {
  const auto result = effective_bandwidth(cube_of([](auto...) { return 5e8; }));
  EXPECT_NEAR(*result.b_eff(), 5e8, 1);
  EXPECT_NEAR(*result.by_method.sets.both, 5e8, 1);
  EXPECT_NEAR(*result.by_repetition.sets.both, 5e8, 1);
  for (const auto& length : result.each_length) EXPECT_NEAR(*length.sets.both, 5e8, 1);
  for (const auto& method : result.each_method) EXPECT_NEAR(*method.sets.rings, 5e8, 1);
}

TEST(effective_bandwidth, one_doubled_pattern_counts_by_the_size_of_its_set) {
  const auto doubled = [](std::size_t which) {
    return *effective_bandwidth(cube_of([=](int, std::size_t p, auto...) {
              return p == which ? 2.0 : 1.0;
            })).b_eff();
  };
  EXPECT_NEAR(doubled(3), std::pow(2.0, 1.0 / 12), 1e-12);
  EXPECT_NEAR(doubled(20), std::pow(2.0, 1.0 / 60), 1e-12);
  EXPECT_NEAR(doubled(pingpong), 1.0, 1e-12);
}

TEST(effective_bandwidth, takes_the_best_repetition_and_method_of_every_length) {
  const auto result = effective_bandwidth(cube_of([](int r, std::size_t, std::size_t k, int m) {
    return r == 2 && m == static_cast<int>(k % 3) ? 21.0 : 1.0;
  }));
  EXPECT_NEAR(*result.b_eff(), 21.0, 1e-9);
  EXPECT_NEAR(*result.by_method.sets.both, (7 * 21.0 + 14) / 21, 1e-9);
  EXPECT_NEAR(*result.by_repetition.sets.both, 21.0, 1e-9);
  EXPECT_NEAR(*result.each_repetition[0].sets.both, 1.0, 1e-9);
}

TEST(effective_bandwidth, official_path_is_never_below_the_others) {
  std::mt19937_64 random(7);
  std::lognormal_distribution<double> values(18, 2);
  for (int trial = 0; trial < 20; ++trial) {
    const auto result = effective_bandwidth(cube_of([&](auto...) { return values(random); }));
    EXPECT_GE(*result.b_eff(), *result.by_method.sets.both);
    EXPECT_GE(*result.b_eff(), *result.by_repetition.sets.both);
    for (std::size_t p = 0; p < patterns().size(); ++p)
      EXPECT_GE(*result.official.patterns[p], *result.by_method.patterns[p]);
  }
}

TEST(effective_bandwidth, is_absent_when_a_ring_was_not_measured) {
  BandwidthCube cube(4, patterns(), lengths(), repetitions, methods);
  for (std::size_t p = 1; p < 36; ++p)
    for (std::size_t k = 0; k < 21; ++k) cube.set(0, p, k, 0, 1.0);
  const auto result = effective_bandwidth(cube);
  EXPECT_FALSE(result.b_eff().has_value());
  EXPECT_FALSE(result.official.sets.rings.has_value());
  EXPECT_NEAR(*result.official.sets.random, 1.0, 1e-12);
}

TEST(derived_values, divide_processes_by_bandwidth_of_the_shortest_message) {
  const auto cube = cube_of([](int, std::size_t p, std::size_t k, int) {
    const double rings = p < 6 ? 4e6 : 1e6;
    return p == pingpong ? (k == 0 ? 2e6 : 9e9) : rings * static_cast<double>(std::size_t{1} << k);
  });
  const auto values = derived_values(cube, effective_bandwidth(cube), pingpong);
  EXPECT_NEAR(*values.latency_s, 4 / 2e6, 1e-15);
  EXPECT_NEAR(*values.ring_latency_s, 4 / 4e6, 1e-15);
  EXPECT_NEAR(*values.rings_at_longest_byte_s, 4e6 * 1048576, 1);
  EXPECT_NEAR(*values.pingpong_latency_s, 0.5e-6, 1e-15);
  EXPECT_NEAR(*values.pingpong_bandwidth_byte_s, 9e9, 1);
}

TEST(memory_communication_time, converts_binary_memory_to_decimal_bandwidth) {
  EXPECT_NEAR(memory_communication_time(512 * Bytes{128 << 20}, Rate{19919e6}).value(), 3.45, 0.005);
  EXPECT_NEAR(memory_communication_time(24 * Bytes{1 << 30}, Rate{1806e6}).value(), 14.27, 0.005);
  EXPECT_NEAR(balance_factor(Rate{19919e6}, 450e9), 0.0443, 1e-4);
}
