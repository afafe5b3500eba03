// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "suites/hpcc/random_access/size_trial.hpp"
#include "suites/hpcc/test_rules.hpp"
#include "units/text.hpp"

namespace steelyard::hpcc {
namespace {

constexpr double table_of_caches = 4;

std::int64_t words(const PointSpec& spec) {
  return std::int64_t{1} << spec.bits;
}

std::int64_t updates_asked(const PointSpec& spec) {
  return 4 * words(spec);
}

/// Updates of a point: a part of those that the table's size asks for, in whole rounds of all sub-streams.
std::int64_t updates_of(const PointSpec& spec, const Settings& settings) {
  constexpr std::int64_t round = 128;
  const auto all = updates_asked(spec);
  if (settings.effort.updates_share >= 1) return all;
  const double some = settings.effort.updates_share * static_cast<double>(all);
  return std::clamp(static_cast<std::int64_t>(some) / round * round, std::min(round, all), all);
}

/// Updates of a process in so many passes of trials, with at most so many in each.
double tried_updates(int passes, double most) {
  return passes * std::min(most, static_cast<double>(trial_updates));
}

/// Seconds that a process takes to check so many updates and its part of the table. Threads may lose updates of one
/// another, which are counted by undoing all of them.
double check_s(double updates, double table_byte, int threads, const Pace& pace, const suites::Rates& rates) {
  const double fingerprint_s = updates / threads / rates.checked_update_s + pace.stream_s(table_byte);
  return threads == 1 ? fingerprint_s : fingerprint_s + updates / rates.undone_update_s;
}

TimeParts local_parts(const PointSpec& spec, const Settings& settings, const Pace& pace,
                      const suites::Rates& rates) {
  const double table = word_byte * static_cast<double>(words(spec));
  const auto updates = static_cast<double>(spec.updates);
  return {pace.touch_s(table) + pace.stream_s(table) + pace.updates_s(tried_updates(size_trials, updates)),
          pace.updates_s(updates), check_s(updates, table, settings.threads, pace, rates)};
}

/// Times of the test over all processes. One update in a hundred is executed to find out how many the bound allows; at most
/// as many twice by each way, or among many processes by each route, and in each pass of the trial of half of the table
/// against all of it.
TimeParts global_parts(const PointSpec& spec, const Settings& settings, const Pace& pace,
                       const suites::Rates& rates) {
  constexpr int way_trials = 4;
  const double table = word_byte * static_cast<double>(words(spec)) / spec.processes;
  const double each = static_cast<double>(spec.updates) / spec.processes;
  const double all_s = each / rates.shared_update_s;
  const double pass_s = std::min(all_s, settings.update_bound_s);
  const double executed = all_s > 0 ? pass_s / all_s : 1;
  const double sample = static_cast<double>(updates_asked(spec)) / spec.processes / 100;
  const double tried = sample + tried_updates(way_trials + size_trials, sample);
  return {pace.touch_s(table) + pace.stream_s(table) + tried / rates.shared_update_s, pass_s,
          check_s(executed * each, table, 1, pace, rates)};
}

class RandomAccessRules final : public TestRules {
 public:
  TestText text() const override {
    return {.metrics = "update_rate_update_s",
            .condition = "a table of at least 4 times the last-level cache in use"};
  }

  std::vector<PointSpec> points(const Settings& settings, PointSpec spec, int world) const override {
    const auto memory = memory_of(settings);
    spec.bits =
        spec.benchmark.mode == Mode::global ? random_access_bits(memory, world) : random_access_bits(memory);
    spec = at_least(settings, world, spec, spec.bits);
    spec.updates = updates_of(spec, settings);
    return {spec};
  }
  void identify(const PointSpec& spec, record::Params& params) const override {
    params["table_words"] = words(spec);
    if (spec.updates < updates_asked(spec)) params["updates"] = spec.updates;
  }
  double counted_work(const PointSpec& spec) const override { return static_cast<double>(spec.updates); }
  std::int64_t memory_byte(const PointSpec& spec, const Settings&) const override {
    return 8 * words(spec) / spec.processes;
  }
  TimeParts expected(const PointSpec& spec, const Settings& settings,
                     const suites::Rates& rates) const override {
    const Pace pace(spec.benchmark.mode, rates);
    TimeParts parts = spec.benchmark.mode == Mode::global ? global_parts(spec, settings, pace, rates)
                                                          : local_parts(spec, settings, pace, rates);
    if (passes(settings) % 2 == 0) parts.close_s += parts.pass_s;  // one more run is checked
    return parts;
  }
  std::optional<Obstacle> obstacle(const PointSpec& spec, int) const override {
    if (words(spec) >= spec.processes) return std::nullopt;
    return Obstacle{record::ReasonCode::unsupported, "the problem leaves nothing for this test"};
  }

  std::int64_t size(const PointSpec& spec) const override { return spec.bits; }
  void set_size(PointSpec& spec, std::int64_t bits) const override { spec.bits = static_cast<int>(bits); }
  std::string size_in_words(std::int64_t bits) const override {
    return "2^" + std::to_string(bits) + " words";
  }
  using TestRules::least_size;
  std::int64_t least_size(const Benchmark& benchmark, const Settings& settings,
                          int processes) const override {
    const std::int64_t sharing = benchmark.mode == Mode::global ? processes : 1;
    return bits_for(divided_up(cache_multiple_byte(table_of_caches, benchmark.mode, settings), 8) * sharing);
  }
  double counted_byte(const PointSpec& spec) const override {
    return word_byte * static_cast<double>(words(spec)) / spec.processes;
  }
  // The largest power of two up to a half is more than a quarter.
  bool asks_for_more_than(double share) const override { return share <= 0.25; }
};

}  // namespace

std::string doubt_of_size(double speed_of_half, const PointSpec& spec, const Settings& settings) {
  if (!falls_with_size(speed_of_half) || !smaller_than_the_rules_ask(spec, settings)) return "";
  return "half of the table is updated " + units::format_significant(speed_of_half, 3) +
         " times as fast, and the rules ask for a larger one";
}

const TestRules& random_access_rules() {
  static const RandomAccessRules rules;
  return rules;
}

}  // namespace steelyard::hpcc
