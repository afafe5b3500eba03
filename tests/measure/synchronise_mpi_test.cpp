// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <array>

#include "engine_bench.hpp"
#include "measure/synchronise.hpp"

namespace steelyard::measure {
namespace {

/// The system's clock, shifted and running faster on every rank: what clocks of different nodes are like.
struct ShiftedSource {
  double shift_s = 0;
  double rate = 1;
  MonoSource real{};
  [[nodiscard]] Ticks now() const noexcept {
    return static_cast<Ticks>(static_cast<double>(real.now()) * rate + shift_s * 1e9);
  }
  [[nodiscard]] double seconds(Ticks t) const noexcept { return static_cast<double>(t) * 1e-9; }
};

TEST(dissemination_barrier, nobody_leaves_before_the_last_has_entered) {
  const auto world = mpi::Communicator::world();
  TimerOf<MonoSource> timer;
  const auto barrier = make_synchroniser(Sync::dissemination, world, timer);
  for (int late = 0; late < world.size(); ++late) {
    world.barrier();
    if (world.rank() == late) {
      const Ticks start = timer.now();
      while (timer.seconds(timer.now() - start) < 2e-3) {
      }
    }
    const Ticks entered = timer.now();
    ASSERT_EQ(barrier->synchronise(), MPI_SUCCESS);
    const Ticks left = timer.now();
    EXPECT_GE(world.min(left), world.max(entered));
  }
}

TEST(barrier_modes, all_of_them_return_success_again_and_again) {
  const auto world = mpi::Communicator::world();
  TimerOf<MonoSource> timer;
  for (const Sync mode : {Sync::none, Sync::barrier, Sync::barrier2, Sync::dissemination, Sync::window}) {
    const auto synchroniser = make_synchroniser(mode, world, timer);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(synchroniser->synchronise(), MPI_SUCCESS);
  }
}

TEST(barrier_modes, their_time_is_known_before_they_are_used) {
  const auto world = mpi::Communicator::world();
  TimerOf<MonoSource> timer;
  for (const Sync mode : {Sync::none, Sync::barrier, Sync::dissemination, Sync::window}) {
    const double seconds = synchronisation_time(mode, world, timer);
    EXPECT_EQ(world.min(seconds), world.max(seconds));
    EXPECT_GE(seconds, 0);
    EXPECT_LT(seconds, 10);
  }
  if (world.size() > 1) {
    EXPECT_GT(synchronisation_time(Sync::barrier, world, timer), 0);
  }
}

TEST(clock_agreement, ranks_of_one_node_with_one_clock_need_no_model) {
  const auto world = mpi::Communicator::world();
  TimerOf<MonoSource> timer;
  const ClockAgreement agreement = synchronise_clocks(world, timer);
  EXPECT_TRUE(agreement.shared_clock);
  EXPECT_EQ(agreement.model.offset_s, 0);
  EXPECT_EQ(agreement.model.slope, 0);
  EXPECT_EQ(world.min(agreement.error_max_s), world.max(agreement.error_max_s));
}

TEST(clock_agreement, shifted_and_drifting_clocks_are_brought_together_by_the_tree) {
  const auto world = mpi::Communicator::world();
  TimerOf<ShiftedSource> timer(ShiftedSource{0.5 * world.rank(), 1 + 20e-6 * world.rank()});
  const ClockAgreement agreement = synchronise_clocks(world, timer);
  EXPECT_EQ(agreement.shared_clock, world.size() == 1);
  // Against half a second of offset; how close depends on who else runs on the machine.
  EXPECT_LT(agreement.error_max_s, 0.1);
  EXPECT_LE(agreement.error_median_s, agreement.error_max_s);
  if (world.rank() > 0) {
    EXPECT_GT(std::abs(agreement.model.offset_s), 0.4);
  }
  if (world.size() > 1) {
    EXPECT_GT(agreement.error_max_s, 0);
  }
}

TEST(windows, nobody_starts_before_the_agreed_time_and_late_starts_are_counted) {
  const auto world = mpi::Communicator::world();
  TimerOf<ShiftedSource> timer(ShiftedSource{0.5 * world.rank()});
  const ClockModel model{0.5 * world.rank(), 0, 0};
  WindowSynchroniser window(world, timer, model);
  EXPECT_GT(window.slack_s(), 0);
  const double before_s = window.slack_s();
  window.widen();
  EXPECT_DOUBLE_EQ(window.slack_s(), 1.5 * before_s);
  for (int i = 0; i < 5; ++i) {
    const double earliest_s = world.max(model.global(timer.seconds(timer.now())));
    ASSERT_EQ(window.synchronise(), MPI_SUCCESS);
    EXPECT_GE(model.global(timer.seconds(timer.now())), earliest_s);
  }
  EXPECT_LE(window.take_late(), 5);
  EXPECT_EQ(window.take_late(), 0) << "what was taken is told again";
  EXPECT_EQ(window.take_late(), 0);
}

TEST(windows, clock_that_is_wrong_by_a_second_makes_every_start_late) {
  const auto world = mpi::Communicator::world();
  TimerOf<MonoSource> timer;
  // This rank believes that it is later than it is.
  const ClockModel model{world.is_root() ? 0.0 : -1.0, 0, 0};
  WindowSynchroniser window(world, timer, model);
  for (int i = 0; i < 5; ++i) ASSERT_EQ(window.synchronise(), MPI_SUCCESS);
  if (!world.is_root()) {
    EXPECT_EQ(window.take_late(), 5);
  }
}

class real_clock : public testing::Test {
 protected:
  Team team = fake::everybody();
  TimerOf<MonoSource> timer;
  std::optional<Outcome> outcome;

  EngineOptions options() const {
    EngineOptions options;
    options.probe_states = false;
    return options;
  }

  /// Clocks that agree to three seconds are good enough, however busy the machine is.
  EngineOptions tolerant() const {
    EngineOptions coarse = options();
    coarse.clock.step_s = 1;
    coarse.back_to_back_s = 0;
    return coarse;
  }

  /// No two clocks of processes agree so well. The long trials leave an interruption no weight.
  EngineOptions strict() const {
    EngineOptions fine = options();
    fine.clock.step_s = 1e-15;
    fine.clock.cost_s = 1e-3;
    return fine;
  }

  static std::unique_ptr<Workload> nothing() {
    const auto nothing = [](std::uint64_t) noexcept { return 0; };
    return std::make_unique<Loop<decltype(nothing)>>(nothing);
  }

  /// On the root: one notice of poor clocks, and the last outcome met at the barrier instead of windows.
  static bool replaced_by_the_barrier(Engine& engine, const std::optional<Outcome>& last) {
    const auto notices = engine.take_notices();
    return notices.size() == 1 && notices.front().code == "clock_sync_poor" && last &&
           last->schedule.sync == "dissemination";
  }

  void measure(Engine& engine, const Schedule& schedule, Sync sync) {
    Task task;
    task.traits = {.timing = Timing::each, .sync = sync};
    task.schedule = &schedule;
    task.open = [this](int) {
      const MPI_Comm comm = team.group.get();
      const auto allreduce = [comm](std::uint64_t) noexcept {
        double own = 1;
        double sum = 0;
        return MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
      };
      return std::make_unique<Loop<decltype(allreduce)>>(allreduce);
    };
    engine.measure(team, std::vector<Task>{task},
                   [this](std::size_t, Outcome found) { outcome = std::move(found); });
  }
};

TEST_F(real_clock, window_mode_is_recorded_with_its_share_of_late_starts) {
  Engine engine(timer, tolerant());
  const fake::Script schedule({Visit{2, 1, 8}}, false);
  measure(engine, schedule, Sync::window);
  if (!team.active.is_root()) return;
  EXPECT_EQ(outcome.value().schedule.sync, "window");
  ASSERT_TRUE(outcome.value().late_share.has_value());
  EXPECT_GE(*outcome.value().late_share, 0);
  EXPECT_LE(*outcome.value().late_share, 1);
}

TEST(global_times, reach_from_the_first_start_to_the_last_end_and_count_late_starts_of_any_rank) {
  const auto world = mpi::Communicator::world();
  TimerOf<MonoSource> timer;
  const double ahead_s = 0.5 * world.rank();  // this rank's clock
  WindowSynchroniser window(world, timer, ClockModel{ahead_s, 0, 0});
  window.expect(2);
  for (int i = 0; i < 2; ++i) ASSERT_EQ(window.synchronise(), MPI_SUCCESS);
  // How many were late depends on who else runs on the machine.
  const auto ticks = [&](int us) { return static_cast<Ticks>((1 + ahead_s) * 1e9) + 1000 * us; };
  const std::array begin{ticks(world.rank()), ticks(100)};
  const std::array end{ticks(10 + world.rank()), ticks(103)};
  std::array<double, 2> seconds{-1, -1};
  GlobalTimes times(world);
  const std::int64_t late = times.merge(window, timer, begin, end, seconds);
  if (!world.is_root()) {
    EXPECT_EQ(late, 0);
    EXPECT_THAT(seconds, testing::Each(0));
    return;
  }
  EXPECT_NEAR(seconds[0], (10 + world.size() - 1) * 1e-6, 1e-12);
  EXPECT_NEAR(seconds[1], 3e-6, 1e-12);
  EXPECT_LE(late, 2);
}

TEST(global_times, an_operation_that_two_ranks_start_late_is_late_once) {
  const auto world = mpi::Communicator::world();
  TimerOf<MonoSource> timer;
  // All but the first believe that it is a second later than it is.
  WindowSynchroniser window(world, timer, ClockModel{world.is_root() ? 0.0 : -1.0, 0, 0});
  window.expect(3);
  for (int i = 0; i < 3; ++i) ASSERT_EQ(window.synchronise(), MPI_SUCCESS);
  std::array<Ticks, 3> stamps{};
  std::array<double, 3> seconds{};
  const std::int64_t late = GlobalTimes(world).merge(window, timer, stamps, stamps, seconds);
  if (world.is_root() && world.size() > 1) {
    EXPECT_EQ(late, 3);
  }
}

TEST(global_times, operations_that_an_error_kept_from_their_window_were_not_late) {
  const auto world = mpi::Communicator::world();
  TimerOf<MonoSource> timer;
  WindowSynchroniser window(world, timer, ClockModel{world.is_root() ? 0.0 : -1.0, 0, 0});
  window.expect(3);
  for (int i = 0; i < 3; ++i) ASSERT_EQ(window.synchronise(), MPI_SUCCESS);
  window.expect(3);  // and none of them starts
  std::array<Ticks, 3> stamps{};
  std::array<double, 3> seconds{};
  EXPECT_EQ(GlobalTimes(world).merge(window, timer, stamps, stamps, seconds), 0);
}

TEST_F(real_clock, window_mode_records_global_times_and_how_well_the_clocks_agree) {
  Engine engine(timer, tolerant());
  const fake::Script schedule({Visit{2, 1, 8}}, true);
  measure(engine, schedule, Sync::window);
  if (!team.active.is_root()) return;
  const record::Schedule& recorded = outcome.value().schedule;
  ASSERT_EQ(recorded.sync, "window");
  EXPECT_EQ(outcome->time.over_ranks, "global");
  ASSERT_TRUE(recorded.clock_error_s && recorded.clock_error_median_s && recorded.clock_sync_s);
  EXPECT_GE(*recorded.clock_error_s, *recorded.clock_error_median_s);
  EXPECT_GT(*recorded.clock_sync_s, 0);
  // no rank's own time is longer than from the first start to the last end
  EXPECT_GE(*outcome->time.mean, outcome->classic.min_s - 1e-9);
}

/// An operation that an interruption makes long needs no clocks that agree well. Hardly ever five times in a
/// row.
constexpr int attempts = 5;

TEST_F(real_clock, schedules_without_trials_have_their_clocks_judged_too) {
  if (team.active.size() == 1) return;
  const fake::Script schedule({Visit{0, 1, 8}}, false);
  Task task;
  task.schedule = &schedule;
  task.traits = {.timing = Timing::each, .sync = Sync::window};
  task.open = [](int) { return nothing(); };
  bool judged = false;
  for (int attempt = 0; attempt < attempts && !judged; ++attempt) {
    Engine engine(timer, strict());
    engine.measure(team, std::vector<Task>{task},
                   [this](std::size_t, Outcome found) { outcome = std::move(found); });
    judged = team.active.broadcast(replaced_by_the_barrier(engine, outcome));
  }
  EXPECT_TRUE(judged);
}

TEST_F(real_clock, clocks_that_agree_too_badly_are_told_and_replaced_by_the_barrier) {
  if (team.active.size() == 1) return;  // one clock agrees with itself
  // A first point of a nanosecond asks for an agreement of 0.1 ns; with so many operations also where the
  // trial is interrupted for milliseconds.
  const fake::Script schedule({Trial{10'000'000, std::nullopt}, Visit{2, 1, 8}}, true);
  Task quick;
  quick.schedule = &schedule;
  quick.open = [](int) { return nothing(); };
  Task slow = quick;
  slow.traits = {.timing = Timing::each, .sync = Sync::window};
  bool judged = false;
  for (int attempt = 0; attempt < attempts && !judged; ++attempt) {
    Engine engine(timer, strict());
    engine.measure(team, std::vector<Task>{quick, slow},
                   [this](std::size_t, Outcome found) { outcome = std::move(found); });
    judged = team.active.broadcast(replaced_by_the_barrier(engine, outcome));
  }
  EXPECT_TRUE(judged);
}

}  // namespace
}  // namespace steelyard::measure
