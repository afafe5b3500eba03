// SPDX-License-Identifier: Apache-2.0
#include "commands/program.hpp"
#include "process/errors.hpp"
#include "process/version.hpp"

namespace steelyard::cli {

std::span<const Command* const> measuring_commands() {
  return {};
}

int explain_failure(const std::string& help_of, bool) {
  return explain_current_exception(help_of);
}

std::string mpi_library() {
  return {};
}

}  // namespace steelyard::cli
