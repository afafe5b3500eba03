// SPDX-License-Identifier: Apache-2.0
#include "analysis/beffio_run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "beffio_points.hpp"

using namespace steelyard;
using namespace steelyard::analysis;
using beffio_points::published;

namespace {

BeffioTypeValues types(std::size_t access) {
  BeffioTypeValues values;
  for (std::size_t t = 0; t < values.size(); ++t) values[t] = published[access][t];
  return values;
}

std::vector<record::PointRecord> without(std::vector<record::PointRecord> points,
                                         const std::function<bool(const record::PointRecord&)>& gone) {
  std::erase_if(points, gone);
  return points;
}

std::int64_t pattern_of(const record::PointRecord& point) {
  return std::get<std::int64_t>(*record::find(point.params, "pattern"));
}
bool is(const record::PointRecord& point, const char* access) {
  return *record::find(point.params, "access") == record::Value(std::string(access));
}

BeffioFrame official_frame() {
  BeffioFrame frame;
  frame.scheduled_s = 900;
  frame.memory_per_process_byte = 512 << 20;
  return frame;
}

bool reached(const std::vector<BeffioCriterion>& criteria, BeffioCriterion::Kind kind) {
  for (const auto& one : criteria)
    if (one.kind == kind) return one.reached;
  throw std::logic_error("no such criterion");
}

using Kind = BeffioCriterion::Kind;

}  // namespace

TEST(beffio_value, reproduces_the_published_table) {
  EXPECT_NEAR(*beffio_access_value(types(0)), 65.658, 5e-4);
  EXPECT_NEAR(*beffio_access_value(types(1)), 74.924, 5e-4);
  EXPECT_NEAR(*beffio_access_value(types(2)), 691.619, 5e-4);
  const BeffioAccessValues values{beffio_access_value(types(0)), beffio_access_value(types(1)),
                                  beffio_access_value(types(2))};
  EXPECT_NEAR(*beffio_value(values), 380.955, 5e-4);
  EXPECT_NEAR(*beffio_release2_value(types(0), published[1][0], values.read), 214.515, 1e-3);
}

TEST(beffio_value, is_absent_where_something_is_missing) {
  auto some = types(0);
  some[3].reset();
  EXPECT_FALSE(beffio_access_value(some));
  EXPECT_FALSE(beffio_value({1.0, std::nullopt, 2.0}));
  EXPECT_FALSE(beffio_release2_value(some, 1.0, 1.0));
  EXPECT_FALSE(beffio_release2_value(types(0), std::nullopt, 1.0));
}

TEST(beffio_run, values_of_the_published_run_come_from_bytes_and_times) {
  const auto points = beffio_points::published_run();
  const BeffioRun run(points);
  ASSERT_EQ(run.partitions().size(), 1u);
  const auto& partition = run.partitions().front();
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t t = 0; t < 5; ++t)
      EXPECT_NEAR(partition.type_values(a)[t].value_or(0), published[a][t] * 1e6, 1);
  EXPECT_NEAR(*partition.published_value(), 380.955e6, 500);
  EXPECT_NEAR(*partition.release2_value(), 214.515e6, 1000);
  EXPECT_EQ(run.verified(), true);
  EXPECT_EQ(run.missing(), 0u);
}

TEST(beffio_run, opening_and_closing_count) {
  auto points = beffio_points::published_run();
  for (auto& point : points) beffio_points::set(point, "open_s", 10 + 1.0 / 64);
  const BeffioRun run(points);
  const auto type = run.partitions().front().type(beffio_write, 0);
  ASSERT_TRUE(type);
  EXPECT_NEAR(type->byte_s(), type->moved_byte / (type->moved_byte / published[0][0] / 1e6 + 10), 1);
}

TEST(beffio_run, a_missing_pattern_leaves_its_type_without_a_value) {
  const auto points = without(beffio_points::published_run(),
                              [](const auto& point) { return is(point, "read") && pattern_of(point) == 21; });
  const BeffioRun run(points);
  const auto& partition = run.partitions().front();
  EXPECT_FALSE(partition.type_values(beffio_read)[2]);
  EXPECT_TRUE(partition.type_values(beffio_read)[3]);
  EXPECT_FALSE(partition.published_value());
  EXPECT_EQ(run.best("published"), nullptr);
  const auto summary = beffio_summary(run, official_frame());
  EXPECT_EQ(summary.official, false);
  EXPECT_TRUE(std::holds_alternative<std::nullptr_t>(summary.values.front().second));
}

TEST(beffio_run, a_failed_pattern_counts_as_missing) {
  auto points = beffio_points::published_run();
  points[3].status = record::Status::failed;
  points[3].classic.clear();
  const BeffioRun run(points);
  EXPECT_EQ(run.missing(), 1u);
  EXPECT_FALSE(run.partitions().front().published_value());
}

TEST(beffio_run, where_only_type_0_is_rewritten_its_value_stands_for_the_rewrite) {
  const auto points = without(beffio_points::published_run(), [](const auto& point) {
    return is(point, "rewrite") && pattern_of(point) > 8;
  });
  const BeffioRun run(points);
  const auto& partition = run.partitions().front();
  EXPECT_TRUE(partition.only_type_0_rewritten());
  EXPECT_NEAR(*partition.access_value(beffio_rewrite), published[1][0] * 1e6, 1);
  EXPECT_TRUE(partition.published_value());
}

TEST(beffio_run, the_system_has_the_highest_value_of_its_partitions) {
  auto points = beffio_points::published_run();
  const auto more = beffio_points::partition(2, [](std::size_t, std::size_t) { return 500e6; });
  points.insert(points.end(), more.begin(), more.end());
  const BeffioRun run(points);
  ASSERT_NE(run.best("published"), nullptr);
  EXPECT_EQ(run.best("published")->processes(), 2);
  const auto summary = beffio_summary(run, official_frame());
  EXPECT_EQ(summary.processes, 2);
  EXPECT_NEAR(std::get<double>(summary.values.front().second), 500e6, 1);
  const auto& sizes = std::get<std::vector<double>>(*record::find(summary.classic, "partitions"));
  EXPECT_THAT(sizes, testing::ElementsAre(4, 2));
}

TEST(beffio_run, refuses_what_is_none) {
  EXPECT_THROW(BeffioRun({}), std::invalid_argument);
  auto points = beffio_points::published_run();
  std::erase_if(points[0].classic, [](const auto& member) { return member.first == "calls"; });
  EXPECT_THROW(BeffioRun{points}, std::invalid_argument);
}

TEST(beffio_criteria, fifteen_minutes_a_partition_are_long_enough) {
  const auto points = beffio_points::published_run();
  const BeffioRun run(points);
  const auto& partition = run.partitions().front();
  auto frame = official_frame();
  EXPECT_TRUE(valid(beffio_criteria(partition, frame, 1)));
  EXPECT_FALSE(valid(beffio_criteria(partition, frame, 2)));
  frame.scheduled_s = 1800;
  EXPECT_TRUE(reached(beffio_criteria(partition, frame, 2), Kind::time));
  EXPECT_TRUE(reached(beffio_criteria(partition, frame, 3), Kind::time));
  frame.scheduled_s = 1799;
  EXPECT_FALSE(reached(beffio_criteria(partition, frame, 2), Kind::time));
  EXPECT_FALSE(reached(beffio_criteria(partition, frame, 3), Kind::time));
}

TEST(beffio_criteria, partitions_one_after_the_other_do_not_share_half_an_hour) {
  const auto points = beffio_points::published_run();
  const BeffioRun run(points);
  auto frame = official_frame();
  frame.order = "partition";
  frame.scheduled_s = 1800;
  EXPECT_FALSE(reached(beffio_criteria(run.partitions().front(), frame, 3), Kind::time));
  EXPECT_TRUE(reached(beffio_criteria(run.partitions().front(), frame, 2), Kind::time));
  frame.scheduled_s = 2700;
  EXPECT_TRUE(reached(beffio_criteria(run.partitions().front(), frame, 3), Kind::time));
}

TEST(beffio_criteria, each_fault_is_seen) {
  const auto verdict = [](const std::function<void(std::vector<record::PointRecord>&)>& spoil) {
    auto points = beffio_points::published_run();
    spoil(points);
    return beffio_criteria(BeffioRun(points).partitions().front(), official_frame(), 1);
  };
  const auto shared =
      verdict([](auto& points) { beffio_points::set(points[9], "pointer", std::string("individual")); });
  EXPECT_FALSE(reached(shared, Kind::shared));
  const auto errors = verdict([](auto& points) { points[50].check->errors = 3; });
  EXPECT_FALSE(reached(errors, Kind::errors));
  const auto space =
      verdict([](auto& points) { points[5].classic.emplace_back("cut", std::string("space")); });
  EXPECT_FALSE(reached(space, Kind::space));
  EXPECT_FALSE(valid(space));
  EXPECT_TRUE(valid(verdict([](auto&) {})));
}

TEST(beffio_criteria, cache_and_volume_are_told_and_decide_nothing) {
  const auto points = beffio_points::published_run();
  const BeffioRun run(points);
  auto frame = official_frame();
  const auto& partition = run.partitions().front();
  const double volume = *partition.least_volume_byte();
  frame.cache_byte = static_cast<std::int64_t>(volume / 19);
  EXPECT_FALSE(reached(beffio_criteria(partition, frame, 1), Kind::cache));
  frame.cache_byte = static_cast<std::int64_t>(volume / 21);
  const auto criteria = beffio_criteria(partition, frame, 1);
  EXPECT_TRUE(reached(criteria, Kind::cache));
  EXPECT_FALSE(reached(criteria, Kind::volume));  // a few gigabytes at 66 MB/s are less than 300 s
  EXPECT_TRUE(valid(criteria));
}

TEST(beffio_frame, is_what_the_configuration_says) {
  const auto frame = beffio_frame(beffio_points::head({{"cache_byte", std::int64_t{5}}}));
  EXPECT_EQ(frame.memory_per_process_byte, 512LL << 20);
  EXPECT_EQ(frame.system_memory_byte, 2048LL << 20);
  EXPECT_EQ(frame.scheduled_s, 1800);
  EXPECT_EQ(frame.partitions, 1u);
  EXPECT_EQ(frame.cache_byte, 5);
  EXPECT_TRUE(frame.rewrite_all);
  EXPECT_TRUE(frame.not_official_because.empty());
}

TEST(beffio_summary, is_official_where_nothing_departs_from_the_rule) {
  const BeffioRun run(beffio_points::published_run());
  const auto summary = beffio_summary(run, official_frame());
  EXPECT_EQ(summary.official, true) << testing::PrintToString(summary.not_official_because);
  EXPECT_EQ(summary.verified, true);
  EXPECT_EQ(summary.inputs_used, 129);
  auto points = beffio_points::published_run();
  points[70].verified = false;
  points[70].check->errors = 1;
  EXPECT_EQ(beffio_summary(BeffioRun(points), official_frame()).official, false);
}

TEST(beffio_summary, of_more_processes_than_processors_is_not_official) {
  auto points = beffio_points::published_run();
  points[70].flags = {"oversubscribed"};
  EXPECT_EQ(beffio_summary(BeffioRun(points), official_frame()).not_official_because,
            std::vector<std::string>{"more processes than cores"});
}
