// SPDX-License-Identifier: Apache-2.0
#include "imb/front_end.hpp"
#include "imb/words.hpp"

namespace steelyard::cli {
namespace {

constexpr std::string_view imb_rma_examples[] = {
    "mpiexec -n 2 steelyard imb-rma Unidir_put Unidir_get",
    "steelyard imb-rma --launch 4 All_put_all Exchange_put --check",
    "steelyard imb-rma -n 2 -aggregate_mode aggregate --outstanding 64 Accumulate",
    "steelyard imb-rma -n 2 Truly_passive_put -msglog 3:16"};

}  // namespace

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

}  // namespace steelyard::cli
