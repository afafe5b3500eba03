// SPDX-License-Identifier: Apache-2.0
#include "machine/directory.hpp"

#include <gmock/gmock.h>

#include <cstring>

#include "tree.hpp"

namespace {

using namespace steelyard::machine;
using testing::HasSubstr;
using testing::Not;

TEST(mounts, the_longest_mount_point_holds_a_path) {
  const auto& tree = recorded_tree("bare_metal");
  Source source(tree.roots());
  EXPECT_EQ(mount_of(source, "/scratch/x/y")->type, "lustre");
  EXPECT_EQ(mount_of(source, "/scratch")->type, "lustre");
  EXPECT_EQ(mount_of(source, "/scratchy")->type, "ext4");
  EXPECT_EQ(mount_of(source, "/mnt/with blank/x")->type, "xfs");
}

TEST(mounts, the_last_of_two_on_one_point_counts) {
  const Tree tree(
      "@ /proc/self/mountinfo\n22 1 8:2 / / rw - ext4 /dev/a rw\n23 1 8:3 / /d rw - xfs /dev/b rw\n"
      "24 1 8:4 / /d rw - btrfs /dev/c rw\nbroken line\n");
  Source source(tree.roots());
  EXPECT_EQ(mount_of(source, "/d/x")->type, "btrfs");
}

TEST(mount_options, addresses_users_and_paths_are_left_out) {
  const auto& tree = recorded_tree("bare_metal");
  Source source(tree.roots());
  EXPECT_EQ(harmless_options(*mount_of(source, "/home")), "rw,relatime,vers=4.2,rsize=1048576");
  EXPECT_EQ(harmless_options(*mount_of(source, "/mnt/with blank")), "rw,inode64");
  EXPECT_EQ(harmless_options(*mount_of(source, "/scratch")), "rw,relatime,flock,lazystatfs");
}

TEST(medium_of, known_file_systems) {
  EXPECT_EQ(medium("ext4"), Medium::local);
  EXPECT_EQ(medium("lustre"), Medium::network);
  for (const auto* type : {"fuse.glusterfs", "fuse.ceph-fuse", "fuse.daos", "fuse.sshfs"})
    EXPECT_EQ(medium(type), Medium::network) << type;
  EXPECT_EQ(medium("tmpfs"), Medium::memory);
  EXPECT_EQ(medium("whatever"), Medium::unknown);
}

TEST(lustre_layout, stripe_size_and_count_are_read) {
  std::string bytes(48, '\0');
  const auto put = [&](std::size_t offset, auto value) {
    std::memcpy(bytes.data() + offset, &value, sizeof value);
  };
  put(0, std::uint32_t{0x0BD10BD0});
  put(24, std::uint32_t{4194304});
  put(28, std::uint16_t{8});
  const auto stripes = parse_lustre_layout(bytes);
  ASSERT_TRUE(stripes.has_value());
  EXPECT_EQ(stripes->size_byte, 4194304);
  EXPECT_EQ(stripes->count, 8);
  put(28, std::uint16_t{0xFFFF});
  EXPECT_EQ(parse_lustre_layout(bytes)->count, -1) << "over all targets, as lfs says it";
  EXPECT_FALSE(parse_lustre_layout(bytes.substr(0, 20)).has_value());
  put(0, std::uint32_t{0x0BD60BD0});
  EXPECT_FALSE(parse_lustre_layout(bytes).has_value()) << "composite layouts have no single stripe";
}

TEST(directory, is_described_by_its_mount_and_its_real_sizes) {
  const Tree tree(
      "@ /proc/self/mountinfo = 22 1 8:2 / / rw,noatime - xfs /dev/sda2 rw\n@ /proc/meminfo = Cached: 4 "
      "kB\n");
  const auto io = describe_directory(std::filesystem::temp_directory_path(), tree.roots()).json();
  EXPECT_EQ(io["type"], "xfs");
  EXPECT_EQ(io["medium"], "local");
  EXPECT_EQ(io["options"], "rw,noatime");
  EXPECT_EQ(io["mount_point"], "/");
  EXPECT_EQ(file_system_text(io), "xfs (local) mounted at /");
  EXPECT_EQ(io["page_cache_byte"], 4096);
  EXPECT_GT(io["size_byte"].get<std::int64_t>(), 0);
  EXPECT_GE(io["free_byte"].get<std::int64_t>(), 0);
}

TEST(directory, that_does_not_exist_is_described_by_its_parent) {
  const auto parent = std::filesystem::canonical(std::filesystem::temp_directory_path());
  Source source{Roots{}};
  EXPECT_EQ(directory_facts(source, parent / "not" / "there" / "yet").path, parent);
}

TEST(directory, that_is_to_be_made_in_the_current_one_is_described_by_that) {
  Source source{Roots{}};
  const auto here = directory_facts(source, std::filesystem::canonical("."));
  for (const auto* absent : {"not-there-yet", "not/there/yet", ""}) {
    const auto facts = directory_facts(source, absent);
    EXPECT_EQ(facts.path, here.path) << absent;
    EXPECT_EQ(facts.writable, here.writable) << absent;
    EXPECT_TRUE(facts.size_byte.has_value()) << absent;
  }
}

TEST(directory, servers_keep_their_name_but_not_their_address) {
  const Tree tree("@ /proc/self/mountinfo = 22 1 8:2 / / rw - nfs 10.9.8.7:/export rw,addr=10.9.8.7\n");
  const auto io = describe_directory("/", tree.roots()).json();
  EXPECT_EQ(io["source"], "<address>:/export");
  EXPECT_THAT(io.dump(), Not(HasSubstr("10.9.8.7")));
}

}  // namespace
