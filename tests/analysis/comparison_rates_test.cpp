// SPDX-License-Identifier: Apache-2.0
// How often the comparison errs: records of made-up machines whose truth is known.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "analysis/comparison/comparison.hpp"
#include "record/json.hpp"
#include "stats/order.hpp"

namespace steelyard::comparison {
namespace {

using record::PointRecord;
using record::Run;

constexpr int messages = 20, repeated = 4, single_numbers = 2;
constexpr int all_points = messages + repeated + single_numbers;

/// Spreads are those of ln; shares say how often something is 1.4 times as slow.
struct Machine {
  const char* name;
  double of_launch, of_point, of_visit;
  double slow_visits = 0;    // in a state that the probes see
  double slow_launches = 0;  // the whole launch, and no probe sees it
  double slow_points = 0;    // a point of a launch, and no probe sees it
};
constexpr Machine machines[] = {
    {"calm", 0.012, 0.012, 0.01},
    {"busy", 0.06, 0.06, 0.1},
    {"of two states", 0.012, 0.02, 0.03, 0.3},
    {"of two states that change with the launch", 0.012, 0.012, 0.01, 0, 0.5},
    {"of two states that change with the point", 0.012, 0.012, 0.01, 0.3, 0, 0.3},
};

class Measurements {
 public:
  Measurements(const Machine& machine, std::uint64_t seed) : machine_(machine), engine_(seed) {}

  /// One launch; the first `changed` messages take `factor` of the time.
  Run launch(int changed = 0, double factor = 1) {
    Run run;
    run.id = "r";
    run.head.processes = 2;
    const double common = noise(machine_.of_launch) * slow(machine_.slow_launches);
    for (int i = 0; i < all_points; ++i) {
      const double level = 1e-6 * (1 + i) * common * noise(machine_.of_point) * slow(machine_.slow_points);
      run.points.push_back(i < messages              ? message(i, level * (i < changed ? factor : 1))
                           : i < messages + repeated ? experiment(i, level, 3)
                                                     : experiment(i, level, 0));
    }
    return run;
  }
  std::vector<Run> launches(int count, int changed = 0, double factor = 1) {
    std::vector<Run> list;
    for (int i = 0; i < count; ++i) list.push_back(launch(changed, factor));
    return list;
  }

 private:
  double noise(double sd) { return std::exp(sd * normal_(engine_)); }
  bool chance(double share) { return even_(engine_) < share; }
  double slow(double share) { return chance(share) ? 1.4 : 1; }

  static PointRecord empty(const std::string& suite, int i) {
    PointRecord point;
    point.suite = suite;
    point.benchmark = "B" + std::to_string(i % 4);
    point.processes = 2;
    point.params["message_byte"] = std::int64_t{i};
    point.key = record::make_key(suite, point.benchmark, 2, 1, 1, point.params);
    return point;
  }

  /// Twelve visits, each in one of two states; what is printed is of the state with most of them.
  PointRecord message(int i, double level) {
    PointRecord point = empty("imb-mpi1", i);
    std::vector<double> seen[2];
    for (int visit = 0; visit < 12; ++visit) {
      const bool is_slow = chance(machine_.slow_visits);
      seen[is_slow ? 1 : 0].push_back(level * noise(machine_.of_visit) * (is_slow ? 1.4 : 1));
    }
    std::vector<record::State> states;
    for (const bool is_slow : {false, true}) {
      const auto& visits = seen[is_slow ? 1 : 0];
      if (visits.empty()) continue;
      record::State state;
      state.chain_s = is_slow ? 4.6e-6 : 3.3e-6;
      state.visits = static_cast<int>(visits.size());
      state.median = stats::median(visits);
      state.ci = {*std::ranges::min_element(visits), *std::ranges::max_element(visits)};
      states.push_back(state);
    }
    std::ranges::stable_sort(states, std::ranges::greater(), &record::State::visits);
    record::Statistics time;
    time.median = states.front().median;
    time.ci = states.front().ci;
    point.states = states;
    point.metrics = {{"time_s", time}};
    point.primary = "time_s";
    return point;
  }

  /// A rate, a single number, from so many repetitions that the record keeps.
  PointRecord experiment(int i, double level, int repetitions) {
    PointRecord point = empty("hpcc", i);
    std::vector<double> passes;
    for (int pass = 0; pass < std::max(1, repetitions); ++pass)
      passes.push_back(level * noise(machine_.of_visit) * slow(machine_.slow_visits));
    point.metrics = {{"flop_rate_flop_s", 1 / stats::median(passes)}};
    point.primary = "flop_rate_flop_s";
    point.lower_is_better = false;
    if (repetitions > 0) point.classic.emplace_back("passes_s", passes);
    return point;
  }

  const Machine& machine_;
  std::mt19937_64 engine_;
  std::normal_distribution<double> normal_;
  std::uniform_real_distribution<double> even_;
};

std::size_t alarms(const Comparison& found) {
  return found.count(Verdict::slower) + found.count(Verdict::faster);
}

/// Of so many comparisons of equal sides those with any verdict that they differ.
int comparisons_with_alarms(const Machine& machine, int comparisons, int launches,
                            const Options& options = {}) {
  Measurements measured(machine, 17);
  int count = 0;
  for (int i = 0; i < comparisons; ++i) {
    const auto base = measured.launches(launches), now = measured.launches(launches);
    if (alarms(compare(base, now, options)) > 0) ++count;
  }
  return count;
}

TEST(compare_rates, twenty_pairs_of_equal_runs_raise_no_alarm) {
  for (const Machine& machine : machines)
    for (const int launches : {1, 4})
      EXPECT_EQ(comparisons_with_alarms(machine, 20, launches), 0) << machine.name;
}

// At 1 % these 150 comparisons raise 1.5 alarms on average, and more than five in 4 of 1000 such tests.
TEST(compare_rates, equal_series_of_five_launches_raise_alarms_at_the_stated_rate) {
  int raised = 0;
  for (const Machine& machine : machines) raised += comparisons_with_alarms(machine, 30, 5);
  EXPECT_LE(raised, 5);
}

TEST(compare_rates, single_runs_are_judged_by_a_spread_that_is_known) {
  const Machine& calm = machines[0];
  Options options;
  options.launch_sd = std::hypot(calm.of_launch, calm.of_point, calm.of_visit);
  EXPECT_LE(comparisons_with_alarms(calm, 100, 1, options), 4);
  Measurements measured(calm, 3);
  const std::vector base{measured.launch()}, now{measured.launch(messages, 1.5)};
  const auto found = compare(base, now, options);
  EXPECT_EQ(found.count(Verdict::slower), std::size_t{messages});
  EXPECT_EQ(alarms(compare(base, now)), 0U);
}

TEST(compare_rates, ten_percent_at_some_points_are_found_with_five_launches_a_side) {
  constexpr int changed = 4, series = 20;
  Measurements measured(machines[0], 5);
  std::size_t right = 0, wrong = 0;
  for (int i = 0; i < series; ++i) {
    const auto base = measured.launches(5), now = measured.launches(5, changed, 1.1);
    for (const Point& point : compare(base, now).points) {
      const bool planted = point.what->suite == "imb-mpi1" &&
                           record::number(*record::find(*point.what->params, "message_byte")) < changed;
      if (point.verdict == Verdict::slower || point.verdict == Verdict::faster)
        ++(planted && point.verdict == Verdict::slower ? right : wrong);
    }
  }
  EXPECT_GE(right, std::size_t{changed * series * 9 / 10});
  EXPECT_LE(wrong, std::size_t{changed * series / 50});
}

TEST(compare_rates, one_point_of_many_is_found_though_ranks_alone_could_not) {
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Measurements measured(machines[0], seed);
    const auto base = measured.launches(5), now = measured.launches(5, 1, 1.15);
    const auto compared = compare(base, now);
    if (compared.points.front().verdict == Verdict::slower) ++found;
    EXPECT_GT(*compared.points.front().p, 0);
  }
  EXPECT_GE(found, 17);
}

// Rules of a suite that make another thing of a point with the same key.

Run ruled(const std::string& suite, const record::Json& rules, const std::vector<std::string>& benchmarks) {
  Run run;
  run.head.config = record::Document(record::Json{{suite, rules}});
  for (const auto& benchmark : benchmarks) {
    PointRecord point;
    point.suite = suite;
    point.benchmark = benchmark;
    point.processes = 2;
    point.key = record::make_key(suite, benchmark, 2, 1, 1, {});
    record::Statistics time;
    time.median = 1e-6;
    time.ci = {0.99e-6, 1.01e-6};
    point.metrics = {{"time_s", time}};
    point.primary = "time_s";
    run.points.push_back(std::move(point));
  }
  return run;
}

Comparison of_versions(const std::vector<std::string>& benchmarks, const Options& options = {}) {
  const std::vector<Run> base{ruled("imb-mpi1", record::Json{{"version", "3.1"}}, benchmarks)};
  const std::vector<Run> now{ruled("imb-mpi1", record::Json{{"version", "2021"}}, benchmarks)};
  return compare(base, now, options);
}

TEST(rule_sets, that_change_what_a_point_is_make_it_unlike_and_no_other) {
  const auto found = of_versions({"PingPong", "Reduce_scatter"});
  EXPECT_EQ(found.points.at(0).remark.find("rules of IMB"), std::string::npos);
  EXPECT_NE(found.points.at(1).remark.find("rules of IMB (--imb-version): 3.1 and 2021"), std::string::npos);
  EXPECT_EQ(found.points.at(1).verdict, Verdict::unclear);
  ASSERT_EQ(found.differences.size(), 1U);
  EXPECT_EQ(found.differences[0].what, "imb-mpi1: rules of IMB (--imb-version)");
  EXPECT_EQ(found.differences[0].base + found.differences[0].now, "3.12021");
}

TEST(rule_sets, that_concern_every_point_are_an_obstacle) {
  EXPECT_THROW(of_versions({"Reduce_scatter"}), NotComparable);
  Options options;
  options.ignored.insert(Ignored::options);
  EXPECT_EQ(of_versions({"Reduce_scatter"}, options).points.at(0).remark.find("rules of IMB"),
            std::string::npos);
  EXPECT_NO_THROW(of_versions({"PingPong"}));
}

TEST(rule_sets, tell_the_length_of_the_computation_beside_transfers) {
  const std::vector<std::string> names{"P_IWrite_Expl", "P_Write_Expl"};
  const auto run = [&names](double seconds) {
    const record::Json rules{{"version", "3.1"}, {"computation_s", seconds}};
    return std::vector{ruled("imb-io", rules, names)};
  };
  const auto found = compare(run(0.02), run(0.1));
  EXPECT_NE(found.points.at(0).remark.find("computation"), std::string::npos);
  EXPECT_EQ(found.points.at(1).remark.find("computation"), std::string::npos);
  EXPECT_TRUE(compare(run(0.1), run(0.1)).differences.empty());
}

}  // namespace
}  // namespace steelyard::comparison
