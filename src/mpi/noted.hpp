// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

/// Errors are heard of where they are met. What a process calls next may wait for ever for what the failed
/// call left undone, so that its codes would never be looked at. Needs no MPI library.
namespace steelyard::mpi {

/// Called on the thread that met the error; `call` may be empty. Must be quick from its second call on: a
/// loop may meet an error in every turn.
using ErrorListener = void (*)(int code, const char* call) noexcept;

/// Of this process, as its MPI library is; null while nobody listens.
inline std::atomic<ErrorListener> error_listener{nullptr};

[[gnu::cold]] inline void tell_listener(int code, const char* call) noexcept {
  if (const ErrorListener listener = error_listener.load()) listener(code, call);
}

/// Answers the code of a call as it is. Stands in timed regions: the good case is a comparison.
[[nodiscard]] inline int noted(int code, const char* call = "") noexcept {
  if (code != 0) [[unlikely]]
    tell_listener(code, call);
  return code;
}

}  // namespace steelyard::mpi
