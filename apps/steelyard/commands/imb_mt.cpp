// SPDX-License-Identifier: Apache-2.0
#include "imb/front_end.hpp"
#include "imb/words.hpp"

namespace steelyard::cli {
namespace {

constexpr std::string_view imb_mt_examples[] = {
    "mpiexec -n 2 steelyard imb-mt --threads 4 PingPongMT UniBandMT",
    "steelyard imb-mt -n 4 -stride 1 -count 1,1024 SendRecvMT",
    "steelyard imb-mt --launch 2 --threads 2 -datatype char AllReduceMT --check"};

}  // namespace

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
