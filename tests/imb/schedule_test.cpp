// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/schedule.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace steelyard::imb {
namespace {

using measure::Decision;
using measure::EarlierPoint;
using measure::History;
using measure::Stop;
using measure::StopReason;
using measure::Trial;
using measure::TrialResult;
using measure::Visit;

struct Played {
  Visit visit;
  std::vector<std::uint64_t> trials;
  std::optional<StopReason> refused;
};

// Plays the engine for operations of a known cost.
Played play(const measure::Schedule& schedule, double operation_s,
            std::span<const EarlierPoint> earlier = {}) {
  Played played;
  std::vector<TrialResult> trials;
  for (;;) {
    History history;
    history.trials = trials;
    history.earlier = earlier;
    const auto decision = schedule.next(history);
    if (const auto* stop = std::get_if<Stop>(&decision)) return {played.visit, played.trials, stop->why};
    if (const auto* visit = std::get_if<Visit>(&decision)) return {*visit, played.trials, {}};
    const auto ops = std::get<Trial>(decision).ops;
    played.trials.push_back(ops);
    trials.push_back({.ops = ops, .seconds = static_cast<double>(ops) * operation_s});
  }
}

std::unique_ptr<measure::Schedule> schedule_for(const Settings& settings, std::string_view name,
                                                std::int64_t size, int processes = 2) {
  const Bytes sizes[] = {Bytes{size}};
  return std::move(imb_schedules(settings, *find(mpi1(), name), sizes, processes)[0]);
}

std::uint64_t operations(const Settings& settings, std::string_view name, std::int64_t size,
                         double operation_s, std::span<const EarlierPoint> earlier = {}) {
  return play(*schedule_for(settings, name, size), operation_s, earlier).visit.ops_per_batch;
}

TEST(imb_schedule, seed_rule_is_one_batch_of_the_volume_rule_without_trials) {
  const auto played = play(*schedule_for(defaults(mpi1(), Version::v31), "PingPong", 65536), 1.0);
  EXPECT_TRUE(played.trials.empty());
  EXPECT_EQ(played.visit.ops_per_batch, 640U);
  EXPECT_EQ(played.visit.batches, 1U);
  EXPECT_EQ(played.visit.warmup, 1U);
}

TEST(imb_schedule, stops_after_its_one_visit) {
  const auto schedule = schedule_for(Settings{}, "Bcast", 8);
  History history;
  history.visits = 1;
  const auto decision = schedule->next(history);
  ASSERT_TRUE(std::holds_alternative<Stop>(decision));
  EXPECT_EQ(std::get<Stop>(decision).why, StopReason::count);
  EXPECT_EQ(schedule->rule(), "imb");
  EXPECT_FALSE(schedule->interleaved());
}

TEST(imb_schedule, requested_stop_prevents_the_visit) {
  History history;
  history.stop_requested = true;
  const auto decision = schedule_for(Settings{}, "Bcast", 8)->next(history);
  ASSERT_TRUE(std::holds_alternative<Stop>(decision));
  EXPECT_EQ(std::get<Stop>(decision).why, StopReason::interrupted);
}

TEST(imb_schedule, few_repetitions_are_checked_and_fewer_large_ones) {
  EXPECT_EQ(checked_repetitions(Bytes{0}), 4U);
  EXPECT_EQ(checked_repetitions(Bytes{(1 << 20) - 1}), 4U);
  EXPECT_EQ(checked_repetitions(Bytes{1 << 20}), 2U);
}

TEST(imb_schedule, policies_choose_the_repetitions) {
  Settings settings;
  settings.policy = IterationPolicy::off;
  settings.time_limit = Seconds{1e-6};
  EXPECT_EQ(operations(settings, "PingPong", 4194304, 1.0), 1000U) << "volume and time are ignored";
  settings.policy = IterationPolicy::multiple_np;
  EXPECT_EQ(play(*schedule_for(settings, "Bcast", 4194304, 8), 1.0).visit.ops_per_batch, 104U);
  settings.policy = IterationPolicy::automatic;
  EXPECT_EQ(play(*schedule_for(settings, "Bcast", 4194304, 8), 1.0).visit.ops_per_batch, 104U);
  EXPECT_EQ(operations(settings, "Allreduce", 4194304, 1e-3), 1U) << "dynamic, limit of a microsecond";
}

TEST(imb_schedule, policies_without_a_bound_repeat_as_often_in_every_mode) {
  Settings settings;
  settings.iterations.per_sample = 700;
  const auto count = [&](const Part& part, const char* name, Mode mode) {
    return planned_repetitions(settings, *find(part, name), Bytes{4194304}, 2, mode);
  };
  settings.policy = IterationPolicy::off;
  for (const auto mode : {Mode::aggregate, Mode::non_aggregate}) {
    EXPECT_EQ(count(ext(), "Unidir_Put", mode), 700U);
    EXPECT_EQ(count(rma(), "Unidir_put", mode), 700U);
  }
  EXPECT_EQ(count(ext(), "Window", Mode::none), 700U);
  settings.policy = IterationPolicy::multiple_np;
  EXPECT_EQ(count(ext(), "Accumulate", Mode::aggregate), count(ext(), "Accumulate", Mode::non_aggregate));
  settings.policy = IterationPolicy::volume;
  EXPECT_EQ(planned_repetitions(settings, *find(ext(), "Unidir_Put"), Bytes{4}, 2, Mode::non_aggregate),
            100U);
}

TEST(imb_schedule, barrier_ignores_the_volume) {
  EXPECT_EQ(operations(Settings{}, "Barrier", 0, 1.0), 1000U);
}

TEST(imb_schedule, time_limit_keeps_the_row_within_its_seconds) {
  Settings settings;
  settings.time_limit = Seconds{1};
  EXPECT_EQ(operations(settings, "PingPong", 8, 1e-6), 1000U);
  EXPECT_EQ(operations(settings, "PingPong", 8, 1.0 / 64), 65U) << "floor(1 + 1 s / t)";
  EXPECT_EQ(operations(settings, "PingPong", 8, 20.0), 1U);
}

TEST(imb_schedule, estimating_runs_take_a_tenth_of_the_limit_at_most) {
  Settings settings;
  settings.time_limit = Seconds{1};
  EXPECT_EQ(play(*schedule_for(settings, "PingPong", 8), 1e-6).trials, (std::vector<std::uint64_t>{1, 1000}));
  EXPECT_EQ(play(*schedule_for(settings, "PingPong", 8), 1.0 / 128).trials,
            (std::vector<std::uint64_t>{1, 12}));
  EXPECT_EQ(play(*schedule_for(settings, "PingPong", 8), 0.5).trials, (std::vector<std::uint64_t>{1}));
  settings.time_limit = Seconds{1000};
  EXPECT_EQ(play(*schedule_for(settings, "PingPong", 8), 0.25).trials, (std::vector<std::uint64_t>{1, 4}));
}

TEST(imb_schedule, time_below_the_clock_keeps_the_planned_number) {
  Settings settings;
  settings.time_limit = Seconds{1e-9};
  EXPECT_EQ(operations(settings, "PingPong", 8, 0.0), 1000U);
}

TEST(imb_schedule, limited_default_sizes_never_repeat_more_than_the_size_before) {
  Settings settings;
  settings.time_limit = Seconds{10};
  const EarlierPoint earlier[] = {{.bytes = 1, .ops = 900}, {.bytes = 2, .ops = 37}};
  EXPECT_EQ(operations(settings, "PingPong", 4, 1e-6, earlier), 37U);
}

TEST(imb_schedule, later_version_repeats_bounded_benchmarks_no_more_often_than_the_first_number_says) {
  for (const auto& [first, expected] : {std::pair{20, 20U}, {300, 100U}}) {
    auto settings = defaults(ext(), Version::v2021);
    settings.iterations.per_sample = first;
    const Bytes sizes[] = {Bytes{0}, Bytes{4}};
    const EarlierPoint earlier[] = {{.bytes = 0, .ops = expected}};
    const auto repeated = [&, expected = expected](std::string_view name, Mode mode) {
      const auto schedules = imb_schedules(settings, *find(ext(), name), sizes, 2, mode);
      EXPECT_EQ(play(*schedules[1], 1e-6, earlier).visit.ops_per_batch, expected);
      return play(*schedules[0], 1e-6).visit.ops_per_batch;
    };
    EXPECT_EQ(repeated("Window", Mode::none), expected);
    EXPECT_EQ(repeated("Unidir_Put", Mode::non_aggregate), expected);
    settings.iterations.non_aggregate = 7;
    EXPECT_EQ(play(*imb_schedules(settings, *find(ext(), "Window"), sizes, 2)[0], 1e-6).visit.ops_per_batch,
              7U);
    settings = defaults(ext(), Version::v31);
    settings.iterations.per_sample = first;
    EXPECT_EQ(play(*imb_schedules(settings, *find(ext(), "Window"), sizes, 2)[0], 1e-6).visit.ops_per_batch,
              100U);
  }
}

TEST(imb_schedule, given_sizes_look_at_every_earlier_entry) {
  const EarlierPoint earlier[] = {{.bytes = 100, .ops = 50}, {.bytes = 1000, .ops = 20}};
  EXPECT_EQ(within_time(1000, 1e-6, Seconds{10}, true, 2000, earlier), 20U);
  EXPECT_EQ(within_time(1000, 1.0, Seconds{10}, true, 50, earlier), 50U)
      << "smaller than both: raised from 11";
  EXPECT_EQ(within_time(30, 1e-6, Seconds{10}, true, 50, earlier), 30U) << "never above the rule";
}

TEST(imb_schedule, warm_up_follows_the_version) {
  const auto later = defaults(mpi1(), Version::v2021);
  EXPECT_EQ(warm_up(later, 1000), 100U);
  EXPECT_EQ(warm_up(later, 40), 10U);
  EXPECT_EQ(warm_up(later, 4), 4U);
  EXPECT_EQ(warm_up(defaults(mpi1(), Version::v31), 1000), 1U);
  auto cold = later;
  cold.warm_up = false;
  EXPECT_EQ(warm_up(cold, 1000), 0U);
}

TEST(imb_schedule, later_version_ends_a_table_that_takes_too_long) {
  double now = 100;
  const Bytes sizes[] = {Bytes{0}, Bytes{1}, Bytes{2}};
  const auto schedules = imb_schedules(defaults(mpi1(), Version::v2021), *find(mpi1(), "Bcast"), sizes, 2,
                                       Mode::none, [&] { return now; });
  EXPECT_FALSE(play(*schedules[0], 1e-6).refused.has_value());
  now += 10 * 21;  // (22 - 0 - 1) * T is still allowed
  EXPECT_FALSE(play(*schedules[1], 1e-6).refused.has_value());
  now += 0.5;
  EXPECT_EQ(play(*schedules[2], 1e-6).refused, StopReason::time);
}

TEST(imb_schedule, seed_version_has_no_limit_for_a_table) {
  Settings settings;
  settings.time_limit = Seconds{1};
  double now = 0;
  const Bytes sizes[] = {Bytes{0}, Bytes{1}};
  const auto schedules =
      imb_schedules(settings, *find(mpi1(), "Bcast"), sizes, 2, Mode::none, [&] { return now; });
  EXPECT_FALSE(play(*schedules[0], 1e-6).refused.has_value());
  now = 1e6;
  EXPECT_FALSE(play(*schedules[1], 1e-6).refused.has_value());
}

}  // namespace
}  // namespace steelyard::imb
