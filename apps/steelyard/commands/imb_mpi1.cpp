// SPDX-License-Identifier: Apache-2.0
#include "imb/front_end.hpp"
#include "imb/words.hpp"

namespace steelyard::cli {
namespace {

constexpr std::string_view imb_mpi1_examples[] = {
    "mpiexec -n 4 steelyard imb-mpi1 PingPong Allreduce",
    "steelyard imb-mpi1 -n 2 -npmin 2 -msglog 0:10 Sendrecv",
    "steelyard imb-mpi1 --launch 4 -multi 0 -map 2x2 PingPong --out imb-results"};

}  // namespace

const Command imb_mpi1_command{
    .name = "imb-mpi1",
    .section = "Classic programs",
    .summary = "IMB-MPI1: its words, its rules, its text",
    .description =
        "Measures point-to-point and collective MPI operations by the rules of IMB-MPI1 and prints its "
        "text. Words stand in any order; one dash and two are equal. Without a NAME the default set is "
        "measured. Records are written only with --out.",
    .positional = imb_positional,
    .groups = imb_mpi1_options(),
    .examples = imb_mpi1_examples,
    .exit_codes = imb_exit_codes,
    .see_also = "steelyard help run",
    .dashes = DashStyle::one_or_two,
    .link = "IMB-MPI1",
    .run = run_imb};

}  // namespace steelyard::cli
