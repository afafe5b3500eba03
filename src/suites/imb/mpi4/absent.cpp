// SPDX-License-Identifier: Apache-2.0
// Stand-ins for the benchmarks, where the MPI library has nothing to measure.
#include "suites/imb/mpi4/functions.hpp"

namespace steelyard::imb {

std::span<const OpenWorkload> persistent_functions() {
  return {};
}

std::string persistent_form() {
  return {};
}

std::string persistent_obstacle() {
  return "this MPI library has no persistent collectives";
}

}  // namespace steelyard::imb
