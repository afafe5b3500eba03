// SPDX-License-Identifier: Apache-2.0
#include "imb/front_end.hpp"
#include "imb/words.hpp"

namespace steelyard::cli {
namespace {

constexpr std::string_view imb_mpi4_examples[] = {
    "mpiexec -n 4 steelyard imb-mpi4 Allreduce_persist Allreduce_persist_pure",
    "steelyard imb-mpi4 -n 4 --progress-calls 10 Alltoall_persist",
    "steelyard imb-mpi4 --launch 4 -msglog 10:20 Bcast_persist --check"};

}  // namespace

const Command imb_mpi4_command{
    .name = "imb-mpi4",
    .section = "Classic programs",
    .summary = "IMB-MPI4: its words, its rules, its text",
    .description =
        "Measures persistent collectives of MPI-4 by the rules of IMB-MPI4 and prints its text: how long each takes "
        "from start to wait alone, how long with a computation of the same length between, and how much of it that "
        "hides. Requests are made and freed outside the clock, which records tell. Words stand in any order; one "
        "dash and two are equal. Without a NAME all benchmarks with a computation are measured.",
    .positional = imb_positional,
    .groups = imb_mpi4_options(),
    .examples = imb_mpi4_examples,
    .exit_codes = imb_exit_codes,
    .see_also = "steelyard help run",
    .dashes = DashStyle::one_or_two,
    .link = "IMB-MPI4",
    .run = run_imb};

}  // namespace steelyard::cli
