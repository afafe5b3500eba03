// SPDX-License-Identifier: Apache-2.0
#include "machine/findings.hpp"

#include <gmock/gmock.h>

#include "examine_tree.hpp"
#include "machine/findings_parts.hpp"

namespace {

using namespace steelyard::machine;
using testing::HasSubstr;

NodeLoad load_of(double busy_share, double steal_share) {
  NodeLoad load;
  load.busy_s = busy_share;
  load.busy_share = busy_share;
  load.steal_share = steal_share;
  load.resolution = 0.01;
  return load;
}

Affinity bound_to(std::vector<int> processors) {
  return {.processors = processors, .cores = processors};
}

TEST(findings, every_one_has_a_section_and_a_sentence) {
  for (const auto* tree : {"bare_metal", "virtual_machine", "container_v2", "cgroup_v1", "arm"})
    for (const auto& finding : examine_tree(tree)) {
      EXPECT_FALSE(finding.section.empty());
      EXPECT_TRUE(finding.text.ends_with(".")) << finding.text;
      EXPECT_EQ(finding.level == Level::ok, finding.code.empty()) << finding.text;
      EXPECT_TRUE(finding.code.empty() || steelyard::record::is_event_code(finding.code)) << finding.code;
    }
}

TEST(findings, warnings_and_problems_have_a_cure) {
  for (const auto* tree : {"bare_metal", "virtual_machine", "container_v2", "cgroup_v1", "arm"})
    for (const auto& finding : examine_tree(tree))
      EXPECT_TRUE(finding.level < Level::warning || !finding.cure.empty()) << finding.text;
}

TEST(findings, an_empty_tree_does_not_throw) {
  EXPECT_FALSE(examine(still(), Tree("").roots()).empty());
}

TEST(findings, processors_that_nothing_tells_of_are_not_oversubscribed) {
  const auto findings = examine(still(), Tree("").roots());
  EXPECT_EQ(find(findings, "oversubscribed"), nullptr);
  const auto model = std::ranges::find(findings, "processors", &Finding::section);
  ASSERT_NE(model, findings.end());
  EXPECT_EQ(model->text, "Unknown processor: number of processors unknown.");
}

TEST(findings, an_unknown_topology_is_said_to_be_unknown) {
  const Files files{
      {"/proc/cpuinfo", "processor : 0\nCPU implementer : 0x41\nCPU part : 0xd0c\nprocessor : 1\n"}};
  const auto findings = examine(still(), {.files = &files});
  const auto model = std::ranges::find(findings, "processors", &Finding::section);
  ASSERT_NE(model, findings.end());
  EXPECT_EQ(model->text,
            "ARM Neoverse-N1: 2 logical processors of an unknown number of cores; 2 of them usable here.");
}

TEST(findings, levels_have_words) {
  EXPECT_EQ(text(Level::ok), "ok");
  EXPECT_EQ(text(Level::note), "note");
  EXPECT_EQ(text(Level::warning), "warning");
  EXPECT_EQ(text(Level::problem), "problem");
}

TEST(oversubscribed, when_threads_exceed_cores_and_not_before) {
  auto situation = still();
  situation.processes_on_node = 4;
  EXPECT_FALSE(told("bare_metal", "oversubscribed", situation));
  situation.processes_on_node = 5;
  EXPECT_TRUE(told("bare_metal", "oversubscribed", situation));
  situation.processes_on_node = 2;
  situation.threads = 3;
  const auto findings = examine_tree("bare_metal", situation);
  ASSERT_NE(find(findings, "oversubscribed"), nullptr);
  EXPECT_EQ(find(findings, "oversubscribed")->level, Level::warning);
  EXPECT_THAT(find(findings, "oversubscribed")->cure, HasSubstr("at most 1 process "));
}

TEST(oversubscribed, the_union_of_masks_counts_not_the_machine) {
  auto situation = still();
  situation.processes_on_node = 2;
  situation.ranks = {bound_to({0, 4}), bound_to({0, 4})};
  EXPECT_TRUE(told("bare_metal", "oversubscribed", situation));
}

TEST(oversubscribed, two_ranks_on_the_same_single_processor) {
  auto situation = still();
  situation.processes_on_node = 3;
  situation.ranks = {bound_to({1}), bound_to({1}), bound_to({2, 3})};
  EXPECT_TRUE(told("bare_metal", "oversubscribed", situation));
  situation.ranks = {bound_to({1}), bound_to({0}), bound_to({2, 3})};
  EXPECT_FALSE(told("bare_metal", "oversubscribed", situation));
}

TEST(shared_core, two_ranks_on_threads_of_one_core) {
  auto situation = still();
  situation.processes_on_node = 2;
  situation.ranks = {bound_to({1}), bound_to({5}), bound_to({2}), bound_to({3})};
  EXPECT_TRUE(told("bare_metal", "shared_core", situation));
  situation.ranks = {bound_to({1}), bound_to({6})};
  EXPECT_FALSE(told("bare_metal", "shared_core", situation));
}

TEST(unpinned, masks_of_more_than_one_core) {
  auto situation = still();
  situation.processes_on_node = 2;
  situation.ranks = {bound_to({0, 4}), bound_to({1, 5})};
  EXPECT_FALSE(told("bare_metal", "unpinned", situation)) << "threads of one core count as one";
  situation.ranks = {bound_to({0, 1, 2, 3}), bound_to({1, 5})};
  const auto findings = examine_tree("bare_metal", situation);
  ASSERT_NE(find(findings, "unpinned"), nullptr);
  EXPECT_EQ(find(findings, "unpinned")->level, Level::warning);
  situation.threads = 4;
  EXPECT_FALSE(told("bare_metal", "unpinned", situation)) << "room for its threads is no freedom";
}

TEST(unpinned, is_a_note_where_cores_abound) {
  auto situation = still();
  situation.ranks = {bound_to({0, 1, 2, 3})};
  const auto findings = examine_tree("bare_metal", situation);
  ASSERT_NE(find(findings, "unpinned"), nullptr);
  EXPECT_EQ(find(findings, "unpinned")->level, Level::note);
}

TEST(unpinned, is_not_said_where_no_rank_is_known) {
  EXPECT_FALSE(told("bare_metal", "unpinned"));
}

TEST(frequency_scaling, only_the_governors_of_used_processors_count) {
  auto situation = still();
  situation.ranks = {bound_to({0})};
  EXPECT_FALSE(told("bare_metal", "frequency_scaling", situation));
  situation.ranks = {bound_to({2})};
  EXPECT_TRUE(told("bare_metal", "frequency_scaling", situation));
  EXPECT_FALSE(told("virtual_machine", "frequency_scaling")) << "no governor is no finding";
}

TEST(turbo, is_noted_when_on) {
  EXPECT_TRUE(told("bare_metal", "turbo"));
  EXPECT_FALSE(told("arm", "turbo"));
  auto tree = Tree::recorded("bare_metal");
  tree.add("@ /sys/devices/system/cpu/intel_pstate/no_turbo = 1\n");
  EXPECT_EQ(find(examine(still(), tree.roots()), "turbo"), nullptr);
}

TEST(smt_on, follows_the_kernel_s_switch) {
  EXPECT_TRUE(told("bare_metal", "smt_on"));
  EXPECT_FALSE(told("virtual_machine", "smt_on"));
}

TEST(virtual_machine_finding, only_in_virtual_machines) {
  EXPECT_TRUE(told("virtual_machine", "virtual_machine"));
  EXPECT_FALSE(told("bare_metal", "virtual_machine"));
  EXPECT_FALSE(told("arm", "virtual_machine"));
}

TEST(container_quota, below_the_demand_and_not_above) {
  auto situation = still();
  EXPECT_FALSE(told("container_v2", "container_quota", situation));
  situation.processes_on_node = 2;
  const auto findings = examine_tree("container_v2", situation);
  ASSERT_NE(find(findings, "container_quota"), nullptr);
  EXPECT_THAT(find(findings, "container_quota")->text, HasSubstr("1.5"));
  EXPECT_TRUE(told("cgroup_v1", "container_quota"));
}

TEST(no_isolation, where_the_kernel_was_not_told) {
  EXPECT_TRUE(told("virtual_machine", "no_isolation"));
  EXPECT_FALSE(told("bare_metal", "no_isolation"));
  EXPECT_FALSE(told("cgroup_v1", "no_isolation")) << "an unreadable command line says nothing";
}

TEST(busy_neighbours, load_average_above_the_processes) {
  auto situation = still();
  situation.processes_on_node = 2;
  EXPECT_TRUE(told("virtual_machine", "busy_neighbours", situation));
  situation.processes_on_node = 3;
  EXPECT_FALSE(told("virtual_machine", "busy_neighbours", situation));
}

TEST(busy_neighbours, time_of_others_above_two_percent) {
  const auto load = load_of(0.10, 0.0);
  Findings findings;
  examine_load(load, 0.08, findings);
  EXPECT_TRUE(findings.empty()) << "own time and one step of counting are no neighbours";
  examine_load(load, 0.06, findings);
  ASSERT_EQ(findings.size(), 1);
  EXPECT_EQ(findings[0].code, "busy_neighbours");
  EXPECT_THAT(findings[0].text, HasSubstr("3.0 %"));
}

TEST(steal, above_half_a_percent) {
  auto load = load_of(0.0, 0.014);
  Findings findings;
  examine_load(load, 0, findings);
  EXPECT_TRUE(findings.empty());
  load.steal_share = 0.02;
  examine_load(load, 0, findings);
  ASSERT_EQ(findings.size(), 1);
  EXPECT_EQ(findings[0].code, "steal");
}

}  // namespace
