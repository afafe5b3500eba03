// SPDX-License-Identifier: Apache-2.0
#include "hpcc/words.hpp"
#include "words/checks.hpp"

namespace steelyard::cli {
namespace {

void check_orders(std::string_view word) {
  (void)parse_orders(word);
}

void check_grids(std::string_view word) {
  (void)parse_grids(word);
}

void check_blas(std::string_view word) {
  (void)parse_blas(word);
}

constexpr std::size_t of_the_problem = 5;  // the first

constexpr Option hpcc_options[] = {
    {.name = "hpcc-n",
     .kind = Kind::special,
     .argument = "N[,N]",
     .fallback_text = "from the memory",
     .help = "orders of the linear system, from which the sizes of all tests follow",
     .check = check_orders},
    {.name = "hpcc-nb",
     .kind = Kind::special,
     .argument = "NB[,NB]",
     .fallback_text = "192, with P = 1 128, for small orders 80",
     .help = "block sizes of the matrices",
     .check = check_orders},
    {.name = "hpcc-grid",
     .kind = Kind::special,
     .argument = "PxQ[,PxQ]",
     .fallback_text = "as square as the processes allow",
     .help = "grids of processes",
     .check = check_grids},
    {.name = "blas",
     .kind = Kind::special,
     .argument = "fastest|as-linked|FILE[:KERNEL]",
     .fallback_text = "fastest; as-linked with --base and in hpcc and hpl",
     .help =
         "which BLAS computes DGEMM and HPL: the fastest of those installed and of their kernels for this "
         "processor, by a trial of half a second; the one that the program was built with; or this one",
     .check = check_blas},
    {.name = "blas-trial", .help = "the same as --blas fastest"},
    {.name = "base",
     .help = "the reference's algorithms instead of the best ones that the published rules allow"},
    {.name = "hpcc-strict", .help = "vectors of at most 2^30 elements, as in the reference"},
    {.name = "fft-235", .help = "transforms of lengths with the factors 2, 3 and 5 instead of powers of two"},
    {.name = "repeat",
     .kind = Kind::count,
     .argument = "R",
     .fallback = "3",
     .help =
         "executions of each test of HPC Challenge whose rule does not say how many; of the linear solver 1 "
         "unless this is said",
     .low = 1,
     .high = 1000},
    {.name = "single-rank",
     .kind = Kind::count,
     .argument = "RANK",
     .fallback_text = "drawn by the seed",
     .help = "process that runs the Single tests",
     .low = 0,
     .high = 1 << 24},
    {.name = "ra-time-bound",
     .kind = Kind::duration,
     .fallback = "60s",
     .help = "longest time of one execution of MPIRandomAccess; longer ones do fewer updates"},
    {.name = "ring-patterns",
     .kind = Kind::count,
     .fallback = "30",
     .help = "random rings of the latency test",
     .low = 1,
     .high = 1000},
};

}  // namespace

Group hpcc_problem_group() {
  return {"Problem", std::span(hpcc_options).first(of_the_problem)};
}

Group hpcc_run_group() {
  return {"HPC Challenge", hpcc_options};
}

}  // namespace steelyard::cli
