// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "launch/launch.hpp"
#include "scratch.hpp"

namespace steelyard::cli {
namespace {

using VariablesSet = std::map<std::string, std::string>;

// Slots and cores for 16 cores of this node, "16/16"; "?" for what is not known.
std::string room_in(const VariablesSet& set) {
  const Room room = room_for_processes(16, [&](const char* name) {
    const auto found = set.find(name);
    return found == set.end() ? std::nullopt : std::optional(found->second);
  });
  const auto text = [](const std::optional<int>& number) { return number ? std::to_string(*number) : "?"; };
  return text(room.slots) + '/' + text(room.cores);
}

TEST(room, is_this_node_without_a_batch_system) {
  EXPECT_EQ(room_in({}), "16/16");
}

TEST(room, on_several_nodes_of_slurm_is_that_of_the_job) {
  const VariablesSet job{{"SLURM_JOB_ID", "7"}, {"SLURM_JOB_NUM_NODES", "3"}};
  const auto with = [&](const std::string& tasks, const std::string& processors) {
    auto set = job;
    if (!tasks.empty()) set["SLURM_TASKS_PER_NODE"] = tasks;
    if (!processors.empty()) set["SLURM_JOB_CPUS_PER_NODE"] = processors;
    return room_in(set);
  };
  EXPECT_EQ(with("16(x2),8", "16(x2),8"), "40/40");
  EXPECT_EQ(with("1(x3)", "64(x3)"), "3/192");
  EXPECT_EQ(with("4,2,1", ""), "7/?");
  EXPECT_EQ(with("", ""), "?/?");
  for (const char* damaged : {"16(x2", "16(x)", "x", "-1", "16(x2),"})
    EXPECT_EQ(with(damaged, ""), damaged == std::string("16(x2),") ? "32/?" : "?/?") << damaged;
}

TEST(room, on_one_node_of_slurm_has_its_cores_also_where_the_job_has_fewer_slots) {
  VariablesSet job{{"SLURM_JOB_ID", "7"}, {"SLURM_JOB_NUM_NODES", "1"}, {"SLURM_TASKS_PER_NODE", "1"}};
  EXPECT_EQ(room_in(job), "1/16");
  job["SLURM_TASKS_PER_NODE"] = "64";
  EXPECT_EQ(room_in(job), "16/16");
  job.erase("SLURM_JOB_ID");  // left over in a shell
  job["SLURM_TASKS_PER_NODE"] = "1";
  EXPECT_EQ(room_in(job), "16/16");
}

TEST(room, of_a_heterogeneous_job_of_slurm_is_not_known) {
  const auto groups_of = [](const VariablesSet& set) {
    return room_for_processes(16,
                              [&](const char* name) {
                                const auto found = set.find(name);
                                return found == set.end() ? std::nullopt : std::optional(found->second);
                              })
        .groups;
  };
  const VariablesSet shell{{"SLURM_JOB_ID", "5"},
                           {"SLURM_HET_SIZE", "2"},
                           {"SLURM_NTASKS", "4"},
                           {"SLURM_JOB_NUM_NODES_HET_GROUP_0", "1"},
                           {"SLURM_TASKS_PER_NODE_HET_GROUP_0", "2"}};
  EXPECT_EQ(groups_of(shell), 2);
  VariablesSet script = shell;  // a batch script has the variables of its first group, too
  script["SLURM_JOB_NUM_NODES"] = "1";
  script["SLURM_TASKS_PER_NODE"] = "2";
  EXPECT_EQ(groups_of(script), 2);
  EXPECT_EQ(room_in(script), "?/16");
  EXPECT_EQ(groups_of({{"SLURM_JOB_ID", "5"}, {"SLURM_HET_SIZE", "1"}}), 1);
  EXPECT_EQ(groups_of({{"SLURM_HET_SIZE", "2"}}), 1) << "left over in a shell";
}

TEST(room, of_pbs_has_a_slot_for_every_line_of_its_file) {
  const test::Scratch scratch;
  EXPECT_EQ(room_in({{"PBS_NODEFILE", scratch.file("two", "n1\nn1\nn2\nn2\n")}}), "4/?");
  EXPECT_EQ(room_in({{"PBS_NODEFILE", scratch.file("one", "n1\nn1\n")}}), "2/16");
  EXPECT_EQ(room_in({{"PBS_NODEFILE", "/nonexistent/nodes"}}), "16/16");
}

TEST(room, of_lsf_and_grid_engine_is_the_sum_over_hosts) {
  EXPECT_EQ(room_in({{"LSB_MCPU_HOSTS", "n1 16 n2 8"}}), "24/?");
  EXPECT_EQ(room_in({{"LSB_MCPU_HOSTS", "n1 8"}}), "8/16");
  EXPECT_EQ(room_in({{"LSB_MCPU_HOSTS", "n1 many"}}), "16/16");
  EXPECT_EQ(room_in({{"PE_HOSTFILE", "/f"}, {"NHOSTS", "2"}, {"NSLOTS", "48"}}), "48/?");
  EXPECT_EQ(room_in({{"NHOSTS", "2"}, {"NSLOTS", "48"}}), "16/16");
}

TEST(room, of_a_node_is_a_part_of_that_of_the_job) {
  EXPECT_EQ(processes_of_a_node(256, {.slots = 256, .cores = 256, .nodes = 4}), 64);
  EXPECT_EQ(processes_of_a_node(2, {.slots = 256, .cores = 256, .nodes = 4}), 2) << "both on the first one";
  EXPECT_EQ(processes_of_a_node(9, {.slots = {}, .cores = {}, .nodes = 4}), 3);
  EXPECT_EQ(processes_of_a_node(5, {.slots = 2, .cores = 2}), 5);
}

TEST(room, knows_the_nodes_of_the_job) {
  const auto nodes_of = [](const VariablesSet& set) {
    return room_for_processes(16,
                              [&](const char* name) {
                                const auto found = set.find(name);
                                return found == set.end() ? std::nullopt : std::optional(found->second);
                              })
        .nodes;
  };
  EXPECT_EQ(nodes_of({}), 1);
  EXPECT_EQ(nodes_of({{"SLURM_JOB_ID", "7"}, {"SLURM_JOB_NUM_NODES", "3"}}), 3);
  EXPECT_EQ(nodes_of({{"LSB_MCPU_HOSTS", "n1 16 n2 8"}}), 2);
  EXPECT_EQ(nodes_of({{"LSB_MCPU_HOSTS", "n1 16"}}), 1);
}

TEST(room, on_several_hosts_of_a_file_is_known_to_the_launcher_alone) {
  const test::Scratch scratch;
  const char* name = "OMPI_MCA_orte_default_hostfile";
  EXPECT_EQ(room_in({{name, scratch.file("two", "# ours\nn1\n\nn2 slots=4\n")}}), "?/?");
  EXPECT_EQ(room_in({{name, scratch.file("one", "localhost slots=1\n")}}), "16/16");
}

TEST(room, on_several_hosts_of_a_file_that_tells_all_slots_is_their_sum) {
  const test::Scratch scratch;
  EXPECT_EQ(
      room_in({{"OMPI_MCA_orte_default_hostfile",
                scratch.file("hosts", "job-worker-0.job slots=4\njob-worker-1.job slots=2 max_slots=8\n")}}),
      "6/?");
}

}  // namespace
}  // namespace steelyard::cli
