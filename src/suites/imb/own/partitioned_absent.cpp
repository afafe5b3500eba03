// SPDX-License-Identifier: Apache-2.0
// Stand-ins for messages in parts, where the MPI library has none.
#include "suites/imb/own/compared.hpp"

namespace steelyard::imb {

std::unique_ptr<measure::Workload> open_partitioned(const Point&) {
  return nullptr;
}

std::string partitioned_obstacle() {
  return "this MPI library has no partitioned communication";
}

}  // namespace steelyard::imb
