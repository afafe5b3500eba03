// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <stdexcept>
#include <string>

namespace steelyard::mpi {

// Errors are reported where they are met. The next call of a process may wait for ever for the failed call,
// so that its code would never be looked at. Needs no MPI library.

/// Function that is called on the thread that met the error; `call` may be empty. Must be quick from its
/// second call on: a loop may meet an error in every turn.
using ErrorListener = void (*)(int code, const char* call) noexcept;

/// Listener of this process, as its MPI library is; null if there is none.
inline std::atomic<ErrorListener> error_listener{nullptr};

[[gnu::cold]] inline void tell_listener(int code, const char* call) noexcept {
  if (const ErrorListener listener = error_listener.load()) listener(code, call);
}

/// Returns the code of a call as it is and tells the listener of an error. Stands in timed regions: the good
/// case is a comparison.
[[nodiscard]] inline int noted(int code, const char* call = "") noexcept {
  if (code != 0) [[unlikely]]
    tell_listener(code, call);
  return code;
}

/// Thrown if an MPI call returned an error. The only exception thrown for MPI.
class Error : public std::runtime_error {
 public:
  Error(std::string call, int code);
  std::string call;         // "MPI_Send"
  std::string error_class;  // "MPI_ERR_TRUNCATE"
  std::string text;         // MPI_Error_string
  int rank;                 // in MPI_COMM_WORLD
  std::string host;
};

/// Tells the listener and throws.
[[noreturn]] void fail(int code, const char* call);

/// Throws Error unless code is MPI_SUCCESS. Stands in timed regions: the good case is a comparison.
inline void check(int code, const char* call) {
  if (code != 0) [[unlikely]]
    fail(code, call);
}

/// Symbolic name of the class of an error code: "MPI_ERR_NO_SPACE".
[[nodiscard]] std::string class_name(int code);

}  // namespace steelyard::mpi
