// SPDX-License-Identifier: Apache-2.0
#include "campaign/instruments.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "measure/wtime.hpp"
#include "record/json.hpp"
#include "units/text.hpp"

namespace steelyard::campaign {
namespace {

using measure::ClockKind;
using record::Json;

constexpr double greatest_drift = 20e-6;
constexpr std::int64_t shortest_watch_ns = 100'000'000;

std::string source_name(ClockKind kind) {
  switch (kind) {
    case ClockKind::raw: return "clock_gettime(CLOCK_MONOTONIC_RAW)";
    case ClockKind::mono: return "clock_gettime(CLOCK_MONOTONIC)";
    case ClockKind::tsc: return "cycle counter";
    case ClockKind::mpi: return measure::wtime_name;
    case ClockKind::automatic: break;
  }
  return "automatic";
}

/// Timer that rank 0 chooses; a rank that cannot follow makes all fall back to the automatic choice of rank 0.
measure::ChosenTimer choose(const mpi::Communicator& world, ClockKind wanted, std::string& fallback) {
  auto own = measure::make_any_timer(wanted);
  fallback = world.broadcast(own.fallback);
  auto kind = static_cast<ClockKind>(world.broadcast(static_cast<int>(own.kind)));
  if (own.kind != kind) own = measure::make_any_timer(kind);
  if (!world.any(own.kind != kind)) return own;
  if (fallback.empty()) fallback = "not every rank can use " + source_name(kind);
  kind = static_cast<ClockKind>(
      world.broadcast(static_cast<int>(measure::make_any_timer(ClockKind::automatic).kind)));
  return measure::make_any_timer(kind);
}

/// Name of the clock in the record: that of the counter, else the call.
std::string source_of(const measure::ChosenTimer& chosen) {
  return chosen.kind == ClockKind::tsc ? chosen.source : source_name(chosen.kind);
}

Json description(const measure::ClockQuality& quality, const measure::Timer& timer) {
  const auto wtime = measure::examine_wtime(timer);
  return {{"source", quality.source},
          {"resolution_s", quality.resolution_s},
          {"call_s", quality.cost_s},
          {"cost_s", quality.cost_s},
          {"cost_min_s", quality.cost_min_s},
          {"back_to_back_s", quality.back_to_back_s},
          {"detour_share", quality.detour_share},
          {"detour_max_s", quality.detour_max_s},
          {"tick_claimed_s", quality.tick_claimed_s},
          {"backwards", quality.backwards},
          {"counter_hz", quality.counter_hz > 0 ? Json(quality.counter_hz) : Json(nullptr)},
          {"mpi_wtime", {{"cost_s", wtime.cost_s}, {"tick_s", wtime.tick_s}, {"global", wtime.global}}}};
}

// Clocks are steered by 500 ppm at most, and step by hundredths of a second at most.
constexpr double steered = 6e-4, coarsest_step_s = 0.01;

/// Seconds by which the clock has fallen behind the system's since the start; 0 within what steering explains.
double behind_s(const measure::Timer& timer, const ClockStart& start) {
  // In this order, at the start in the other one: waiting between two readings never looks like a step back.
  const std::chrono::duration<double> system = std::chrono::steady_clock::now() - start.system;
  const double passed = timer.seconds(timer.now() - start.clock);
  const double behind = system.count() - passed;
  return behind > steered * system.count() + coarsest_step_s ? behind : 0;
}

/// Whether any of some thousand readings is before the one before.
bool runs_backwards(const measure::Timer& timer) {
  constexpr int readings = 10'000;
  bool backwards = false;
  for (auto [i, last] = std::pair(0, timer.now()); i < readings; ++i) {
    const auto now = timer.now();
    backwards |= now < last;
    last = now;
  }
  return backwards;
}

constexpr std::chrono::milliseconds window{200};
constexpr double busy_share = 0.02;  // as the finding busy_neighbours

/// True if the node is busy, as seen from one process while the others sleep, so that their waiting is not
/// taken for load.
bool node_is_busy() {
  return machine::watch_load(window, machine::affinity().processors).foreign().value_or(0) > busy_share;
}

/// What one node counted.
Disturbances of_node(const machine::NodeLoad& load) {
  Disturbances met;
  met.steal_share = std::max(0.0, load.steal_share.value_or(0) - load.resolution);
  met.throttled_s = load.throttled_s.value_or(0);
  met.throttled_periods = load.throttled_periods.value_or(0);
  return met;
}

}  // namespace

Instruments make_instruments(const mpi::Communicator& world, ClockKind wanted) {
  Instruments result;
  std::string fallback;
  auto chosen = choose(world, wanted, fallback);
  result.quality = measure::calibrate(*chosen.timer, source_of(chosen), world);
  if (result.quality.backwards > 0 && chosen.kind != ClockKind::mono) {
    // the merged figure is the same on all ranks, so all take this way
    result.events.push_back({record::Severity::warning, "clock_backwards",
                             source_name(chosen.kind) + " ran backwards: CLOCK_MONOTONIC is used instead"});
    chosen = measure::make_any_timer(ClockKind::mono);
    result.quality = measure::calibrate(*chosen.timer, source_of(chosen), world);
  }
  if (chosen.kind == ClockKind::tsc) result.counter_at_start = measure::read_pair();
  if (!fallback.empty()) result.events.push_back({record::Severity::warning, "clock_unusable", fallback});
  result.timer = std::move(chosen.timer);
  result.start = {result.timer->now(), std::chrono::steady_clock::now()};
  if (world.is_root()) result.clock = description(result.quality, *result.timer);
  return result;
}

std::optional<record::EventRecord> judge_counter(const mpi::Communicator& world,
                                                 const Instruments& instruments) {
  if (!instruments.counter_at_start) return std::nullopt;
  const std::array pairs{*instruments.counter_at_start, measure::read_pair()};
  const bool too_short = pairs[1].raw_ns - pairs[0].raw_ns < shortest_watch_ns;
  if (world.any(too_short)) return std::nullopt;
  const double hz = measure::counter_frequency(pairs);
  const double drift = world.max(std::abs(hz / instruments.quality.counter_hz - 1));
  if (!world.is_root()) return std::nullopt;
  return record::EventRecord{
      drift > greatest_drift ? record::Severity::warning : record::Severity::info, "clock_drift",
      "over the whole run the processor's counter was up to " + units::format_significant(drift * 1e6, 2) +
          " ppm from the rate of its calibration",
      Json{{"counter_hz", hz}, {"calibrated_hz", instruments.quality.counter_hz}, {"largest_drift", drift}}};
}

std::optional<record::EventRecord> judge_steps(const mpi::Communicator& world,
                                               const Instruments& instruments) {
  if (!instruments.start) return std::nullopt;
  const double behind = world.max(behind_s(*instruments.timer, *instruments.start));
  const bool backwards = world.any(runs_backwards(*instruments.timer));
  if (!world.is_root() || (behind <= 0 && !backwards)) return std::nullopt;
  auto text = instruments.quality.source + " ran backwards during the session";
  if (behind > 0)
    text +=
        ", by " + units::format_significant(behind, 2) + " s in all: what it timed meanwhile is too short";
  return record::EventRecord{record::Severity::warning, "clock_backwards", text, Json{{"behind_s", behind}}};
}

QuietWait wait_until_quiet(const mpi::Communicator& world, double limit_s,
                           const std::function<bool()>& stop) {
  const auto node = world.split_shared();
  const auto start = std::chrono::steady_clock::now();
  for (QuietWait waited;;) {
    const bool busy = node.is_root() && node_is_busy();
    world.sleepy_barrier();
    if (!world.any(busy)) return waited;
    waited.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    waited.stopped = world.is_root() && stop();
    waited = world.broadcast(waited);
    if (waited.stopped || waited.seconds >= limit_s) return waited;
  }
}

NodeWatch::NodeWatch(const mpi::Communicator& world, const machine::Roots& roots) {
  const auto node = world.split_shared();
  for (const std::string& text : node.gather(record::Json(machine::affinity(roots).processors).dump()))
    for (const record::Json& processor : record::Json::parse(text))
      processors_.push_back(processor.get<int>());
  std::ranges::sort(processors_);
  const auto again = std::ranges::unique(processors_);
  processors_.erase(again.begin(), again.end());
  if (node.is_root()) begin_ = machine::read_node_counters(roots);
}

Disturbances NodeWatch::met(const mpi::Communicator& world, const machine::Roots& roots) const {
  Disturbances own;
  if (begin_) own = of_node(machine::difference(*begin_, machine::read_node_counters(roots), processors_));
  Disturbances most;
  most.steal_share = world.max(own.steal_share);
  most.throttled_s = world.max(own.throttled_s);
  most.throttled_periods = world.max(own.throttled_periods);
  return most;
}

PageWatch::PageWatch(const machine::Roots& roots)
    : roots_(roots), domain_(machine::one_domain_of_several(roots)) {}

void PageWatch::look(double elapsed_s) {
  constexpr double part_of_time = 0.002;
  if (!domain_ || spent_s_ > part_of_time * elapsed_s) return;
  const auto start = std::chrono::steady_clock::now();
  const auto places = machine::page_places(*domain_, roots_);
  if (places.byte > 0)
    share_ = std::max(share_, static_cast<double>(places.remote_byte) / static_cast<double>(places.byte));
  spent_s_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void PageWatch::tell(const mpi::Communicator& world, Disturbances& met) const {
  met.remote_share = world.max(share_);
  met.remote_processes = world.sum(std::int64_t{share_ > tolerated_remote_share ? 1 : 0});
}

}  // namespace steelyard::campaign
