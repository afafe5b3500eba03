// SPDX-License-Identifier: Apache-2.0
// What goes wrong between the program and the disk must be seen, told, and must not stop the rest.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "beffio_campaign.hpp"
#include "fault_layer.hpp"
#include "suites/beffio/patterns.hpp"

namespace steelyard::beffio {
namespace {

using test::Fault;
using testing::HasSubstr;

struct Outcome {
  int exit_code = 0;
  test::Told told;
};

const mpi::Communicator& world() {
  static const auto all = mpi::Communicator::world();
  return all;
}
bool root() {
  return world().is_root();
}

Outcome run_with(const test::FaultPlan& plan) {
  const test::Directory directory(world());
  test::Campaign campaign(test::tiny(world()), world(), directory);
  test::fault_plan() = plan;
  Outcome outcome;
  outcome.exit_code = campaign.run().exit_code;
  test::fault_plan() = {};
  if (root()) outcome.told = campaign.told();
  world().barrier();
  if (root()) {
    EXPECT_THAT(directory.files(), testing::IsEmpty());
  }
  return outcome;
}

std::size_t count(const test::Told& told, const std::function<bool(const record::PointRecord&)>& which) {
  return static_cast<std::size_t>(std::count_if(told.points.begin(), told.points.end(), which));
}

bool wrong(const record::PointRecord& point) {
  return point.verified == false;
}
bool failed(const record::PointRecord& point) {
  return point.status == record::Status::failed;
}

std::string type_suffix(int type) {
  return "_" + std::to_string(type);
}

}  // namespace

TEST(fault, a_byte_that_changed_on_disk_is_seen_by_the_read) {
  const auto outcome = run_with({Fault::flipped_byte, type_suffix(0)});
  EXPECT_EQ(outcome.exit_code, 1);
  if (!root()) return;
  EXPECT_EQ(count(outcome.told, wrong), 1u);
  const auto& point = test::find(outcome.told, "read", 0, world().size());
  EXPECT_EQ(point.verified, false);
  EXPECT_EQ(point.check->errors, 1);
  EXPECT_THAT(point.check->first.json().dump(),
              HasSubstr("pattern 0, data of rank 0, call 0, chunk 0, word 37500"));
  EXPECT_EQ(outcome.told.summaries.at(0).verified, false);
}

TEST(fault, ordered_data_of_another_process_are_seen_by_the_write) {
  if (world().size() < 2) GTEST_SKIP() << "one process has no order";
  const auto outcome = run_with({Fault::wrong_order, type_suffix(1)});
  EXPECT_EQ(outcome.exit_code, 1);
  if (!root()) return;
  for (int p = 9; p <= 16; ++p)
    EXPECT_EQ(test::find(outcome.told, "write", p, world().size()).verified, false) << p;
  EXPECT_EQ(test::find(outcome.told, "write", 8, world().size()).verified, true);
}

TEST(fault, a_rewrite_that_never_reached_the_file_is_seen) {
  const auto outcome = run_with({Fault::lost_rewrite, type_suffix(0)});
  EXPECT_EQ(outcome.exit_code, 1);
  if (!root()) return;
  EXPECT_EQ(test::find(outcome.told, "write", 3, world().size()).verified, true);
  EXPECT_EQ(test::find(outcome.told, "rewrite", 3, world().size()).verified, false);
}

TEST(fault, a_full_disk_ends_the_type_and_not_the_run) {
  const auto outcome = run_with({Fault::no_space, type_suffix(2) + ".000"});
  EXPECT_EQ(outcome.exit_code, 1);
  if (!root()) return;
  const auto& first = test::find(outcome.told, "write", 17, world().size());
  ASSERT_TRUE(failed(first));
  EXPECT_EQ(first.reason->code, record::ReasonCode::space);
  EXPECT_EQ(test::find(outcome.told, "write", 18, world().size()).reason->code,
            record::ReasonCode::dependency);
  EXPECT_EQ(test::find(outcome.told, "read", 20, world().size()).reason->code,
            record::ReasonCode::dependency);
  EXPECT_EQ(count(outcome.told, failed), 3 * patterns_of(PatternType::separated).count);
  EXPECT_EQ(test::find(outcome.told, "read", 42, world().size()).verified, true);
  EXPECT_TRUE(std::holds_alternative<std::nullptr_t>(outcome.told.summaries.at(0).values.front().second));
}

TEST(fault, a_file_that_cannot_be_opened_ends_the_type) {
  const auto outcome = run_with({Fault::unopenable, type_suffix(4)});
  EXPECT_EQ(outcome.exit_code, 1);
  if (!root()) return;
  EXPECT_EQ(count(outcome.told, failed), 3 * patterns_of(PatternType::segmented_collective).count);
  EXPECT_EQ(test::find(outcome.told, "write", 34, world().size()).reason->code,
            record::ReasonCode::file_system);
}

TEST(fault, without_shared_pointers_in_the_library_individual_ones_are_used_and_told) {
  const auto outcome = run_with({Fault::no_shared_pointer, ""});
  EXPECT_EQ(outcome.exit_code, 0);
  if (!root()) return;
  EXPECT_EQ(count(outcome.told, failed), 0u);
  EXPECT_THAT(outcome.told.summaries.at(0).not_official_because,
              testing::Contains(HasSubstr("without shared file pointers")));
  bool told = false;
  for (const auto& event : outcome.told.events)
    told = told || event.text.find("shared file pointer") != std::string::npos;
  EXPECT_TRUE(told);
}

}  // namespace steelyard::beffio
