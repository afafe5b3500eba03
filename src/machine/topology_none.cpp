// SPDX-License-Identifier: Apache-2.0
#include "machine/topology.hpp"

namespace steelyard::machine {

std::optional<std::string> topology_xml() {
  return std::nullopt;
}

}  // namespace steelyard::machine
