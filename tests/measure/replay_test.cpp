// SPDX-License-Identifier: Apache-2.0
// Traces of single operations are measured 200 times, from different starting points, by two rules that are
// given the same time for operations: the mean over contiguous operations, and ours. Asked: how far do the
// reported values scatter, and how far are they from the undisturbed time?
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "measure/schedule.hpp"
#include "scripted_point.hpp"
#include "stats/order.hpp"
#include "trace.hpp"

namespace steelyard::measure {
namespace {

constexpr int launches = 200;
constexpr std::size_t points_of_block = 24;
constexpr int classic_warmup = 2;

/// What a launch reports, against what was true while it lasted.
struct Reported {
  double value_s = 0;
  double true_s = 0;
};

struct Spread {
  double cv = 0;
  double bias = 0;  // mean of |mean value / truth - 1|
};

/// One point of a block: the trace of its operations, how many the classic rule takes, and the time that this
/// costs it in the mean of all launches, which is what our rule may spend.
struct Point {
  const Trace& trace;
  std::int64_t ops;
  double budget_s = 0;
  [[nodiscard]] double launch_s() const { return budget_s * static_cast<double>(points_of_block); }
};

/// Median of the undisturbed times while a launch lasted.
double truth(const Trace& trace, double start_s, double length_s) {
  std::vector<double> seen;
  for (int i = 0; i < 201; ++i) {
    seen.push_back(trace.undisturbed_s[trace.in_progress_at(start_s + length_s * i / 200)]);
  }
  return stats::median(std::move(seen));
}

/// The points of a block one after the other; this one has its turn at `slot`. Seconds for its operations.
double classic_time(const Point& point, double start_s, std::size_t slot) {
  TraceCursor cursor(point.trace, start_s + point.budget_s * static_cast<double>(slot));
  for (int i = 0; i < classic_warmup; ++i) cursor.operation();
  double total_s = 0;
  for (std::int64_t i = 0; i < point.ops; ++i) total_s += cursor.operation();
  return total_s;
}

double start_of(const Trace& trace, std::uint64_t launch) {
  return trace.length_s * static_cast<double>(launch) / launches;
}

Point point_of(const Trace& trace, std::int64_t ops) {
  Point point{trace, ops};
  double total_s = 0;
  for (std::uint64_t launch = 0; launch < launches; ++launch) {
    total_s += classic_time(point, start_of(trace, launch), 0);
  }
  point.budget_s = total_s / launches;
  return point;
}

AdaptiveRule all_of_the_budget(const Point& point) {
  AdaptiveRule rule;
  rule.run_for = Seconds{point.budget_s};
  return rule;
}

AdaptiveRule until_narrow(const Point& point) {
  AdaptiveRule rule;
  rule.point_budget = Seconds{point.budget_s};
  return rule;
}

/// Between two visits of a point lie visits of the other points of its block, which take as long.
class Interleaving {
 public:
  Interleaving(TraceCursor& cursor, std::uint64_t seed) : cursor_(cursor), seed_(seed) {}

  void before_visit() {
    const double since_s = cursor_.elapsed_s() - ended_s_;
    const double visit_s = round_ == 0 ? 0 : since_s;
    const auto order = shuffled(points_of_block, seed_, 0, round_++);
    const auto position = static_cast<std::size_t>(std::ranges::find(order, std::size_t{0}) - order.begin());
    cursor_.pass(visit_s * static_cast<double>(left_behind_ + position));
    left_behind_ = points_of_block - 1 - position;
    ended_s_ = cursor_.elapsed_s();
  }

 private:
  TraceCursor& cursor_;
  std::uint64_t seed_, round_ = 0;
  std::size_t left_behind_ = 0;
  double ended_s_ = 0;
};

record::Statistics our_statistics(const Point& point, const AdaptiveRule& rule, double start_s,
                                  std::uint64_t seed) {
  TraceCursor cursor(point.trace, start_s);
  Interleaving interleaving(cursor, seed);
  const auto schedule = adaptive_schedule(rule);
  Script script{.operation = [&] { return cursor.operation(); },
                .probe = [&] { return cursor.probe(); },
                .others = [&] { interleaving.before_visit(); }};
  return Player(*schedule, std::move(script)).play().outcome.time;
}

using Rule = std::function<double(const Point&, double start_s, std::uint64_t launch)>;

std::vector<Reported> launch_all(const Point& point, const Rule& rule) {
  std::vector<Reported> reported;
  for (std::uint64_t launch = 0; launch < launches; ++launch) {
    const double start_s = start_of(point.trace, launch);
    reported.push_back({rule(point, start_s, launch), truth(point.trace, start_s, point.launch_s())});
  }
  return reported;
}

Spread spread_of(const std::vector<Reported>& reported) {
  stats::Moments values, ratios;
  for (const Reported& r : reported) {
    values.add(r.value_s);
    ratios.add(r.value_s / r.true_s);
  }
  return {values.sd() / values.mean(), std::abs(ratios.mean() - 1)};
}

double classic_rule(const Point& point, double start_s, std::uint64_t launch) {
  return classic_time(point, start_s, static_cast<std::size_t>(launch % points_of_block)) /
         static_cast<double>(point.ops);
}
double our_rule(const Point& point, double start_s, std::uint64_t launch) {
  return *our_statistics(point, all_of_the_budget(point), start_s, launch).median;
}
double our_short_rule(const Point& point, double start_s, std::uint64_t launch) {
  return *our_statistics(point, until_narrow(point), start_s, launch).median;
}

/// One row of the table.
struct Comparison {
  std::string name;
  std::int64_t ops = 0;
  double budget_s = 0;
  Spread classic, whole, stopped;  // ours: with all of the budget; stopped when the interval is narrow
};

Comparison compare(const Point& point) {
  return {point.trace.name,
          point.ops,
          point.budget_s,
          spread_of(launch_all(point, classic_rule)),
          spread_of(launch_all(point, our_rule)),
          spread_of(launch_all(point, our_short_rule))};
}

void print_head() {
  std::printf("%-22s %7s %7s | %26s | %13s | %30s\n", "", "classic", "time", "spread over launches, %",
              "ratio", "distance from the truth, %");
  std::printf("%-22s %7s %7s | %8s %8s %8s | %6s %6s | %10s %9s %9s\n", "trace", "ops", "ms", "classic",
              "whole", "stopped", "whole", "stop", "classic", "whole", "stopped");
}

void print(const Comparison& c) {
  std::printf("%-22s %7lld %7.2f | %8.3f %8.3f %8.3f | %6.3f %6.3f | %10.3f %9.3f %9.3f\n", c.name.c_str(),
              static_cast<long long>(c.ops), 1e3 * c.budget_s, 100 * c.classic.cv, 100 * c.whole.cv,
              100 * c.stopped.cv, c.whole.cv / c.classic.cv, c.stopped.cv / c.classic.cv,
              100 * c.classic.bias, 100 * c.whole.bias, 100 * c.stopped.bias);
}

/// Operation time, and how many of them IMB times by default at such a point.
struct Size {
  double op_s;
  std::int64_t ops;
};
constexpr Size sizes[]{{1e-6, 1000}, {13e-6, 640}, {150e-6, 40}};
constexpr const char* recorded[]{"pingpong_64k_quiet", "pingpong_64k_crowded", "copy_4m_crowded"};

Comparison replay_scripted(Disturbance disturbance, const Size& size) {
  const double launch_s = size.op_s * static_cast<double>(size.ops) * static_cast<double>(points_of_block);
  Trace trace = scripted_trace(disturbance, size.op_s, 10 * launch_s, static_cast<std::uint64_t>(size.ops));
  trace.name += ", " + std::to_string(std::lround(1e6 * size.op_s)) + " us";
  const Comparison c = compare(point_of(trace, size.ops));
  print(c);
  return c;
}

/// A launch covers about a fifth of the trace, so that launches differ.
Comparison replay_recorded(const std::string& name) {
  Trace trace = recorded_trace(std::string(STEELYARD_TRACES) + "/" + name + ".txt");
  trace.name = name;
  const Comparison c =
      compare(point_of(trace, static_cast<std::int64_t>(trace.op_s.size() / 5 / points_of_block)));
  print(c);
  return c;
}

void expect_a_third(const Comparison& c) {
  EXPECT_LE(c.whole.cv, c.classic.cv / 3) << c.name;
  EXPECT_LE(c.stopped.cv, c.classic.cv / 3) << c.name;
  EXPECT_LE(c.whole.bias, c.classic.bias / 3) << c.name;
  EXPECT_LE(c.stopped.bias, c.classic.bias / 3) << c.name;
}

double geometric_mean_of(const std::vector<Comparison>& table,
                         const std::function<double(const Comparison&)>& ratio) {
  std::vector<double> ratios;
  for (const Comparison& c : table) ratios.push_back(ratio(c));
  return stats::geometric_mean(ratios);
}

/// A state that changes and a speed that drifts lie between launches as well as within them, and a machine on
/// which every operation waits for a processor has no undisturbed time that a short budget could find: no
/// rule within a launch can remove that. The requirement is therefore on the mean over the points.
TEST(replay, spread_over_launches_is_at_most_a_third_of_the_classic_mean) {
  std::vector<Comparison> table;
  print_head();
  for (const Disturbance disturbance : disturbances) {
    for (const Size& size : sizes) {
      table.push_back(replay_scripted(disturbance, size));
      const bool one_speed = disturbance == Disturbance::quiet || disturbance == Disturbance::interrupted;
      if (one_speed) expect_a_third(table.back());
    }
  }
  for (const char* name : recorded) table.push_back(replay_recorded(name));
  const double whole = geometric_mean_of(table, [](const auto& c) { return c.whole.cv / c.classic.cv; });
  const double stopped = geometric_mean_of(table, [](const auto& c) { return c.stopped.cv / c.classic.cv; });
  const double bias = geometric_mean_of(table, [](const auto& c) { return c.whole.bias / c.classic.bias; });
  const double stopped_bias =
      geometric_mean_of(table, [](const auto& c) { return c.stopped.bias / c.classic.bias; });
  std::printf("geometric means: spread %.3f, stopped %.3f; distance %.3f, stopped %.3f\n", whole, stopped,
              bias, stopped_bias);
  for (const double ratio : {whole, stopped, bias, stopped_bias}) EXPECT_LE(ratio, 1.0 / 3);
}

TEST(replay, reporting_the_mean_of_our_batches_would_not_do) {
  const Trace trace = scripted_trace(Disturbance::interrupted, 13e-6, 4, 1);
  const Point point = point_of(trace, 640);
  const Spread means = spread_of(launch_all(point, [](const Point& p, double start_s, std::uint64_t launch) {
    return *our_statistics(p, all_of_the_budget(p), start_s, launch).mean;
  }));
  const Spread classic = spread_of(launch_all(point, classic_rule));
  EXPECT_GT(means.cv, classic.cv / 3);
  EXPECT_GT(means.bias, classic.bias / 3);
}

TEST(trace, operations_lie_end_to_end_and_begin_again) {
  Trace trace;
  trace.add(1, 1, 0);
  trace.add(2, 1, 0);
  trace.add(4, 1, 0);
  EXPECT_EQ(trace.length_s, 7);
  EXPECT_EQ(trace.in_progress_at(0), 0U);
  EXPECT_EQ(trace.in_progress_at(2.9), 1U);
  EXPECT_EQ(trace.in_progress_at(3), 2U);
  EXPECT_EQ(trace.in_progress_at(7.5), 0U);
}

TEST(trace, first_operation_after_a_pause_is_cold) {
  Trace trace;
  for (int i = 0; i < 10; ++i) trace.add(2, 1, 0);
  TraceCursor cursor(trace, 0);
  EXPECT_DOUBLE_EQ(cursor.operation(), 2.3);
  EXPECT_DOUBLE_EQ(cursor.operation(), 2);
  cursor.pass(3);
  EXPECT_DOUBLE_EQ(cursor.operation(), 1.3) << "half of it is over";
  EXPECT_DOUBLE_EQ(cursor.elapsed_s(), 8.6);
}

}  // namespace
}  // namespace steelyard::measure
