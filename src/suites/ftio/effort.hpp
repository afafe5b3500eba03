// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <utility>

namespace steelyard::ftio {

/// What a process does while others wait for it in collective calls: after the first failure it does nothing
/// more with its file, but goes on communicating.
class Effort {
 public:
  /// Unless something has failed before.
  template <class Act>
  void operator()(Act&& act) noexcept {
    if (!failure_) always(std::forward<Act>(act));
  }
  template <class Act>
  void always(Act&& act) noexcept {
    try {
      act();
    } catch (...) {
      if (!failure_) failure_ = std::current_exception();
    }
  }
  [[nodiscard]] bool failed() const { return failure_ != nullptr; }
  [[noreturn]] void rethrow() const { std::rethrow_exception(failure_); }

 private:
  std::exception_ptr failure_;
};

}  // namespace steelyard::ftio
