// SPDX-License-Identifier: Apache-2.0
#include "measure/clock.hpp"

#include <time.h>

#include <stdexcept>

#include "measure/counter.hpp"

namespace steelyard::measure {
namespace {

constexpr double raw_may_cost = 1.5;  // times the cost of the adjusted clock

template <clockid_t clock>
Ticks read_clock() noexcept {
  timespec now{};
  clock_gettime(clock, &now);
  return Ticks{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

struct CounterSource {
  double seconds_per_tick = 0;
  [[nodiscard]] Ticks now() const noexcept { return read_counter(); }
  [[nodiscard]] double seconds(Ticks t) const noexcept { return static_cast<double>(t) * seconds_per_tick; }
};

ChosenTimer raw_timer() {
  return {std::make_unique<TimerOf<RawSource>>(), ClockKind::raw, {}, "clock_gettime(CLOCK_MONOTONIC_RAW)"};
}

ChosenTimer mono_timer() {
  return {std::make_unique<TimerOf<MonoSource>>(), ClockKind::mono, {}, "clock_gettime(CLOCK_MONOTONIC)"};
}

ChosenTimer automatic_timer() {
  ChosenTimer raw = raw_timer(), mono = mono_timer();
  const double raw_s = calibrate(*raw.timer, raw.source).cost_s;
  const double mono_s = calibrate(*mono.timer, mono.source).cost_s;
  return raw_s <= raw_may_cost * mono_s ? std::move(raw) : std::move(mono);
}

ChosenTimer counter_timer() {
  const CounterSurvey survey = survey_counter();
  if (auto why = objection(survey.facts)) {
    ChosenTimer other = automatic_timer();
    other.fallback = std::move(*why);
    return other;
  }
  return {std::make_unique<TimerOf<CounterSource>>(CounterSource{1 / survey.hz}),
          ClockKind::tsc,
          {},
          std::string(counter_name())};
}

}  // namespace

Ticks RawSource::now() const noexcept {
  return read_clock<CLOCK_MONOTONIC_RAW>();
}
Ticks MonoSource::now() const noexcept {
  return read_clock<CLOCK_MONOTONIC>();
}

ChosenTimer make_timer(ClockKind wanted) {
  switch (wanted) {
    case ClockKind::automatic:
      return automatic_timer();
    case ClockKind::raw:
      return raw_timer();
    case ClockKind::mono:
      return mono_timer();
    case ClockKind::tsc:
      return counter_timer();
    case ClockKind::mpi:
      break;
  }
  throw std::invalid_argument("the clock of MPI belongs to the measuring half");
}

}  // namespace steelyard::measure
