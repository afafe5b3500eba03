// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "machine/build_info.hpp"
#include "machine/directory.hpp"
#include "machine/findings.hpp"
#include "machine/node_counters.hpp"
#include "machine/source.hpp"

/// Sections of doctor, each adding its findings.
namespace steelyard::machine {

using Findings = std::vector<Finding>;

void examine_build(const BuildInfo& build, Findings& findings);
/// Examines variables that make a BLAS slower than the processor, or run more threads than its limit.
void examine_blas_variables(const Situation& situation, Findings& findings);
/// Examines the kernel of the BLAS that this process has loaded.
void examine_blas_kernel(Source& source, Findings& findings);
/// Tells the batch job of this process, if there is one, and whether its end is known.
void examine_job(Findings& findings);
void examine_processors(Source& source, const Situation& situation, Findings& findings);
/// Examines the load of others while own processes ran for own_s.
void examine_load(const NodeLoad& load, double own_s, Findings& findings);
void examine_load_average(double average, int processes, Findings& findings);
void examine_memory(Source& source, Findings& findings);
/// Judges the file system of shared memory by what so many processes of this node need of it.
void judge_shared_memory(const DirectoryFacts& facts, int processes, Findings& findings);
void examine_clock(Source& source, Findings& findings);
void examine_network(Source& source, Findings& findings);
void examine_files(Source& source, const std::filesystem::path& directory, Findings& findings);
/// Judges a directory by what is known of its file system.
void judge_directory(const DirectoryFacts& facts, Findings& findings);
void examine_power(Source& source, Findings& findings);

}  // namespace steelyard::machine
