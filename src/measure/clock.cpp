// SPDX-License-Identifier: Apache-2.0
#include "measure/clock.hpp"

#include <time.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <vector>

#include "measure/counter.hpp"
#include "stats/order.hpp"

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

constexpr std::size_t cost_groups = 101;
constexpr std::size_t reads_of_group = 1000;
constexpr std::size_t step_reads = 200'000;
/// Half of the time that a calibration may take: one half for the cost, one for the step.
constexpr double half_time_s = 0.02;
constexpr Ticks cluster_ticks = 2;
constexpr double cluster_share = 0.01;
constexpr double detour_s = 1e-6;

/// Mean seconds of one read.
double cost_of(const Timer& timer, std::size_t reads) {
  const Ticks start = timer.now();
  Ticks last = start;
  for (std::size_t i = 0; i < reads; ++i) last = timer.now();
  return timer.seconds(last - start) / static_cast<double>(reads);
}

/// Number of reads with which a slow clock (a system call) stays within its time, at most `wanted`.
std::size_t affordable(std::size_t wanted, double read_s) {
  if (!(read_s > 0)) return wanted;
  return std::clamp(static_cast<std::size_t>(half_time_s / read_s), std::size_t{1000}, wanted);
}

/// Means of groups of readings.
std::vector<double> costs_of(const Timer& timer, std::size_t groups, std::size_t reads) {
  std::vector<double> costs(groups);
  for (double& c : costs) c = cost_of(timer, reads);
  return costs;
}

void measure_cost(const Timer& timer, double rough_s, ClockQuality& quality) {
  const std::size_t reads = affordable(cost_groups * reads_of_group, rough_s) / cost_groups;
  std::vector<double> costs = costs_of(timer, cost_groups, std::max<std::size_t>(1, reads));
  quality.cost_min_s = *std::ranges::min_element(costs);
  quality.cost_s = stats::median(std::move(costs));
}

std::vector<Ticks> differences(const Timer& timer, std::size_t reads) {
  std::vector<Ticks> stamps(reads + 1, 0);
  for (Ticks& t : stamps) t = timer.now();
  for (std::size_t i = 0; i < reads; ++i) stamps[i] = stamps[i + 1] - stamps[i];
  stamps.pop_back();
  return stamps;
}

/// Reads on until a clock moves that stood still, as one of 10 ms does for all of those readings.
void read_until_it_moves(const Timer& timer, std::vector<Ticks>& gaps) {
  constexpr int patience = 1'000'000;
  if (std::ranges::any_of(gaps, [](Ticks t) { return t != 0; })) return;
  const Ticks start = timer.now();
  Ticks gap = 0;
  for (int i = 0; i < patience && gap == 0; ++i) gap = timer.now() - start;
  gaps.push_back(gap);
}

void judge(const Timer& timer, std::vector<Ticks> gaps, ClockQuality& quality) {
  quality.resolution_s = timer.seconds(1) * find_step(gaps, cluster_ticks);
  quality.backwards = std::ranges::count_if(gaps, [](Ticks t) { return t < 0; });
  const auto long_ones = std::ranges::count_if(gaps, [&](Ticks t) { return timer.seconds(t) > detour_s; });
  quality.detour_share = static_cast<double>(long_ones) / static_cast<double>(gaps.size());
  quality.detour_max_s = timer.seconds(*std::ranges::max_element(gaps));
  quality.back_to_back_s = stats::median({gaps.begin(), gaps.end()}) * timer.seconds(1);
}

double claimed_tick(const Timer& timer, std::string_view source) {
  timespec tick{};
  const clockid_t clock = source == "clock_gettime(CLOCK_MONOTONIC)" ? CLOCK_MONOTONIC : CLOCK_MONOTONIC_RAW;
  if (!source.starts_with("clock_gettime") || clock_getres(clock, &tick) != 0) return timer.seconds(1);
  return static_cast<double>(tick.tv_sec) + 1e-9 * static_cast<double>(tick.tv_nsec);
}

/// What a choice between clocks needs: 10,000 readings, a quarter of a millisecond where they are fast.
double typical_cost(const Timer& timer) {
  return stats::median(costs_of(timer, cost_groups, reads_of_group / 10));
}

ChosenTimer automatic_timer() {
  ChosenTimer raw = raw_timer(), mono = mono_timer();
  const bool raw_is_cheap = typical_cost(*raw.timer) <= raw_may_cost * typical_cost(*mono.timer);
  return raw_is_cheap ? std::move(raw) : std::move(mono);
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

using Readings = std::map<Ticks, std::size_t>;

/// Values near a frequent one; their mean is the centre.
struct Cluster {
  double sum = 0;
  std::size_t count = 0;
  [[nodiscard]] double centre() const { return sum / static_cast<double>(count); }
};

/// Takes the readings within `tolerance` of the most frequent value out.
Cluster take_cluster(Readings& left, Ticks tolerance) {
  const auto top = std::ranges::max_element(left, {}, [](const auto& entry) { return entry.second; });
  const auto begin = left.lower_bound(top->first - tolerance), end = left.upper_bound(top->first + tolerance);
  Cluster cluster;
  for (auto it = begin; it != end; ++it) {
    cluster.sum += static_cast<double>(it->first) * static_cast<double>(it->second);
    cluster.count += it->second;
  }
  left.erase(begin, end);
  return cluster;
}

double smallest_gap(std::vector<double> centres) {
  std::ranges::sort(centres);
  double gap = centres[1] - centres[0];
  for (std::size_t i = 2; i < centres.size(); ++i) gap = std::min(gap, centres[i] - centres[i - 1]);
  return gap;
}

std::vector<double> centres_of(Readings left, Ticks tolerance, double fewest) {
  std::vector<double> centres;
  while (!left.empty()) {
    const Cluster cluster = take_cluster(left, tolerance);
    if (static_cast<double>(cluster.count) >= fewest) centres.push_back(cluster.centre());
  }
  return centres;
}

/// The smallest reading above zero; 1 if there is none.
double smallest_step(const Readings& readings) {
  const auto step = readings.upper_bound(0);
  return step == readings.end() ? 1 : static_cast<double>(step->first);
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
    case ClockKind::automatic: return automatic_timer();
    case ClockKind::raw: return raw_timer();
    case ClockKind::mono: return mono_timer();
    case ClockKind::tsc: return counter_timer();
    case ClockKind::mpi: break;
  }
  throw std::invalid_argument("the clock of MPI belongs to the measuring half");
}

double find_step(std::span<const Ticks> differences, Ticks tolerance) {
  Readings readings;
  for (const Ticks d : differences) ++readings[d];
  const double fewest = cluster_share * static_cast<double>(differences.size());
  // A step finer than the tolerance is seen only between single values.
  for (const Ticks width : {tolerance, Ticks{0}}) {
    const std::vector<double> centres = centres_of(readings, width, fewest);
    if (centres.size() > 1) return smallest_gap(centres);
    if (width != 0 || centres.empty()) continue;
    // A clock that stands still at nearly all readings steps at the others.
    return centres.front() == 0 ? smallest_step(readings) : std::max(1.0, std::abs(centres.front()));
  }
  return 1;
}

ClockQuality calibrate(const Timer& timer, std::string_view source) {
  ClockQuality quality;
  quality.source = source;
  const double rough_s = cost_of(timer, reads_of_group);
  measure_cost(timer, rough_s, quality);
  std::vector<Ticks> gaps = differences(timer, affordable(step_reads, rough_s));
  read_until_it_moves(timer, gaps);
  judge(timer, std::move(gaps), quality);
  quality.tick_claimed_s = claimed_tick(timer, source);
  if (!source.empty() && source == counter_name()) quality.counter_hz = 1 / timer.seconds(1);
  return quality;
}

// Models between clocks.

namespace {

constexpr double slow_factor = 1.5;
constexpr std::size_t fewest_points = 10;
constexpr double shortest_span_s = 0.1;

struct OffsetAt {
  double x_s, offset_s;
};

/// The exchanges that were not delayed, as offsets in order of time.
std::vector<OffsetAt> quick_ones(std::span<const Exchange> exchanges) {
  std::vector<Exchange> sorted(exchanges.begin(), exchanges.end());
  std::ranges::stable_sort(sorted, {}, &Exchange::round_trip_s);
  const double limit = slow_factor * sorted.front().round_trip_s();
  const auto within = std::ranges::upper_bound(sorted, limit, {}, &Exchange::round_trip_s) - sorted.begin();
  sorted.resize(std::min(sorted.size(), std::max(static_cast<std::size_t>(within), fewest_points)));
  std::vector<OffsetAt> points;
  for (const Exchange& e : sorted) points.push_back({e.middle_s(), e.offset_s()});
  std::ranges::sort(points, {}, &OffsetAt::x_s);
  return points;
}

double theil_sen_slope(const std::vector<OffsetAt>& points) {
  std::vector<double> slopes;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = i + 1; j < points.size(); ++j) {
      const double distance = points[j].x_s - points[i].x_s;
      if (distance > 0) slopes.push_back((points[j].offset_s - points[i].offset_s) / distance);
    }
  }
  return slopes.empty() ? 0 : stats::median(std::move(slopes));
}

}  // namespace

ClockModel fit_clock(std::span<const Exchange> best) {
  if (best.empty()) throw std::invalid_argument("a clock model needs at least one exchange");
  const std::vector<OffsetAt> points = quick_ones(best);
  const double span_s = points.back().x_s - points.front().x_s;
  ClockModel model;
  model.x0_s = points.front().x_s + span_s / 2;
  model.slope = span_s < shortest_span_s ? 0 : theil_sen_slope(points);
  std::vector<double> rest;
  for (const OffsetAt& p : points) rest.push_back(p.offset_s - model.slope * (p.x_s - model.x0_s));
  model.offset_s = stats::median(std::move(rest));
  return model;
}

}  // namespace steelyard::measure
