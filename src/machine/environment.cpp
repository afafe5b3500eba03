// SPDX-License-Identifier: Apache-2.0
#include "machine/environment.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "machine/blas.hpp"
#include "machine/build_info.hpp"
#include "machine/cgroup.hpp"
#include "machine/memory.hpp"
#include "machine/privacy.hpp"
#include "machine/processors.hpp"
#include "machine/scratch.hpp"
#include "machine/source.hpp"
#include "machine/system.hpp"
#include "machine/text.hpp"
#include "units/text.hpp"

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

/// Variables of a batch system by their meaning; nullptr where it has none.
struct Scheduler {
  const char* kind;
  const char* mark;  // set in every job, and nowhere else
  const char* id = mark;
  const char *name = nullptr, *account = nullptr, *partition = nullptr, *nodes = nullptr, *tasks = nullptr;
  const char *end = nullptr, *limit = nullptr, *restarts = nullptr, *node_list = nullptr;
};

constexpr std::array schedulers{
    Scheduler{.kind = "slurm",
              .mark = "SLURM_JOB_ID",
              .name = "SLURM_JOB_NAME",
              .account = "SLURM_JOB_ACCOUNT",
              .partition = "SLURM_JOB_PARTITION",
              .nodes = "SLURM_JOB_NUM_NODES",
              .tasks = "SLURM_NTASKS",
              .end = "SLURM_JOB_END_TIME",
              .restarts = "SLURM_RESTART_COUNT",
              .node_list = "SLURM_JOB_NODELIST"},
    Scheduler{.kind = "flux", .mark = "FLUX_JOB_ID", .nodes = "FLUX_JOB_NNODES", .tasks = "FLUX_JOB_SIZE"},
    // What a batch script starts without Flux knows the number of its instance alone.
    Scheduler{.kind = "flux", .mark = "FLUX_ENCLOSING_ID"},
    Scheduler{.kind = "cobalt",
              .mark = "COBALT_JOBID",
              .account = "COBALT_PROJECT",
              .partition = "COBALT_QUEUE",
              .nodes = "COBALT_JOBSIZE",
              .end = "COBALT_ENDTIME"},
    Scheduler{.kind = "oar",
              .mark = "OAR_JOB_ID",
              .name = "OAR_JOB_NAME",
              .account = "OAR_PROJECT_NAME",
              .limit = "OAR_JOB_WALLTIME_SECONDS"},
    Scheduler{.kind = "pbs",
              .mark = "PBS_JOBID",
              .name = "PBS_JOBNAME",
              .account = "PBS_ACCOUNT",
              .partition = "PBS_QUEUE",
              .nodes = "PBS_NUM_NODES",
              .tasks = "PBS_NP",
              .limit = "PBS_WALLTIME"},
    Scheduler{.kind = "lsf",
              .mark = "LSB_JOBID",
              .name = "LSB_JOBNAME",
              .account = "LSB_PROJECT_NAME",
              .partition = "LSB_QUEUE",
              .tasks = "LSB_DJOB_NUMPROC"},
    Scheduler{.kind = "grid_engine",
              .mark = "SGE_TASK_ID",
              .id = "JOB_ID",
              .name = "JOB_NAME",
              .account = "SGE_ACCOUNT",
              .partition = "QUEUE",
              .nodes = "NHOSTS",
              .tasks = "NSLOTS"},
    Scheduler{.kind = "htcondor", .mark = "_CONDOR_JOB_AD", .id = nullptr, .nodes = "_CONDOR_NPROCS"},
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
  const auto found = std::ranges::find_if(
      schedulers, [](const Scheduler& s) { return filled_variable(s.mark).has_value(); });
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

Json number_or(const char* name, std::optional<int> other) {
  return filled_variable(name) ? number(name) : or_null(other);
}

// mpirun and Hydra start their daemons as a step of Slurm, whose variables the processes then have. Of a heterogeneous
// job the variables may be those of one group.
bool tells_other_tasks() {
  if (filled_variable("SLURM_HET_SIZE")) return true;
  return filled_variable("SLURM_STEP_NUM_TASKS") &&
         (filled_variable("OMPI_COMM_WORLD_SIZE") || filled_variable("HYDI_CONTROL_FD"));
}

Json tasks_of(const Scheduler& scheduler, std::optional<int> slots) {
  if (scheduler.kind != std::string_view("slurm")) return number_or(scheduler.tasks, slots);
  return tells_other_tasks() ? Json() : number(scheduler.tasks);
}

Json recorded_settings() {
  Json list = Json::object();
  for (const char* name : settings)
    if (filled_variable(name)) list[name] = text(name);
  return list;
}

struct ProcessOfJob {
  std::string parent;            // its number
  std::int64_t began_ticks = 0;  // since the machine started
};

// A process that was started with a job's number, "NAME=value", among its variables; nullopt if it was not, or if that
// is not told. Its line is "123 (name) S 45 ...": the name may hold anything, and ends at the last parenthesis.
std::optional<ProcessOfJob> process_of_job(Source& source, const std::string& process,
                                           const std::string& number) {
  constexpr std::size_t parent = 1, began = 19;  // places of fields behind the name
  const auto variables = source.peek("/proc/" + process + "/environ").value_or("");
  const auto all = split(variables, '\0');
  if (std::ranges::find(all, number) == all.end()) return std::nullopt;
  const auto line = source.peek("/proc/" + process + "/stat").value_or("");
  const auto fields = words(std::string_view(line).substr(std::min(line.size(), line.rfind(')') + 1)));
  const auto ticks = fields.size() > began ? whole(fields[began]) : std::nullopt;
  return ticks ? std::optional(ProcessOfJob{std::string(fields[parent]), *ticks}) : std::nullopt;
}

// Seconds since the job began: since the oldest of this process and those above it that belong to the job, its shell.
std::optional<double> running_s(const Scheduler& scheduler, const Roots& roots) {
  Source source(roots);
  const auto number = std::string(scheduler.id) + '=' + filled_variable(scheduler.id).value_or("");
  std::optional<ProcessOfJob> oldest;
  for (auto next = process_of_job(source, "self", number); next;
       next = process_of_job(source, oldest->parent, number))
    oldest = next;
  const auto up = source.peek("/proc/uptime").value_or("");
  const auto now_s = up.empty() ? std::nullopt : decimal(words(up).front());
  if (!oldest || !now_s) return std::nullopt;
  return *now_s - static_cast<double>(oldest->began_ticks) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

std::optional<int> number_above_zero(std::string_view text) {
  const auto value = units::read_number<int>(text);
  return value && *value >= 1 ? value : std::nullopt;
}

std::optional<int> variable_above_zero(const VariableReader& read, const char* name) {
  const auto value = read(name);
  return value ? number_above_zero(*value) : std::nullopt;
}

struct OnNodes {
  int nodes = 0, all = 0;
};

// Slurm's numbers of successive nodes, "16(x2),8" for 16, 16 and 8.
std::optional<OnNodes> on_nodes(const std::optional<std::string>& list) {
  if (!list) return std::nullopt;
  OnNodes sum;
  std::istringstream groups(*list);
  for (std::string group; std::getline(groups, group, ',');) {
    const auto repeated = group.find("(x");
    const bool closed = repeated == std::string::npos || group.ends_with(')');
    const auto each = number_above_zero(std::string_view(group).substr(0, repeated));
    const auto nodes =
        repeated == std::string::npos
            ? std::optional(1)
            : number_above_zero(std::string_view(group).substr(repeated + 2, group.size() - repeated - 3));
    if (!closed || !each || !nodes) return std::nullopt;
    sum.nodes += *nodes;
    sum.all += *each * *nodes;
  }
  return sum.nodes > 0 ? std::optional(sum) : std::nullopt;
}

std::optional<JobNodes> of_slurm(const VariableReader& read) {
  if (!read("SLURM_JOB_ID")) return std::nullopt;
  const auto tasks = on_nodes(read("SLURM_TASKS_PER_NODE"));
  const auto processors = on_nodes(read("SLURM_JOB_CPUS_PER_NODE"));
  JobNodes found;
  found.nodes = variable_above_zero(read, "SLURM_JOB_NUM_NODES").value_or(tasks ? tasks->nodes : 0);
  if (tasks) found.slots = tasks->all;
  if (processors) found.cores = processors->all;
  return found;
}

struct HostLine {
  std::string host;
  std::optional<int> slots;  // that it tells as "slots=4"
};

// Lines of a file of hosts; none if it cannot be read.
std::vector<HostLine> hosts_in(const std::optional<std::string>& name) {
  std::vector<HostLine> hosts;
  std::ifstream file(name.value_or(""));
  for (std::string line; std::getline(file, line);) {
    HostLine found;
    std::istringstream parts(line);
    if (!(parts >> found.host) || found.host.starts_with('#')) continue;
    for (std::string part; parts >> part;)
      if (part.starts_with("slots=")) found.slots = number_above_zero(std::string_view(part).substr(6));
    hosts.push_back(found);
  }
  return hosts;
}

int different_hosts(const std::vector<HostLine>& hosts) {
  std::set<std::string_view> names;
  for (const auto& line : hosts) names.insert(line.host);
  return static_cast<int>(names.size());
}

// A line for every process of the job.
std::optional<JobNodes> of_pbs(const VariableReader& read) {
  const auto hosts = hosts_in(read("PBS_NODEFILE"));
  if (hosts.empty()) return std::nullopt;
  return JobNodes{different_hosts(hosts), static_cast<int>(hosts.size()), std::nullopt};
}

// "node07 16 node08 16".
std::optional<JobNodes> of_lsf(const VariableReader& read) {
  const auto list = read("LSB_MCPU_HOSTS");
  if (!list) return std::nullopt;
  JobNodes found{0, 0, std::nullopt};
  std::istringstream words(*list);
  std::string host, slots;
  while (words >> host >> slots) {
    const auto here = number_above_zero(slots);
    if (!here) return std::nullopt;
    ++found.nodes;
    *found.slots += *here;
  }
  return found.nodes > 0 ? std::optional(found) : std::nullopt;
}

std::optional<JobNodes> of_grid_engine(const VariableReader& read) {
  const auto nodes = variable_above_zero(read, "NHOSTS");
  if (!read("PE_HOSTFILE") || !nodes) return std::nullopt;
  return JobNodes{*nodes, variable_above_zero(read, "NSLOTS"), std::nullopt};
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

std::optional<double> processor_quota(const Roots& roots) {
  Source source(roots);
  return ControlGroups(source).quota_cores();
}

int usable_cores(const Roots& roots) {
  const auto own = static_cast<double>(affinity(roots).cores.size());
  return static_cast<int>(std::max(1.0, std::floor(std::min(own, processor_quota(roots).value_or(own)))));
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

std::optional<std::string> variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

record::Document describe_job(std::optional<std::int64_t> tasks) {
  const auto* scheduler = present();
  if (scheduler == nullptr) return {};
  const auto nodes = nodes_of_job().value_or(JobNodes{});
  return Json{
      {"scheduler", scheduler->kind},
      {"id", text(scheduler->id)},
      {"name", text(scheduler->name)},
      {"account", text(scheduler->account)},
      {"partition", text(scheduler->partition)},
      {"nodes", number_or(scheduler->nodes, nodes.nodes > 0 ? std::optional(nodes.nodes) : std::nullopt)},
      {"tasks", tasks ? Json(*tasks) : tasks_of(*scheduler, nodes.slots)},
      {"node_list", text(scheduler->node_list)},
      {"restarts", number(scheduler->restarts)},
      {"limit_s", number(scheduler->limit)},
      {"left_s", or_null(job_seconds_left())},
      {"settings", recorded_settings()}};
}

std::optional<double> job_seconds_left(const Roots& roots) {
  const auto* scheduler = present();
  if (scheduler == nullptr) return std::nullopt;
  const auto told = [](const char* name) { return decimal(filled_variable(name).value_or("")); };
  if (const auto end = told(scheduler->end)) return *end - units::unix_now_s();
  const auto limit = told(scheduler->limit), running = limit ? running_s(*scheduler, roots) : limit;
  return running ? std::optional(*limit - *running) : std::nullopt;
}

std::optional<JobNodes> nodes_of_job(const VariableReader& read) {
  for (const auto look : {of_slurm, of_pbs, of_lsf, of_grid_engine})
    if (const auto found = look(read)) return found;
  return std::nullopt;
}

std::optional<JobNodes> nodes_of_default_hosts(const VariableReader& read) {
  for (const char* name : {"OMPI_MCA_orte_default_hostfile", "PRTE_MCA_prte_default_hostfile"}) {
    const auto hosts = hosts_in(read(name));
    const int nodes = different_hosts(hosts);
    if (nodes < 2) continue;
    std::optional<int> slots = 0;
    for (const auto& line : hosts)
      slots = slots && line.slots ? std::optional(*slots + *line.slots) : std::nullopt;
    return JobNodes{nodes, slots, {}};
  }
  return std::nullopt;
}

}  // namespace steelyard::machine
