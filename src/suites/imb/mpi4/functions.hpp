// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "suites/imb/named.hpp"

namespace steelyard::imb {

/// Functions of all rows of IMB-MPI4, in their order; empty if the MPI library was built without
/// persistent collectives.
[[nodiscard]] std::span<const OpenWorkload> persistent_functions();

/// Beginning of the names of the library's persistent collectives: "MPI_", "MPIX_"; empty if it has none.
[[nodiscard]] std::string persistent_form();

/// Reason why they cannot be measured; empty if they can. Once MPI runs, a request of 8 byte is made, started
/// and freed by this process alone: a library may have functions that refuse.
[[nodiscard]] std::string persistent_obstacle();

}  // namespace steelyard::imb
