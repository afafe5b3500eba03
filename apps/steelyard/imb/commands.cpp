// SPDX-License-Identifier: Apache-2.0
#include "imb/front_end.hpp"
#include "imb/options.hpp"

// Commands of IMB's parts: what each measures, its options and examples of them.
namespace steelyard::cli {
namespace {

constexpr std::string_view imb_mpi1_examples[] = {
    "mpiexec -n 4 steelyard imb-mpi1 PingPong Allreduce",
    "steelyard imb-mpi1 -n 2 -npmin 2 -msglog 0:10 Sendrecv",
    "steelyard imb-mpi1 --launch 4 -multi 0 -map 2x2 PingPong --out imb-results"};

constexpr std::string_view imb_ext_examples[] = {
    "mpiexec -n 2 steelyard imb-ext Unidir_Put Unidir_Get",
    "steelyard imb-ext -n 2 -aggregate_mode non_aggregate Bidir_Put",
    "steelyard imb-ext --launch 4 -multi 0 Accumulate --check"};

constexpr std::string_view imb_io_examples[] = {
    "mpiexec -n 4 steelyard imb-io P_Write_Indv C_Write_Indv",
    "steelyard imb-io -n 2 --io-dir /scratch S_Read_Expl -dropcache",
    "steelyard imb-io --launch 2 -msglog 10:20 P_IWrite_Shared --hint cb_nodes=1"};

constexpr std::string_view imb_nbc_examples[] = {"mpiexec -n 4 steelyard imb-nbc Iallreduce Iallreduce_pure",
                                                 "steelyard imb-nbc -n 4 --progress-calls 10 Ialltoall",
                                                 "steelyard imb-nbc --launch 4 -msglog 10:20 Ibcast --check"};

constexpr std::string_view imb_mpi4_examples[] = {
    "mpiexec -n 4 steelyard imb-mpi4 Allreduce_persist Allreduce_persist_pure",
    "steelyard imb-mpi4 -n 4 --progress-calls 10 Alltoall_persist",
    "steelyard imb-mpi4 --launch 4 -msglog 10:20 Bcast_persist --check"};

constexpr std::string_view mpi4_examples[] = {
    "mpiexec -n 2 steelyard mpi4 PingPong_persist PingPong_part",
    "steelyard mpi4 -n 6 -cart 3x2 Halo_p2p Neighbor_alltoall",
    "steelyard mpi4 --launch 4 -msglog 10:20 Allreduce_init --check"};

constexpr std::string_view imb_rma_examples[] = {
    "mpiexec -n 2 steelyard imb-rma Unidir_put Unidir_get",
    "steelyard imb-rma --launch 4 All_put_all Exchange_put --check",
    "steelyard imb-rma -n 2 -aggregate_mode aggregate --outstanding 64 Accumulate",
    "steelyard imb-rma -n 2 Truly_passive_put -msglog 3:16"};

constexpr std::string_view imb_p2p_examples[] = {
    "mpiexec -n 4 steelyard imb-p2p PingPong Stencil2D",
    "steelyard imb-p2p -n 4 -iter 1000,80 -msgwr off -msgrd off Corandom",
    "steelyard imb-p2p --launch 8 -msglog 3:20 -pause 100000 Unirandom --check"};

constexpr std::string_view imb_mt_examples[] = {
    "mpiexec -n 2 steelyard imb-mt --threads 4 PingPongMT UniBandMT",
    "steelyard imb-mt -n 4 -stride 1 -count 1,1024 SendRecvMT",
    "steelyard imb-mt --launch 2 --threads 2 -datatype char AllReduceMT --check"};

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

const Command imb_ext_command{
    .name = "imb-ext",
    .section = "Classic programs",
    .summary = "IMB-EXT: its words, its rules, its text",
    .description =
        "Measures one-sided communication of MPI by the rules of IMB-EXT and prints its text: transfers completed together (aggregate) and one by one (non-aggregate). Words stand in any order; one dash and two are "
        "equal. "
        "Without a NAME all benchmarks are measured. Records are written only with --out.",
    .positional = imb_positional,
    .groups = imb_ext_options(),
    .examples = imb_ext_examples,
    .exit_codes = imb_exit_codes,
    .see_also = "steelyard help run",
    .dashes = DashStyle::one_or_two,
    .link = "IMB-EXT",
    .run = run_imb};

const Command imb_io_command{
    .name = "imb-io",
    .section = "Classic programs",
    .summary = "IMB-IO: its words, its rules, its text",
    .description =
        "Measures reading and writing of files with MPI by the rules of IMB-IO and prints its text. Files "
        "are made in a "
        "directory of our own below --io-dir and removed at the end. Words stand in any order; one dash and "
        "two are "
        "equal. Without a NAME all benchmarks are measured. Records are written only with --out.",
    .positional = imb_positional,
    .groups = imb_io_options(),
    .examples = imb_io_examples,
    .exit_codes = imb_exit_codes,
    .see_also = "steelyard help doctor",
    .dashes = DashStyle::one_or_two,
    .link = "IMB-IO",
    .run = run_imb};

const Command imb_nbc_command{
    .name = "imb-nbc",
    .section = "Classic programs",
    .summary = "IMB-NBC: its words, its rules, its text",
    .description =
        "Measures non-blocking collectives of MPI by the rules of IMB-NBC and prints its text: how long each takes "
        "alone, how long with a computation of the same length between start and wait, and how much of it that "
        "hides. Words stand in any order; one dash and two are equal. Without a NAME all benchmarks with a "
        "computation are measured. Records are written only with --out.",
    .positional = imb_positional,
    .groups = imb_nbc_options(),
    .examples = imb_nbc_examples,
    .exit_codes = imb_exit_codes,
    .see_also = "steelyard help run",
    .dashes = DashStyle::one_or_two,
    .link = "IMB-NBC",
    .run = run_imb};

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

const Command imb_rma_command{
    .name = "imb-rma",
    .section = "Classic programs",
    .summary = "IMB-RMA: its words, its rules, its text",
    .description =
        "Measures one-sided communication with passive targets by the rules of IMB-RMA and prints its text: put, "
        "get, accumulate, fetch, swap, completed one by one by a flush (non-aggregate) or together (aggregate). "
        "Words stand in any order; one dash and two are equal. Without a NAME all benchmarks of the default set "
        "are measured. Records are written only with --out.",
    .positional = imb_positional,
    .groups = imb_rma_options(),
    .examples = imb_rma_examples,
    .exit_codes = imb_exit_codes,
    .see_also = "steelyard help run",
    .dashes = DashStyle::one_or_two,
    .link = "IMB-RMA",
    .run = run_imb};

const Command imb_p2p_command{
    .name = "imb-p2p",
    .section = "Classic programs",
    .summary = "IMB-P2P: its words, its rules, its text",
    .description =
        "Measures patterns of messages among all processes by the rules of IMB-P2P and prints its text: pairs, random "
        "pairs and rings, grids of neighbours. Words stand in any order; one dash and two are equal, and so are small and capital letters of names. "
        "Without a NAME all benchmarks are measured. Records are written only with --out.",
    .positional = imb_positional,
    .groups = imb_p2p_options(),
    .examples = imb_p2p_examples,
    .exit_codes = imb_exit_codes,
    .see_also = "steelyard help run",
    .dashes = DashStyle::one_or_two,
    .names = NameCase::any,
    .link = "IMB-P2P",
    .run = run_imb};

const Command imb_mt_command{
    .name = "imb-mt",
    .section = "Classic programs",
    .summary = "IMB-MT: its words, its rules, its text",
    .description =
        "Measures what several threads of every process do at the same time, by the rules of IMB-MT, and prints its text. "
        "More than one thread needs MPI_THREAD_MULTIPLE. Words stand in any order; one dash and two are equal. "
        "Without a NAME all benchmarks are measured. Records are written only with --out.",
    .positional = imb_positional,
    .groups = imb_mt_options(),
    .examples = imb_mt_examples,
    .exit_codes = imb_exit_codes,
    .see_also = "steelyard help run",
    .dashes = DashStyle::one_or_two,
    .link = "IMB-MT",
    .run = run_imb};

}  // namespace steelyard::cli
