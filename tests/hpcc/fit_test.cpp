// SPDX-License-Identifier: Apache-2.0
// Sizes by measured rates: what stands for a machine, how long it takes, and what a budget makes of it.
#include "suites/hpcc/fit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "suites/hpcc/definition.hpp"
#include "suites/hpcc/hpl/model.hpp"
#include "suites/hpcc/test_rules.hpp"

namespace steelyard::hpcc {
namespace {

constexpr std::int64_t mebi = 1 << 20;

/// Two cores with a cache that a hypervisor reports whole.
suites::World world(int processes = 2) {
  suites::Rates rates = suites::assumed_rates();
  rates.origin = suites::Rates::Origin::measured;
  rates.panels = {{128, 8e10, 1e10, 4e10}, {192, 8.5e10, 9e9, 5e10}};
  rates.product_flop_s = rates.product_alone_flop_s = 9e10;
  rates.access_update_s = 9e7;
  rates.access_alone_update_s = 1e8;
  rates.triad_byte_s = 1.2e10;
  rates.triad_alone_byte_s = 2.5e10;
  return {processes, rates};
}

Settings settings(std::int64_t cache_mebibyte, int processes = 2) {
  Settings made;
  made.problem.grids = {default_grid(processes)};
  made.cache = {cache_mebibyte * mebi, cache_mebibyte * mebi / processes};
  made.node_share_byte = 12LL << 30;
  made.most_byte = 10LL << 30;
  return made;
}

std::vector<std::string> every_name() {
  std::vector<std::string> names;
  for (const auto& benchmark : all_benchmarks())
    if (!std::string(benchmark.name).ends_with("_LCG")) names.emplace_back(benchmark.name);
  return names;
}

double expected(const Settings& made, const std::vector<std::string>& names, const suites::World& where) {
  return suites::prescribed_s(Definition(made), names, where);
}

TEST(hpcc_fit, no_test_that_is_measured_is_smaller_than_what_stands_for_the_machine) {
  for (const std::int64_t cache : {0, 1, 32, 300, 1152})
    for (const double seconds : {1.0, 5.0, 19.0, 300.0}) {
      SCOPED_TRACE(cache);
      const auto names = every_name();
      const auto made = fitted(settings(cache), names, world(), {seconds, 3 * seconds}, false);
      for (const auto& block : Definition(made).plan(names, world()))
        for (const auto& point : block.points)
          EXPECT_TRUE(!point.measurable() || point.doubt.empty()) << point.key << ": " << point.doubt;
    }
}

TEST(hpcc_fit, the_time_is_used_and_not_exceeded) {
  for (const double seconds : {8.0, 19.0, 60.0, 300.0}) {
    const auto names = every_name();
    const auto made = fitted(settings(32), names, world(), {seconds, 3 * seconds}, false);
    const double taken = expected(made, names, world());
    EXPECT_LE(taken, seconds);
    EXPECT_GE(taken, 0.8 * seconds);
  }
}

TEST(hpcc_fit, less_time_takes_repetitions_first_and_then_the_least_important_tests) {
  const auto names = every_name();
  const double least = time_range(settings(32), names, world(), false).least_s;
  const auto shorter = fitted(settings(32), names, world(), {1.01 * least, 60}, false);
  EXPECT_TRUE(shorter.left_out.empty());
  EXPECT_LT(shorter.effort.repetitions, Effort{}.repetitions);
  const auto fewer = fitted(settings(32), names, world(), {0.8 * least, 60}, false);
  EXPECT_FALSE(fewer.left_out.empty());
  EXPECT_FALSE(fewer.left_out.contains("HPL"));
  EXPECT_FALSE(fewer.left_out.contains("StarSTREAM"));
  EXPECT_TRUE(fewer.left_out.contains("SingleFFT"));
}

TEST(hpcc_fit, a_test_that_is_left_out_says_which_budget_would_hold_it) {
  const auto names = every_name();
  const auto made = fitted(settings(32), names, world(), {0.5, 5}, false);
  ASSERT_TRUE(made.left_out.contains("SingleFFT"));
  EXPECT_GT(made.left_out.at("SingleFFT"), 5);
  const auto blocks = Definition(made).plan(std::vector<std::string>{"SingleFFT"}, world());
  EXPECT_EQ(blocks.front().points.front().skip, record::ReasonCode::time);
  EXPECT_TRUE(blocks.front().points.front().skip_text.starts_with("needs --budget "));
}

std::uint64_t passes_of(const Settings& made, const char* name) {
  const std::vector<std::string> names{name};
  return Definition(made).plan(names, world()).front().points.front().classic_operations;
}

TEST(hpcc_fit, the_shortest_run_still_repeats_what_takes_little_beside_its_data) {
  const auto names = every_name();
  const double least = time_range(settings(32), names, world(), false).least_s;
  auto made = fitted(settings(32), names, world(), {1.01 * least, 60}, false);
  ASSERT_EQ(made.effort.repetitions, 1);
  for (const char* name : {"StarDGEMM", "SingleDGEMM", "StarFFT", "SingleFFT"})
    EXPECT_EQ(passes_of(made, name), 3) << name;
  for (const char* name : {"HPL", "LatencyBandwidth", "PTRANS"}) EXPECT_EQ(passes_of(made, name), 1) << name;
  made.problem.orders = {40000};
  made.memory_byte.reset();
  EXPECT_EQ(passes_of(made, "StarDGEMM"), 1) << "minutes each";
}

TEST(hpcc_fit, what_the_user_repeats_once_is_repeated_once) {
  auto own = settings(32);
  own.effort.repetitions = 1;
  EXPECT_EQ(passes_of(fitted(own, every_name(), world(), {4, 60}, false), "StarDGEMM"), 1);
}

TEST(hpcc_fit, what_the_user_repeats_stays) {
  auto own = settings(32);
  own.effort.repetitions = 7;
  EXPECT_EQ(fitted(own, every_name(), world(), {4, 60}, false).effort.repetitions, 7);
}

TEST(hpcc_fit, all_processes_and_any_number_of_them_get_a_problem) {
  for (const int processes : {1, 2, 3, 4, 5, 7, 16, 96, 1000}) {
    const auto names = every_name();
    const auto made = fitted(settings(32, processes), names, world(processes), {20, 60}, false);
    EXPECT_LE(expected(made, names, world(processes)), 20) << processes;
    EXPECT_GT(made.problem.orders.front(), 0) << processes;
  }
}

TEST(hpcc_fit, a_machine_without_a_blas_has_the_other_tests) {
  auto without = world();
  without.rates.panels.clear();
  auto own = settings(32);
  own.blas = false;
  const auto made = fitted(own, every_name(), without, {19, 60}, false);
  EXPECT_LE(expected(made, every_name(), without), 19);
}

TEST(representative, sizes_follow_the_cache_that_a_process_has) {
  const auto made = settings(300);
  EXPECT_EQ(least_size(benchmark_of("SingleSTREAM"), made, 2), 4 * 300 * mebi / 8);
  EXPECT_EQ(least_size(benchmark_of("StarSTREAM"), made, 2), 4 * 150 * mebi / 8);
  EXPECT_EQ(least_size(benchmark_of("SingleRandomAccess"), made, 2), 28);  // 2 GiB hold 4 x 300 MiB
  EXPECT_EQ(least_size(benchmark_of("MPIRandomAccess"), made, 2), 28);
  EXPECT_EQ(least_size(benchmark_of("StarDGEMM"), made, 2), 1500);
}

TEST(representative, an_unknown_cache_is_taken_for_a_large_one) {
  Settings unknown;
  EXPECT_EQ(least_size(benchmark_of("StarSTREAM"), unknown, 2), 4 * 64 * mebi / 8);
}

TEST(representative, a_small_problem_is_doubted_in_words) {
  auto small = settings(32);
  small.problem = {{320}, {80}, {{1, 2}}};
  for (const auto* name :
       {"HPL", "StarDGEMM", "StarSTREAM", "PTRANS", "MPIFFT", "StarFFT", "MPIRandomAccess"}) {
    const auto spec = point_specs(small, benchmark_of(name), 2).front();
    EXPECT_NE(doubt(spec, small, world()), "") << name;
  }
  const auto spec = point_specs(small, benchmark_of("HPL"), 2).front();
  EXPECT_TRUE(doubt(spec, small, world()).starts_with("order 320 where ")) << doubt(spec, small, world());
  EXPECT_EQ(doubt(point_specs(small, benchmark_of("StarDGEMM"), 2).front(), small, world()),
            "order 130 where order 1500 or more stand for this machine");
  EXPECT_EQ(doubt(spec, small, 2), "") << "nothing is said by rates that nobody measured";
  EXPECT_THAT(expectation(spec, small, world()),
              testing::MatchesRegex("N 320, NB [0-9]+: [0-9]+ % of .* expected, [0-9]+ % with N .*"));
  EXPECT_EQ(expectation(spec, small, 2), "") << "nothing is said by rates that nobody measured";
}

TEST(solver_model, parts_are_expected_where_they_are_told_and_rates_were_measured) {
  const std::vector<std::string> names{"HPL"};
  auto told = settings(32);
  told.problem = {{2000}, {128}, {{1, 2}}};
  const auto parts_of = [&](const suites::World& where) {
    return Definition(told).plan(names, where).front().points.front().spec<PointSpec>().parts;
  };
  EXPECT_FALSE(parts_of(world()).has_value());
  told.solver_detail = true;
  EXPECT_GT(parts_of(world()).value().multiply_s, 0);
  EXPECT_FALSE(parts_of(2).has_value()) << "nothing is said by rates that nobody measured";
}

TEST(solver_model, process_columns_on_several_nodes_are_expected_to_send_messages) {
  const std::vector<std::string> names{"HPL"};
  auto made = settings(32, 4);
  made.problem = {{2000}, {128}, {{2, 2}}};
  const auto expected_on = [&](int nodes) {
    made.nodes = nodes;
    return expected(made, names, world(4));
  };
  const double one = expected_on(1);
  EXPECT_EQ(expected_on(2), one) << "a process column each";
  EXPECT_GT(expected_on(4), one);
  EXPECT_GT(expected_on(3), one) << "of different numbers of processes";
  made.solver.mapping = hpl::Mapping::row_major;
  EXPECT_GT(expected_on(2), one);
  EXPECT_EQ(expected_on(1), one);
}

TEST(solver_model, larger_systems_are_solved_at_a_higher_rate) {
  hpl::Variant variant;
  variant.grid = {2, 2};
  variant.nb = 192;
  double last = 0;
  for (const std::int64_t n : {500, 2000, 8000, 32000}) {
    variant.n = n;
    const double efficiency = hpl::expected_efficiency(variant, world(4).rates);
    EXPECT_GT(efficiency, last);
    EXPECT_LT(efficiency, 1);
    last = efficiency;
  }
}

TEST(solver_model, the_least_order_is_the_first_that_reaches_the_part) {
  hpl::Variant variant;
  variant.grid = {1, 2};
  variant.nb = 128;
  const auto rates = world().rates;
  const auto least = hpl::least_order(variant, 40000, 0.85, rates);
  variant.n = 40000;
  const double wanted = 0.85 * hpl::expected_efficiency(variant, rates);
  variant.n = least;
  EXPECT_GE(hpl::expected_efficiency(variant, rates), wanted);
  variant.n = least - 256;
  EXPECT_LT(hpl::expected_efficiency(variant, rates), wanted);
}

TEST(solver_model, slow_memory_asks_for_a_larger_system) {
  hpl::Variant variant;
  variant.nb = 128;
  auto rates = world(1).rates;
  const auto near = hpl::least_order(variant, 40000, 0.85, rates);
  rates.triad_byte_s /= 4;
  EXPECT_GT(hpl::least_order(variant, 40000, 0.85, rates), near);
}

TEST(solver_model, slow_messages_ask_for_a_larger_system) {
  hpl::Variant variant;
  variant.grid = {4, 4};
  variant.nb = 192;
  auto rates = world(16).rates;
  const auto near = hpl::least_order(variant, 200000, 0.85, rates);
  rates.far_message_s = 1e-3;
  rates.far_exchange_byte_s = 1e8;
  EXPECT_GT(hpl::least_order(variant, 200000, 0.85, rates), near);
}

}  // namespace
}  // namespace steelyard::hpcc
