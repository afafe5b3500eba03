// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "machine/build_info.hpp"
#include "machine/directory.hpp"
#include "machine/environment.hpp"
#include "machine/node_counters.hpp"
#include "machine/source.hpp"

/// Findings of doctor, and its sections, each adding its own.
namespace steelyard::machine {

enum class Level { ok, note, warning, problem };

/// One finding of doctor; the same codes are event records of a run.
struct Finding {
  Level level = Level::ok;
  std::string section;  // program, launcher, processors, memory, clock, network, files, power
  std::string code;     // event code; empty for ok lines
  std::string text;
  std::string cure;  // empty if there is none
};

/// Situation of a measurement: processes of so many threads each on this node.
struct Situation {
  int processes_on_node = 1;
  int threads = 1;
  std::vector<Affinity> ranks;         // of this node's ranks when known
  std::filesystem::path io_directory;  // empty: files are not looked at
  /// Time for which other load is watched; zero: not at all.
  std::chrono::milliseconds window{200};
  /// Processes (besides this one) whose run time counts as ours: the other ranks of this node.
  std::vector<int> own_processes;
  /// True if the BLAS that the program was built with computes, as the environment has it; else nothing is
  /// told of its kernel.
  bool linked_blas = true;
};
/// Finds what will disturb the measurement. Reads only; takes the window and some milliseconds. One rank per
/// node calls it while the others wait without running, or are named in own_processes.
[[nodiscard]] std::vector<Finding> examine(const Situation& situation, const Roots& roots = {});

[[nodiscard]] std::string_view text(Level level);

using Findings = std::vector<Finding>;

void examine_build(const BuildInfo& build, Findings& findings);
/// Examines variables that make a BLAS slower than the processor, or run more threads than its limit.
void examine_blas_variables(const Situation& situation, Findings& findings);
/// Examines the load of others while own processes ran for own_s.
void examine_load(const NodeLoad& load, double own_s, Findings& findings);
/// Judges the file system of shared memory by what so many processes of this node need of it.
void judge_shared_memory(const DirectoryFacts& facts, int processes, Findings& findings);
/// Judges a directory by what is known of its file system.
void judge_directory(const DirectoryFacts& facts, Findings& findings);

}  // namespace steelyard::machine
