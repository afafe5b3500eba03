// SPDX-License-Identifier: Apache-2.0
#include <omp.h>

#include "suites/hpcc/foundation/threads.hpp"

namespace steelyard::hpcc {

bool has_threads() {
  return true;
}

void call_in_threads(int threads, void (*call)(void*, int), void* body) {
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int t = 0; t < threads; ++t) call(body, t);
}

OpenMpFigures openmp_figures(int threads) {
  OpenMpFigures figures{.version = _OPENMP};
#pragma omp parallel num_threads(threads)
#pragma omp single
  {
    figures.num_threads = omp_get_num_threads();
    figures.max_threads = omp_get_max_threads();
    figures.num_procs = omp_get_num_procs();
  }
  return figures;
}

}  // namespace steelyard::hpcc
