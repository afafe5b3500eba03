// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <numeric>
#include <thread>

#include "engine_bench.hpp"
#include "machine/processors.hpp"
#include "measure/probe.hpp"
#include "measure/wtime.hpp"
#include "record/json.hpp"

namespace {

constexpr double planted_tick_s = 1e-3;
bool refuses_windows = false;

}  // namespace

/// Stands before that of the library, which usually claims a nanosecond, as the unit of the timer is.
extern "C" double MPI_Wtick() {
  return planted_tick_s;
}

/// Refuses as a library does that finds no room for the memory.
extern "C" int MPI_Win_allocate_shared(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void* base,
                                       MPI_Win* window) {
  return refuses_windows ? MPI_ERR_INTERN : PMPI_Win_allocate_shared(size, unit, info, comm, base, window);
}

namespace steelyard::measure {
namespace {

TEST(state_probe, arithmetic_is_seen_on_every_rank_and_lines_by_the_first_of_a_node) {
  const auto world = mpi::Communicator::world();
  TimerOf<MonoSource> timer;
  StateProbe probe(world, timer);
  for (int i = 0; i < 5; ++i) {
    const stats::Probe found = probe.measure();
    EXPECT_GT(found.chain_s.value_or(0), 0);
    EXPECT_GT(found.wide_s.value_or(0), 0);
    if (found.c2c_s) {
      EXPECT_EQ(world.rank(), 0);
    }
  }
  EXPECT_GT(probe.cost_s(), 0);
}

TEST(line_exchange, more_processes_than_processors_take_no_part) {
  const auto world = mpi::Communicator::world();
  TimerOf<MonoSource> timer;
  const LineExchange line(world, timer);
  const bool crowded = world.size() > static_cast<int>(std::thread::hardware_concurrency());
  if (world.size() == 1 || crowded || world.rank() > 1) {
    EXPECT_FALSE(line.takes_part());
  }
}

TEST(own_processors, are_not_there_for_processes_that_are_kept_to_one) {
  const auto world = mpi::Communicator::world();
  const auto before = machine::processors_of_thread();
  ASSERT_TRUE(before);
  const bool kept = machine::keep_thread_to({world.broadcast(before->list().front())});
  const bool have = have_own_processors(world);
  EXPECT_TRUE(machine::keep_thread_to(*before));
  if (world.all(kept)) {
    EXPECT_EQ(have, world.size() == 1);
  }
}

TEST(line_exchange, without_the_memory_that_two_share_is_left_out) {
  const auto world = mpi::Communicator::world();
  TimerOf<MonoSource> timer;
  const bool was_possible = LineExchange(world.split_shared(), timer).takes_part();
  refuses_windows = true;
  const LineExchange line(world.split_shared(), timer);
  StateProbe probe(world, timer);
  refuses_windows = false;
  EXPECT_FALSE(line.takes_part());
  EXPECT_EQ(line.refused(), was_possible);
  EXPECT_EQ(probe.without_lines(), world.any(was_possible));
  EXPECT_GT(probe.measure().chain_s.value_or(0), 0);
}

TEST(probed_visits, memory_that_two_do_not_share_is_told_once) {
  const Team team = fake::everybody();
  TimerOf<MonoSource> timer;
  Engine engine(timer, {});
  const bool was_possible = team.active.any(LineExchange(team.active.split_shared(), timer).takes_part());
  refuses_windows = true;
  for (int block = 0; block < 2; ++block) engine.measure(team, {}, [](std::size_t, const Outcome&) {});
  refuses_windows = false;
  const auto notices = engine.take_notices();
  if (!team.active.is_root()) return;
  ASSERT_EQ(notices.size(), was_possible ? 1 : 0);
  if (was_possible) {
    EXPECT_EQ(notices[0].code, "shared_memory");
  }
}

TEST(line_exchange, partner_that_does_not_come_is_not_waited_for_and_is_met_again) {
  const auto world = mpi::Communicator::world();
  TimerOf<MonoSource> timer;
  LineExchange line(world, timer);
  if (world.is_root()) {
    EXPECT_FALSE(line.measure().has_value());
  }
  world.barrier();
  if (world.rank() == 1) static_cast<void>(line.measure());  // meets what rank 0 has left behind
  for (int i = 0; i < 3; ++i) {
    world.barrier();
    const auto found = line.measure();
    if (found) {
      EXPECT_GT(*found, 0);
    }
  }
}

TEST(probed_visits, states_of_the_machine_are_in_the_outcome) {
  const Team team = fake::everybody();
  TimerOf<MonoSource> timer;
  Engine engine(timer, {});
  const fake::Script schedule(std::vector<Decision>(6, Visit{0, 100, 5}), true);
  Task task;
  task.schedule = &schedule;
  task.open = [](int) {
    const auto work = [](std::uint64_t i) noexcept { return dependent_chain(i, 200) == 0 ? 1 : 0; };
    return std::make_unique<Loop<decltype(work)>>(work);
  };
  std::optional<Outcome> outcome;
  engine.measure(team, std::vector<Task>{task},
                 [&outcome](std::size_t, Outcome found) { outcome = std::move(found); });
  if (!team.active.is_root()) return;
  ASSERT_FALSE(outcome.value().states.empty());
  EXPECT_GT(outcome.value().states.front().chain_s.value_or(0), 0);
  int visits = 0;
  for (const auto& state : outcome.value().states) visits += state.visits;
  EXPECT_EQ(visits, 6);
}

TEST(probed_visits, point_that_is_not_probed_itself_has_the_state_of_the_one_before) {
  const Team team = fake::everybody();
  TimerOf<MonoSource> timer;
  Engine engine(timer, {});
  const fake::Script schedule(std::vector<Decision>(1, Visit{0, 1, 1}), true);
  Task task;
  task.schedule = &schedule;
  task.open = [](int) {
    const auto work = [](std::uint64_t i) noexcept { return dependent_chain(i, 200) == 0 ? 1 : 0; };
    return std::make_unique<Loop<decltype(work)>>(work);
  };
  int known = 0;
  engine.measure(team, std::vector<Task>{task, task, task}, [&known](std::size_t, const Outcome& found) {
    if (!found.states.empty() && found.states.front().chain_s.value_or(0) > 0) ++known;
  });
  EXPECT_EQ(known, team.active.is_root() ? 3 : 0);
}

TEST(noise_record, has_its_members_within_bounds_on_rank_0_only) {
  const auto world = mpi::Communicator::world();
  TimerOf<MonoSource> timer;
  const record::Document document = noise(timer, world, 0.1);
  EXPECT_EQ(document.empty(), !world.is_root());
  if (!world.is_root()) return;
  const auto& json = document.json();
  EXPECT_GT(json.at("work_s").get<double>(), 0);
  EXPECT_GE(json.at("p99_over_median").get<double>(), 1);
  EXPECT_GE(json.at("noise").get<double>(), 0);
  EXPECT_GE(json.at("detour_share").get<double>(), 0);
  EXPECT_LE(json.at("detour_share").get<double>(), 1);
  EXPECT_GE(json.at("waiting_share").get<double>(), 0);
  EXPECT_EQ(json.at("crowding").is_null(), world.size() == 1);
  EXPECT_FALSE(json.at("worst_host").get<std::string>().empty());
  EXPECT_EQ(json.at("detours").at("counts").size(), json.at("detours").at("class_ends_s").size() + 1);
  const auto& classes = json.at("fixed_work").at("classes");
  const auto counts = classes.at("counts").get<std::vector<std::int64_t>>();
  EXPECT_EQ(counts.size(), WorkClasses::size);
  EXPECT_GE(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}), world.size());
  EXPECT_GE(json.at("fixed_work").at("max_s").get<double>(), classes.at("low_s").get<double>());
  EXPECT_GE(classes.at("high_s").get<double>(), json.at("fixed_work").at("max_s").get<double>());
}

TEST(work_classes, times_are_counted_where_they_belong_and_none_is_lost) {
  WorkClasses classes{.low_s = 1e-4, .high_s = 1e-2};
  classes.add(std::array{0.0, 1e-4, 1.05e-4, 1e-3 * 1.01, 1e-2, 2.0});
  EXPECT_EQ(classes.counts[0], 3);
  EXPECT_EQ(classes.counts[WorkClasses::size / 2], 1);
  EXPECT_EQ(classes.counts[WorkClasses::size - 1], 2);
  WorkClasses alike{.low_s = 1e-4, .high_s = 1e-4};
  alike.add(std::array{1e-4, 1e-4});
  EXPECT_EQ(alike.counts[0], 2);
}

TEST(detour_scan, scripted_interruptions_are_found_with_their_length_and_class) {
  fake::Time time;
  time.read_cost = 20;
  for (const std::uint64_t read : {5000U, 6000U, 7000U}) time.detours[read] = 3000;
  time.detours[8000] = 100'000;
  const TimerOf<fake::Source> timer(fake::Source{&time});
  const Detours found = scan_detours(timer, 1e-3);
  EXPECT_NEAR(found.largest_s, 100.02e-6, 1e-12);
  EXPECT_NEAR(found.share, (3 * 3e-6 + 100e-6) / 1e-3, 1e-4);
  EXPECT_EQ(found.counts[1], 3);
  EXPECT_EQ(found.counts[4], 1);
  EXPECT_EQ(std::accumulate(found.counts.begin(), found.counts.end(), std::int64_t{0}), 4);
}

TEST(detour_scan, of_no_time_at_all_looks_once) {
  fake::Time time;
  time.read_cost = 20;
  const TimerOf<fake::Source> timer(fake::Source{&time});
  EXPECT_EQ(scan_detours(timer, -1).share, 0);
}

TEST(usage, page_faults_of_untouched_memory_are_counted) {
  const UsageReader reader;
  const Usage before = reader.read();
  std::vector<char> memory(std::size_t{8} << 20U, 'x');
  const UsageSpan span = between(before, reader.read());
  EXPECT_EQ(memory.back(), 'x');
  EXPECT_GT(span.faults, 0);
  EXPECT_GE(span.waited_s, 0);
}

TEST(wtime_clock, runs_forward_and_is_chosen_by_its_word) {
  const ChosenTimer chosen = make_any_timer(ClockKind::mpi);
  EXPECT_EQ(chosen.kind, ClockKind::mpi);
  const Ticks start = chosen.timer->now();
  keep(dependent_chain(1, 1'000'000));
  EXPECT_GT(chosen.timer->now(), start);
  const WtimeQuality quality = examine_wtime(*chosen.timer);
  EXPECT_GE(quality.cost_s, 0);
  EXPECT_GT(quality.tick_s, 0);
}

TEST(calibration, all_ranks_hold_the_same_maxima) {
  const auto world = mpi::Communicator::world();
  const TimerOf<MonoSource> timer;
  const ClockQuality quality = calibrate(timer, "CLOCK_MONOTONIC", world);
  EXPECT_EQ(world.min(quality.cost_s), world.max(quality.cost_s));
  EXPECT_EQ(world.min(quality.resolution_s), world.max(quality.resolution_s));
  EXPECT_GT(quality.cost_s, 0);
  EXPECT_GT(quality.resolution_s, 0);
}

TEST(calibration, tick_that_wtime_claims_is_what_mpi_says) {
  const auto world = mpi::Communicator::world();
  const ChosenTimer chosen = make_any_timer(ClockKind::mpi);
  EXPECT_EQ(calibrate(*chosen.timer, chosen.source, world).tick_claimed_s, planted_tick_s);
  EXPECT_EQ(examine_wtime(*chosen.timer).tick_s, planted_tick_s);
}

TEST(empty_operation, cost_of_the_loop_is_told_and_not_judged) {
  TimerOf<MonoSource> timer;
  const auto nothing = [](std::uint64_t) noexcept { return 0; };
  Loop<decltype(nothing)> loop(nothing);
  std::vector<Ticks> stamps(2);
  constexpr std::uint64_t ops = 1'000'000;
  ASSERT_EQ(timer.contiguous(loop, 0, ops, stamps), 0);
  RecordProperty("ns_per_operation", std::to_string(static_cast<double>(stamps[1] - stamps[0]) / ops));
}

}  // namespace
}  // namespace steelyard::measure
