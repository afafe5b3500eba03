// SPDX-License-Identifier: Apache-2.0
// What goes wrong between the program and the disk must be seen, told, and must not stop the rest.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>

#include "beffio_campaign.hpp"
#include "fault_layer.hpp"
#include "record/json.hpp"
#include "suites/beffio/patterns.hpp"

namespace steelyard::beffio {
namespace {

using test::Fault;
using test::world;
using testing::HasSubstr;

/// One run in which every type of pattern meets another fault; all tests look at it.
class fault : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const test::Directory directory(world());
    test::Campaign campaign(test::tiny(world()), world(), directory);
    test::planned_faults() = {{Fault::flipped_byte, "_0"}, {Fault::slow_view, "_0"},
                              {Fault::wrong_order, "_1"},  {Fault::no_space, "_2.000"},
                              {Fault::unopenable, "_3"},   {Fault::lost_rewrite, "_4"}};
    exit_code_ = campaign.run().exit_code;
    test::planned_faults().clear();
    if (world().is_root()) told_ = campaign.told();
    world().barrier();
    if (world().is_root()) left_ = directory.files().size();
  }
  static void TearDownTestSuite() { told_ = {}; }

  void SetUp() override {
    EXPECT_EQ(exit_code_, 1);
    if (!world().is_root()) GTEST_SKIP() << "records are on rank 0";
  }

  static const record::PointRecord& point(const char* access, int pattern) {
    return test::find(told_, access, pattern, world().size());
  }
  static record::ReasonCode reason(const char* access, int pattern) {
    return point(access, pattern).reason.value().code;
  }

  static test::Told told_;
  static int exit_code_;
  static std::size_t left_;
};

test::Told fault::told_;
int fault::exit_code_ = 0;
std::size_t fault::left_ = 0;

TEST_F(fault, a_byte_that_changed_on_disk_is_seen_by_the_read) {
  for (int p = 1; p <= 8; ++p) EXPECT_EQ(point("read", p).verified, true) << p;
  const auto& hit = point("read", 0);
  EXPECT_EQ(hit.verified, false);
  EXPECT_EQ(hit.check->errors, 1);
  EXPECT_THAT(hit.check->first.json().dump(),
              HasSubstr("pattern 0, data of rank 0, call 0, chunk 0, word 37500"));
}

TEST_F(fault, the_time_of_a_view_is_part_of_the_time_of_access) {
  for (const auto* access : {"write", "rewrite", "read"})
    for (int p = 0; p <= 8; ++p)
      EXPECT_GE(std::get<double>(*record::find(point(access, p).classic, "io_s")), 0.010) << access << p;
}

TEST_F(fault, ordered_data_of_another_process_are_seen_by_the_write) {
  if (world().size() < 2) GTEST_SKIP() << "one process has no order";
  for (int p = 9; p <= 16; ++p) EXPECT_EQ(point("write", p).verified, false) << p;
  EXPECT_EQ(point("write", 8).verified, true);
}

TEST_F(fault, a_full_disk_ends_the_type_and_not_the_run) {
  EXPECT_EQ(point("write", 17).status, record::Status::failed);
  EXPECT_EQ(reason("write", 17), record::ReasonCode::space);
  EXPECT_EQ(reason("write", 18), record::ReasonCode::dependency);
  EXPECT_EQ(reason("rewrite", 17), record::ReasonCode::dependency);
  EXPECT_EQ(reason("read", 24), record::ReasonCode::dependency);
  EXPECT_EQ(point("write", 34).verified, true);
}

TEST_F(fault, a_file_that_cannot_be_opened_ends_the_type) {
  EXPECT_EQ(reason("write", 25), record::ReasonCode::file_system);
  EXPECT_EQ(reason("write", 26), record::ReasonCode::dependency);
  EXPECT_EQ(reason("read", 33), record::ReasonCode::dependency);
}

TEST_F(fault, a_rewrite_that_never_reached_the_file_is_seen_at_once_and_by_the_read) {
  for (int p = 34; p <= 41; ++p) {
    EXPECT_EQ(point("write", p).verified, true) << p;
    EXPECT_EQ(point("rewrite", p).verified, false) << p;
    EXPECT_EQ(point("read", p).verified, false) << p;
  }
}

TEST_F(fault, the_summary_has_no_value_and_says_why) {
  const auto& summary = told_.summaries.at(0);
  EXPECT_TRUE(std::holds_alternative<std::nullptr_t>(summary.values.front().second));
  EXPECT_EQ(summary.verified, false);
  EXPECT_THAT(summary.not_official_because,
              testing::Contains(HasSubstr("51 patterns failed or were skipped")));
  EXPECT_EQ(left_, 0u);
}

// File systems of a few MB: what is not there cannot be written, what was written can be written again and
// read.

/// A file system of the test in memory, where this user may mount one. Collective.
class SmallDisk {
 public:
  explicit SmallDisk(const std::string& size) : place_(world(), std::filesystem::temp_directory_path()) {
    if (world().size() > 2) return;
    if (world().is_root())
      mounted_ = ::mount("none", path().c_str(), "tmpfs", 0, ("size=" + size).c_str()) == 0;
    mounted_ = world().any(mounted_);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  ~SmallDisk() {
    world().barrier();
    if (mounted_ && world().is_root()) ::umount(path().c_str());
  }
  /// Why there is none; empty if there is one.
  [[nodiscard]] std::string missing() const {
    if (world().size() > 2) return "two processes tell as much";
    return mounted_ ? "" : "this user may not mount a small file system";
  }
  [[nodiscard]] const test::Directory& directory() const { return place_; }

 private:
  [[nodiscard]] const std::filesystem::path& path() const { return place_.path(); }
  test::Directory place_;
  bool mounted_ = false;
};

std::optional<record::ReasonCode> reason(const record::PointRecord& point) {
  return point.reason ? std::optional(point.reason->code) : std::nullopt;
}

TEST(space, that_is_too_small_for_any_pattern_is_the_reason_of_each_type) {
  const SmallDisk disk("1m");
  if (const auto why = disk.missing(); !why.empty()) GTEST_SKIP() << why;
  auto settings = test::tiny(world());
  settings.random = true;
  test::Campaign campaign(settings, world(), disk.directory());
  EXPECT_EQ(campaign.run().exit_code, 1);
  if (!world().is_root()) return;
  const auto told = campaign.told();
  for (const auto type : pattern_types) {
    const auto first = static_cast<int>(patterns_of(type).first);
    const auto& point = test::find(told, "write", first, world().size());
    EXPECT_EQ(point.status, record::Status::failed) << text(type);
    EXPECT_EQ(reason(point), record::ReasonCode::space) << text(type);
    EXPECT_EQ(reason(test::find(told, "read", first, world().size())), record::ReasonCode::dependency);
  }
}

TEST(space, that_somebody_else_takes_ends_what_grows_and_leaves_what_is_there) {
  const SmallDisk disk("192m");
  if (const auto why = disk.missing(); !why.empty()) GTEST_SKIP() << why;
  test::Campaign campaign(test::tiny(world()), world(), disk.directory());
  test::planned_faults() = {{Fault::filled_disk, "_2.000"}};
  EXPECT_EQ(campaign.run().exit_code, 1);
  test::planned_faults().clear();
  if (!world().is_root()) return;
  EXPECT_THAT(disk.directory().files(), testing::ElementsAre("ballast"));
  const auto told = campaign.told();
  const int n = world().size();
  const auto& full = test::find(told, "write", 17, n);
  EXPECT_EQ(full.status, record::Status::failed);
  EXPECT_TRUE(reason(full) == record::ReasonCode::space || full.reason->mpi_class) << full.reason->text;
  EXPECT_EQ(reason(test::find(told, "write", 18, n)), record::ReasonCode::dependency);
  for (const int pattern : {25, 34})
    EXPECT_EQ(reason(test::find(told, "write", pattern, n)), record::ReasonCode::space) << pattern;
  EXPECT_EQ(reason(test::find(told, "rewrite", 9, n)), record::ReasonCode::space);  // of the shared pointer
  for (const auto* access : {"write", "rewrite", "read"})
    for (int pattern = 0; pattern < (access == std::string_view("rewrite") ? 9 : 17); ++pattern)
      EXPECT_EQ(test::find(told, access, pattern, n).verified, true) << access << ' ' << pattern;
}

}  // namespace
}  // namespace steelyard::beffio
