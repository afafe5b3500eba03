// SPDX-License-Identifier: Apache-2.0
#include "suites/beff/definition.hpp"

#include <algorithm>
#include <array>

#include "suites/beff/control.hpp"
#include "units/text.hpp"

namespace steelyard::beff {
namespace {

using suites::BlockPlan;
using suites::PointPlan;

constexpr suites::BenchmarkInfo infos[] = {{.name = benchmark_name,
                                            .classification = "experiment",
                                            .min_processes = 2,
                                            .in_default = true,
                                            .sizes = "21 lengths, 1 byte .. 1/128 of the memory per process",
                                            .metrics = "bandwidth_byte_s; summary b_eff",
                                            .source = "b_eff paper, 2.1, 3.1, 4; b_eff 3.6 page",
                                            .condition = "messages up to 1/128 of the memory per process"}};

bool measured(const Settings& settings, const Pattern& pattern, Method method) {
  if (pattern.sendrecv_only) return method == Method::sendrecv;
  return std::ranges::find(settings.without_methods, method) == settings.without_methods.end();
}

/// Times that follow from the rates of a survey.
class Expected {
 public:
  Expected(const PatternTable& table, const Settings& settings, const suites::Rates& rates)
      : settings_(settings),
        latency_s_((rates.message_s + rates.far_message_s) / 2),
        second_byte_s_(1 / rates.exchange_byte_s + 1 / rates.far_exchange_byte_s),
        between_loops_s_(synchronisations * rates.barrier_s),
        lengths_(message_lengths(longest(settings))),
        methods_(static_cast<double>(methods.size() - settings.without_methods.size())) {
    for (const Place& place : places(table, settings))
      if (place.length == 0) ++patterns_[static_cast<std::size_t>(place.method)];
    const double a = growth(longest(settings));
    const auto most = static_cast<double>(*std::ranges::max_element(patterns_));
    const double last_two_s = iteration_s(2, last_full_length) * most * loops_allowed * (a + a * a) *
                              settings.repetitions * methods_;
    shortened_ = settings.shorten_last_two && last_two_s > settings.last_two_limit_s;
  }

  /// Seconds of all repetitions of one loop, and of the one iteration of short messages that is checked.
  [[nodiscard]] double loops_s(const Pattern& pattern, std::size_t length, Method method) const {
    const double one_s = iteration_s(pattern.slots, length);
    const bool cut = shortened_ && length > last_full_length;
    const double checked_s = lengths_[length].count() <= longest_whole_check ? one_s : 0;
    const double warm_s = static_cast<double>(warmup_iterations(length)) * one_s;
    if (!cut)
      return settings_.repetitions * (std::max(filled * loop_s(method), one_s) + warm_s + between_loops_s_) +
             checked_s;
    const int repetitions = length + 1 == lengths_.size()
                                ? std::min(repetitions_of_longest, settings_.repetitions)
                                : settings_.repetitions;
    const double measured = pattern.sendrecv_only ? 1 : 1 / methods_;  // one method of each pattern
    return measured * repetitions * (one_s + between_loops_s_);
  }

 private:
  static constexpr double synchronisations = 30;  // between two loops: barriers, reductions, the loop length
  // The slowest pattern sets how often a loop runs; all together filled 0.76 of the time on an
  // EPYC, 0.75 on a Xeon.
  static constexpr double filled = 0.8;

  /// Time T of a loop: the patterns that the method measures share a round.
  [[nodiscard]] double loop_s(Method method) const {
    return loop_time_s(settings_, patterns_[static_cast<std::size_t>(method)]);
  }

  /// Seconds of an iteration; neighbours in the order of ranks and in random orders count alike.
  [[nodiscard]] double iteration_s(int slots, std::size_t length) const {
    return slots * (latency_s_ + static_cast<double>(lengths_[length].count()) * second_byte_s_ / 2);
  }

  const Settings& settings_;
  double latency_s_, second_byte_s_, between_loops_s_;
  Lengths lengths_;
  std::array<std::size_t, methods.size()> patterns_{};  // that each method measures
  double methods_;
  bool shortened_ = false;
};

/// Point that stands for the whole experiment if it cannot be made or the budget does not hold it;
/// nullopt otherwise.
std::optional<PointPlan> obstacle_to(const Settings& settings, int world) {
  PointPlan point;
  point.key = record::make_key(suite_name, benchmark_name, world, 1, 1, {});
  if (world < 2) {
    point.skip = record::ReasonCode::processes;
    point.skip_text = "b_eff needs at least 2 processes";
  } else if (!has_lengths(settings)) {
    point.skip = record::ReasonCode::memory;
    point.skip_text = "b_eff needs a memory of at least 1 MiB per process to derive its message lengths from";
  } else if (settings.needs_budget_s) {
    point.skip = record::ReasonCode::time;
    point.skip_text = suites::needs_budget(*settings.needs_budget_s);
  } else {
    return std::nullopt;
  }
  return point;
}

/// Seconds for both buffers: to make them, and to send from and receive into each of their pages
/// for the first time.
double first_use_s(Bytes memory, const suites::Rates& rates) {
  const auto byte = static_cast<double>(memory.count());
  const double more_s = 1 / rates.first_exchange_byte_s - 1 / rates.exchange_byte_s;
  return byte / rates.buffer_byte_s + byte / 2 * std::max(0.0, more_s);
}

/// All points of a world in which the experiment can be made.
std::vector<PointPlan> points(const Settings& settings, const suites::World& whole) {
  const int world = whole.processes;
  const PatternTable table(world, {.seed = settings.seed, .polygons = settings.polygons});
  const auto lengths = message_lengths(longest(settings));
  const auto memory = 2 * buffer_size(longest(settings));
  const Expected expected(table, settings, whole.rates);
  std::vector<PointPlan> all;
  for (const auto& place : places(table, settings)) {
    PointPlan point;
    point.params = identity(place, table, settings);
    point.specification = place;
    point.key = record::make_key(suite_name, benchmark_name, world, 1, 1, point.params);
    point.bytes = lengths[place.length].count();
    point.memory_byte = memory.count();
    point.classic_operations = static_cast<std::uint64_t>(settings.repetitions);
    point.prescribed_s = expected.loops_s(table.patterns()[place.pattern], place.length, place.method);
    point.cost.latency_s = *point.prescribed_s / settings.repetitions;
    if (all.empty()) *point.prescribed_s += first_use_s(memory, whole.rates);
    all.push_back(std::move(point));
  }
  return all;
}

double expected_s(const Settings& settings, const suites::World& world) {
  const std::array names{std::string(benchmark_name)};
  return suites::prescribed_s(Definition(settings), names, world);
}

/// Seconds that the suite's share must hold: b_eff has a value only when it has ended, so that a machine a
/// little slower than the survey saw must not cost it.
double needed_s(const Settings& settings, const suites::World& world) {
  constexpr double planned_part = 0.9;
  return expected_s(settings, world) / planned_part;
}

/// Settings as -short, but with loops of 2 ms.
Settings long_loops(const Settings& best) {
  Settings settings = hurried(best);
  settings.loop_time_s = 2e-3;
  return settings;
}

/// Settings as -short, but with a fifteenth of the polygons.
Settings few_polygons(const Settings& best) {
  Settings settings = hurried(best);
  settings.polygons = 2;
  return settings;
}

/// Settings from the rule down, each departing further than the one before.
std::array<Settings, 5> steps(const Settings& best) {
  return {best, long_loops(best), hurried(best), few_polygons(best), tested(few_polygons(best))};
}

}  // namespace

std::vector<Place> places(const PatternTable& table, const Settings& settings) {
  std::vector<Place> all;
  for (std::size_t k = 0; k < length_count; ++k)
    for (std::size_t p = 0; p < table.patterns().size(); ++p) {
      const auto& pattern = table.patterns()[p];
      if (excluded(settings, pattern)) continue;
      for (const auto method : methods)
        if (measured(settings, pattern, method)) all.push_back({k, p, method});
    }
  return all;
}

record::Params identity(const Place& place, const PatternTable& table, const Settings& settings) {
  record::Params params;
  params["message_byte"] = message_lengths(longest(settings))[place.length].count();
  params["method"] = std::string(text(place.method));
  params["pattern"] = static_cast<std::int64_t>(place.pattern);
  if (table.patterns()[place.pattern].set == PatternSet::random)
    params["seed"] = static_cast<std::int64_t>(settings.seed);
  return params;
}

Definition::Definition(Settings settings)
    : DefinedSuite(suite_name, infos, {suites::RateGroup::memory, suites::RateGroup::messages},
                   std::move(settings)) {}

std::vector<BlockPlan> Definition::plan(std::span<const std::string> benchmarks,
                                        const suites::World& world) const {
  if (benchmarks.empty()) return {};
  BlockPlan block;
  block.suite = suite_name;
  block.benchmark = benchmark_name;
  block.processes = world.processes;
  block.indivisible = true;
  if (auto obstacle = obstacle_to(settings_, world.processes))
    block.points.push_back(std::move(*obstacle));
  else
    block.points = points(settings_, world);
  return {block};
}

record::Members Definition::configuration() const {
  const std::string because = units::joined(departures(settings_), "\n");
  record::Members members;
  if (settings_.memory_mebibyte > 0)
    members.emplace_back("memory_per_process_byte", settings_.memory_mebibyte * mebi.count());
  if (has_lengths(settings_)) members.emplace_back("longest_byte", longest(settings_).count());
  const record::Members rest = {
      {"seed", static_cast<std::int64_t>(settings_.seed)},
      {"polygons", std::int64_t{settings_.polygons}},
      {"repetitions", std::int64_t{settings_.repetitions}},
      {"last_two_limit_s", settings_.last_two_limit_s},
      {"shorten_last_two", settings_.shorten_last_two},
      {"mark", settings_.mark.empty() && !because.empty() ? std::string("MOD") : settings_.mark},
      {"not_official_because", because}};
  members.insert(members.end(), rest.begin(), rest.end());
  if (settings_.loop_time_s) members.emplace_back("loop_time_s", *settings_.loop_time_s);
  if (settings_.rmax_flop_s) members.emplace_back("rmax_flop_s", *settings_.rmax_flop_s);
  return members;
}

Settings fitted(const Settings& best, const suites::TimeShare& time, const suites::World& world) {
  const auto all = steps(best);
  const auto found = std::ranges::find_if(
      all, [&](const Settings& settings) { return needed_s(settings, world) <= time.seconds; });
  if (found != all.end()) return *found;
  Settings least = all.back();
  least.needs_budget_s = time.budget_for(needed_s(least, world));
  return least;
}

suites::TimeRange time_range(const Settings& best, const suites::World& world) {
  const auto all = steps(best);
  return {needed_s(all.back(), world), needed_s(all.front(), world)};
}

}  // namespace steelyard::beff
