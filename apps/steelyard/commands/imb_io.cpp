// SPDX-License-Identifier: Apache-2.0
#include "imb/front_end.hpp"
#include "imb/words.hpp"

namespace steelyard::cli {
namespace {

constexpr std::string_view imb_io_examples[] = {
    "mpiexec -n 4 steelyard imb-io P_Write_Indv C_Write_Indv",
    "steelyard imb-io -n 2 --io-dir /scratch S_Read_Expl -dropcache",
    "steelyard imb-io --launch 2 -msglog 10:20 P_IWrite_Shared --hint cb_nodes=1"};

}  // namespace

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

}  // namespace steelyard::cli
