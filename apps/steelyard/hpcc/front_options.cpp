// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "hpcc/front_words.hpp"
#include "hpcc/hpl_words.hpp"
#include "hpcc/words.hpp"
#include "measuring/compute_threads.hpp"
#include "words/front_end_options.hpp"

namespace steelyard::cli {
namespace {

constexpr Option hpcc_front_input[] = {
    {.name = "input",
     .kind = Kind::file,
     .fallback_text = "hpccinf.txt",
     .help = "input file; an HPL.dat will do. Options of the groups below stand above its lines"},
    {.name = "auto",
     .kind = Kind::special,
     .argument = "RATIO|SIZE",
     .fallback_text = "50%",
     .help = "derive N, NB and the grid from the processes and this part of the usable memory, or this much "
             "memory of a process, for the matrix of the linear solver",
     .check = check_hpcc_memory,
     .value = Presence::optional},
    {.name = "defaults",
     .help = "the problem that the published suite takes where it finds no input file: 64 MiB of a process, "
             "or what hpccmemf.txt says"},
};

constexpr Option hpcc_front_what[] = {
    {.name = "only",
     .kind = Kind::special,
     .argument = "LIST",
     .help = "these tests: names as in the sections of the output, or HPL DGEMM PTRANS STREAM RandomAccess "
             "FFT LatBw",
     .check = check_hpcc_tests,
     .repeat = Repeat::many},
    {.name = "skip",
     .kind = Kind::special,
     .argument = "LIST",
     .help = "all but these tests",
     .check = check_hpcc_tests,
     .repeat = Repeat::many},
    {.name = "random-generator",
     .kind = Kind::word,
     .fallback = "both",
     .help = "of RandomAccess",
     .words = "polynomial lcg both"},
    {.name = "optimized", .help = "the best algorithms that the published rules allow; the default"},
    {.name = "seed",
     .kind = Kind::count,
     .fallback = "1",
     .help = "of what is drawn: matrices of DGEMM, placements, rings, the rank of the Single tests",
     .low = 0,
     .high = (std::int64_t{1} << 53) - 1},
    threads_option,
};

constexpr Option hpcc_front_output[] = {
    {.name = "output",
     .kind = Kind::file,
     .fallback = "hpccoutf.txt",
     .help = "text with all sections and the Summary; a run is appended"},
    {.name = "truncate", .help = "begin the text anew"},
    front_end_out,
    front_end_label,
};

}  // namespace

std::span<const Group> hpcc_front_options() {
  static const std::array groups = {Group{"Input", hpcc_front_input},
                                    Group{"What is measured", hpcc_front_what},
                                    hpcc_run_group(),
                                    hpl_group(),
                                    Group{"Output", hpcc_front_output},
                                    Group{"Start and talk", front_end_start}};
  return groups;
}

}  // namespace steelyard::cli
