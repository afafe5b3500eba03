// SPDX-License-Identifier: Apache-2.0
#include "imb/front_end.hpp"
#include "imb/words.hpp"

namespace steelyard::cli {
namespace {

constexpr std::string_view imb_p2p_examples[] = {
    "mpiexec -n 4 steelyard imb-p2p PingPong Stencil2D",
    "steelyard imb-p2p -n 4 -iter 1000,80 -msgwr off -msgrd off Corandom",
    "steelyard imb-p2p --launch 8 -msglog 3:20 -pause 100000 Unirandom --check"};

}  // namespace

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

}  // namespace steelyard::cli
