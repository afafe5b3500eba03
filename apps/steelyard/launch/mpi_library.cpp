// SPDX-License-Identifier: Apache-2.0
#include "mpi/environment.hpp"
#include "process/version.hpp"
#include "record/value.hpp"

namespace steelyard::cli {

std::string mpi_library() {
  return record::one_line(mpi::library_version());
}

}  // namespace steelyard::cli
