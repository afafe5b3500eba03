// SPDX-License-Identifier: Apache-2.0
// Stand-ins for persistent collectives, where the MPI library has none.
#include "suites/imb/own/compared.hpp"
#include "suites/imb/own/neighbours.hpp"
#include "suites/imb/workloads.hpp"

namespace steelyard::imb {

std::unique_ptr<measure::Workload> open_made_collective(const Point&) {
  return nullptr;
}

std::unique_ptr<measure::Workload> open_persistent_neighbours(const Point&) {
  return nullptr;
}

std::string persistent_neighbours_obstacle() {
  return "this MPI library has no persistent collectives of neighbours";
}

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
