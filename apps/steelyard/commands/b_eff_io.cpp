// SPDX-License-Identifier: Apache-2.0
#include "beffio/job.hpp"
#include "beffio/words.hpp"
#include "commands/commands.hpp"
#include "launch/launch.hpp"

namespace steelyard::cli {
namespace {

int run_b_eff_io(const Invocation& invocation) {
  BeffioJob job(invocation);  // words are looked at before anything is started
  if (to_be_launched(invocation)) return launch(invocation, {}, invocation.values.word_or("out", "")).code;
  return measure(job);
}

constexpr std::string_view b_eff_io_examples[] = {
    "mpiexec -n 8 steelyard b-eff-io -p /scratch", "steelyard b-eff-io -n 4 -N 2,4 -T 1800 -p . -f four",
    "steelyard b-eff-io -n 2 -MB 256 -T 5 -norewrite --out b_eff_io-results"};
constexpr int b_eff_io_codes[] = {0, 1, 2, 4, 5, 70};

}  // namespace

const Command b_eff_io_command{.name = "b-eff-io",
                               .section = "Seed programs",
                               .summary = "b_eff_io: effective I/O bandwidth through MPI-IO, four files",
                               .description =
                                   "Measures the effective I/O bandwidth b_eff_io of a directory: writing, "
                                   "rewriting and reading with five "
                                   "pattern types and 36 patterns in each of several partitions, within a "
                                   "scheduled time. One dash and two are "
                                   "equal. The last line of the text files is also printed on standard "
                                   "output. Afterwards 'gnuplot PREFIX.gps' "
                                   "draws the figures. Records are written only with --out.",
                               .groups = beffio_options(),
                               .examples = b_eff_io_examples,
                               .exit_codes = b_eff_io_codes,
                               .see_also = "steelyard help run",
                               .dashes = DashStyle::one_or_two,
                               .link = "b_eff_io",
                               .run = run_b_eff_io};

}  // namespace steelyard::cli
