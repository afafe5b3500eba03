// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/definition.hpp"

#include <gtest/gtest.h>

#include <set>

#include "suites/hpcc/random_access/size_trial.hpp"
#include "suites/hpcc/test_rules.hpp"

using namespace steelyard;
using namespace steelyard::hpcc;

namespace {

Settings small() {
  Settings settings;
  settings.problem = {{512, 256}, {16}, {{1, 2}, {2, 2}}};
  return settings;
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const auto& benchmark : all_benchmarks()) all.emplace_back(benchmark.name);
  return all;
}

const suites::PointPlan& first_point(const std::vector<suites::BlockPlan>& blocks, std::string_view name) {
  for (const auto& block : blocks)
    if (block.benchmark == name) return block.points.front();
  throw std::out_of_range(std::string(name));
}

}  // namespace

TEST(hpcc_definition, benchmarks_stand_in_the_order_of_the_suite) {
  const auto all = names();
  ASSERT_EQ(all.size(), 16U);
  EXPECT_EQ(all.front(), "MPIRandomAccess");
  EXPECT_EQ(all[6], "PTRANS");
  EXPECT_EQ(all.back(), "HPL");
  EXPECT_EQ(Definition(small()).catalogue().size(), 16U);
  EXPECT_THROW(static_cast<void>(benchmark_of("Linpack")), std::invalid_argument);
}

TEST(hpcc_definition, the_statistic_of_a_figure_is_that_of_its_rule) {
  EXPECT_EQ(statistic_of("PTRANS"), "slowest of the placements");
  EXPECT_EQ(statistic_of("SingleSTREAM"), statistic_of("StarSTREAM"));
  EXPECT_EQ(statistic_of("LatencyBandwidth"), "mean over the rings");
  EXPECT_EQ(statistic_of("MPIFFT"), "median over the repetitions, of a strict run the first");
  EXPECT_EQ(statistic_of("none"), "");
}

TEST(hpcc_definition, transforms_count_the_eights_that_their_rows_fill_in_part) {
  const auto elements = [](const char* name, Form form, std::int64_t length, int processes) {
    Settings settings;
    settings.form = form;
    return memory_byte({.benchmark = benchmark_of(name), .length = length, .processes = processes},
                       settings) /
           16;
  };
  EXPECT_EQ(elements("MPIFFT", Form::optimized, 1 << 20, 2), 6 << 19);
  // Four rows of 1024 elements for each of 256 processes: in one part, and each in one of its own.
  EXPECT_EQ(elements("MPIFFT", Form::base, 1 << 20, 256), 4 * (4 * 1024) + 2 * (8 * 1024));
  EXPECT_EQ(elements("MPIFFT", Form::optimized, 1 << 20, 256), 4 * (4 * 1024) + 2 * (4 * 8 * 1024));
  EXPECT_EQ(elements("MPIFFT", Form::optimized, 144, 1), 4 * 144 + 2 * (6 * 8 * 12));  // parts of two rows
  EXPECT_EQ(elements("SingleFFT", Form::optimized, 36, 1), 2 * 36 + 8 * 6);
}

TEST(hpcc_definition, every_point_has_a_key_of_its_own) {
  std::set<std::string> keys;
  const Definition definition(small());
  std::size_t points = 0;
  for (const auto& block : definition.plan(names(), 4)) {
    EXPECT_EQ(block.suite, "hpcc");
    EXPECT_EQ(block.processes, 4);
    for (const auto& point : block.points) {
      EXPECT_TRUE(keys.insert(point.key).second) << point.key;
      EXPECT_TRUE(point.measurable()) << point.key << point.skip_text;
      EXPECT_GT(point.memory_byte, 0);
      ++points;
    }
  }
  // 6 RandomAccess, 4 PTRANS (2 grids, 2 orders), 2 DGEMM, 8 STREAM, 3 FFT, 2 messages, 4 HPL (2 grids, 2
  // orders)
  EXPECT_EQ(points, 29U);
}

TEST(hpcc_definition, the_second_generator_gives_way_and_nothing_else) {
  for (const auto& block : Definition(small()).plan(names(), 2))
    for (const auto& point : block.points) EXPECT_EQ(point.gives_way, block.benchmark.ends_with("_LCG"));
}

TEST(hpcc_definition, forms_are_different_points) {
  auto settings = small();
  const auto optimized = first_point(Definition(settings).plan(names(), 2), "StarDGEMM").key;
  settings.form = Form::base;
  EXPECT_NE(first_point(Definition(settings).plan(names(), 2), "StarDGEMM").key, optimized);
}

// 8 N^2 is 2^65 - 2^35 + 8: what 64 bits do not hold.
TEST(hpcc_definition, of_the_largest_order_is_left_out_for_its_memory) {
  Settings settings;
  settings.problem = {{2147483647}, {64}, {{1, 1}}};
  settings.solver.depth = {2147483647};
  settings.most_byte = std::int64_t{1} << 40;
  for (const int processes : {1, 65536})
    for (const auto& block : Definition(settings).plan(names(), processes)) {
      if (block.benchmark == "LatencyBandwidth") continue;
      for (const auto& point : block.points) {
        EXPECT_EQ(point.skip, record::ReasonCode::memory) << point.key;
        EXPECT_GT(point.memory_byte, settings.most_byte) << point.key;
        EXPECT_GT(point.bytes, 0) << point.key;
      }
    }
}

TEST(hpcc_definition, what_cannot_be_measured_is_told) {
  auto settings = small();
  settings.blas = false;
  const auto blocks = Definition(settings).plan(names(), 1);
  EXPECT_EQ(first_point(blocks, "StarDGEMM").skip, record::ReasonCode::dependency);
  EXPECT_EQ(first_point(blocks, "PTRANS").skip, record::ReasonCode::processes);
  EXPECT_EQ(first_point(blocks, "LatencyBandwidth").skip, record::ReasonCode::processes);
  EXPECT_EQ(first_point(blocks, "StarSTREAM").skip, std::nullopt);
  settings.problem.orders = {0};
  EXPECT_EQ(first_point(Definition(settings).plan(names(), 4), "MPIRandomAccess").skip,
            record::ReasonCode::unsupported);
  EXPECT_EQ(first_point(Definition(settings).plan(names(), 4), "StarSTREAM").skip,
            record::ReasonCode::unsupported);
}

TEST(problem_share, is_of_the_processes_memory_and_flagged_below_the_bounds) {
  auto settings = small();
  const auto spec = [&](std::string_view name) {
    return point_specs(settings, benchmark_of(name), 2).front();
  };
  const auto stream = spec("StarSTREAM"), table = spec("StarRandomAccess"), fft = spec("MPIFFT");
  EXPECT_FALSE(memory_share(stream, settings).has_value());
  EXPECT_FALSE(smaller_than_the_rules_ask(stream, settings));
  settings.node_share_byte = 4 * 24 * stream.length;
  EXPECT_DOUBLE_EQ(memory_share(stream, settings).value(), 0.25);
  EXPECT_FALSE(smaller_than_the_rules_ask(stream, settings));
  settings.node_share_byte += 8;
  EXPECT_TRUE(smaller_than_the_rules_ask(stream, settings));
  settings.node_share_byte = 2 * (std::int64_t{8} << table.bits);
  EXPECT_FALSE(smaller_than_the_rules_ask(table, settings)) << "half of the memory";
  settings.node_share_byte *= 2;
  EXPECT_TRUE(smaller_than_the_rules_ask(table, settings)) << "twice the table would be half of the memory";
  settings.node_share_byte = 4 * 32 * fft.length / fft.processes;
  EXPECT_FALSE(smaller_than_the_rules_ask(fft, settings));
  settings.node_share_byte *= 2;
  EXPECT_TRUE(smaller_than_the_rules_ask(fft, settings));
  EXPECT_FALSE(smaller_than_the_rules_ask(spec("StarDGEMM"), settings)) << "no rule";
  EXPECT_FALSE(memory_share(spec("LatencyBandwidth"), settings).has_value());
}

TEST(problem_share, of_a_table_whose_half_is_faster_does_not_stand_for_the_one_that_the_rules_ask) {
  auto settings = small();
  const auto table = point_specs(settings, benchmark_of("MPIRandomAccess"), 2).front();
  EXPECT_EQ(doubt_of_size(1.5, table, settings), "") << "no memory known";
  settings.node_share_byte = 2 * (std::int64_t{8} << table.bits) / table.processes;
  EXPECT_EQ(doubt_of_size(1.5, table, settings), "") << "half of the memory";
  settings.node_share_byte *= 2;
  EXPECT_EQ(doubt_of_size(1.5, table, settings),
            "half of the table is updated 1.50 times as fast, and the rules ask for a larger one");
  EXPECT_EQ(doubt_of_size(1.1, table, settings), "") << "no more than a tenth";
}

TEST(hpcc_definition, threads_make_other_points) {
  auto settings = small();
  const auto one = first_point(Definition(settings).plan(names(), 2), "StarSTREAM").key;
  settings.threads = 2;
  EXPECT_NE(first_point(Definition(settings).plan(names(), 2), "StarSTREAM").key, one);
}

TEST(hpcc_definition, vectors_of_stream_exceed_the_cache) {
  auto settings = small();
  const auto by_memory = point_specs(settings, benchmark_of("StarSTREAM"), 2).front().length;
  settings.cache = {1 << 20, 1 << 20};
  settings.long_vectors = true;
  const auto by_cache = point_specs(settings, benchmark_of("StarSTREAM"), 2).front().length;
  EXPECT_EQ(by_memory, 512 * 512 / 2 / 3);
  EXPECT_EQ(by_cache, 512 * 1024);
}

TEST(hpcc_definition, cache_that_the_machine_does_not_tell_is_said_to_be_assumed) {
  auto settings = small();
  const auto doubted = [&](std::string_view name) {
    return doubt(point_specs(settings, benchmark_of(name), 2).front(), settings, 2);
  };
  const std::string condition = ": arrays of at least 4 times the last-level cache in use, each";
  EXPECT_TRUE(doubted("StarSTREAM")
                  .ends_with("where 33554432 elements or more stand for this machine" + condition +
                             " (the machine tells of none, taken are 64 MiB)"))
      << doubted("StarSTREAM");
  EXPECT_TRUE(doubted("StarDGEMM").ends_with("order 1500 or more stand for this machine"));
  settings.cache = {300 << 20, 300 << 20};
  EXPECT_TRUE(doubted("StarSTREAM").ends_with(condition)) << doubted("StarSTREAM");
}

TEST(single_rank, is_drawn_from_the_others_or_forced) {
  Settings settings;
  EXPECT_EQ(single_rank(settings, 1), 0);
  std::set<int> drawn;
  for (settings.seed = 1; settings.seed < 60; ++settings.seed) drawn.insert(single_rank(settings, 4));
  EXPECT_EQ(drawn, (std::set<int>{1, 2, 3}));
  settings.single_rank = 0;
  EXPECT_EQ(single_rank(settings, 4), 0);
  settings.single_rank = 4;
  EXPECT_THROW(static_cast<void>(single_rank(settings, 4)), std::invalid_argument);
}
