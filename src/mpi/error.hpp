// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cerrno>
#include <stdexcept>
#include <string>
#include <string_view>

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

/// Name of the call that met the first error since take_noted_call(), in any thread of this process: empty if
/// it was not named, null if there was no error. Where codes alone are handed on, nothing else could say it.
inline std::atomic<const char*> noted_call{nullptr};
inline std::atomic<int> noted_system_error{0};  // errno as that call left it

/// Remembers the call of an error, whose name must be a literal, and tells the listener.
[[gnu::cold]] inline void note(int code, const char* call) noexcept {
  const int left = errno;
  const char* none = nullptr;
  if (noted_call.compare_exchange_strong(none, call)) noted_system_error = left;
  tell_listener(code, call);
}

/// Forgets the call of the first error and returns its name; empty if none is known.
inline const char* take_noted_call() noexcept {
  const char* const call = noted_call.exchange(nullptr);
  return call == nullptr ? "" : call;
}

/// Returns the code of a call as it is and notes an error. Stands in timed regions: the good case is a
/// comparison.
[[nodiscard]] inline int noted(int code, const char* call = "") noexcept {
  if (code != 0) [[unlikely]]
    note(code, call);
  return code;
}

/// Thrown if an MPI call returned an error. The only exception thrown for MPI. A name that is not a function of MPI
/// gives way to the one that the library's text holds, if it does.
class Error : public std::runtime_error {
 public:
  /// `system_error`: errno as the call left it.
  Error(const std::string& call, int code, int system_error = errno);
  std::string call;         // "MPI_Send"
  std::string error_class;  // "MPI_ERR_TRUNCATE"
  std::string text;         // MPI_Error_string without addresses
  int rank;                 // in MPI_COMM_WORLD
  std::string host;
  int system_error;  // tells something of calls on files alone, where the library gives no class

 private:
  Error(const std::string& call, int code, const std::string& told, int system_error);
};

/// Tells the listener and throws. If `call` is not a function of MPI, the noted one stands in its place.
[[noreturn]] void fail(int code, const char* call);

/// Throws Error unless code is MPI_SUCCESS. Stands in timed regions: the good case is a comparison.
inline void check(int code, const char* call) {
  if (code != 0) [[unlikely]]
    fail(code, call);
}

/// Symbolic name of the class of an error code: "MPI_ERR_NO_SPACE".
[[nodiscard]] std::string class_name(int code);

/// A library's text with "0x..." for each address and handle, so that equal errors have equal texts.
[[nodiscard]] std::string without_addresses(std::string_view text);

/// First function of MPI that a library's text names with its arguments: "MPI_Wait" of "internal_Wait(85): MPI_Wait(request=
/// 0x55d5ee829078) failed", as MPICH tells it; empty if there is none. Pure.
[[nodiscard]] std::string function_in(std::string_view text);

}  // namespace steelyard::mpi
