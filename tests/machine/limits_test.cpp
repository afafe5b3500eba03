// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "machine/environment.hpp"
#include "tree.hpp"

namespace {

using namespace steelyard::machine;
using testing::ElementsAre;
using testing::IsEmpty;

std::int64_t memory_of(const std::string& name) {
  return usable_memory(recorded_tree(name).roots()).node_byte;
}

TEST(usable_memory, without_limits_is_what_is_available) {
  EXPECT_EQ(memory_of("bare_metal"), 60000000LL * 1024);
}

TEST(usable_memory, of_a_process_ends_at_its_limits_and_the_node_has_all_of_its_own) {
  const auto usable = usable_memory(recorded_tree("virtual_machine").roots());
  const std::int64_t left = 1048576000 - 102400 * 1024;
  EXPECT_EQ(usable.process_byte, left);
  EXPECT_EQ(usable.node_byte, 2000000LL * 1024) << "page caches have no limit of a process";
  EXPECT_EQ(usable.of_each(1), left);
  EXPECT_EQ(usable.of_each(2), left) << "every process may use as much";
  EXPECT_EQ(usable.of_each(4), usable.node_byte / 4);
}

TEST(usable_memory, without_limits_of_a_process_is_its_share_of_the_node) {
  EXPECT_EQ(usable_memory(recorded_tree("bare_metal").roots()).process_byte, 0);
  EXPECT_EQ((UsableMemory{1000, 0}).of_each(4), 250);
  EXPECT_EQ((UsableMemory{0, 300}).of_each(4), 300) << "nothing tells of the node";
  EXPECT_EQ((UsableMemory{1000, 300}).of_each(0), 300);
}

TEST(usable_memory, nearest_and_farther_control_groups_count) {
  // The pod has 9e9 - 5e9 left, its part 8e9 - (1e9 - 4e8 that can be dropped).
  EXPECT_EQ(memory_of("container_v2"), 4000000000);
  auto tree = Tree::recorded("container_v2");
  tree.add("@ /sys/fs/cgroup/kubepods/pod7/memory.max = max\n");
  EXPECT_EQ(usable_memory(tree.roots()).node_byte, 7400000000);
}

TEST(usable_memory, a_group_over_its_limit_leaves_next_to_nothing) {
  auto tree = Tree::recorded("container_v2");
  tree.add("@ /sys/fs/cgroup/kubepods/pod7/memory.max = 4000000000\n");
  EXPECT_EQ(usable_memory(tree.roots()).node_byte, 1 << 20) << "0 would say that nothing is known";
}

TEST(usable_memory, ends_where_a_group_is_stopped) {
  auto tree = Tree::recorded("container_v2");
  tree.add("@ /sys/fs/cgroup/kubepods/pod7/memory.high = 7000000000\n");
  EXPECT_EQ(usable_memory(tree.roots()).node_byte, 2000000000);
  EXPECT_EQ(node_memory(tree.roots()), 7000000000);
  tree.add("@ /sys/fs/cgroup/kubepods/pod7/memory.high = max\n");
  EXPECT_EQ(usable_memory(tree.roots()).node_byte, 4000000000);
}

constexpr auto cpuset_of_second_domain =
    "@ /proc/self/status\nCpus_allowed_list:\t2-3\nMems_allowed_list:\t1\n"
    "@ /sys/devices/system/node/node1/meminfo\nNode 1 MemTotal:       32768000 kB\n"
    "Node 1 MemFree:        19000000 kB\nNode 1 Inactive(file):  1000000 kB\n";

TEST(usable_memory, is_that_of_the_domains_of_a_cpuset) {
  auto tree = Tree::recorded("bare_metal");
  tree.add(cpuset_of_second_domain);
  EXPECT_EQ(usable_memory(tree.roots()).node_byte, 20000000LL * 1024);
  EXPECT_EQ(node_memory(tree.roots()), 32768000LL * 1024);
}

TEST(usable_memory, of_a_cpuset_with_all_domains_that_have_memory_is_what_is_available) {
  auto tree = Tree::recorded("bare_metal");
  tree.add(
      "@ /proc/self/status = Mems_allowed_list: 0-1\n"
      "@ /sys/devices/system/node/node2/meminfo\nNode 2 MemTotal: 0 kB\nNode 2 MemFree: 0 kB\n");
  EXPECT_EQ(usable_memory(tree.roots()).node_byte, 60000000LL * 1024);
  EXPECT_EQ(node_memory(tree.roots()), 65536000LL * 1024);
}

TEST(usable_memory, version_1_groups_count) {
  EXPECT_EQ(memory_of("cgroup_v1"), 2000000000 - 900000000 + 100000000);
}

TEST(usable_memory, version_1_without_limit_leaves_what_an_old_kernel_calls_free) {
  auto tree = Tree::recorded("cgroup_v1");
  tree.add("@ /sys/fs/cgroup/memory/memory.limit_in_bytes = 9223372036854771712\n");
  EXPECT_EQ(usable_memory(tree.roots()).node_byte, 4000000LL * 1024);
}

TEST(usable_memory, of_an_empty_tree_is_none) {
  EXPECT_EQ(usable_memory(Tree("").roots()).of_each(1), 0);
}

TEST(node_memory, is_all_there_is_whatever_is_in_use) {
  EXPECT_EQ(node_memory(recorded_tree("bare_metal").roots()), 65536000LL * 1024);
}

TEST(node_memory, is_no_more_than_the_group_may_have) {
  auto tree = Tree::recorded("container_v2");
  EXPECT_EQ(node_memory(tree.roots()), 8000000000);
  tree.add("@ /sys/fs/cgroup/kubepods/pod7/memory.max = 4000000000\n");
  EXPECT_EQ(node_memory(tree.roots()), 4000000000);
}

TEST(node_memory, of_an_empty_tree_is_none) {
  EXPECT_EQ(node_memory(Tree("").roots()), 0);
}

TEST(own_domain, is_the_one_that_holds_the_whole_mask) {
  auto tree = Tree::recorded("bare_metal");
  EXPECT_EQ(own_domain(tree.roots()), std::nullopt);
  EXPECT_EQ(allowed_domains(tree.roots()), 2);
  tree.add("@ /proc/self/status = Cpus_allowed_list: 3,7\n");
  EXPECT_EQ(own_domain(tree.roots()), 1);
  EXPECT_EQ(allowed_domains(tree.roots()), 1);
  tree.add("@ /proc/self/status = Cpus_allowed_list: 1,3\n");
  EXPECT_EQ(own_domain(tree.roots()), std::nullopt);
  EXPECT_EQ(own_domain(Tree("").roots()), std::nullopt);
}

TEST(usable_cores, hardware_threads_of_one_core_count_once) {
  EXPECT_EQ(usable_cores(recorded_tree("bare_metal").roots()), 4);
}

TEST(usable_cores, only_cores_in_the_mask_count) {
  auto tree = Tree::recorded("bare_metal");
  tree.add("@ /proc/self/status = Cpus_allowed_list: 0,4,6\n");
  EXPECT_EQ(usable_cores(tree.roots()), 2);
}

TEST(usable_cores, a_quota_is_rounded_down_but_leaves_one) {
  EXPECT_EQ(usable_cores(recorded_tree("container_v2").roots()), 1);
  EXPECT_EQ(usable_cores(recorded_tree("cgroup_v1").roots()), 1);
}

TEST(usable_cores, a_quota_beyond_the_mask_changes_nothing) {
  auto tree = Tree::recorded("container_v2");
  tree.add("@ /sys/fs/cgroup/kubepods/pod7/cpu.max = 700000 100000\n");
  EXPECT_EQ(usable_cores(tree.roots()), 2);
}

TEST(affinity, processors_that_are_not_online_are_left_out) {
  const auto own = affinity(recorded_tree("container_v2").roots());
  EXPECT_THAT(own.processors, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(own.cores, ElementsAre(0, 2));
}

TEST(affinity, cores_of_different_sockets_are_different) {
  const auto own = affinity(recorded_tree("virtual_machine").roots());
  EXPECT_THAT(own.processors, ElementsAre(0, 1, 2));
  EXPECT_THAT(own.cores, ElementsAre(0, 2));
}

TEST(affinity, of_an_empty_tree_is_empty) {
  EXPECT_THAT(affinity(Tree("").roots()).processors, IsEmpty());
}

TEST(last_level_cache, is_the_largest_one_in_reach) {
  auto tree = Tree::recorded("bare_metal");
  EXPECT_EQ(last_level_cache(tree.roots()).size_byte, 107520 * 1024);
  EXPECT_EQ(last_level_cache(tree.roots()).line_byte, 128);
  tree.add("@ /proc/self/status = Cpus_allowed_list: 3\n");
  EXPECT_EQ(last_level_cache(tree.roots()).size_byte, 53760 * 1024);
}

TEST(last_level_cache, comes_from_cpuinfo_when_sysfs_has_none) {
  const Files files{{"/proc/cpuinfo", "processor : 0\nvendor_id : GenuineIntel\ncache size : 33792 KB\n"}};
  const auto cache = last_level_cache({.files = &files});
  EXPECT_EQ(cache.size_byte, 33792 * 1024);
  EXPECT_EQ(cache.line_byte, 64);
}

TEST(last_level_cache, lines_of_intel_come_in_pairs) {
  const auto apart_byte = [](const std::string& vendor) {
    const Files files{
        {"/proc/cpuinfo", "processor : 0\nvendor_id : " + vendor + "\ncache size : 33792 KB\n"}};
    return last_level_cache({.files = &files}).apart_byte;
  };
  EXPECT_EQ(apart_byte("GenuineIntel"), 128);
  EXPECT_EQ(apart_byte("AuthenticAMD"), 64);
  EXPECT_EQ(last_level_cache(Tree("").roots()).apart_byte, 64);
}

TEST(last_level_cache, is_unknown_where_cpuinfo_tells_the_second_level) {
  EXPECT_EQ(last_level_cache(recorded_tree("virtual_machine").roots()).size_byte, 0);
}

TEST(last_level_cache, counts_by_the_processors_that_are_there) {
  Files files{{"/proc/cpuinfo", "processor : 2\nprocessor : 3\n"}};  // of a host with four
  for (const auto* processor : {"2", "3"}) {
    const auto cache = std::string("/sys/devices/system/cpu/cpu") + processor + "/cache/index0/";
    files[cache + "level"] = "3";
    files[cache + "type"] = "Unified";
    files[cache + "size"] = "16384K";
    files[cache + "shared_cpu_list"] = *processor == '2' ? "0,2" : "1,3";
  }
  EXPECT_EQ(last_level_cache({.files = &files}).count, 2);
}

TEST(last_level_cache, unknown_is_zero) {
  EXPECT_EQ(last_level_cache(Tree("").roots()).size_byte, 0);
}

}  // namespace
