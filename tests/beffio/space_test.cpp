// SPDX-License-Identifier: Apache-2.0
// File systems of a few MB: what is not there cannot be written, what was written can be written again and
// read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>

#include "beffio_campaign.hpp"
#include "fault_layer.hpp"
#include "suites/beffio/patterns.hpp"

namespace steelyard::beffio {
namespace {

using test::Fault;
using test::world;

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

}  // namespace

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

}  // namespace steelyard::beffio
