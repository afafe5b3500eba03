// SPDX-License-Identifier: Apache-2.0
#include "mpi/environment.hpp"
#include "process/version.hpp"

namespace steelyard::cli {

std::string mpi_library() {
  return mpi::library_version();
}

}  // namespace steelyard::cli
