// SPDX-License-Identifier: Apache-2.0
#include "imb/front_end.hpp"
#include "imb/words.hpp"

namespace steelyard::cli {
namespace {

constexpr std::string_view imb_nbc_examples[] = {"mpiexec -n 4 steelyard imb-nbc Iallreduce Iallreduce_pure",
                                                 "steelyard imb-nbc -n 4 --progress-calls 10 Ialltoall",
                                                 "steelyard imb-nbc --launch 4 -msglog 10:20 Ibcast --check"};

}  // namespace

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

}  // namespace steelyard::cli
