// SPDX-License-Identifier: Apache-2.0
// A program of its own: a signal that was seen stays seen.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "campaign/runner.hpp"
#include "campaign/stop.hpp"
#include "fake_measurable.hpp"

namespace steelyard::campaign {
namespace {

TEST(stop_signal, on_any_rank_ends_the_run_before_the_next_block) {
  const auto world = mpi::Communicator::world();
  std::signal(SIGINT, SIG_IGN);
  install_stop_signals();
  testing::FakeMeasurable suite;
  suite.script.on_open = [&](const suites::BlockPlan& block, const auto&) {
    if (block.benchmark == "all second" && world.rank() == world.size() - 1)
      std::raise(SIGUSR2);  // as LSF does at its limit of time
  };
  PlanOptions plan_options;
  plan_options.processes = world.size();
  const std::vector<Selected> selected{{&suite, "all first"}, {&suite, "all second"}, {&suite, "all third"}};
  const Plan plan = make_plan(selected, plan_options, "fixed:4");
  RunOptions options;
  options.schedule = ScheduleKind::fixed;
  options.fixed_operations = 4;
  options.measure_noise = false;
  options.classic_only = true;
  const RunResult result = run(world, plan, options, {});
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_EQ(result.stop_cause, "signal");
  EXPECT_GE(result.counts.left, 3);
  EXPECT_GE(result.counts.ok, 3);
  EXPECT_EQ(cause_by_signal() != StopCause::none, world.rank() == world.size() - 1);
}

TEST(stop_signal, an_interrupt_that_was_ignored_stays_so) {
  EXPECT_EQ(std::signal(SIGINT, SIG_DFL), SIG_IGN);
}

TEST(stop_signal, of_processor_time_is_repeated_by_the_kernel_and_insists_on_nothing) {
  std::this_thread::sleep_for(std::chrono::milliseconds(600));  // longer than two ways of one signal differ
  EXPECT_EQ(std::raise(SIGXCPU), 0);
}

TEST(stop_signal, comes_before_the_hard_limit_of_processor_time_kills) {
  const rlimit both{1000, 1000};
  ASSERT_EQ(setrlimit(RLIMIT_CPU, &both), 0);
  install_stop_signals();
  rlimit limit{};
  ASSERT_EQ(getrlimit(RLIMIT_CPU, &limit), 0);
  EXPECT_EQ(limit.rlim_cur, 995U);
}

TEST(stop_signal, a_closed_pipe_is_no_reason_to_die) {
  EXPECT_EQ(std::raise(SIGPIPE), 0);
}

}  // namespace
}  // namespace steelyard::campaign
