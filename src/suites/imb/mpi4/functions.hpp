// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "suites/imb/named.hpp"

namespace steelyard::imb {

/// The functions of all rows of IMB-MPI4, in their order; none where the MPI library was built without
/// persistent collectives.
[[nodiscard]] std::span<const OpenWorkload> persistent_functions();

/// How the library's persistent collectives begin: "MPI_", "MPIX_"; empty where it has none.
[[nodiscard]] std::string persistent_form();

/// Why they cannot be measured; empty where they can. Once MPI runs, a request of 8 byte is made, started and
/// freed by this process alone: a library may have functions that refuse.
[[nodiscard]] std::string persistent_obstacle();

}  // namespace steelyard::imb
