// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "measure/clock.hpp"
#include "suites/ftio/column_file.hpp"

namespace steelyard::ftio {

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
