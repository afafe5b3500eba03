// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/foundation/threads.hpp"

namespace steelyard::hpcc {

bool has_threads() {
  return false;
}

void call_in_threads(int threads, void (*call)(void*, int), void* body) {
  for (int t = 0; t < threads; ++t) call(body, t);
}

OpenMpFigures openmp_figures(int) {
  return {};
}

}  // namespace steelyard::hpcc
