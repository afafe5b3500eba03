// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <utility>

#include "measure/clock.hpp"
#include "suites/ftio/column_file.hpp"

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

/// What one process spent in one phase.
struct PhaseSums {
  double time_s = 0;  // between the barriers
  double io_s = 0, communication_s = 0;
  Traffic traffic;
};

/// Times and counts the calls of one process. Of this process alone.
class Meter {
 public:
  void begin(PhaseSums& sums) { sums_ = &sums; }
  void read(ColumnFile& file, const Pieces& pieces, Complex* to);
  void write(ColumnFile& file, const Pieces& pieces, const Complex* from);
  void sync(ColumnFile& file);
  /// What act() takes is communication.
  template <class Act>
  void communicate(Act&& act) {
    const double start_s = now_s();
    act();
    sums_->communication_s += now_s() - start_s;
  }
  [[nodiscard]] double now_s() const { return clock_.seconds(clock_.now()); }

 private:
  measure::MonoSource clock_;
  PhaseSums* sums_ = nullptr;
};

}  // namespace steelyard::ftio
