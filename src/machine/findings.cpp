// SPDX-License-Identifier: Apache-2.0
#include "machine/findings.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "machine/blas.hpp"
#include "machine/findings_parts.hpp"
#include "machine/job.hpp"
#include "machine/processors.hpp"
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
  findings.push_back({Level::note, "program", "", "Built without " + join(names, ", ") + ".",
                      "install what you need of them and build again; docs/install.md has the packages"});
}

}  // namespace

std::string_view text(Level level) {
  switch (level) {
    case Level::ok:
      return "ok";
    case Level::note:
      return "note";
    case Level::warning:
      return "warning";
    case Level::problem:
      break;
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
