// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "hpcc/front_words.hpp"
#include "hpcc/hpl_job.hpp"
#include "hpcc/hpl_words.hpp"
#include "hpcc/words.hpp"
#include "measuring/compute_threads.hpp"
#include "words/front_end_options.hpp"

namespace steelyard::cli {
namespace {

constexpr Option hpcc_hpl_front_input[] = {
    {.name = "input",
     .kind = Kind::file,
     .fallback_text = "HPL.dat",
     .help = "input file. Options of the groups below stand above its lines"},
    {.name = "auto",
     .kind = Kind::special,
     .argument = "RATIO|SIZE",
     .fallback_text = "50%",
     .help = "derive N, NB and the grid from the processes and this part of the usable memory, or this much "
             "memory of a process",
     .check = check_hpcc_memory,
     .value = Presence::optional},
    {.name = "defaults",
     .help = "the problem that the published suite takes where it finds no input file: 64 MiB of a process, "
             "or what hpccmemf.txt says"},
    {.name = "repeat",
     .kind = Kind::count,
     .argument = "R",
     .fallback = "1",
     .help = "executions of each combination",
     .low = 1,
     .high = 1000},
    threads_option,
};

constexpr Option hpcc_hpl_front_output[] = {
    {.name = "output",
     .kind = Kind::file,
     .fallback_text = "as lines 3 and 4 say",
     .help = "file of the results, which is written anew"},
    front_end_out,
    front_end_label,
};

}  // namespace

std::span<const Group> hpl_front_options() {
  static const std::array groups = {Group{"Input", hpcc_hpl_front_input}, hpcc_problem_group(),
                                    hpl_solver_group(), Group{"Output", hpcc_hpl_front_output},
                                    Group{"Start and talk", front_end_start}};
  return groups;
}

}  // namespace steelyard::cli
