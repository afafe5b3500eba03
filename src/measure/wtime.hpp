// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "measure/clock.hpp"

namespace steelyard::measure {

/// Name of this clock in the record, and for calibrate().
inline constexpr const char* wtime_name = "MPI_Wtime";

/// MPI_Wtime in nanoseconds since the first reading by this source, for the literal reproduction of a classic
/// program. May step (MPICH reads the time of day); never global.
class WtimeSource {
 public:
  WtimeSource();
  [[nodiscard]] Ticks now() const noexcept;
  [[nodiscard]] double seconds(Ticks t) const noexcept { return static_cast<double>(t) * 1e-9; }

 private:
  double origin_s_;
};

/// Makes a timer as make_timer, with the kind `mpi` as well. Between initialisation and finalisation of MPI.
/// No communication.
[[nodiscard]] ChosenTimer make_any_timer(ClockKind wanted);

/// Quality of MPI_Wtime for the run record: median cost of a reading, tick claimed by the library,
/// whether it is global.
struct WtimeQuality {
  double cost_s = 0;
  double tick_s = 0;
  bool global = false;
};
[[nodiscard]] WtimeQuality examine_wtime(const Timer& timer);

}  // namespace steelyard::measure
