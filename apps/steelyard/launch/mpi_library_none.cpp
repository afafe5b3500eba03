// SPDX-License-Identifier: Apache-2.0
#include "process/version.hpp"

namespace steelyard::cli {

std::string mpi_library() {
  return {};
}

}  // namespace steelyard::cli
