// SPDX-License-Identifier: Apache-2.0
#include "machine/environment.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "machine/blas.hpp"
#include "machine/build_info.hpp"
#include "machine/cgroup.hpp"
#include "machine/memory.hpp"
#include "machine/privacy.hpp"
#include "machine/processors.hpp"
#include "machine/scratch_parts.hpp"
#include "machine/source.hpp"
#include "machine/system.hpp"
#include "machine/text.hpp"
#include "units/utc.hpp"

namespace steelyard::machine {
namespace {

std::string commit_text(const BuildInfo& build) {
  if (!build.commit) return "no commit";
  return *build.commit + (build.modified.value_or(false) ? " modified" : "");
}

Json library_versions(const BuildInfo& build) {
  Json list = Json::object();
  for (const auto& [name, version] : build.libraries) list[name] = version;
  return list;
}

/// Object or function of any library that this process has loaded; nullptr if none has it. Asking by name
/// keeps this folder free of libraries that only some benchmarks need.
template <class T>
T* loaded(const char* name) {
  return reinterpret_cast<T*>(::dlsym(RTLD_DEFAULT, name));
}

Json blas() {
  const auto found = identify_blas();
  if (!found) return nullptr;
  Json blas{{"name", text_or_null(found->name)},
            {"version", text_or_null(found->version)},
            {"kernel", text_or_null(found->kernel)}};
  if (found->name.empty()) blas["file"] = found->file;
  if (!found->config.empty()) blas["config"] = found->config;
  if (found->threads) blas["threads"] = *found->threads;
  return blas;
}

Json fft() {
  const auto* text = loaded<const char>("fftw_version");
  return text == nullptr ? Json(nullptr) : Json{{"name", "FFTW"}, {"version", text}};
}

/// Variables of a batch system by their meaning; nullptr if it has none. The variable of the job number
/// marks the system.
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

// mpirun and Hydra start their daemons as a step of Slurm, whose variables the processes then have. Of a heterogeneous
// job the variables may be those of one group.
bool tells_other_tasks() {
  if (filled_variable("SLURM_HET_SIZE")) return true;
  return filled_variable("SLURM_STEP_NUM_TASKS") &&
         (filled_variable("OMPI_COMM_WORLD_SIZE") || filled_variable("HYDI_CONTROL_FD"));
}

Json tasks_of(const Scheduler& scheduler) {
  return scheduler.kind == std::string_view("slurm") && tells_other_tasks() ? Json()
                                                                            : number(scheduler.tasks);
}

Json recorded_settings() {
  Json list = Json::object();
  for (const char* name : settings)
    if (filled_variable(name)) list[name] = text(name);
  return list;
}

}  // namespace

record::Document describe_machine(const Roots& roots) {
  Source source(roots);
  const Cores cores(source);
  Json machine = Json::object();
  describe_kernel(source, machine);
  describe_processor(source, cores, machine);
  describe_frequency(source, cores, machine);
  describe_caches(source, cores, machine);
  describe_memory(source, machine);
  describe_numa(source, machine);
  describe_limits(source, machine);
  describe_virtualisation(source, machine);
  describe_network(source, machine);
  describe_power(source, cores, machine);
  describe_time(source, machine);
  describe_topology(source, machine);
  machine["missing"] = source.missing();
  // Firmware writes its vendor's name in any encoding.
  change_strings(machine, valid_utf8);
  return machine;
}

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? std::string(name.data()) : std::string();
}

std::string machine_identity(const Roots& roots) {
  Source source(roots);
  return host_name() + ", " + processor_name(source);
}

std::string processor_model(const Roots& roots) {
  Source source(roots);
  return processor_name(source);
}

Affinity affinity(const Roots& roots) {
  Source source(roots);
  const Cores cores(source);
  auto processors = allowed_processors(source, cores);
  auto own = cores.cores_of(processors);
  return {.processors = std::move(processors), .cores = std::move(own)};
}

int usable_cores(const Roots& roots) {
  Source source(roots);
  const Cores cores(source);
  const auto own = static_cast<double>(cores.cores_of(allowed_processors(source, cores)).size());
  const auto quota = ControlGroups(source).quota_cores().value_or(own);
  return static_cast<int>(std::max(1.0, std::floor(std::min(own, quota))));
}

std::optional<int> own_domain(const Roots& roots) {
  Source source(roots);
  const auto allowed = allowed_processors(source, Cores(source));
  for (const auto& [number, processors] : domains(source)) {
    const auto holds = [&processors = processors](int one) {
      return std::ranges::binary_search(processors, one);
    };
    if (!allowed.empty() && std::ranges::all_of(allowed, holds)) return number;
  }
  return std::nullopt;
}

int allowed_domains(const Roots& roots) {
  Source source(roots);
  const auto allowed = allowed_processors(source, Cores(source));
  const auto is_allowed = [&](int one) { return std::ranges::binary_search(allowed, one); };
  const auto all = domains(source);
  return static_cast<int>(std::ranges::count_if(
      all, [&](const auto& domain) { return std::ranges::any_of(domain.second, is_allowed); }));
}

record::Document describe_program() {
  const auto& build = build_info();
  return Json{{"name", "steelyard"},
              {"version", build.version},
              {"commit", or_null(build.commit)},
              {"modified", or_null(build.modified)},
              {"build",
               {{"type", build.type},
                {"compiler", build.compiler},
                {"flags", without_private(build.flags)},
                {"standard", build.standard},
                {"sanitizers", build.sanitizers},
                {"libraries", library_versions(build)}}}};
}

std::string version() {
  return build_info().version;
}

std::string version_line(std::string_view mpi) {
  const auto& build = build_info();
  std::string text =
      "steelyard " + build.version + " (" + commit_text(build) + ", " + build.type + ", " + build.compiler;
  if (!mpi.empty()) text += ", " + std::string(mpi);
  for (const auto& [name, version] : build.libraries) text += ", " + name + " " + version;
  return text + ")";
}

record::Document describe_libraries() {
  Json list = Json::object();
  for (const auto& [name, version] : build_info().libraries) list[name] = version;
  list["blas"] = blas();
  list["fft"] = fft();
  return list;
}

record::Document describe_job(std::optional<std::int64_t> tasks) {
  const auto* scheduler = present();
  if (scheduler == nullptr) return {};
  return Json{{"scheduler", scheduler->kind},
              {"id", text(scheduler->id)},
              {"name", text(scheduler->name)},
              {"account", text(scheduler->account)},
              {"partition", text(scheduler->partition)},
              {"nodes", number(scheduler->nodes)},
              {"tasks", tasks ? Json(*tasks) : tasks_of(*scheduler)},
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
  return at ? std::optional(*at - units::unix_now_s()) : std::nullopt;
}

record::Document describe_environment_variables() {
  std::map<std::string, std::string> found;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const auto equals = text.find('=');
    if (equals == std::string_view::npos || !recorded_variable(text.substr(0, equals))) continue;
    found.emplace(valid_utf8(text.substr(0, equals)), without_private(text.substr(equals + 1)));
  }
  Json list = Json::object();
  for (const auto& [name, value] : found) list[name] = value;
  return list;
}

}  // namespace steelyard::machine
