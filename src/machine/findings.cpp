// SPDX-License-Identifier: Apache-2.0
#include "machine/findings.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "machine/blas.hpp"
#include "machine/cgroup.hpp"
#include "machine/memory.hpp"
#include "machine/privacy.hpp"
#include "machine/processors.hpp"
#include "machine/system.hpp"
#include "machine/text.hpp"
#include "units/text.hpp"

namespace steelyard::machine {
namespace {

/// Processors that the ranks may use; this process's own if the ranks are unknown.
std::vector<int> used_processors(const Situation& situation, const Roots& roots) {
  std::set<int> used;
  for (const auto& rank : situation.ranks) used.insert(rank.processors.begin(), rank.processors.end());
  return used.empty() ? affinity(roots).processors : std::vector<int>(used.begin(), used.end());
}

void examine_forced_kernels(Findings& findings) {
  constexpr auto kernel = "makes BLAS use one kernel whatever the processor offers";
  constexpr auto blocks = "makes BLAS choose its blocks for a cache that may not be the processor's";
  for (const char* make : {"OpenBLAS", "MKL", "BLIS"})
    for (const auto name : kernel_variables(make)) {
      const std::string text(name);
      if (!variable(text.c_str())) continue;
      const bool sizes = text.ends_with("_SIZE") || text.ends_with("_FACTOR");
      findings.push_back({Level::note, "program", "blas_environment",
                          text + " " + (sizes ? blocks : kernel) + ".",
                          "unset " + text + " unless that is what you want to measure"});
    }
}

void examine_hidden_features(Findings& findings) {
  if (const auto tunables = variable("GLIBC_TUNABLES");
      tunables && tunables->find("hwcaps") != std::string::npos)
    findings.push_back({Level::note, "program", "blas_environment",
                        "GLIBC_TUNABLES hides processor features from the C library.",
                        "unset GLIBC_TUNABLES"});
}

const std::string* version_listed(const std::vector<std::pair<std::string, std::string>>& list,
                                  std::string_view name) {
  const auto found = std::ranges::find(list, name, &std::pair<std::string, std::string>::first);
  return found == list.end() ? nullptr : &found->second;
}

// Tells the names under which the MPI library had the parts of MPI-4 when the program was configured.
void tell_mpi4(const BuildInfo& build, Findings& findings) {
  const auto* mpi = version_listed(build.options, "MPI");
  if (mpi == nullptr || *mpi == "OFF") return;
  std::string text;
  for (const auto* family : {"persistent collectives", "partitioned communication"}) {
    const auto* form = version_listed(build.libraries, family);
    text += (text.empty() ? "" : ", ") + std::string(family) + ": " + (form == nullptr ? "none" : *form);
  }
  findings.push_back({Level::ok, "program", "", "MPI-4 when it was built: " + text + ".", ""});
}

// Tells the libraries without which the program was built: what it does then is slower, or is not measured.
void tell_missing_libraries(const BuildInfo& build, Findings& findings) {
  std::vector<std::string> names;
  for (const auto& [name, found] : build.options)
    if (found == "no") names.push_back(name);
  if (names.empty()) return;
  findings.push_back({Level::note, "program", "missing_library", "Built without " + join(names, ", ") + ".",
                      "install what you need of them and build again; docs/install.md has the packages"});
}

class Processors {
 public:
  Processors(Source& source, const Situation& situation, Findings& findings)
      : source_(source), situation_(situation), findings_(findings), cores_(source) {
    std::set<int> used;
    for (const auto& rank : situation.ranks) used.insert(rank.processors.begin(), rank.processors.end());
    used_.assign(used.begin(), used.end());
    if (used_.empty()) used_ = allowed_processors(source, cores_);
  }

  void model() {
    const auto name = processor_name(source_);
    const auto named = name.empty() ? "Unknown processor" : name;
    if (cores_.processors().empty()) return add(Level::ok, "", named + ": number of processors unknown.", "");
    std::vector<std::string> parts;
    if (const auto n = cores_.sockets()) parts.push_back(units::counted(*n, "socket"));
    if (const auto n = cores_.cores())
      parts.push_back(units::counted(*n, "core"));
    else
      parts.push_back(units::counted(cores_.processors().size(), "logical processor") +
                      " of an unknown number of cores");
    if (const auto n = cores_.threads_per_core()) parts.push_back(units::counted(*n, "thread") + " per core");
    add(Level::ok, "",
        named + ": " + join(parts, ", ") + "; " +
            (cores_.cores() ? units::counted(cores(), "core") : std::to_string(cores()) + " of them") +
            " usable here.",
        "");
  }
  void oversubscribed() {
    if (cores() == 0 || demand() <= cores()) return;
    const auto fitting = std::max(1, cores() / situation_.threads);
    const bool take_turns = demand() > static_cast<int>(used_.size());
    add(Level::warning, "oversubscribed",
        units::counted(situation_.processes_on_node, "process") + " of " +
            units::counted(situation_.threads, "thread") + " share " + units::counted(cores(), "core") +
            (take_turns ? ": they wait for each other's time slices and latencies change tenfold."
                        : ": hardware threads of a core share its units, none is as fast as alone."),
        "start at most " + units::counted(fitting, "process") + " here, or ask for more cores");
  }
  /// Finds two ranks bound to the same single processor, even if other cores are left.
  void equal_masks() {
    if (demand() > cores()) return;
    std::set<int> taken;
    for (const auto& rank : situation_.ranks) {
      if (rank.processors.size() != 1 || taken.insert(rank.processors.front()).second) continue;
      add(Level::warning, "oversubscribed",
          "Two processes are bound to the same processor " + std::to_string(rank.processors.front()) + ".",
          "let the launcher bind each process to a core of its own");
      return;
    }
  }
  void shared_core() {
    std::set<int> processors;
    std::multiset<int> bound;
    for (const auto& rank : situation_.ranks)
      if (rank.processors.size() == 1 && processors.insert(rank.processors.front()).second)
        bound.insert(cores_.core_of(rank.processors.front()));
    const auto shared = std::ranges::count_if(std::set<int>(bound.begin(), bound.end()),
                                              [&](int core) { return bound.count(core) > 1; });
    if (shared == 0) return;
    add(Level::note, "shared_core",
        "Processes are bound to threads of the same core on " + units::counted(shared, "core") + ".",
        "bind to cores instead of hardware threads");
  }
  void unpinned() {
    const auto wide = std::ranges::count_if(situation_.ranks, [&](const Affinity& rank) {
      return static_cast<int>(cores_.cores_of(rank.processors).size()) > situation_.threads;
    });
    if (wide == 0) return;
    const bool roomy = 4 * demand() <= cores();
    add(roomy ? Level::note : Level::warning, "unpinned",
        units::counted(wide, "process") + " may move between cores during the measurement.",
        "bind processes: --bind-to core (Open MPI), -bind-to core (MPICH), --cpu-bind=cores (srun), or run "
        "--bind core");
  }
  void frequency() {
    const auto found = governors(source_, used_);
    const bool steady = std::ranges::all_of(found, [](const auto& word) { return word == "performance"; });
    if (!steady)
      add(Level::warning, "frequency_scaling",
          "The frequency governor is " + join(found, ", ") +
              ": short measurements run at changing frequencies.",
          "cpupower frequency-set -g performance");
    if (!found.empty() && steady) add(Level::ok, "", "The frequency governor is performance.", "");
    if (boost(source_).value_or(false))
      add(Level::note, "turbo",
          "Cores may run above their base frequency, depending on temperature and on other cores.",
          "for repeatable numbers switch it off: no_turbo of intel_pstate, or boost of cpufreq");
  }
  void simultaneous_threads() {
    const auto active = source_.peek_number("/sys/devices/system/cpu/smt/active");
    const bool on = active ? *active == 1 : cores_.threads_per_core().value_or(1) > 1;
    if (on)
      add(Level::note, "smt_on",
          "Cores run several hardware threads: two processes on one core share its units.",
          "bind to cores, one process each");
  }
  void virtualised() {
    if (!virtual_machine(source_).value_or(false)) return;
    const auto kind = hypervisor(source_);
    add(Level::note, "virtual_machine",
        "This is a virtual machine" + (kind ? " (" + *kind + ")" : std::string()) +
            ": its processors may move and change speed without notice.",
        "repeat with --launches 5 or more before claiming a difference");
  }
  void quota() {
    const auto kind = container(source_);
    const auto quota = ControlGroups(source_).quota_cores();
    if (kind) add(Level::ok, "", "Inside a container (" + *kind + ").", "");
    if (!quota || *quota >= demand()) return;
    add(Level::warning, "container_quota",
        "The control group allows " + units::format_significant(*quota, 3) + " processors' worth of time, " +
            units::counted(demand(), "thread") +
            " will ask for more: they are stopped for parts of every 0.1 s.",
        "raise or remove the quota (docker --cpus, Kubernetes limits), or start fewer processes");
  }
  void isolation() {
    const auto line = source_.text("/proc/cmdline");
    if (!line) return;
    const auto isolates = [](auto word) {
      return word.starts_with("isolcpus=") || word.starts_with("nohz_full=");
    };
    if (std::ranges::any_of(words(*line), isolates)) return;
    add(Level::note, "no_isolation", "No processors are kept free of the kernel's own work.",
        "on machines of your own: kernel parameters isolcpus and nohz_full");
  }
  void time() {
    const auto limit = soft_limit(source_, "Max cpu time");
    if (limit)
      add(Level::note, "",
          "A process may use " + units::format_time(Seconds{static_cast<double>(*limit)}) +
              " of processor time: a longer run is stopped in order.",
          "ulimit -t unlimited, or a queue that allows more");
  }

 private:
  void add(Level level, std::string code, std::string text, std::string cure) {
    findings_.push_back({level, "processors", std::move(code), std::move(text), std::move(cure)});
  }
  [[nodiscard]] int demand() const { return situation_.processes_on_node * situation_.threads; }
  [[nodiscard]] int cores() const { return static_cast<int>(cores_.cores_of(used_).size()); }

  Source& source_;
  const Situation& situation_;
  Findings& findings_;
  Cores cores_;
  std::vector<int> used_;
};

void memory_summary(Source& source, Findings& findings) {
  const auto available = available_memory(source);
  if (!available) return;
  const ControlGroups groups(source);
  const auto limit = groups.memory_limit_byte(), left = groups.memory_left_byte();
  auto text = units::format_rounded_size(Bytes{*available}) + " of memory available";
  if (const int nodes = numa_nodes(source); nodes > 0) text += " on " + units::counted(nodes, "NUMA node");
  if (const auto cpuset = memory_of_cpuset(source))
    text += "; the cpuset allows " + units::format_rounded_size(Bytes{cpuset->all_byte}) + ", " +
            units::format_rounded_size(Bytes{cpuset->available_byte}) + " available";
  if (const auto space = soft_limit(source, "Max address space"))
    text += "; a process may have " + units::format_rounded_size(Bytes{*space}) + " of addresses (ulimit -v)";
  if (limit) text += "; the control group allows " + units::format_rounded_size(Bytes{*limit});
  if (left) text += ", " + units::format_rounded_size(Bytes{std::max<std::int64_t>(*left, 0)}) + " left";
  findings.push_back({Level::ok, "memory", "", text + ".", ""});
}

void swap_in_use(Source& source, Findings& findings) {
  const auto text = source.text("/proc/meminfo").value_or("");
  const auto total = bytes_of_kilobytes(text, "SwapTotal").value_or(0);
  const auto used = total - bytes_of_kilobytes(text, "SwapFree").value_or(total);
  if (used > 0)
    findings.push_back({Level::note, "memory", "swap_in_use",
                        units::format_rounded_size(Bytes{used}) + " of memory are swapped out.",
                        "find out what filled the memory; large working sets may be slowed by swapping"});
}

void transparent_huge_pages(Source& source, Findings& findings) {
  const auto text = source.peek("/sys/kernel/mm/transparent_hugepage/enabled");
  const auto word = text ? chosen(*text).value_or("") : std::string_view();
  if (word == "always")
    findings.push_back(
        {Level::note, "memory", "transparent_hugepage",
         "The kernel makes huge pages by itself: the same buffer may have other pages in another run.",
         "run --huge-pages off or explicit decides it"});
  if (word == "never")
    findings.push_back({Level::note, "memory", "transparent_hugepage",
                        "Huge pages are switched off: large buffers are slowed by address translation.",
                        "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled"});
}

void page_migration(Source& source, Findings& findings) {
  if (numa_nodes(source) < 2 || source.peek_number("/proc/sys/kernel/numa_balancing").value_or(0) == 0)
    return;
  findings.push_back({Level::note, "memory", "numa_balancing",
                      "The kernel moves pages between NUMA nodes while programs run.",
                      "sysctl kernel.numa_balancing=0, and bind processes"});
}

void locked_memory(Source& source, Findings& findings) {
  constexpr std::int64_t enough = std::int64_t{64} << 20;
  const auto limit = soft_limit(source, "Max locked memory");
  if (source.names("/sys/class/infiniband").empty() || !limit || *limit >= enough) return;
  findings.push_back({Level::warning, "memory", "locked_memory",
                      "Only " + units::format_rounded_size(Bytes{*limit}) +
                          " may be locked: the fabric cannot register large buffers.",
                      "ulimit -l unlimited, or memlock in /etc/security/limits.conf"});
}

// Launchers wait for ever where their files are cut off at this limit, or where none is left to open.
void limits_of_files(Source& source, Findings& findings) {
  constexpr std::int64_t enough_byte = std::int64_t{256} << 20, enough_files = 256;
  if (const auto limit = soft_limit(source, "Max file size"); limit && *limit < enough_byte)
    findings.push_back({Level::warning, "files", "",
                        "A file may have " + units::format_rounded_size(Bytes{*limit}) +
                            " at most: launchers may hang, and records and files of benchmarks are cut off.",
                        "ulimit -f unlimited, or fsize in /etc/security/limits.conf"});
  if (const auto limit = soft_limit(source, "Max open files"); limit && *limit < enough_files)
    findings.push_back({Level::warning, "files", "",
                        "A process may open " + std::to_string(*limit) +
                            " files at once: launchers may hang, which need several for every process.",
                        "ulimit -n 1024, or nofile in /etc/security/limits.conf"});
}

std::string port_text(const Json& adapter, const Json& port) {
  return adapter["name"].get<std::string>() + " port " + (port["port"].is_null() ? "?" : port["port"].dump());
}

void examine_port(const Json& adapter, const Json& port, Findings& findings) {
  const bool active = port["state"] == "active";
  const auto rate = port["rate"].is_string() ? ", " + port["rate"].get<std::string>() : std::string();
  if (active)
    findings.push_back({Level::ok, "network", "", port_text(adapter, port) + " is active" + rate + ".", ""});
  else
    findings.push_back({Level::note, "network", "network", port_text(adapter, port) + " is not active.",
                        "check cable and fabric manager if it should be used"});
}

void examine_interface(const Json& interface, Findings& findings) {
  if (interface["state"] != "up") return;
  auto text = "Interface " + interface["name"].get<std::string>() + " is up";
  if (interface["speed_byte_s"].is_number())
    text += ", " + units::format_significant(interface["speed_byte_s"].get<double>() * 8e-9, 3) + " Gbit/s";
  findings.push_back({Level::ok, "network", "", text + ".", ""});
}

void files_medium(const DirectoryFacts& facts, Findings& findings) {
  switch (medium(facts.type)) {
    case Medium::memory:
      findings.push_back(
          {Level::warning, "files", "file_system",
           "The directory lies in memory (" + facts.type + "): I/O results would be those of memory.",
           "choose --io-dir on a disk or a parallel file system"});
      break;
    case Medium::network:
    case Medium::local:
    case Medium::unknown: break;
  }
}

}  // namespace

std::string_view text(Level level) {
  switch (level) {
    case Level::ok: return "ok";
    case Level::note: return "note";
    case Level::warning: return "warning";
    case Level::problem: break;
  }
  return "problem";
}

void examine_build(const BuildInfo& build, Findings& findings) {
  const auto add = [&](std::string text, std::string cure) {
    findings.push_back({Level::warning, "program", "debug_build", std::move(text), std::move(cure)});
  };
  if (!build.optimised)
    add("This program was built without optimisation (" + build.type +
            "): arithmetic and memory results are far too low.",
        "configure with -DCMAKE_BUILD_TYPE=Release");
  if (!build.sanitizers.empty())
    add("This program was built with sanitizers (" + build.sanitizers + "): every result is too low.",
        "configure with -DSTEELYARD_SANITIZE=");
  if (build.optimised && build.sanitizers.empty())
    findings.push_back(
        {Level::ok, "program", "",
         "steelyard " + build.version + ", " + build.type + " build by " + build.compiler + ".", ""});
  tell_mpi4(build, findings);
  tell_missing_libraries(build, findings);
}

void examine_blas_variables(const Situation& situation, Findings& findings) {
  if (situation.linked_blas) examine_forced_kernels(findings);
  examine_hidden_features(findings);
  constexpr std::array counting{"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS",
                                "BLIS_NUM_THREADS", "MKL_NUM_THREADS"};
  for (const char* name : counting) {
    const auto value = variable(name);
    const auto threads = value ? whole(std::string_view(*value).substr(0, value->find(','))) : std::nullopt;
    if (!threads || *threads <= situation.threads) continue;
    findings.push_back({Level::note, "program", "blas_environment",
                        std::string(name) + "=" + std::to_string(*threads) +
                            " lets a library run more threads than the " + std::to_string(situation.threads) +
                            " per process that are counted on.",
                        std::string("set ") + name + "=" + std::to_string(situation.threads)});
  }
}

void examine_load(const NodeLoad& load, double own_s, Findings& findings) {
  constexpr double tolerated_load = 0.02, tolerated_steal = 0.005;
  const auto foreign = foreign_share(load, own_s);
  if (foreign && *foreign > tolerated_load)
    findings.push_back({Level::warning, "processors", "busy_neighbours",
                        "Other processes use " + units::percent(*foreign, 1) + " of the processors' time.",
                        "end them, ask for a node of your own, or wait: run --wait-quiet 10m"});
  const double steal = load.steal_share.value_or(0) - load.resolution;
  if (steal > tolerated_steal)
    findings.push_back({Level::warning, "processors", "steal",
                        "The hypervisor gives " + units::percent(steal, 1) + " of the time to other guests.",
                        "use dedicated virtual processors, or measure at another hour"});
}

void judge_shared_memory(const DirectoryFacts& facts, int processes, Findings& findings) {
  constexpr std::int64_t each_byte = std::int64_t{8} << 20;  // Open MPI 4.1 takes 4 MiB
  const auto warn = [&](const std::string& text, std::string cure) {
    findings.push_back({Level::warning, "memory", "shared_memory", text, std::move(cure)});
  };
  const auto where = "Shared memory (" + facts.path.string() + ") ";
  const std::string then = ": messages within the node take slower ways, or processes fail.";
  if (!facts.writable)
    return warn(where + "is not writable" + then, "mount a tmpfs there that you may write to");
  if (!facts.free_byte || *facts.free_byte >= processes * each_byte) return;
  warn(where + "has " + units::format_rounded_size(Bytes{*facts.free_byte}) + " left for " +
           units::counted(processes, "process") + then,
       "remove files that ended programs have left there, or make it larger (docker --shm-size)");
}

void judge_directory(const DirectoryFacts& facts, Findings& findings) {
  constexpr std::int64_t little = std::int64_t{1} << 30;
  const auto type = facts.type.empty() ? "an unknown file system" : facts.type;
  const auto options = facts.options.empty() ? "" : ", options " + facts.options;
  const auto free = facts.free_byte ? units::format_rounded_size(Bytes{*facts.free_byte}) + " free"
                                    : std::string("free space unknown");
  const auto where = without_private(facts.path.string());
  const auto mounted =
      facts.mount_point.empty() ? std::string() : " mounted at " + without_private(facts.mount_point);
  findings.push_back(
      {Level::ok, "files", "", where + ": " + type + mounted + ", " + free + options + ".", ""});
  files_medium(facts, findings);
  if (facts.free_byte && *facts.free_byte < little)
    findings.push_back({Level::warning, "files", "file_system", "Only " + free + " in " + where + ".",
                        "choose another --io-dir, or make room"});
  // File systems without a limit of files say that they have none at all.
  if (facts.files.value_or(0) > 0 && facts.free_files == 0)
    findings.push_back({Level::warning, "files", "file_system",
                        "No inode is free in " + where + ": no file can be made there.",
                        "choose another --io-dir, or remove files"});
  if (!facts.writable)
    findings.push_back({Level::problem, "files", "file_system", where + " is not writable.",
                        "choose --io-dir where you may create files"});
}

namespace {

void examine_blas_kernel(Source& source, Findings& findings) {
  const auto blas = identify_blas();
  if (!blas) return;
  judge_blas_kernel(*blas, vector_units(source), findings);
}

void examine_job(Findings& findings) {
  const auto document = describe_job();
  const Json& job = document.json();
  if (job.is_null()) return;
  const auto told = [&](const char* member) {
    return job[member].is_null() ? std::string() : job[member].get<std::string>();
  };
  std::string text = told("scheduler") + " job " + told("id");
  if (const auto partition = told("partition"); !partition.empty()) text += " in " + partition;
  for (const auto& [member, one] : {std::pair{"nodes", "node"}, {"tasks", "task"}})
    if (job[member].is_number()) text += ", " + units::counted(job[member].get<std::int64_t>(), one);
  if (job["left_s"].is_number()) {
    const double left_s = job["left_s"].get<double>();
    text += left_s > 0 ? ": its end is in " + units::format_fixed(left_s / 60, 0) + " min."
                       : ": the end that it tells has passed.";
    findings.push_back({Level::ok, "job", "", text, ""});
    return;
  }
  findings.push_back(
      {Level::note, "job", "", text + ": it does not tell when it ends.",
       "run --deadline +50m, with the time that the job has, stops in order before it is killed"});
}

void examine_processors(Source& source, const Situation& situation, Findings& findings) {
  Processors processors(source, situation, findings);
  processors.model();
  processors.oversubscribed();
  processors.equal_masks();
  processors.shared_core();
  processors.unpinned();
  processors.frequency();
  processors.simultaneous_threads();
  processors.virtualised();
  processors.quota();
  processors.isolation();
  processors.time();
}

void examine_load_average(double average, int processes, Findings& findings) {
  if (average <= processes + 0.5) return;
  findings.push_back({Level::warning, "processors", "busy_neighbours",
                      "The load average of the last minute is " + units::format_fixed(average, 2) +
                          ", more than the " + units::counted(processes, "process") + " to measure with.",
                      "wait until the machine is quiet, or run --wait-quiet 10m"});
}

void examine_memory(Source& source, Findings& findings) {
  memory_summary(source, findings);
  swap_in_use(source, findings);
  transparent_huge_pages(source, findings);
  page_migration(source, findings);
  locked_memory(source, findings);
  limits_of_files(source, findings);
}

void examine_clock(Source& source, Findings& findings) {
  constexpr std::array<std::string_view, 4> slow{"hpet", "acpi_pm", "jiffies", "refined-jiffies"};
  const auto clock = source.text("/sys/devices/system/clocksource/clocksource0/current_clocksource");
  if (!clock) return;
  const bool is_slow = std::ranges::find(slow, *clock) != slow.end();
  findings.push_back(
      {is_slow ? Level::warning : Level::ok, "clock", is_slow ? "clock_source" : "",
       "The kernel's clock source is " + *clock + (is_slow ? ": reading it is a slow system call." : "."),
       is_slow ? "look in the kernel's log why tsc was refused; parameter tsc=reliable" : ""});
}

void examine_network(Source& source, Findings& findings) {
  Json machine = Json::object();
  describe_network(source, machine);
  const auto& network = machine["network"];
  for (const auto& adapter : network["infiniband"])
    for (const auto& port : adapter["ports"]) examine_port(adapter, port, findings);
  if (network["interfaces"].is_array())
    for (const auto& interface : network["interfaces"]) examine_interface(interface, findings);
}

void examine_files(Source& source, const std::filesystem::path& directory, Findings& findings) {
  judge_directory(directory_facts(source, directory), findings);
}

void examine_power(Source& source, Findings& findings) {
  const auto zones = energy_zones(source);
  const auto readable = std::ranges::count_if(
      zones, [&](const auto& zone) { return source.peek_number(zone + "/energy_uj").has_value(); });
  if (readable > 0) {
    findings.push_back(
        {Level::ok, "power", "", units::counted(readable, "energy counter") + " readable.", ""});
    return;
  }
  findings.push_back(
      {Level::note, "power", "no_power_counters",
       zones.empty() ? "This machine shows no energy counters." : "Energy counters may not be read.",
       zones.empty() ? "" : "ask the administrator for read access to /sys/class/powercap"});
}

}  // namespace

std::vector<Finding> examine(const Situation& situation, const Roots& roots) {
  Source source(roots);
  Findings findings;
  examine_build(build_info(), findings);
  examine_job(findings);
  examine_blas_variables(situation, findings);
  if (situation.linked_blas) examine_blas_kernel(source, findings);
  examine_processors(source, situation, findings);
  if (situation.window.count() > 0) {
    const auto watched =
        watch_load(situation.window, used_processors(situation, roots), situation.own_processes, roots);
    examine_load(watched.load, watched.own_s, findings);
  }
  const auto average = source.text("/proc/loadavg").value_or("");
  if (const auto parts = words(average); !parts.empty())
    examine_load_average(decimal(parts.front()).value_or(0), situation.processes_on_node, findings);
  examine_memory(source, findings);
  if (source.live())
    judge_shared_memory(directory_facts(source, shared_memory_directory), situation.processes_on_node,
                        findings);
  examine_clock(source, findings);
  examine_network(source, findings);
  if (!situation.io_directory.empty()) examine_files(source, situation.io_directory, findings);
  examine_power(source, findings);
  return findings;
}

}  // namespace steelyard::machine
