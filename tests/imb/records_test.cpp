// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/records.hpp"

#include <gmock/gmock.h>

#include <numeric>

#include "suites/imb/part_definition.hpp"
#include "suites/imb/rank_figures.hpp"
#include "suites/imb/schedule.hpp"

namespace steelyard::imb {
namespace {

using measure::OverRanks;
using measure::Sync;
using measure::Timing;
using testing::Contains;

measure::Outcome outcome() {
  measure::Outcome result;
  result.schedule.ops = 640;
  result.time.median = 2e-6;
  result.time.ci = {1e-6, 4e-6};
  result.time.ci_level = 0.95;
  result.classic = {.min_s = 1e-6, .max_s = 4e-6, .mean_s = 2e-6, .slowest_rank = 1};
  result.by_group = {{.min_s = 1e-6, .max_s = 2e-6, .mean_s = 1.5e-6, .slowest_rank = 1},
                     {.min_s = 3e-6, .max_s = 4e-6, .mean_s = 3.5e-6, .slowest_rank = 2}};
  return result;
}

struct Made {
  suites::BlockPlan block;
  std::vector<record::PointRecord> records;
};

Made make(const Settings& settings, std::string name, std::size_t point, int world,
          const measure::Outcome& measured = outcome()) {
  const PartDefinition definition(mpi1(), settings);
  const std::string names[] = {name};
  Made made{definition.plan(names, world)[0], {}};
  const auto& plan = made.block.points[point];
  record::PointRecord base;
  base.suite = "imb-mpi1";
  base.benchmark = name;
  base.key = plan.key;
  base.params = plan.params;
  base.processes = made.block.processes;
  base.groups = made.block.groups;
  made.records =
      make_records({settings, *find(mpi1(), name), made.block, world}, Bytes{plan.bytes}, measured, base);
  return made;
}

const record::Metric* metric(const record::PointRecord& record, std::string_view name) {
  for (const auto& [metric_name, value] : record.metrics)
    if (metric_name == name) return &value;
  return nullptr;
}

double classic(const record::PointRecord& record, std::string_view name) {
  const auto* value = record::find(record.classic, name);
  return value == nullptr ? -1 : record::number(*value);
}

TEST(records, pingpong_has_classic_values_and_a_rate) {
  const auto [block, records] = make({}, "PingPong", 17, 5);  // 65536 byte
  ASSERT_EQ(records.size(), 1U);
  const auto& record = records[0];
  EXPECT_EQ(classic(record, "repetitions"), 640);
  EXPECT_EQ(classic(record, "t_max_s"), 4e-6);
  EXPECT_DOUBLE_EQ(classic(record, "bandwidth_byte_s"), 65536 / 4e-6);
  EXPECT_EQ(classic(record, "idle_processes"), 3);
  EXPECT_EQ(record::find(record.classic, "defects"), nullptr);
  EXPECT_EQ(record::find(record.classic, "message_rate_op_s"), nullptr);
  const auto& rate = std::get<record::Statistics>(*metric(record, "bandwidth_byte_s"));
  EXPECT_DOUBLE_EQ(*rate.median, 65536 / 2e-6);
  EXPECT_DOUBLE_EQ(rate.ci->first, 65536 / 4e-6);
  EXPECT_DOUBLE_EQ(rate.ci->second, 65536 / 1e-6);
  EXPECT_EQ(record.primary, "time_s");
  EXPECT_TRUE(record.lower_is_better);
  EXPECT_THAT(record.flags, Contains("cache_warm"));
}

TEST(records, nothing_has_no_rate) {
  EXPECT_EQ(metric(make({}, "PingPong", 0, 2).records[0], "bandwidth_byte_s"), nullptr);
  EXPECT_EQ(metric(make({}, "Bcast", 5, 2).records[0], "bandwidth_byte_s"), nullptr);
}

TEST(records, time_below_the_clock_has_no_finite_rate) {
  auto measured = outcome();
  measured.time.median = 0;
  measured.classic.max_s = 0;
  const auto record = make({}, "PingPong", 5, 2, measured).records[0];
  EXPECT_TRUE(std::holds_alternative<std::nullptr_t>(*metric(record, "bandwidth_byte_s")));
  EXPECT_EQ(classic(record, "bandwidth_byte_s"), 0);
}

TEST(records, message_rates_count_messages) {
  const auto record = make({}, "Biband", 4, 4).records[0];  // 8 byte, blocks of 2 processes first
  EXPECT_EQ(record.primary, "message_rate_op_s");
  EXPECT_FALSE(record.lower_is_better);
  EXPECT_DOUBLE_EQ(classic(record, "message_rate_op_s"), 2 * 256 / 4e-6);
  EXPECT_DOUBLE_EQ(classic(record, "bandwidth_byte_s"), 8 * 2 * 256 / 4e-6);
  EXPECT_DOUBLE_EQ(std::get<record::Statistics>(*metric(record, "message_rate_op_s")).median.value(),
                   512 / 2e-6);
}

TEST(records, groups_have_records_of_their_own) {
  Settings settings;
  settings.multi = 1;
  settings.map = {2, 2};
  const auto [block, records] = make(settings, "Sendrecv", 3, 4);
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].key, block.points[3].key);
  EXPECT_NE(records[1].key, records[0].key);
  EXPECT_EQ(std::get<std::int64_t>(*record::find(records[1].params, "group")), 1);
  EXPECT_EQ(classic(records[0], "t_max_s"), 2e-6);
  EXPECT_EQ(classic(records[1], "t_max_s"), 4e-6);
  EXPECT_EQ(classic(records[1], "idle_processes"), 0);
  EXPECT_EQ(std::get<double>(*metric(records[1], "time_s")), 4e-6);
  EXPECT_EQ(records[0].slowest_rank, 2) << "new rank 1 is world rank 2";
  EXPECT_EQ(records[1].slowest_rank, 1);
}

TEST(records, all_groups_together_have_one) {
  Settings settings;
  settings.multi = 0;
  const auto [block, records] = make(settings, "Sendrecv", 3, 4);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(classic(records[0], "t_max_s"), 4e-6);
}

TEST(records, defects_are_told_when_asked_for) {
  Settings settings;
  settings.check = true;
  auto measured = outcome();
  measured.check.emplace();
  EXPECT_EQ(classic(make(settings, "Bcast", 3, 2, measured).records[0], "defects"), 0);
  measured.check->errors = 3;
  measured.check->worst = 0.25;
  EXPECT_EQ(classic(make(settings, "Bcast", 3, 2, measured).records[0], "defects"), 0.25);
}

TEST(records, tail_has_twelve_numbers_of_single_times) {
  Settings settings;
  settings.show_tail = true;
  auto measured = outcome();
  for (int i = 1; i <= 1000; ++i) measured.single_times_s.push_back(i);
  const auto record = make(settings, "PingPong", 3, 2, measured).records[0];
  EXPECT_EQ(std::get<std::vector<double>>(*record::find(record.classic, "tail_s")),
            (std::vector<double>{1, 101, 251, 501, 751, 901, 951, 991, 996, 1000, 1000, 1000}));
  EXPECT_EQ(tail({5}), std::vector<double>(12, 5));
  EXPECT_TRUE(tail({}).empty());
}

TEST(records, only_the_group_whose_single_times_are_known_tells_them) {
  Settings settings;
  settings.multi = 1;
  settings.show_tail = settings.dump = true;
  auto measured = outcome();
  measured.single_times_s = {1, 2};
  const auto records = make(settings, "Sendrecv", 3, 4, measured).records;
  ASSERT_EQ(records.size(), 2U);
  for (const auto* name : {"tail_s", "single_times_s"}) {
    EXPECT_NE(record::find(records[0].classic, name), nullptr) << name;
    EXPECT_EQ(record::find(records[1].classic, name), nullptr) << name;
  }
}

// Two groups of two, of which the second takes longer.
TEST(records, all_groups_together_compare_the_slowest_with_what_it_has_seen_itself) {
  auto settings = defaults(own_mpi4(), Version::v31);
  settings.multi = 0;
  const std::string names[] = {"PingPong_persist"};
  const auto block = PartDefinition(own_mpi4(), settings).plan(names, 4).front();
  const auto& definition = *find(own_mpi4(), "PingPong_persist");
  auto measured = outcome();
  measured.time.median = 1e-6;  // of maxima over ranks: another statistic
  for (const double other_s : {2e-6, 3e-6, 10e-6, 11e-6}) {
    const auto figures = figures_of_rank(definition, {}, {.own_s = 0.8 * other_s, .other_s = other_s});
    measured.figures.insert(measured.figures.end(), figures.begin(), figures.end());
  }
  record::PointRecord record;
  put_own(definition, block, measured, record);
  EXPECT_EQ(std::get<double>(*metric(record, "plain_time_s")), 5e-6);
  EXPECT_DOUBLE_EQ(std::get<double>(*metric(record, "saving_percent")), 20);
}

// The engine reads its clock around what the benchmark times itself: the rank that it finds slowest may be another one.
TEST(records, figures_beside_a_computation_are_those_of_the_rank_with_the_longest_of_these_times) {
  const auto settings = defaults(nbc(), Version::v31);
  const std::string names[] = {"Iallreduce"};
  const auto block = PartDefinition(nbc(), settings).plan(names, 3).back();
  const auto& definition = *find(nbc(), "Iallreduce");
  auto measured = outcome();
  measured.classic.slowest_rank = 2;
  for (const double overlapped_s : {5e-6, 9e-6, 9e-6}) {
    const OverlapFigures seen{.pure_s = 6e-6 - 0.1 * static_cast<double>(measured.figures.size()) * 1e-6,
                              .overlapped_s = overlapped_s,
                              .computing_s = 5e-6,
                              .block_s = 5e-6,
                              .product_s = 1e-9};
    const auto figures = figures_of_rank(definition, seen, {});
    measured.figures.insert(measured.figures.end(), figures.begin(), figures.end());
  }
  record::PointRecord record;
  put_overlap(Version::v31, definition, block, measured, record);
  EXPECT_EQ(classic(record, "t_ovrl_s"), 9e-6);
  EXPECT_DOUBLE_EQ(classic(record, "t_pure_s"), 5.5e-6) << "the first of equals";
  EXPECT_NEAR(classic(record, "overlap_percent"), 100 * 1.5 / 5, 1e-9);
}

TEST(traits, repetitions_that_later_releases_start_together_are_one_whole) {
  const auto whole = [](const Part& part, Version version, const char* name, Mode mode) {
    return one_whole(defaults(part, version), *find(part, name), mode);
  };
  EXPECT_TRUE(whole(ext(), Version::v2021, "Accumulate", Mode::aggregate));
  EXPECT_FALSE(whole(ext(), Version::v2021, "Accumulate", Mode::non_aggregate));
  EXPECT_FALSE(whole(ext(), Version::v31, "Accumulate", Mode::aggregate));
  EXPECT_FALSE(whole(ext(), Version::v2021, "Unidir_Put", Mode::aggregate));
  EXPECT_TRUE(whole(io(), Version::v2021, "P_IWrite_Expl", Mode::aggregate));
  EXPECT_FALSE(whole(io(), Version::v31, "P_IWrite_Expl", Mode::aggregate));
  EXPECT_FALSE(whole(io(), Version::v2021, "C_IWrite_Expl", Mode::aggregate));
  EXPECT_FALSE(whole(io(), Version::v2021, "P_Write_Expl", Mode::aggregate));
}

TEST(records, flags_tell_the_state_of_buffers) {
  Settings settings;
  settings.off_cache.cache_byte = 1 << 20;
  EXPECT_THAT(make(settings, "PingPong", 3, 2).records[0].flags, testing::Not(Contains("cache_warm")));
  EXPECT_THAT(make({}, "Uniband", 23, 2).records[0].flags, Contains("overlapping_receives"));
  EXPECT_TRUE(make({}, "Barrier", 0, 2).records[0].flags.empty());
}

TEST(traits, seed_reads_one_clock_around_the_loop) {
  const auto settings = defaults(mpi1(), Version::v31);
  for (const auto& definition : mpi1().benchmarks) {
    const auto found = traits(settings, definition, RuleOf::suite, false);
    EXPECT_EQ(found.timing, Timing::whole) << definition.name;
    EXPECT_EQ(found.over_ranks, OverRanks::max) << definition.name;
    EXPECT_EQ(found.time_divisor, definition.time_divisor);
  }
}

TEST(traits, later_version_reads_the_clock_around_each_collective) {
  auto settings = defaults(mpi1(), Version::v2021);
  EXPECT_EQ(traits(settings, *find(mpi1(), "Allreduce"), RuleOf::suite, false).timing, Timing::each);
  EXPECT_EQ(traits(settings, *find(mpi1(), "Allreduce"), RuleOf::suite, false).sync, Sync::barrier);
  EXPECT_EQ(traits(settings, *find(mpi1(), "Barrier"), RuleOf::suite, false).timing, Timing::whole);
  EXPECT_EQ(traits(settings, *find(mpi1(), "Sendrecv"), RuleOf::suite, false).timing, Timing::whole);
  EXPECT_FALSE(traits(settings, *find(mpi1(), "Bcast"), RuleOf::suite, false).rooted);
  settings.sync = false;
  EXPECT_EQ(traits(settings, *find(mpi1(), "Allreduce"), RuleOf::suite, false).timing, Timing::each);
  EXPECT_EQ(traits(settings, *find(mpi1(), "Allreduce"), RuleOf::suite, false).sync, Sync::none);
}

TEST(traits, synchronised_seed_rules_use_the_chosen_barrier) {
  Settings settings;
  settings.sync = true;
  EXPECT_EQ(traits(settings, *find(mpi1(), "Bcast"), RuleOf::suite, false).sync, Sync::barrier);
  settings.own_barrier = true;
  EXPECT_EQ(traits(settings, *find(mpi1(), "Bcast"), RuleOf::suite, false).sync, Sync::dissemination);
}

TEST(traits, engine_synchronises_benchmarks_with_a_root_only) {
  for (const auto& definition : mpi1().benchmarks) {
    const auto found = traits({}, definition, RuleOf::campaign, true);
    EXPECT_EQ(found.timing, definition.rooted ? Timing::each : Timing::batch) << definition.name;
    EXPECT_EQ(found.sync, definition.rooted ? Sync::barrier : Sync::none) << definition.name;
    EXPECT_EQ(found.over_ranks, definition.time_divisor == 2 ? OverRanks::one : OverRanks::max)
        << definition.name;
    EXPECT_EQ(found.rooted, definition.rooted);
  }
}

}  // namespace
}  // namespace steelyard::imb
