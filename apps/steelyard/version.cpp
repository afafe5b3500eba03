// SPDX-License-Identifier: Apache-2.0
#include "version.hpp"

#include "machine/environment.hpp"
#include "record/json.hpp"

namespace steelyard::cli {

std::string version_text() {
  return machine::version_line(mpi_library()) + '\n';
}

std::string version_json() {
  record::Document program = machine::describe_program();
  const std::string library = mpi_library();
  program.json()["mpi"] = library.empty() ? record::Json() : record::Json(library);
  return program.json().dump(2) + '\n';
}

}  // namespace steelyard::cli
