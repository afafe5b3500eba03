// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "machine/cgroup.hpp"
#include "machine/findings_parts.hpp"
#include "machine/processors.hpp"
#include "machine/system.hpp"
#include "machine/text.hpp"
#include "units/text.hpp"

namespace steelyard::machine {

namespace {

class Processors {
 public:
  Processors(Source& source, const Situation& situation, Findings& findings)
      : source_(source), situation_(situation), findings_(findings), cores_(source) {
    std::set<int> used;
    for (const auto& rank : situation.ranks) used.insert(rank.processors.begin(), rank.processors.end());
    used_.assign(used.begin(), used.end());
    if (used_.empty()) used_ = allowed_processors(source, cores_);
  }

  void model();
  void oversubscribed();
  void equal_masks();
  void shared_core();
  void unpinned();
  void frequency();
  void simultaneous_threads();
  void virtualised();
  void quota();
  void isolation();

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

void Processors::model() {
  const auto name = processor_name(source_);
  std::vector<std::string> parts;
  if (const auto n = cores_.sockets()) parts.push_back(counted(*n, "socket"));
  if (const auto n = cores_.cores())
    parts.push_back(counted(*n, "core"));
  else
    parts.push_back(counted(static_cast<int>(cores_.processors().size()), "logical processor") +
                    " of an unknown number of cores");
  if (const auto n = cores_.threads_per_core()) parts.push_back(counted(*n, "thread") + " per core");
  add(Level::ok, "",
      (name.empty() ? "Unknown processor" : name) + ": " + join(parts, ", ") + "; " +
          (cores_.cores() ? counted(cores(), "core") : std::to_string(cores()) + " of them") +
          " usable here.",
      "");
}

void Processors::oversubscribed() {
  if (demand() <= cores()) return;
  const auto fitting = std::max(1, cores() / situation_.threads);
  add(Level::warning, "oversubscribed",
      counted(situation_.processes_on_node, "process") + " of " + counted(situation_.threads, "thread") +
          " share " + counted(cores(), "core") +
          ": they wait for each other's time slices and latencies change tenfold.",
      "start at most " + counted(fitting, "process") + " here, or ask for more cores");
}

/// Two ranks bound to the very same single processor, however many cores are left.
void Processors::equal_masks() {
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

void Processors::shared_core() {
  std::set<int> processors;
  std::multiset<int> bound;
  for (const auto& rank : situation_.ranks)
    if (rank.processors.size() == 1 && processors.insert(rank.processors.front()).second)
      bound.insert(cores_.core_of(rank.processors.front()));
  const auto shared = std::ranges::count_if(std::set<int>(bound.begin(), bound.end()),
                                            [&](int core) { return bound.count(core) > 1; });
  if (shared == 0) return;
  add(Level::note, "shared_core",
      "Processes are bound to threads of the same core on " + counted(shared, "core") + ".",
      "bind to cores instead of hardware threads");
}

void Processors::unpinned() {
  const auto wide = std::ranges::count_if(situation_.ranks, [&](const Affinity& rank) {
    return static_cast<int>(cores_.cores_of(rank.processors).size()) > situation_.threads;
  });
  if (wide == 0) return;
  const bool roomy = 4 * demand() <= cores();
  add(roomy ? Level::note : Level::warning, "unpinned",
      counted(wide, "process") + " may move between cores during the measurement.",
      "bind processes: --bind-to core (Open MPI), -bind-to core (MPICH), --cpu-bind=cores (srun), or run "
      "--bind core");
}

void Processors::frequency() {
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

void Processors::simultaneous_threads() {
  const auto active = source_.peek_number("/sys/devices/system/cpu/smt/active");
  const bool on = active ? *active == 1 : cores_.threads_per_core().value_or(1) > 1;
  if (on)
    add(Level::note, "smt_on",
        "Cores run several hardware threads: two processes on one core share its units.",
        "bind to cores, one process each");
}

void Processors::virtualised() {
  if (!virtual_machine(source_).value_or(false)) return;
  const auto kind = hypervisor(source_);
  add(Level::note, "virtual_machine",
      "This is a virtual machine" + (kind ? " (" + *kind + ")" : std::string()) +
          ": its processors may move and change speed without notice.",
      "repeat with --launches 5 or more before claiming a difference");
}

void Processors::quota() {
  const auto kind = container(source_);
  const auto quota = ControlGroups(source_).quota_cores();
  if (kind) add(Level::ok, "", "Inside a container (" + *kind + ").", "");
  if (!quota || *quota >= demand()) return;
  add(Level::warning, "container_quota",
      "The control group allows " + units::format_significant(*quota, 3) + " processors' worth of time, " +
          counted(demand(), "thread") + " will ask for more: they are stopped for parts of every 0.1 s.",
      "raise or remove the quota (docker --cpus, Kubernetes limits), or start fewer processes");
}

void Processors::isolation() {
  const auto line = source_.text("/proc/cmdline");
  if (!line) return;
  const auto isolates = [](auto word) {
    return word.starts_with("isolcpus=") || word.starts_with("nohz_full=");
  };
  if (std::ranges::any_of(words(*line), isolates)) return;
  add(Level::note, "no_isolation", "No processors are kept free of the kernel's own work.",
      "on machines of your own: kernel parameters isolcpus and nohz_full");
}

}  // namespace

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
}

void examine_load(const NodeLoad& load, double own_s, Findings& findings) {
  constexpr double tolerated_load = 0.02, tolerated_steal = 0.005;
  const auto foreign = foreign_share(load, own_s);
  if (foreign && *foreign > tolerated_load)
    findings.push_back({Level::warning, "processors", "busy_neighbours",
                        "Other processes use " + percent(*foreign) + " of the processors' time.",
                        "end them, ask for a node of your own, or wait: run --wait-quiet 10m"});
  const double steal = load.steal_share.value_or(0) - load.resolution;
  if (steal > tolerated_steal)
    findings.push_back({Level::warning, "processors", "steal",
                        "The hypervisor gives " + percent(steal) + " of the time to other guests.",
                        "use dedicated virtual processors, or measure at another hour"});
}

void examine_load_average(double average, int processes, Findings& findings) {
  if (average <= processes + 0.5) return;
  findings.push_back({Level::warning, "processors", "busy_neighbours",
                      "The load average of the last minute is " + units::format_fixed(average, 2) +
                          ", more than the " + counted(processes, "process") + " to measure with.",
                      "wait until the machine is quiet, or run --wait-quiet 10m"});
}

}  // namespace steelyard::machine
