// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace steelyard::mpi {

/// An MPI call returned an error. The only exception thrown for MPI.
class Error : public std::runtime_error {
 public:
  Error(std::string call, int code);
  std::string call;         // "MPI_Send"
  std::string error_class;  // "MPI_ERR_TRUNCATE"
  std::string text;         // MPI_Error_string
  int rank;                 // in MPI_COMM_WORLD
  std::string host;
};

/// Tells the listener (mpi/noted.hpp) and throws.
[[noreturn]] void fail(int code, const char* call);

/// Throws Error unless code is MPI_SUCCESS. Stands in timed regions: the good case is a comparison.
inline void check(int code, const char* call) {
  if (code != 0) [[unlikely]]
    fail(code, call);
}

/// Symbolic name of the class of an error code: "MPI_ERR_NO_SPACE".
[[nodiscard]] std::string class_name(int code);

}  // namespace steelyard::mpi
