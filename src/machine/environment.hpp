// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "record/records.hpp"

/// Description of this machine and of what will disturb a measurement on it. Nothing here needs MPI or
/// privileges, starts a program, or takes longer than half a second; an unreadable source is null, named in
/// "missing", never a guess.
/// The batch job in which the program runs, as its variables tell it.
namespace steelyard::machine {

/// Files of another machine by their paths there, without links.
using Files = std::map<std::string, std::string, std::less<>>;

/// Paths under which /proc, /sys and /etc are read; tests put a recorded tree there.
struct Roots {
  std::filesystem::path proc = "/proc";
  std::filesystem::path sys = "/sys";
  const Files* files = nullptr;  // read instead of any on disk; borrowed
};

/// Member `machine` of the run record: uname, processor, sockets, cores, threads_per_core, caches, numa,
/// memory_byte, huge pages, kernel settings, virtual_machine, container, frequency policy, limits, power
/// counters, missing.
[[nodiscard]] record::Document describe_machine(const Roots& roots = {});

/// Member `environment`: variables with allow-listed prefixes, never those whose name contains TOKEN, KEY,
/// SECRET, PASS or CRED.
[[nodiscard]] record::Document describe_environment_variables();

/// Member `libraries`: hwloc, zlib, fmt, ... with versions.
[[nodiscard]] record::Document describe_libraries();

/// Member `io` for a directory: file-system type, mount point and options, sizes, free inodes.
[[nodiscard]] record::Document describe_directory(const std::filesystem::path& directory,
                                                  const Roots& roots = {});
/// File system in words: "ext4 (local) mounted at /scratch".
[[nodiscard]] std::string file_system_text(const record::Document& io);

/// Member `program`: name, version, commit, modified, build {type, compiler, flags, libraries}.
[[nodiscard]] record::Document describe_program();
/// Model of this node's processors, as the kernel names it; empty if it does not.
[[nodiscard]] std::string processor_model(const Roots& roots = {});
/// Host name and processor, which tell this machine from others of the same user.
[[nodiscard]] std::string machine_identity(const Roots& roots = {});
[[nodiscard]] std::string version();  // "0.1.0"
/// "steelyard 0.1.0 (commit, Release, GNU 12.2.0, ...)"; mpi = library version or empty.
[[nodiscard]] std::string version_line(std::string_view mpi);

/// Bytes that may still be used; 0 where nothing tells, 1 MiB where nothing is left.
struct UsableMemory {
  /// By all processes of the node together: the least of available memory, that of the NUMA domains of a cpuset, and
  /// cgroup limits (v1, v2, all ancestors) less the used memory. Page caches have no other limits.
  std::int64_t node_byte = 0;
  /// By this process: the limits of its address space and data less what it has of them.
  std::int64_t process_byte = 0;
  /// What each of `sharing` processes of the node may use.
  [[nodiscard]] std::int64_t of_each(int sharing) const;
};
[[nodiscard]] UsableMemory usable_memory(const Roots& roots = {});
/// Memory of this node, used or not: all of it, but not more than the limits of the control group and of the
/// cpuset. 0 if it is not known. The same at every call, so that what is derived from it can be repeated.
[[nodiscard]] std::int64_t node_memory(const Roots& roots = {});
/// Largest last-level cache that this process can reach: its size (0 if not known) and its line; what the processor
/// brings in at once, a line or the pair that it belongs to; the number of that level's caches on the node.
struct Cache {
  std::int64_t size_byte = 0;
  std::int64_t line_byte = 64;
  std::int64_t apart_byte = 64;
  int count = 1;
};
[[nodiscard]] Cache last_level_cache(const Roots& roots = {});
/// Processor time per time that the control groups leave this process and all others of theirs; nullopt: no limit.
[[nodiscard]] std::optional<double> processor_quota(const Roots& roots = {});
/// Physical cores in this process's affinity mask and cgroup quota.
[[nodiscard]] int usable_cores(const Roots& roots = {});
/// Number of the NUMA domain that holds every processor this process may run on; nullopt if it may run on
/// those of several, or if that is not known.
[[nodiscard]] std::optional<int> own_domain(const Roots& roots = {});
/// Number of NUMA domains with processors that this process may run on; 0 if it is not known.
[[nodiscard]] int allowed_domains(const Roots& roots = {});

/// This process's affinity, for the layout. A physical core is named by its lowest logical processor.
struct Affinity {
  std::vector<int> processors;  // logical, ascending
  std::vector<int> cores;       // each distinct core, ascending
};
[[nodiscard]] Affinity affinity(const Roots& roots = {});

/// Removes what is never written, anonymous or not, from the user's input: user name, home directory,
/// addresses in command, configuration, labels and settings. In place; for every run record.
void withhold_private(record::RunRecord& run);
/// Name of this host as the system gives it; empty if it does not.
[[nodiscard]] std::string host_name();

/// Removes what --anonymous forbids: host names, paths, job names; in place. Further records of the run:
/// Anonymous (privacy.hpp).
void anonymise(record::RunRecord& run);

/// Reader of one environment variable; tests hand in their own.
using VariableReader = std::function<std::optional<std::string>(const char*)>;
[[nodiscard]] std::optional<std::string> variable(const char* name);

struct JobNodes {
  int nodes = 0;                    // 0: not known
  std::optional<int> slots, cores;  // of all nodes together
};
/// Nodes of the job: Slurm, PBS (PBS_NODEFILE), LSF or Grid Engine.
[[nodiscard]] std::optional<JobNodes> nodes_of_job(const VariableReader& read = variable);

/// The several hosts of a file that a user or an administrator, or Kubernetes' operator of MPI jobs, has told Open MPI to
/// take. Slots where every line has them: otherwise how many processes a host takes is between the file and the launcher.
[[nodiscard]] std::optional<JobNodes> nodes_of_default_hosts(const VariableReader& read = variable);

/// Member `job` (Slurm, Flux, PBS, LSF, Grid Engine, HTCondor, OAR, Cobalt), null outside a batch system. `tasks`: as the
/// process that started the launcher knows them; without, they are null where Slurm's variables are those of a step of
/// the launcher's daemons.
[[nodiscard]] record::Document describe_job(std::optional<std::int64_t> tasks = std::nullopt);
/// Seconds until the batch system ends this job; nullopt if it does not tell without a foreign program. Where it tells the
/// limit alone (Torque, OAR), since the start of the job's shell.
[[nodiscard]] std::optional<double> job_seconds_left(const Roots& roots = {});

}  // namespace steelyard::machine
