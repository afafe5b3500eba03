// SPDX-License-Identifier: Apache-2.0
#include "imb/front_end.hpp"
#include "imb/words.hpp"

namespace steelyard::cli {
namespace {

constexpr std::string_view mpi4_examples[] = {
    "mpiexec -n 2 steelyard mpi4 PingPong_persist PingPong_part",
    "steelyard mpi4 -n 6 -cart 3x2 Halo_p2p Neighbor_alltoall",
    "steelyard mpi4 --launch 4 -msglog 10:20 Allreduce_init --check"};

}  // namespace

const Command mpi4_command{
    .name = "mpi4",
    .section = "Classic programs",
    .summary = "requests, parts and neighbours of MPI-4, in the text of IMB",
    .description =
        "Measures what no program of IMB does: messages by persistent requests beside the same messages without, what "
        "making the request of a collective costs and after how many executions it has paid for itself, messages in "
        "parts and how many of them leave while the rest is computed, collectives of neighbours beside messages to the "
        "same neighbours. Words and text are those of IMB. Without a NAME all benchmarks but two are measured, as far "
        "as the MPI library has their functions.",
    .positional = imb_positional,
    .groups = own_mpi4_options(),
    .examples = mpi4_examples,
    .exit_codes = imb_exit_codes,
    .see_also = "steelyard help run",
    .dashes = DashStyle::one_or_two,
    .run = run_imb};

}  // namespace steelyard::cli
