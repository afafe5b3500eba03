// SPDX-License-Identifier: Apache-2.0
#include "commands/commands.hpp"
#include "hpcc/job.hpp"

namespace steelyard::cli {
namespace {

constexpr std::string_view hpcc_examples[] = {
    "mpiexec -n 8 steelyard hpcc", "steelyard hpcc -n 4 --auto 20%",
    "steelyard hpcc -n 2 --hpcc-n 1000 --only HPL,STREAM --output out.txt"};
constexpr int hpcc_codes[] = {0, 1, 2, 4, 5, 70};

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

}  // namespace steelyard::cli
