// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "fake_clock.hpp"
#include "measure/engine.hpp"
#include "mpi/communicator.hpp"

/// A bench for the engine: scripted clocks and operations on every rank, schedules that say a fixed list.
namespace steelyard::measure::fake {

/// All ranks of the world in one group.
inline Team everybody() {
  const auto world = mpi::Communicator::world();
  Team team;
  team.active = world.duplicate();
  team.group = world.duplicate();
  return team;
}

/// Says its decisions one after the other, then stops.
class Script final : public Schedule {
 public:
  Script(std::vector<Decision> decisions, bool interleaved, StopReason why = StopReason::count)
      : decisions_(std::move(decisions)), interleaved_(interleaved), why_(why) {}
  Decision next(const History& history) const override {
    const std::size_t done = history.trials.size() + static_cast<std::size_t>(history.visits);
    if (done >= decisions_.size()) return Stop{why_};
    return decisions_[done];
  }
  std::string_view rule() const override { return "fixed"; }
  bool interleaved() const override { return interleaved_; }

 private:
  std::vector<Decision> decisions_;
  bool interleaved_;
  StopReason why_;
};

/// What a test scripts for one task on this rank.
struct Behaviour {
  std::function<Ticks(std::uint64_t)> cost = [](std::uint64_t) { return Ticks{100}; };
  Ticks leading = 0;  // of lead_in()
  std::function<void(std::uint64_t count, double seconds)> on_timed = {};
  std::function<void(int placement)> on_open = {};            // may throw
  std::function<int(std::uint64_t first)> code = {};          // of run()
  std::function<std::optional<CheckResult>()> checking = {};  // of verify()
};

class ScriptedWork final : public Workload {
 public:
  ScriptedWork(Time& time, Behaviour behaviour, std::vector<std::pair<std::uint64_t, std::uint64_t>>& calls)
      : time_(time), behaviour_(std::move(behaviour)), calls_(calls) {}

  int run(std::uint64_t first, std::uint64_t count) noexcept override {
    calls_.emplace_back(first, count);
    for (std::uint64_t i = first; i < first + count; ++i) time_.at += behaviour_.cost(i);
    return behaviour_.code ? behaviour_.code(first) : 0;
  }
  int lead_in(std::uint64_t) noexcept override {
    time_.at += behaviour_.leading;
    return 0;
  }
  void timed(std::uint64_t count, double seconds) noexcept override {
    if (behaviour_.on_timed) behaviour_.on_timed(count, seconds);
  }
  std::optional<CheckResult> verify(std::uint64_t) override {
    return behaviour_.checking ? behaviour_.checking() : std::nullopt;
  }

 private:
  Time& time_;
  Behaviour behaviour_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>>& calls_;
};

/// One engine with a scripted clock on this rank; collects what the sink gets.
class Bench {
 public:
  explicit Bench(EngineOptions options = quiet(), StopRequest stop = {})
      : timer_(Source{&time}), engine_(timer_, std::move(options), std::move(stop)) {}

  static EngineOptions quiet() {
    EngineOptions options;
    options.probe_states = false;
    options.clock = {1e-9, 1e-9};
    options.back_to_back_s = 0;
    return options;
  }

  Task task(const Schedule& schedule, Behaviour behaviour = {}, Traits traits = {}) {
    Task task;
    task.traits = traits;
    task.schedule = &schedule;
    task.open = [this, behaviour](int placement) {
      placements.push_back(placement);
      if (behaviour.on_open) behaviour.on_open(placement);
      return std::make_unique<ScriptedWork>(time, behaviour, calls);
    };
    return task;
  }

  bool measure(const Team& team, const std::vector<Task>& tasks, const Keep& keep = {}) {
    const auto sink = [this](std::size_t index, Outcome outcome) {
      order.push_back(index);
      outcomes[index] = std::move(outcome);
    };
    return engine_.measure(team, tasks, sink, keep);
  }

  Time time;
  std::vector<std::size_t> order;  // in which results arrived
  std::map<std::size_t, Outcome> outcomes;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> calls;
  std::vector<int> placements;

  Engine& engine() { return engine_; }

 private:
  TimerOf<Source> timer_;
  Engine engine_;
};

}  // namespace steelyard::measure::fake
