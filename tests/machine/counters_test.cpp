// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "machine/node_counters.hpp"
#include "tree.hpp"

namespace {

using namespace steelyard::machine;
using testing::DoubleNear;
using testing::Optional;

// Steps of 10 ms: user nice system idle iowait irq softirq steal guest guest_nice.
constexpr const char* before_text = R"(@ /proc/stat
cpu  300 0 0 700 0 0 0 0 0 0
cpu0 100 0 0 900 0 0 0 0 0 0
cpu1 200 0 0 800 0 0 0 0 50 0
intr 12345
)";
// 100 steps later: cpu0 ran 20 (5 of them interrupts) and was stolen 10; cpu1 ran 60, waited for a disk 10.
constexpr const char* after_text = R"(@ /proc/stat
cpu  0 0 0 0 0 0 0 0 0 0
cpu0 110 2 3 970 0 1 4 10 0 0
cpu1 250 0 10 830 10 0 0 0 90 0
)";

double steps(double count) {
  return count * 0.01;
}

class Load : public testing::Test {
 protected:
  NodeLoad load(const std::vector<int>& processors = {}) {
    Tree tree(before_text);
    const auto before = read_node_counters(tree.roots());
    tree.add(after_text);
    return difference(before, read_node_counters(tree.roots()), processors);
  }
};

TEST_F(Load, busy_and_stolen_time_of_all_processors) {
  const auto all = load();
  EXPECT_THAT(all.busy_s, Optional(DoubleNear(steps(80), 1e-9)));
  EXPECT_THAT(all.busy_share, Optional(DoubleNear(0.40, 1e-9)));
  EXPECT_THAT(all.steal_share, Optional(DoubleNear(0.05, 1e-9)));
  EXPECT_NEAR(all.resolution, 0.005, 1e-9);
}

TEST_F(Load, only_the_processors_asked_for) {
  EXPECT_THAT(load({0}).busy_share, Optional(DoubleNear(0.20, 1e-9)));
  EXPECT_THAT(load({0}).steal_share, Optional(DoubleNear(0.10, 1e-9)));
  EXPECT_THAT(load({1}).busy_share, Optional(DoubleNear(0.60, 1e-9)));
  EXPECT_EQ(load({7}).busy_share, std::nullopt);
}

TEST_F(Load, own_time_and_one_step_are_not_foreign) {
  EXPECT_THAT(foreign_share(load(), steps(30)), Optional(DoubleNear(0.245, 1e-9)));
  EXPECT_THAT(foreign_share(load(), steps(500)), Optional(0.0));
  EXPECT_EQ(foreign_share(load({7}), 0), std::nullopt);
}

TEST(node_counters, of_an_idle_processor_have_no_foreign_share) {
  Tree tree("@ /proc/stat = cpu0 0 0 0 100 0 0 0 0 0 0\n");
  const auto before = read_node_counters(tree.roots());
  tree.add("@ /proc/stat = cpu0 0 0 0 200 0 0 0 0 0 0\n");
  EXPECT_THAT(foreign_share(difference(before, read_node_counters(tree.roots())), 0), Optional(0.0));
}

TEST(node_counters, of_an_empty_tree_are_absent) {
  const Tree tree("");
  const auto counters = read_node_counters(tree.roots());
  EXPECT_TRUE(counters.processors.empty());
  EXPECT_EQ(counters.throttled_s, std::nullopt);
  const auto load = difference(counters, counters);
  EXPECT_EQ(load.busy_share, std::nullopt);
  EXPECT_EQ(load.steal_share, std::nullopt);
}

TEST(node_counters, quota_stops_are_counted) {
  auto tree = Tree::recorded("container_v2");
  const auto before = read_node_counters(tree.roots());
  tree.add("@ /sys/fs/cgroup/kubepods/pod7/cpu.stat\nnr_throttled 10\nthrottled_usec 1250000\n");
  const auto load = difference(before, read_node_counters(tree.roots()));
  EXPECT_EQ(load.throttled_periods, 3);
  EXPECT_THAT(load.throttled_s, Optional(DoubleNear(1.0, 1e-9)));
}

TEST(killed_for_memory, is_what_the_kernel_counts) {
  EXPECT_THAT(killed_for_memory(Tree("@ /proc/vmstat\nnr_free_pages 7\noom_kill 3\n").roots()), Optional(3));
  EXPECT_EQ(killed_for_memory(Tree("@ /proc/vmstat\nnr_free_pages 7\n").roots()), std::nullopt);
}

TEST(run_time, survives_names_with_blanks_and_parentheses) {
  const Tree tree(
      "@ /proc/self/stat = 1 (a) b) c) S 1 1 1 0 -1 0 0 0 0 0 30 12 0 0 20 0 1 0 100\n"
      "@ /proc/77/stat = 77 (x) R 1 1 1 0 -1 0 0 0 0 0 8 0 0 0 20 0 1 0 100\n");
  EXPECT_NEAR(run_time({0}, tree.roots()), steps(42), 1e-9);
  EXPECT_NEAR(run_time({0, 77, 99}, tree.roots()), steps(50), 1e-9);
}

}  // namespace
