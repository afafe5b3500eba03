// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include "commands/commands.hpp"
#include "errors.hpp"
#include "ftio/job.hpp"
#include "ftio/words.hpp"
#include "launch/launch.hpp"

namespace steelyard::cli {
namespace {

/// Known before anything is started, where it can be.
int processes_here(const Values& values) {
  if (const auto size = launcher_size(); size && under_launcher()) return *size;
  return values.word("launch") ? processes_to_launch(values) : 1;
}

int print_parameters(int processes) {
  if (speaks_for_all()) std::cout << parameter_list(processes) << std::flush;
  return exit_code::done;
}

int run_ftio(const Invocation& invocation) {
  const Values& values = invocation.values;
  if (values.on("processes-check")) return print_parameters(processes_here(values));
  FtioJob job(invocation);  // words are looked at before anything is started
  static_cast<void>(ftio_settings(values, place_here(values, processes_here(values))));
  if (to_be_launched(invocation)) return launch(invocation, {}, values.word_or("out", "")).code;
  return measure(job);
}

constexpr std::string_view ftio_examples[] = {"mpiexec -n 4 steelyard ftio 24 -dir /scratch",
                                         "steelyard ftio -n 4 -size cache -runs 3 -dir . --out ftio-results",
                                         "steelyard ftio -n 4 -sweep 8,16,24 -f sweep",
                                         "steelyard ftio -n 6 -processes-check"};
constexpr int ftio_codes[] = {0, 1, 2, 4, 5, 70};

}  // namespace

const Command ftio_command{
    .name = "ftio",
    .section = "Seed programs",
    .summary = "FTIO: an out-of-core two-dimensional Fourier transform, I/O fraction",
    .description =
        "Transforms a complex matrix that lies on disk, row by row, with little of it in memory: input and "
        "output, "
        "messages and arithmetic alternate. The main result is the I/O fraction, the share of the time that "
        "input and "
        "output take. One dash and two are equal. The report goes to standard output; records are written "
        "only with "
        "--out.",
    .positional = {"PARAMETER", Kind::text, Repeat::once, "the input parameter, as -i", Presence::optional},
    .groups = ftio_options(),
    .examples = ftio_examples,
    .exit_codes = ftio_codes,
    .see_also = "steelyard help run",
    .dashes = DashStyle::one_or_two,
    .link = "ftio",
    .run = run_ftio};

}  // namespace steelyard::cli
