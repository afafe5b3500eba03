// SPDX-License-Identifier: Apache-2.0
#include "beff/job.hpp"
#include "beff/words.hpp"
#include "commands/commands.hpp"
#include "launch/launch.hpp"

namespace steelyard::cli {
namespace {

int run_b_eff(const Invocation& invocation) {
  BeffJob job(invocation);  // words are looked at before anything is started
  if (to_be_launched(invocation)) return launch(invocation, {}, invocation.values.word_or("out", "")).code;
  return measure(job);
}

constexpr std::string_view b_eff_examples[] = {"mpiexec -n 8 steelyard b-eff",
                                         "steelyard b-eff -n 4 -mem 1024 -f four",
                                         "steelyard b-eff -n 2 -test --out b_eff-results"};
constexpr int b_eff_codes[] = {0, 1, 2, 4, 5, 70};

}  // namespace

const Command b_eff_command{
    .name = "b-eff",
    .section = "Seed programs",
    .summary = "b_eff: effective bandwidth of the network, six files",
    .description =
        "Measures the effective bandwidth b_eff with all processes: 21 message lengths, rings and random "
        "polygons, three methods, three repetitions. One dash and two are equal. The last line of the text "
        "files is also printed on standard error. Afterwards 'gnuplot PREFIX.gps', 'latex PREFIX.tex' and "
        "'dvips PREFIX.dvi' make a report. Records are written only with --out.",
    .positional = {"RESULT", Kind::file, Repeat::once, "prefix of the files, as -f", Presence::optional},
    .groups = beff_options(),
    .examples = b_eff_examples,
    .exit_codes = b_eff_codes,
    .see_also = "steelyard help run",
    .dashes = DashStyle::one_or_two,
    .link = "b_eff",
    .run = run_b_eff};

}  // namespace steelyard::cli
