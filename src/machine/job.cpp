// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <span>

#include "machine/privacy.hpp"
#include "machine/words.hpp"

namespace steelyard::machine {

namespace {

/// Which variables of a batch system tell what; nullptr where it has none. Its sign is the job number.
struct Scheduler {
  const char *kind, *id, *name, *account, *partition, *nodes, *tasks, *end, *limit;
  const char *restarts = nullptr, *node_list = nullptr;
};

constexpr std::array schedulers{
    Scheduler{"slurm", "SLURM_JOB_ID", "SLURM_JOB_NAME", "SLURM_JOB_ACCOUNT", "SLURM_JOB_PARTITION",
              "SLURM_JOB_NUM_NODES", "SLURM_NTASKS", "SLURM_JOB_END_TIME", nullptr, "SLURM_RESTART_COUNT",
              "SLURM_JOB_NODELIST"},
    Scheduler{"flux", "FLUX_JOB_ID", nullptr, nullptr, nullptr, "FLUX_JOB_NNODES", "FLUX_JOB_SIZE", nullptr,
              nullptr},
    Scheduler{"cobalt", "COBALT_JOBID", nullptr, "COBALT_PROJECT", "COBALT_QUEUE", "COBALT_JOBSIZE", nullptr,
              "COBALT_ENDTIME", nullptr},
    Scheduler{"oar", "OAR_JOB_ID", "OAR_JOB_NAME", "OAR_PROJECT_NAME", nullptr, nullptr, nullptr, nullptr,
              "OAR_JOB_WALLTIME_SECONDS"},
    Scheduler{"pbs", "PBS_JOBID", "PBS_JOBNAME", "PBS_ACCOUNT", "PBS_QUEUE", "PBS_NUM_NODES", "PBS_NP",
              nullptr, "PBS_WALLTIME"},
    Scheduler{"lsf", "LSB_JOBID", "LSB_JOBNAME", "LSB_PROJECT_NAME", "LSB_QUEUE", nullptr, "LSB_DJOB_NUMPROC",
              nullptr, nullptr},
};

constexpr std::array settings{"SLURM_NTASKS_PER_NODE", "SLURM_CPUS_PER_TASK", "SLURM_CPU_BIND",
                              "SLURM_DISTRIBUTION",    "SLURM_EXCLUSIVE",     "SLURM_HINT",
                              "SLURM_MEM_PER_NODE",    "SLURM_MEM_PER_CPU",   "SLURM_MEM_PER_GPU",
                              "SLURM_MEM_BIND",        "PBS_NUM_PPN",         "NCPUS",
                              "LSB_SUB_RES_REQ",       "LSB_EXCLUSIVE",       "FLUX_TASK_LOCAL_ID"};

std::optional<std::string> filled_variable(const char* name) {
  const char* value = name == nullptr ? nullptr : std::getenv(name);
  return value == nullptr || *value == '\0' ? std::nullopt : std::optional<std::string>(value);
}

const Scheduler* present() {
  const auto found =
      std::ranges::find_if(schedulers, [](const Scheduler& s) { return filled_variable(s.id).has_value(); });
  return found == schedulers.end() ? nullptr : &*found;
}

Json text(const char* name) {
  const auto value = filled_variable(name);
  return value ? Json(without_private(*value)) : Json(nullptr);
}

Json number(const char* name) {
  const auto value = filled_variable(name);
  return value ? or_null(whole(*value)) : Json(nullptr);
}

Json recorded_settings() {
  Json list = Json::object();
  for (const char* name : settings)
    if (filled_variable(name)) list[name] = text(name);
  return list;
}

double unix_now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace

record::Document describe_job() {
  const auto* scheduler = present();
  if (scheduler == nullptr) return {};
  return Json{{"scheduler", scheduler->kind},
              {"id", text(scheduler->id)},
              {"name", text(scheduler->name)},
              {"account", text(scheduler->account)},
              {"partition", text(scheduler->partition)},
              {"nodes", number(scheduler->nodes)},
              {"tasks", number(scheduler->tasks)},
              {"node_list", text(scheduler->node_list)},
              {"restarts", number(scheduler->restarts)},
              {"limit_s", number(scheduler->limit)},
              {"left_s", or_null(job_seconds_left())},
              {"settings", recorded_settings()}};
}

std::optional<double> job_seconds_left() {
  const auto* scheduler = present();
  const auto end = scheduler == nullptr ? std::nullopt : filled_variable(scheduler->end);
  const auto at = end ? decimal(*end) : std::nullopt;
  return at ? std::optional(*at - unix_now()) : std::nullopt;
}

}  // namespace steelyard::machine
