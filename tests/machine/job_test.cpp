// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <chrono>

#include "environment_variable.hpp"
#include "machine/environment.hpp"
#include "record/json.hpp"

namespace {

using namespace steelyard::machine;

class Job : public testing::Test {
 protected:
  EnvironmentVariable slurm_{"SLURM_JOB_ID", std::nullopt}, pbs_{"PBS_JOBID", std::nullopt},
      lsf_{"LSB_JOBID", std::nullopt}, flux_{"FLUX_JOB_ID", std::nullopt},
      cobalt_{"COBALT_JOBID", std::nullopt}, oar_{"OAR_JOB_ID", std::nullopt};
  static std::string seconds_from_now(int seconds) {
    const auto now =
        std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch());
    return std::to_string(now.count() + seconds);
  }
};

TEST_F(Job, is_null_outside_a_batch_system) {
  EXPECT_TRUE(describe_job().json().is_null());
  EXPECT_EQ(job_seconds_left(), std::nullopt);
}

TEST_F(Job, of_slurm_has_its_settings_and_end) {
  const EnvironmentVariable id("SLURM_JOB_ID", "4711"), nodes("SLURM_JOB_NUM_NODES", "2"),
      tasks("SLURM_NTASKS", "8"), partition("SLURM_JOB_PARTITION", "big"),
      restarts("SLURM_RESTART_COUNT", "1"), hosts("SLURM_JOB_NODELIST", "node[1-2]"),
      bind("SLURM_CPU_BIND", "quiet,mask_cpu:0x1"), end("SLURM_JOB_END_TIME", seconds_from_now(100));
  const auto job = describe_job();
  EXPECT_EQ(job.json()["scheduler"], "slurm");
  EXPECT_EQ(job.json()["id"], "4711");
  EXPECT_EQ(job.json()["nodes"], 2);
  EXPECT_EQ(job.json()["tasks"], 8);
  EXPECT_EQ(job.json()["partition"], "big");
  EXPECT_EQ(job.json()["restarts"], 1);
  EXPECT_EQ(job.json()["node_list"], "node[1-2]");
  EXPECT_TRUE(job.json()["account"].is_null());
  EXPECT_EQ(job.json()["settings"]["SLURM_CPU_BIND"], "quiet,mask_cpu:0x1");
  ASSERT_TRUE(job_seconds_left().has_value());
  EXPECT_GT(*job_seconds_left(), 0);
  EXPECT_LE(*job_seconds_left(), 100);
}

TEST_F(Job, of_slurm_has_no_tasks_where_a_launcher_s_daemons_are_the_step) {
  const EnvironmentVariable id("SLURM_JOB_ID", "4711"), tasks("SLURM_NTASKS", "4"),
      step("SLURM_STEP_NUM_TASKS", "4"), hydra("HYDI_CONTROL_FD", std::nullopt),
      groups("SLURM_HET_SIZE", std::nullopt);
  {
    const EnvironmentVariable direct("OMPI_COMM_WORLD_SIZE", std::nullopt);
    EXPECT_EQ(describe_job().json()["tasks"], 4);
  }
  const EnvironmentVariable open_mpi("OMPI_COMM_WORLD_SIZE", "8");
  EXPECT_TRUE(describe_job().json()["tasks"].is_null());
  EXPECT_EQ(describe_job(8).json()["tasks"], 8) << "as the parent told";
}

TEST_F(Job, over_its_end_has_negative_time_left) {
  const EnvironmentVariable id("SLURM_JOB_ID", "1"), end("SLURM_JOB_END_TIME", seconds_from_now(-50));
  ASSERT_TRUE(job_seconds_left().has_value());
  EXPECT_LT(*job_seconds_left(), 0);
}

TEST_F(Job, of_pbs_knows_its_length_but_not_its_end) {
  const EnvironmentVariable id("PBS_JOBID", "12.server"), name("PBS_JOBNAME", "x"),
      limit("PBS_WALLTIME", "3600");
  const auto job = describe_job();
  EXPECT_EQ(job.json()["scheduler"], "pbs");
  EXPECT_EQ(job.json()["limit_s"], 3600);
  EXPECT_EQ(job_seconds_left(), std::nullopt);
}

TEST_F(Job, of_cobalt_tells_its_end) {
  const EnvironmentVariable id("COBALT_JOBID", "12"), end("COBALT_ENDTIME", seconds_from_now(100));
  EXPECT_TRUE(job_seconds_left().has_value());
}

TEST_F(Job, with_a_broken_end_tells_nothing) {
  const EnvironmentVariable id("SLURM_JOB_ID", "1"), end("SLURM_JOB_END_TIME", "soon");
  EXPECT_EQ(job_seconds_left(), std::nullopt);
  EXPECT_TRUE(describe_job().json()["left_s"].is_null());
}

}  // namespace
