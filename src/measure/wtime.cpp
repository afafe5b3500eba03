// SPDX-License-Identifier: Apache-2.0
#include "measure/wtime.hpp"

#include <mpi.h>

#include <vector>

#include "stats/order.hpp"

namespace steelyard::measure {
namespace {

constexpr int groups = 101;
constexpr int reads = 200;

bool wtime_is_global() {
  const int* value = nullptr;
  int found = 0;
  const int code = MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, static_cast<void*>(&value), &found);
  return code == MPI_SUCCESS && found != 0 && *value != 0;
}

}  // namespace

WtimeSource::WtimeSource() : origin_s_(MPI_Wtime()) {}

Ticks WtimeSource::now() const noexcept {
  return static_cast<Ticks>((MPI_Wtime() - origin_s_) * 1e9);
}

ChosenTimer make_any_timer(ClockKind wanted) {
  if (wanted != ClockKind::mpi) return make_timer(wanted);
  ChosenTimer chosen;
  chosen.timer = std::make_unique<TimerOf<WtimeSource>>();
  chosen.kind = ClockKind::mpi;
  chosen.source = wtime_name;
  return chosen;
}

WtimeQuality examine_wtime(const Timer& timer) {
  std::vector<double> costs;
  volatile double sink = 0;
  for (int g = 0; g < groups; ++g) {
    const Ticks before = timer.now();
    for (int i = 0; i < reads; ++i) sink = MPI_Wtime();
    costs.push_back(timer.seconds(timer.now() - before) / reads);
  }
  static_cast<void>(sink);
  return {stats::median(std::move(costs)), MPI_Wtick(), wtime_is_global()};
}

}  // namespace steelyard::measure
