// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "measuring/measured_suite.hpp"
#include "options/option_table.hpp"
#include "options/resolve.hpp"
#include "options/values.hpp"
#include "suites/imb/settings.hpp"

/// The command line of the IMB front-ends: their option table, and what its words mean.
/// Source: docs/suites/imb-mpi1.md and its neighbours.
namespace steelyard::cli {

/// Groups of the front-ends.
extern const std::span<const Group> imb_mpi1_options, imb_ext_options, imb_io_options, imb_nbc_options,
    imb_mpi4_options, own_mpi4_options, imb_rma_options, imb_p2p_options, imb_mt_options;

/// Settings that the words ask for; a part without an option keeps its default. `cache` is what -off_cache -1
/// stands for. Throws UsageError (files included).
[[nodiscard]] imb::Settings imb_settings(const imb::Part& part, const Values& values,
                                         const measure::OffCache& cache);

/// The rule set that the words ask for; parts without a choice have one.
[[nodiscard]] imb::Version rule_set(const Values& values);

/// Sets which features that a part measures the MPI library has.
void set_library(const imb::Part& part, imb::Settings& settings);

/// Threads of each process in imb-mt: --threads, OMP_NUM_THREADS, or 1; 1 if the level allows no more.
/// Throws UsageError.
[[nodiscard]] int threads_of_mt(const Values& values);

/// Plan of imb-mpi1 and its kin. Throws UsageError.
[[nodiscard]] Prepared prepare_imb(const Invocation& invocation, const Place& place);

/// The part that this front-end measures.
[[nodiscard]] const imb::Part& imb_part(const Invocation& invocation);

/// Benchmarks in the order of the run: names given, then those of -input files, or the default set; without
/// those of -exclude; those of -include in front. Throws UsageError with all unknown names.
[[nodiscard]] std::vector<std::string> imb_names(const imb::Part& part, const Values& values,
                                                 imb::Version version);

/// Whether the user has named benchmarks: by words, files or -include.
[[nodiscard]] bool names_given(const Values& values);

/// Lengths of a -msglen file, in the order given. Throws UsageError with file and line.
[[nodiscard]] std::vector<Bytes> read_lengths(const std::string& file);

/// Benchmark name of an -input file with its place ("FILE:LINE").
struct PlacedName {
  std::string name, place;
};
/// Names of an -input file. Throws UsageError.
[[nodiscard]] std::vector<PlacedName> read_names(const std::string& file);

/// Throws UsageError if -stride is not below the number of processes: a partner is another process.
void check_stride_fits(const imb::Settings& settings, int processes);

/// Throws UsageError with the divisors of `processes` if -map does not number all processes.
void check_map_fits(const imb::Settings& settings, int processes, const std::string& option);

extern const MeasuredSuite measured_imb_mpi1, measured_imb_ext, measured_imb_io, measured_imb_nbc,
    measured_imb_mpi4, measured_imb_rma, measured_imb_p2p, measured_imb_mt, measured_mpi4;
extern const Command imb_mpi1_command, imb_ext_command, imb_io_command, imb_nbc_command, imb_mpi4_command,
    imb_rma_command, imb_p2p_command, imb_mt_command, mpi4_command;

}  // namespace steelyard::cli
