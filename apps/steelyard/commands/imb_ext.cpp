// SPDX-License-Identifier: Apache-2.0
#include "imb/front_end.hpp"
#include "imb/words.hpp"

namespace steelyard::cli {
namespace {

constexpr std::string_view imb_ext_examples[] = {
    "mpiexec -n 2 steelyard imb-ext Unidir_Put Unidir_Get",
    "steelyard imb-ext -n 2 -aggregate_mode non_aggregate Bidir_Put",
    "steelyard imb-ext --launch 4 -multi 0 Accumulate --check"};

}  // namespace

const Command imb_ext_command{
    .name = "imb-ext",
    .section = "Classic programs",
    .summary = "IMB-EXT: its words, its rules, its text",
    .description =
        "Measures one-sided communication of MPI by the rules of IMB-EXT and prints its text: transfers "
        "completed "
        "together (aggregate) and one by one (non-aggregate). Words stand in any order; one dash and two are "
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

}  // namespace steelyard::cli
