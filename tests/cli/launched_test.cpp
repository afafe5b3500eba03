// SPDX-License-Identifier: Apache-2.0
#include "process/launched.hpp"

#include <gtest/gtest.h>

#include <map>

namespace steelyard::cli {
namespace {

Variables variables(std::map<std::string, std::string> set) {
  return [set](const char* name) -> std::optional<std::string> {
    const auto found = set.find(name);
    return found == set.end() ? std::nullopt : std::optional(found->second);
  };
}

TEST(launcher, nothing_set_means_none) {
  EXPECT_FALSE(under_launcher(variables({})));
  EXPECT_EQ(launcher_rank(variables({})), 0);
  EXPECT_EQ(launcher_size(variables({})), std::nullopt);
}

TEST(launcher, each_of_its_variables_alone_tells_it) {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK", "PMI_FD", "HYDI_CONTROL_FD",
                           "FLUX_TASK_RANK", "JSM_NAMESPACE_RANK"})
    EXPECT_TRUE(under_launcher(variables({{name, "1"}}))) << name;
}

TEST(launcher, open_mpi_tells_rank_and_size) {
  const auto read =
      variables({{"OMPI_COMM_WORLD_RANK", "3"}, {"OMPI_COMM_WORLD_SIZE", "8"}, {"PMIX_RANK", "3"}});
  EXPECT_EQ(launcher_rank(read), 3);
  EXPECT_EQ(launcher_size(read), 8);
}

TEST(launcher, hydra_tells_rank_and_size) {
  const auto read = variables({{"PMI_RANK", "2"}, {"PMI_SIZE", "4"}, {"PMI_FD", "9"}});
  EXPECT_EQ(launcher_rank(read), 2);
  EXPECT_EQ(launcher_size(read), 4);
}

TEST(launcher, flux_and_jsrun_tell_rank_and_size) {
  const auto flux = variables({{"FLUX_TASK_RANK", "3"}, {"FLUX_JOB_SIZE", "8"}, {"PMIX_RANK", "3"}});
  EXPECT_EQ(launcher_rank(flux), 3);
  EXPECT_EQ(launcher_size(flux), 8);
  const auto jsrun = variables({{"JSM_NAMESPACE_RANK", "2"}, {"JSM_NAMESPACE_SIZE", "4"}});
  EXPECT_EQ(launcher_rank(jsrun), 2);
  EXPECT_EQ(launcher_size(jsrun), 4);
  EXPECT_FALSE(under_launcher(variables({{"FLUX_JOB_ID", "f1"}, {"FLUX_JOB_SIZE", "8"}})));
}

TEST(launcher, slurm_job_step_is_one_and_batch_script_is_none) {
  const auto step = variables({{"SLURM_STEP_ID", "0"}, {"SLURM_PROCID", "5"}, {"SLURM_STEP_NUM_TASKS", "6"}});
  EXPECT_TRUE(under_launcher(step));
  EXPECT_EQ(launcher_rank(step), 5);
  EXPECT_EQ(launcher_size(step), 6);
  EXPECT_FALSE(under_launcher(variables({{"SLURM_JOB_ID", "77"}, {"SLURM_PROCID", "0"}})));
  EXPECT_FALSE(under_launcher(variables({{"SLURM_STEP_ID", "batch"}, {"SLURM_PROCID", "0"}})));
  EXPECT_FALSE(under_launcher(variables({{"SLURM_STEP_ID", "4294967291"}, {"SLURM_PROCID", "0"}})));
}

TEST(launcher, worlds_of_one_process_beside_others_are_apart) {
  const auto hydra = variables({{"PMI_RANK", "2"}, {"PMI_SIZE", "4"}, {"PMI_FD", "9"}});
  EXPECT_EQ(processes_apart(1, hydra), 4);
  EXPECT_EQ(processes_apart(4, hydra), std::nullopt);
  const auto open_mpi = variables({{"OMPI_COMM_WORLD_SIZE", "2"}, {"OMPI_COMM_WORLD_RANK", "1"}});
  EXPECT_EQ(processes_apart(1, open_mpi), 2);
  const auto step = variables({{"SLURM_STEP_ID", "0"}, {"SLURM_PROCID", "5"}, {"SLURM_STEP_NUM_TASKS", "6"}});
  EXPECT_EQ(processes_apart(1, step), 6);
}

TEST(launcher, one_process_that_nobody_started_beside_others_is_not_apart) {
  EXPECT_EQ(processes_apart(1, variables({})), std::nullopt);
  EXPECT_EQ(processes_apart(1, variables({{"PMI_RANK", "0"}, {"PMI_SIZE", "1"}})), std::nullopt);
  EXPECT_EQ(processes_apart(1, variables({{"PMIX_RANK", "0"}})), std::nullopt);
  const auto batch_script =
      variables({{"SLURM_STEP_ID", "batch"}, {"SLURM_PROCID", "0"}, {"SLURM_STEP_NUM_TASKS", "8"}});
  EXPECT_EQ(processes_apart(1, batch_script), std::nullopt);
  EXPECT_EQ(processes_apart(1, variables({{"SLURM_JOB_ID", "7"}, {"SLURM_NTASKS", "8"}})), std::nullopt);
}

TEST(tasks_of_job, are_known_outside_of_steps) {
  const std::map<std::string, std::string> script{{"SLURM_JOB_ID", "7"}, {"SLURM_NTASKS", "8"}};
  EXPECT_EQ(tasks_of_job(variables(script)), 8);
  auto step = script, groups = script;
  step.insert({{"SLURM_STEP_ID", "0"}, {"SLURM_PROCID", "0"}});
  groups["SLURM_HET_SIZE"] = "2";
  EXPECT_EQ(tasks_of_job(variables(step)), 0);
  EXPECT_EQ(tasks_of_job(variables(groups)), 0);
  EXPECT_EQ(tasks_of_job(variables({})), 0);
}

TEST(launched_word, carries_what_the_parent_tells) {
  const FromParent told{.run = "20261120T083001Z-00000001",
                        .series = "20261120T083000Z-7f3a91c2",
                        .launch = 3,
                        .launches = 6,
                        .out = "a,b=c",
                        .append = true,
                        .continues = true,
                        .spent_s = 17,
                        .until_unix_s = 5'000'000'000,
                        .job_tasks = 8,
                        .host = "n1",
                        .processors = {0, 1, 5},
                        .terminal = true};
  const auto heard = read_launched_word(launched_word(told));
  ASSERT_TRUE(heard);
  EXPECT_EQ(heard->run, told.run);
  EXPECT_EQ(heard->series, told.series);
  EXPECT_EQ(heard->out, told.out);
  EXPECT_TRUE(heard->append);
  EXPECT_TRUE(heard->terminal);
  EXPECT_TRUE(heard->continues);
  EXPECT_EQ(heard->launch, 3);
  EXPECT_EQ(heard->launches, 6);
  EXPECT_EQ(heard->spent_s, 17);
  EXPECT_EQ(heard->job_tasks, 8);
  EXPECT_EQ(heard->host, "n1");
  EXPECT_EQ(heard->processors, (std::vector{0, 1, 5}));
  EXPECT_EQ(heard->until_unix_s, 5'000'000'000);
}
TEST(launched_word, empty_tidings_stay_empty) {
  const auto heard = read_launched_word(launched_word({}));
  ASSERT_TRUE(heard);
  EXPECT_TRUE(heard->series.empty() && heard->out.empty() && !heard->append && !heard->terminal);
}
TEST(reaches_beyond, is_about_the_same_host_alone) {
  FromParent parent;
  parent.host = "n1";
  parent.processors = {1, 2};
  EXPECT_TRUE(reaches_beyond(parent, "n1", {0}));
  EXPECT_TRUE(reaches_beyond(parent, "n1", {1, 2, 3}));
  EXPECT_FALSE(reaches_beyond(parent, "n1", {2}));
  EXPECT_FALSE(reaches_beyond(parent, "n2", {0}));
  EXPECT_FALSE(reaches_beyond({}, "", {0})) << "not known";
}
TEST(launched_word, other_words_are_none) {
  EXPECT_FALSE(read_launched_word("--launch=2"));
  EXPECT_FALSE(read_launched_word("run"));
}

}  // namespace
}  // namespace steelyard::cli
