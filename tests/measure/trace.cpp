// SPDX-License-Identifier: Apache-2.0
#include "trace.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <stdexcept>

#include "stats/order.hpp"

namespace steelyard::measure {
namespace {

constexpr double near_probe_s = 43e-9, far_probe_s = 105e-9;
constexpr double far_factor = 1.5;
constexpr double drift_per_s = 0.10;
constexpr double cold_factor = 1.3;

/// Undisturbed speed of the machine at a moment of the trace.
double level(Disturbance disturbance, double at_s, double length_s) {
  if (disturbance == Disturbance::changed) return at_s < length_s / 2 ? 1 : far_factor;
  if (disturbance != Disturbance::drifting) return 1;
  const double phase_s = std::fmod(at_s, 2.0);
  return 1 + drift_per_s * (phase_s < 1 ? phase_s : 2 - phase_s);
}

/// Moments at which something else runs, and for how long.
class Interruptions {
 public:
  Interruptions(Disturbance disturbance, std::mt19937_64& random) : random_(random) {
    next_rare_s_ = rare_(random_);
    next_frequent_s_ = disturbance == Disturbance::interrupted ? gap_(random_) : HUGE_VAL;
  }

  /// Time lost by an operation that would have ended at end_s.
  double lost_until(double end_s) {
    double lost_s = 0;
    for (; next_tick_s_ < end_s; next_tick_s_ += 4e-3) lost_s += tick_(random_);
    for (; next_rare_s_ < end_s; next_rare_s_ += rare_(random_)) lost_s += std::exp(length_(random_));
    for (; next_frequent_s_ < end_s + lost_s; next_frequent_s_ += 5e-3 + gap_(random_)) lost_s += 5e-3;
    return lost_s;
  }

 private:
  std::mt19937_64& random_;
  std::exponential_distribution<double> rare_{10};
  std::uniform_real_distribution<double> tick_{2e-6, 6e-6}, gap_{35e-3, 55e-3};
  std::uniform_real_distribution<double> length_{std::log(20e-6), std::log(20e-3)};
  double next_tick_s_ = 0, next_rare_s_ = 0, next_frequent_s_ = 0;
};

}  // namespace

void Trace::add(double took_s, double should_s, double probe) {
  op_s.push_back(took_s);
  began_s.push_back(length_s);
  undisturbed_s.push_back(should_s);
  probe_s.push_back(probe);
  length_s += took_s;
}

std::size_t Trace::in_progress_at(double time_s) const {
  const double within_s = std::fmod(time_s, length_s);
  const auto after = std::ranges::upper_bound(began_s, within_s);
  return static_cast<std::size_t>(after - began_s.begin()) - 1;
}

std::string text(Disturbance disturbance) {
  switch (disturbance) {
    case Disturbance::quiet: return "quiet";
    case Disturbance::interrupted: return "5 ms each 50 ms";
    case Disturbance::changed: return "state change";
    case Disturbance::drifting: return "drift 10 %/s";
  }
  return {};
}

Trace scripted_trace(Disturbance disturbance, double op_s, double length_s, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::lognormal_distribution<double> noise(0, 0.015);
  Interruptions interruptions(disturbance, random);
  Trace trace;
  trace.name = text(disturbance);
  while (trace.length_s < length_s) {
    const double should_s = op_s * level(disturbance, trace.length_s, length_s);
    const double took_s = should_s * noise(random);
    const double lost_s = interruptions.lost_until(trace.length_s + took_s);
    trace.add(took_s + lost_s, should_s, should_s > 1.4 * op_s ? far_probe_s : near_probe_s);
  }
  return trace;
}

Trace recorded_trace(const std::string& path) {
  std::ifstream file(path);
  std::vector<double> times;
  for (double nanoseconds = 0; file >> nanoseconds;) times.push_back(nanoseconds * 1e-9);
  if (times.empty()) throw std::runtime_error("no operation times in " + path);
  const double median_s = stats::median(times);
  Trace trace;
  for (const double t : times) trace.add(t, median_s, near_probe_s);
  return trace;
}

TraceCursor::TraceCursor(const Trace& trace, double start_s) : trace_(trace) {
  go_to(start_s);
}

void TraceCursor::go_to(double time_s) {
  at_ = trace_.in_progress_at(time_s);
  const double gone_s = std::fmod(time_s, trace_.length_s) - trace_.began_s[at_];
  left_s_ = std::max(trace_.op_s[at_] - gone_s, trace_.undisturbed_s[at_]);
  cold_ = true;
}

double TraceCursor::operation() {
  const double took_s = cold_ ? left_s_ + (cold_factor - 1) * trace_.undisturbed_s[at_] : trace_.op_s[at_];
  cold_ = false;
  at_ = (at_ + 1) % trace_.op_s.size();
  elapsed_s_ += took_s;
  return took_s;
}

void TraceCursor::pass(double seconds) {
  if (!(seconds > 0)) return;
  go_to(trace_.began_s[at_] + seconds);
  elapsed_s_ += seconds;
}

}  // namespace steelyard::measure
