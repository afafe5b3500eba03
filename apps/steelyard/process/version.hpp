// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace steelyard::cli {

/// Answer of --version, of --version --verbose (a line for each thing that was chosen or found when the program was
/// built) and of --version --format json, with a line end.
[[nodiscard]] std::string version_text();
[[nodiscard]] std::string version_details();
[[nodiscard]] std::string version_json();

/// First line of the MPI library's version; empty in a build without MPI. Needs no initialisation.
[[nodiscard]] std::string mpi_library();

}  // namespace steelyard::cli
