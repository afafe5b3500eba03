// SPDX-License-Identifier: Apache-2.0
#include "commands/commands.hpp"
#include "hpcc/hpl_job.hpp"

namespace steelyard::cli {
namespace {

constexpr std::string_view hpl_examples[] = {"mpiexec -n 8 steelyard hpl", "steelyard hpl -n 4 --auto 20%",
                                             "steelyard hpl -n 2 --hpcc-n 1000 --hpl-detail --hpl-timeline"};
constexpr int hpl_codes[] = {0, 1, 2, 4, 5, 70};

}  // namespace

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
