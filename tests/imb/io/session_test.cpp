// SPDX-License-Identifier: Apache-2.0
// IMB-IO on the engine, from plan to records.
#include <gmock/gmock.h>

#include "measure/failure.hpp"
#include "suites/imb/schedule.hpp"
#include "tests/imb/io/file_session_bench.hpp"
#include "tests/imb/io/interposed_files.hpp"

namespace steelyard::imb {
namespace {

using record::PointRecord;
using test::classic;
using testing::Contains;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

const record::Metric* metric(const PointRecord& record, std::string_view name) {
  for (const auto& [known, value] : record.metrics)
    if (known == name) return &value;
  return nullptr;
}

TEST(file_session, blocking_rows_have_times_and_a_verified_file_that_goes) {
  const test::Directory directory;
  test::Blocks blocks(directory, test::small_settings());
  for (const auto* name : {"S_Write_Indv", "P_Write_Shared", "C_Read_Expl", "P_Read_Priv"})
    for (const auto& record : blocks.measure(name)) {
      EXPECT_EQ(record.status, record::Status::ok) << name << (record.reason ? record.reason->text : "");
      EXPECT_GT(classic(record, "t_max_s"), 0) << name;
      ASSERT_TRUE(record.check) << name;
      EXPECT_EQ(record.check->errors, 0) << name;
      EXPECT_THAT(record.flags, Not(Contains("cache_warm")));
    }
  mpi::Communicator::world().barrier();
  EXPECT_THAT(directory.files(), IsEmpty());
}

TEST(file_session, own_barrier_stands_before_the_clock_of_collective_benchmarks_alone) {
  auto settings = test::small_settings();
  settings.own_barrier = true;
  EXPECT_EQ(meeting(settings, *find(io(), "C_Write_Expl")), measure::Meeting::dissemination);
  EXPECT_EQ(meeting(settings, *find(io(), "P_Write_Expl")), measure::Meeting::mpi);
  EXPECT_EQ(meeting(test::small_settings(), *find(io(), "C_Write_Expl")), measure::Meeting::mpi);
  const test::Directory directory;
  test::Blocks blocks(directory, settings);
  for (const auto& record : blocks.measure("C_Write_Expl")) EXPECT_EQ(record.check->errors, 0);
}

TEST(file_session, the_rate_of_the_computation_is_told_before_the_first_row_where_it_was_asked_for) {
  const test::Directory directory;
  auto settings = test::small_settings();
  for (const bool asked : {false, true}) {
    settings.rate_first = asked;
    test::Blocks blocks(directory, settings);
    for (const auto& record : blocks.measure("P_Write_Priv"))
      EXPECT_EQ(classic(record, "compute_rate_flop_s") > 1e6, asked);
  }
}

TEST(file_session, reads_of_what_was_just_written_are_told_to_come_from_memory) {
  const test::Directory directory;
  test::Blocks blocks(directory, test::small_settings());
  const auto records = blocks.measure("P_Read_Expl");
  if (!mpi::Communicator::world().is_root()) return;
  ASSERT_THAT(records, Not(IsEmpty()));
  EXPECT_THAT(records.back().flags, Contains("cached_read"));
  ASSERT_NE(metric(records.back(), "x_resident_share"), nullptr);
  EXPECT_GT(std::get<double>(*metric(records.back(), "x_resident_share")), 0.9);
}

TEST(file_session, non_blocking_rows_tell_four_columns_in_bounded_time) {
  const test::Directory directory;
  test::Blocks blocks(directory, test::small_settings());
  for (const auto* name : {"P_IWrite_Expl", "C_IRead_Shared"})
    for (const auto& record : blocks.measure(name)) {
      EXPECT_EQ(record.status, record::Status::ok) << name;
      const double pure = classic(record, "t_pure_s"), cpu = classic(record, "t_cpu_s");
      EXPECT_GT(pure, 0) << name;
      EXPECT_GT(cpu, 0) << name;
      EXPECT_GT(classic(record, "t_ovrl_s"), 0) << name;
      EXPECT_GE(classic(record, "overlap_percent"), 0) << name;
      EXPECT_LE(classic(record, "overlap_percent"), 100) << name;
      EXPECT_LE(classic(record, "repetitions"), 3) << name;
      EXPECT_GT(classic(record, "compute_rate_flop_s"), 1e6) << name;
      EXPECT_EQ(record.check->errors, 0) << name;
    }
}

TEST(file_session, a_limit_of_time_bounds_what_precedes_a_row_too) {
  const test::Directory directory;
  auto settings = test::small_settings();
  settings.sizes.listed = std::vector{Bytes{1 << 15}};
  settings.iterations = {.per_sample = 100, .volume = std::int64_t{128} * mebi, .non_aggregate = 100};
  settings.check = false;
  settings.time_limit = Seconds{1e-9};
  test::Blocks blocks(directory, settings);
  for (const auto* name : {"P_IWrite_Expl", "P_IRead_Expl"}) {
    test::spoil_files(test::FileFault::none);
    for (const auto& record : blocks.measure(name)) EXPECT_GT(classic(record, "t_pure_s"), 0) << name;
    EXPECT_LT(test::transfers_of_files(), 50) << name;
  }
}

TEST(file_session, computation_can_be_as_long_as_the_transfer) {
  const test::Directory directory;
  auto settings = test::small_settings();
  settings.balance_overlap = true;
  settings.sizes.listed = std::vector{Bytes{1 << 16}};
  test::Blocks blocks(directory, settings);
  for (const auto& record : blocks.measure("P_IWrite_Indv")) {
    EXPECT_LT(classic(record, "t_cpu_s"), 100 * classic(record, "t_pure_s") + 1e-3);
    EXPECT_EQ(std::get<std::string>(*record::find(record.params, "computation")), "balanced");
  }
}

TEST(file_session, groups_have_files_and_rows_of_their_own) {
  const test::Directory directory;
  auto settings = test::small_settings();
  settings.multi = 1;
  settings.processes = std::vector{1};
  test::Blocks blocks(directory, settings);
  const auto records = blocks.measure("P_IRead_Indv");
  if (!mpi::Communicator::world().is_root()) return;
  const auto groups = static_cast<std::size_t>(mpi::Communicator::world().size());
  ASSERT_EQ(records.size(), groups * settings.sizes.listed->size());
  for (const auto& record : records) EXPECT_GT(classic(record, "t_pure_s"), 0);
}

TEST(file_session, adaptive_schedule_times_whole_aggregates) {
  const test::Directory directory;
  auto settings = test::small_settings();
  settings.sizes.listed = std::vector{Bytes{4096}};
  test::Blocks blocks(directory, settings);
  const auto schedule = measure::fixed_schedule(6, 1);
  for (const auto& record : blocks.measure("P_Write_Shared", schedule.get())) {
    EXPECT_EQ(record.status, record::Status::ok);
    const auto* time = metric(record, "time_s");
    ASSERT_NE(time, nullptr);
    EXPECT_EQ(std::get<record::Statistics>(*time).n, 6);
    EXPECT_EQ(record.check->errors, 0);
  }
}

TEST(file_session, open_and_close_is_measured_without_sizes) {
  const test::Directory directory;
  test::Blocks blocks(directory, test::small_settings());
  const auto records = blocks.measure("Open_Close");
  if (!mpi::Communicator::world().is_root()) return;
  ASSERT_THAT(records, SizeIs(1));
  EXPECT_GT(classic(records[0], "t_max_s"), 0);
}

bool tells_single_times(const std::vector<PointRecord>& records) {
  return std::ranges::any_of(records, [](const auto& one) {
    return record::find(one.classic, "tail_s") != nullptr ||
           record::find(one.classic, "single_times_s") != nullptr;
  });
}

TEST(file_session, transfers_that_are_started_together_have_no_single_times) {
  const test::Directory directory;
  auto settings = defaults(io(), Version::v2021);
  settings.sizes.listed = std::vector{Bytes{1000}};
  settings.show_tail = settings.dump = true;
  test::Blocks blocks(directory, settings);
  EXPECT_FALSE(tells_single_times(blocks.measure("P_IRead_Expl")));
  EXPECT_FALSE(tells_single_times(blocks.measure("P_IWrite_Indv")));
  const auto each = blocks.measure("P_Read_Expl");
  if (mpi::Communicator::world().is_root()) {
    EXPECT_TRUE(tells_single_times(each));
  }
}

TEST(file_session, later_rules_start_everything_before_they_wait) {
  const test::Directory directory;
  auto settings = defaults(io(), Version::v2021);
  settings.sizes.listed = std::vector{Bytes{1000}};
  settings.check = true;
  test::Blocks blocks(directory, settings);
  for (const auto& record : blocks.measure("P_IRead_Expl")) {
    EXPECT_EQ(record.status, record::Status::ok);
    EXPECT_EQ(classic(record, "repetitions"), 6);
    EXPECT_EQ(record.check->errors, 0);
  }
}

}  // namespace
}  // namespace steelyard::imb
