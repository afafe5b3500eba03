// SPDX-License-Identifier: Apache-2.0
#include "commands/commands.hpp"
#include "hpcc/job.hpp"

namespace steelyard::cli {
namespace {

constexpr std::string_view hpcc_examples[] = {
    "mpiexec -n 8 steelyard hpcc", "steelyard hpcc -n 4 --auto 20%",
    "steelyard hpcc -n 2 --hpcc-n 1000 --only HPL,STREAM --output out.txt"};
constexpr int hpcc_codes[] = {0, 1, 2, 4, 5, 70};

constexpr std::string_view hpl_examples[] = {"mpiexec -n 8 steelyard hpl", "steelyard hpl -n 4 --auto 20%",
                                             "steelyard hpl -n 2 --hpcc-n 1000 --hpl-detail --hpl-timeline"};
constexpr int hpl_codes[] = {0, 1, 2, 4, 5, 70};

}  // namespace

const Command hpcc_command{
    .name = "hpcc",
    .section = "Classic programs",
    .summary = "HPC Challenge: input file hpccinf.txt, results in hpccoutf.txt",
    .description =
        "Runs HPC Challenge by the lines of hpccinf.txt in the working directory and appends sections and "
        "Summary to hpccoutf.txt, each section when its test has ended. A line that is wrong ends the "
        "program before anything is run; all faults are told. Exit code 0 says that Success is 1. Records "
        "are "
        "written only with --out.",
    .groups = hpcc_front_options(),
    .examples = hpcc_examples,
    .exit_codes = hpcc_codes,
    .see_also = "steelyard help run",
    .dashes = DashStyle::one_or_two,
    .link = "hpcc",
    .run = run_front_end<HpccJob>};

const Command hpl_command{.name = "hpl",
                          .section = "Classic programs",
                          .summary = "the linear solver of HPC Challenge alone: input file HPL.dat",
                          .description =
                              "Runs every combination that HPL.dat in the working directory lists, and "
                              "writes a row with rate and residual "
                              "for each, in the form of HPL 2.3, where lines 3 and 4 of the file say: on "
                              "standard output, on standard error "
                              "or into a file. A line that is wrong ends the program before anything is run; "
                              "all faults are told. Exit code "
                              "0 says that all residuals passed. Records are written only with --out.",
                          .groups = hpl_front_options(),
                          .examples = hpl_examples,
                          .exit_codes = hpl_codes,
                          .see_also = "steelyard help hpcc",
                          .dashes = DashStyle::one_or_two,
                          .link = "hpl",
                          .run = run_front_end<HplJob>};

}  // namespace steelyard::cli
