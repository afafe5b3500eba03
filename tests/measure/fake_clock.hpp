// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "measure/clock.hpp"

/// A clock, an operation and a synchroniser whose costs are scripted; all share one time.
namespace steelyard::measure::fake {

/// Nanoseconds that pass only when somebody spends them.
struct Time {
  Ticks at = 0;
  Ticks read_cost = 0;
  Ticks step = 1;
  std::map<std::uint64_t, Ticks> detours;  // by number of the read: extra time before it
  std::uint64_t reads = 0;
};

/// A read returns the time at its end, rounded down to the step.
struct Source {
  Time* time;
  [[nodiscard]] Ticks now() const noexcept {
    const auto detour = time->detours.find(time->reads++);
    time->at += time->read_cost + (detour == time->detours.end() ? 0 : detour->second);
    return time->at / time->step * time->step;
  }
  [[nodiscard]] double seconds(Ticks ticks) const noexcept { return static_cast<double>(ticks) * 1e-9; }
};

/// Operation i takes cost(i); complete() takes completion.
class Work final : public Workload {
 public:
  Work(Time& time, std::function<Ticks(std::uint64_t)> cost) : time_(time), cost_(std::move(cost)) {}

  int run(std::uint64_t first, std::uint64_t count) noexcept override {
    calls.emplace_back(first, count);
    for (std::uint64_t i = first; i < first + count; ++i) time_.at += cost_(i);
    return run_code;
  }
  int complete() noexcept override {
    ++completions;
    time_.at += completion;
    return complete_code;
  }

  std::vector<std::pair<std::uint64_t, std::uint64_t>> calls;
  int completions = 0;
  Ticks completion = 0;
  int run_code = 0, complete_code = 0;

 private:
  Time& time_;
  std::function<Ticks(std::uint64_t)> cost_;
};

class Sync final : public Synchroniser {
 public:
  Sync(Time& time, Ticks cost) : time_(time), cost_(cost) {}
  int synchronise() noexcept override {
    time_.at += cost_;
    return code;
  }
  int code = 0;

 private:
  Time& time_;
  Ticks cost_;
};

}  // namespace steelyard::measure::fake
