// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <string>

#include "environment_variable.hpp"
#include "machine/environment.hpp"
#include "record/json.hpp"

namespace {

using namespace steelyard::machine;

class Job : public testing::Test {
 protected:
  EnvironmentVariable slurm_{"SLURM_JOB_ID", std::nullopt}, pbs_{"PBS_JOBID", std::nullopt},
      lsf_{"LSB_JOBID", std::nullopt}, flux_{"FLUX_JOB_ID", std::nullopt},
      instance_{"FLUX_ENCLOSING_ID", std::nullopt}, cobalt_{"COBALT_JOBID", std::nullopt},
      oar_{"OAR_JOB_ID", std::nullopt}, grid_{"SGE_TASK_ID", std::nullopt},
      condor_{"_CONDOR_JOB_AD", std::nullopt};
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
  EXPECT_EQ(job_seconds_left(), std::nullopt) << "no process here was started with its number";
}

// A line of /proc/PID/stat; the start is in ticks since the machine started.
std::string stat_line(const std::string& parent, std::int64_t began_ticks) {
  std::string line = "7 (a (b) c) S " + parent;
  for (int field = 5; field < 22; ++field) line += " 0";
  return line + ' ' + std::to_string(began_ticks) + " 0 0";
}

TEST_F(Job, that_tells_its_length_alone_began_with_the_oldest_process_that_knows_it) {
  const EnvironmentVariable id("PBS_JOBID", "12.server"), limit("PBS_WALLTIME", "3600");
  const std::string of_job("A=1\0PBS_JOBID=12.server\0B=2", 27), of_other("PBS_JOBID=1\0", 12);
  const auto ticks = ::sysconf(_SC_CLK_TCK);
  Files files{{"/proc/uptime", "10000.00 5.00"},
              {"/proc/self/environ", of_job},
              {"/proc/self/stat", stat_line("30", 9999 * ticks)},
              {"/proc/30/environ", of_job},
              {"/proc/30/stat", stat_line("20", 9000 * ticks)},
              {"/proc/20/environ", of_other},
              {"/proc/20/stat", stat_line("1", 100 * ticks)}};
  EXPECT_EQ(job_seconds_left({.files = &files}), 2600);
  files.erase("/proc/30/environ");
  EXPECT_EQ(job_seconds_left({.files = &files}), 3599);
  files.erase("/proc/uptime");
  EXPECT_EQ(job_seconds_left({.files = &files}), std::nullopt);
}

std::string size_of(const steelyard::record::Document& job) {
  return job.json()["nodes"].dump() + '/' + job.json()["tasks"].dump();
}

TEST_F(Job, whose_batch_system_names_no_numbers_has_those_of_its_hosts) {
  const EnvironmentVariable hosts("LSB_MCPU_HOSTS", "n1 16 n2 8"), nodes("NHOSTS", "3"),
      slots("NSLOTS", "48"), sum("LSB_DJOB_NUMPROC", std::nullopt);
  {
    const EnvironmentVariable id("LSB_JOBID", "5");
    EXPECT_EQ(size_of(describe_job()), "2/24");
  }
  const EnvironmentVariable task("SGE_TASK_ID", "undefined"), id("JOB_ID", "77");
  const auto job = describe_job();
  EXPECT_EQ(job.json()["scheduler"], "grid_engine");
  EXPECT_EQ(job.json()["id"], "77");
  EXPECT_EQ(size_of(job), "3/48");
}

TEST_F(Job, number_of_other_programs_is_none_of_grid_engine) {
  const EnvironmentVariable id("JOB_ID", "77"), name("JOB_NAME", "nightly");
  EXPECT_TRUE(describe_job().json().is_null());
}

TEST_F(Job, of_flux_is_its_instance_where_a_script_starts_without_flux) {
  const EnvironmentVariable instance("FLUX_ENCLOSING_ID", "fABC");
  EXPECT_EQ(describe_job().json()["id"], "fABC");
  const EnvironmentVariable id("FLUX_JOB_ID", "fXYZ"), tasks("FLUX_JOB_SIZE", "4");
  EXPECT_EQ(describe_job().json()["id"], "fXYZ");
  EXPECT_EQ(describe_job().json()["tasks"], 4);
}

TEST_F(Job, of_htcondor_is_known_without_a_number) {
  const EnvironmentVariable ad("_CONDOR_JOB_AD", "/scratch/.job.ad"), nodes("_CONDOR_NPROCS", "4");
  const auto job = describe_job();
  EXPECT_EQ(job.json()["scheduler"], "htcondor");
  EXPECT_EQ(job.json()["nodes"], 4);
  EXPECT_TRUE(job.json()["id"].is_null());
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
