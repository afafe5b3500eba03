// SPDX-License-Identifier: Apache-2.0
#include "machine/topology.hpp"

namespace steelyard::machine {

std::optional<std::string> topology_xml() {
  return std::nullopt;
}
std::string hwloc_version() {
  return {};
}

}  // namespace steelyard::machine
