// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <set>
#include <stdexcept>

#include "suites/imb/part_definition.hpp"

namespace steelyard::imb {
namespace {

using suites::BlockPlan;
using suites::PointPlan;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<BlockPlan> plan(const Settings& settings, std::vector<std::string> names, int world) {
  return definition(mpi1(), settings)->plan(names, world);
}

std::string word(const record::Params& params, std::string_view name) {
  const auto* value = record::find(params, name);
  return value == nullptr ? "absent" : std::get<std::string>(*value);
}

std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const auto& definition : mpi1().benchmarks) names.emplace_back(definition.name);
  return names;
}

TEST(plan, one_block_per_benchmark_and_process_number) {
  const auto blocks = plan({}, {"PingPong", "Bcast"}, 6);
  ASSERT_EQ(blocks.size(), 4U);
  EXPECT_EQ(blocks[0].benchmark, "PingPong");
  EXPECT_EQ(blocks[0].processes, 2);
  EXPECT_EQ(blocks[1].processes, 2);
  EXPECT_EQ(blocks[3].processes, 6);
  EXPECT_EQ(blocks[3].points.size(), 24U);
  EXPECT_EQ(blocks[3].groups, 1);
  EXPECT_TRUE(blocks[3].rank_order.empty());
}

TEST(plan, key_names_the_experiment) {
  EXPECT_EQ(plan({}, {"PingPong"}, 2)[0].points[3].key,
            "imb-mpi1/PingPong;message_byte=4;processes=2;type=MPI_BYTE");
  EXPECT_EQ(plan({}, {"Reduce"}, 4)[1].points[1].key,
            "imb-mpi1/Reduce;message_byte=4;op=MPI_SUM;processes=4;root=shift;type=MPI_FLOAT");
  EXPECT_EQ(plan({}, {"Barrier"}, 2)[0].points[0].key, "imb-mpi1/Barrier;processes=2");
}

TEST(plan, keys_are_unique_for_every_number_of_processes) {
  for (const int world : {1, 2, 3, 4, 5, 7, 8, 12, 33, 100, 4096, 100000})
    for (const auto multi : {std::optional<int>{}, std::optional<int>{0}, std::optional<int>{1}}) {
      Settings settings;
      settings.multi = multi;
      std::set<std::string> keys;
      std::size_t points = 0;
      for (const auto& block : plan(settings, all_names(), world))
        for (const auto& point : block.points) {
          keys.insert(point.key);
          ++points;
        }
      EXPECT_EQ(keys.size(), points) << world;
    }
}

TEST(plan, repeated_sizes_and_names_are_experiments_of_their_own) {
  Settings settings;
  settings.sizes.listed = std::vector<Bytes>{Bytes{8}, Bytes{8}};
  const auto blocks = plan(settings, {"PingPong", "PingPong"}, 2);
  std::set<std::string> keys;
  for (const auto& block : blocks)
    for (const auto& point : block.points) keys.insert(point.key);
  EXPECT_EQ(keys.size(), 4U);
}

TEST(plan, a_cache_of_other_lines_is_another_experiment) {
  auto settings = defaults(mpi1(), Version::v31);
  std::set<std::string> keys;
  for (const std::int64_t line : {64, 128}) {
    settings.off_cache = {.cache_byte = 8 << 20, .line_byte = line};
    keys.insert(plan(settings, {"PingPong"}, 2).front().points.front().key);
  }
  EXPECT_EQ(keys.size(), 2U);
}

TEST(plan, parameters_follow_the_settings) {
  auto settings = defaults(mpi1(), Version::v2021);
  settings.map = {2, 2};
  settings.off_cache = {.cache_byte = 1 << 20, .line_byte = 128};
  settings.contiguous_type = ContiguousType::resize;
  const auto blocks = plan(settings, {"Bcast", "PingPong", "Uniband"}, 4);
  const auto& bcast = blocks[0].points[1].params;
  EXPECT_EQ(word(bcast, "root"), "zero");
  EXPECT_EQ(word(bcast, "sync"), "on");
  EXPECT_EQ(word(bcast, "map"), "2x2");
  EXPECT_EQ(word(bcast, "contiguous_type"), "resize");
  EXPECT_EQ(std::get<std::int64_t>(*record::find(bcast, "off_cache_byte")), 1 << 20);
  EXPECT_EQ(std::get<std::int64_t>(*record::find(bcast, "off_cache_line_byte")), 128);
  EXPECT_EQ(record::find(bcast, "window"), nullptr);
  const auto& pingpong = blocks[2].points[1].params;
  EXPECT_EQ(record::find(pingpong, "sync"), nullptr);
  EXPECT_EQ(record::find(pingpong, "root"), nullptr);
  EXPECT_EQ(std::get<std::int64_t>(*record::find(blocks[3].points[1].params, "window")), 256);
  EXPECT_THAT(blocks[1].rank_order, ElementsAre(0, 2, 1, 3));
}

TEST(plan, bytes_counted_are_named_where_they_differ_and_are_no_part_of_the_key) {
  const auto blocks = plan({}, {"Exchange", "PingPong", "Bcast"}, 2);
  const auto& exchange = blocks[0].points[1];
  EXPECT_EQ(std::get<std::int64_t>(*record::find(exchange.params, "count_byte")), 4);
  EXPECT_THAT(exchange.key, testing::Not(HasSubstr("count_byte")));
  EXPECT_EQ(record::find(blocks[0].points[0].params, "count_byte"), nullptr)
      << "nothing is counted for 0 byte";
  EXPECT_EQ(record::find(blocks[1].points[1].params, "count_byte"), nullptr);
  EXPECT_EQ(record::find(blocks[2].points[1].params, "count_byte"), nullptr);
}

TEST(plan, groups_fill_the_machine) {
  Settings settings;
  settings.multi = 0;
  const auto blocks = plan(settings, {"Bcast"}, 5);
  ASSERT_EQ(blocks.size(), 3U);
  EXPECT_EQ(blocks[0].groups, 2);
  EXPECT_EQ(blocks[1].groups, 1);
  EXPECT_EQ(blocks[2].groups, 1);
  settings.multi = 1;
  const auto grouped = plan(settings, {"Bcast"}, 4);
  EXPECT_EQ(std::get<std::int64_t>(*record::find(grouped[0].points[0].params, "group")), 0);
}

TEST(plan, too_few_processes_are_one_skipped_point_without_a_size) {
  const auto blocks = plan({}, {"PingPong", "Uniband"}, 1);
  ASSERT_EQ(blocks.size(), 2U);
  ASSERT_EQ(blocks[0].points.size(), 1U);
  EXPECT_EQ(blocks[0].points[0].skip, record::ReasonCode::processes);
  EXPECT_EQ(blocks[0].processes, 1);
  EXPECT_EQ(record::find(blocks[0].points[0].params, "message_byte"), nullptr);
}

// Products of processes, threads, windows and such sizes pass 2^63.
TEST(plan, sizes_beyond_all_memory_are_left_out_for_it_however_many_processes_share_them) {
  for (const Part* part : parts()) {
    auto settings = defaults(*part, Version::v31);
    settings.sizes.listed = {Bytes{std::int64_t{1} << 45}, Bytes{std::int64_t{1} << 62},
                             Bytes{9'000'000'000'000'000'000}};
    settings.memory = Bytes{std::int64_t{1} << 40};
    settings.threads = part->name == "imb-mt" ? 256 : 1;
    std::vector<std::string> names;
    for (const auto& benchmark : part->benchmarks) names.emplace_back(benchmark.name);
    for (const int world : {1, 2, 65536})
      for (const auto& block : definition(*part, settings)->plan(names, world))
        for (const auto& point : block.points) {
          if (point.skip == record::ReasonCode::processes || point.bytes < 1 << 20) continue;
          const auto share = part->files ? point.bytes / block.processes : point.bytes;
          if (share > settings.memory->count()) {
            EXPECT_EQ(point.skip, record::ReasonCode::memory) << point.key;
          }
          EXPECT_GT(point.memory_byte, 0) << point.key;
        }
  }
}

TEST(plan, sizes_that_need_too_much_memory_are_skipped_alone) {
  Settings settings;
  settings.memory = Bytes{3000};
  const auto blocks = plan(settings, {"Bcast"}, 2);
  const auto& points = blocks[0].points;
  EXPECT_EQ(points[11].skip, std::nullopt) << "1024 byte";
  EXPECT_EQ(points[12].skip, record::ReasonCode::memory) << "2048 byte";
  EXPECT_EQ(points[12].needed_byte, 4096);
  EXPECT_EQ(points[12].available_byte, 3000);
}

TEST(plan, chosen_process_numbers_replace_the_series) {
  Settings settings;
  settings.processes = std::vector<int>{3, 5, 9};
  const auto blocks = plan(settings, {"Bcast", "Uniband", "PingPong"}, 6);
  std::vector<int> numbers;
  for (const auto& block : blocks) numbers.push_back(block.processes);
  EXPECT_THAT(numbers, ElementsAre(3, 5, 2, 4, 2));
}

TEST(plan, map_that_does_not_hold_all_processes_is_refused_with_the_divisors) {
  Settings settings;
  settings.map = {2, 2};
  try {
    static_cast<void>(plan(settings, {"Bcast"}, 6));
    FAIL() << "2x2 accepted for 6 processes";
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), HasSubstr("1, 2, 3, 6"));
  }
}

TEST(plan, scattered_sums_beyond_the_counts_of_mpi_are_not_attempted) {
  Settings settings;
  settings.sizes.listed = std::vector<Bytes>{Bytes{std::int64_t{1} << 33}, Bytes{1 << 20}};
  const auto points = plan(settings, {"Reduce_scatter"}, 2)[0].points;
  EXPECT_EQ(points[0].skip, record::ReasonCode::unsupported);
  EXPECT_EQ(points[1].skip, std::nullopt);
}

TEST(plan, classic_operations_are_those_of_the_rule) {
  const auto points = plan({}, {"PingPong"}, 2)[0].points;
  EXPECT_EQ(points.front().classic_operations, 1000U);
  EXPECT_EQ(points.back().classic_operations, 10U);
  EXPECT_EQ(points.back().memory_byte, 2 * 4194304);
  EXPECT_GT(points.back().cost.operation_s(), points.front().cost.operation_s());
}

TEST(catalogue, tells_what_the_list_prints) {
  const auto suite = definition(mpi1(), Settings{});
  ASSERT_EQ(suite->catalogue().size(), mpi1().benchmarks.size());
  EXPECT_EQ(suite->name(), "imb-mpi1");
  EXPECT_EQ(suite->catalogue()[0].min_processes, 2);
  EXPECT_EQ(suite->catalogue()[0].classification, "single transfer");
  EXPECT_TRUE(suite->catalogue()[0].in_default);
}

TEST(configuration, has_what_the_text_of_a_run_needs) {
  auto settings = defaults(mpi1(), Version::v31);
  settings.multi = 1;
  settings.map = {2, 3};
  settings.sync = true;
  const auto members = definition(mpi1(), settings)->configuration();
  const auto text = [&](std::string_view name) {
    return std::get<std::string>(*record::find(members, name));
  };
  EXPECT_EQ(text("version"), "3.1");
  EXPECT_EQ(text("data_type"), "MPI_BYTE");
  EXPECT_EQ(text("reduction_type"), "MPI_FLOAT");
  EXPECT_EQ(text("op"), "MPI_SUM");
  EXPECT_EQ(text("map"), "2x3");
  EXPECT_EQ(text("remarks"), "-sync on instead of off");
  EXPECT_EQ(std::get<std::int64_t>(*record::find(members, "multi")), 1);
  EXPECT_EQ(std::get<std::int64_t>(*record::find(members, "max_byte")), 4194304);
  EXPECT_TRUE(std::get<bool>(*record::find(members, "zero_size")));
}

TEST(configuration, says_of_a_rule_that_the_others_leave_out_that_it_changes_nothing) {
  const auto remarks = [](const Settings& settings) {
    return std::get<std::string>(*record::find(definition(mpi1(), settings)->configuration(), "remarks"));
  };
  auto settings = defaults(mpi1(), Version::v2021);
  settings.time_limit = Seconds{3};
  settings.first_warm_up = 7;
  EXPECT_EQ(remarks(settings),
            "-time 3.00000 instead of 10.0000\n--n-warmup 7 changes nothing under the rules of 2021");
  settings.policy = IterationPolicy::off;
  EXPECT_THAT(remarks(settings), testing::HasSubstr("-time 3.00000 changes nothing with -iter_policy off"));
  settings = defaults(mpi1(), Version::v31);
  settings.first_warm_up = 7;
  EXPECT_EQ(remarks(settings), "--n-warmup 7 instead of 2");
  settings.warm_up = false;
  EXPECT_THAT(remarks(settings), testing::HasSubstr("--n-warmup 7 changes nothing with -warm_up off"));
}

TEST(configuration, defaults_of_a_version_need_no_remark) {
  for (const auto version : {Version::v31, Version::v2021})
    EXPECT_EQ(std::get<std::string>(
                  *record::find(definition(mpi1(), defaults(mpi1(), version))->configuration(), "remarks")),
              "");
}

}  // namespace
}  // namespace steelyard::imb
