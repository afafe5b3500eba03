// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include "commands.hpp"
#include "errors.hpp"
#include "imb_job.hpp"
#include "imb_words.hpp"
#include "launch.hpp"

namespace steelyard::cli {
namespace {

int print_list() {
  if (!speaks_for_all()) return exit_code::done;
  for (const imb::Definition& definition : imb::mpi1()) std::cout << definition.name << '\n';
  std::cout << std::flush;
  return exit_code::done;
}

int run_imb_mpi1(const Invocation& invocation) {
  const Values& values = invocation.values;
  if (values.on("list")) return print_list();
  // Names and files are looked at before anything is started.
  static_cast<void>(imb_names(values, imb_settings(values, {}).version));
  if (to_be_launched(invocation)) return launch(invocation, {}, values.word_or("out", ""));
  ImbJob job(invocation);
  return measure(job);
}

constexpr std::string_view examples[] = {
    "mpiexec -n 4 steelyard imb-mpi1 PingPong Allreduce",
    "steelyard imb-mpi1 -n 2 -npmin 2 -msglog 0:10 Sendrecv",
    "steelyard imb-mpi1 --launch 4 -multi 0 -map 2x2 PingPong --out imb-results"};
constexpr int codes[] = {0, 1, 2, 4, 5, 70};

}  // namespace

const Command imb_mpi1_command{
    .name = "imb-mpi1",
    .section = "Seed programs",
    .summary = "IMB-MPI1: its words, its rules, its text",
    .description =
        "Measures point-to-point and collective MPI operations by the rules of IMB-MPI1 and prints its "
        "text. Words stand in any order; one dash and two are equal. Without a NAME the default set is "
        "measured. Records are written only with --out.",
    .positional = {"NAME", Kind::text, Repeat::many,
                   "benchmarks, separated by blanks or commas, in any case"},
    .groups = imb_mpi1_options(),
    .examples = examples,
    .exit_codes = codes,
    .see_also = "steelyard help run",
    .dashes = DashStyle::one_or_two,
    .link = "IMB-MPI1",
    .run = run_imb_mpi1};

}  // namespace steelyard::cli
