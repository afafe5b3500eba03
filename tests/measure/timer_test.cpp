// SPDX-License-Identifier: Apache-2.0
// The two timing loops with a scripted clock: known costs in, exact stamps out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "fake_clock.hpp"
#include "measure/clock.hpp"

namespace steelyard::measure {
namespace {

using testing::ElementsAre;
using testing::Pair;

Ticks hundred(std::uint64_t) {
  return 100;
}

struct Bench {
  fake::Time time;
  TimerOf<fake::Source> timer{fake::Source{&time}};
};

TEST(contiguous_timing, batches_share_their_stamps) {
  Bench b;
  b.time.read_cost = 7;
  fake::Work work(b.time, hundred);
  std::vector<Ticks> stamps(4);
  EXPECT_EQ(b.timer.contiguous(work, 5, 3, stamps), 0);
  EXPECT_THAT(stamps, ElementsAre(7, 314, 621, 928));
  EXPECT_THAT(work.calls, ElementsAre(Pair(5, 3), Pair(8, 3), Pair(11, 3)));
}

TEST(contiguous_timing, completion_is_inside_the_last_batch_only) {
  Bench b;
  fake::Work work(b.time, hundred);
  work.completion = 50;
  std::vector<Ticks> stamps(3);
  EXPECT_EQ(b.timer.contiguous(work, 0, 2, stamps), 0);
  EXPECT_THAT(stamps, ElementsAre(0, 200, 450));
  EXPECT_EQ(work.completions, 1);
}

TEST(contiguous_timing, operations_are_told_apart_by_their_index) {
  Bench b;
  fake::Work work(b.time, [](std::uint64_t i) { return static_cast<Ticks>(10 * i); });
  std::vector<Ticks> stamps(3);
  EXPECT_EQ(b.timer.contiguous(work, 1, 2, stamps), 0);
  EXPECT_THAT(stamps, ElementsAre(0, 30, 100));
}

TEST(contiguous_timing, coarse_clock_and_detour_show_in_the_stamps) {
  Bench b;
  b.time.step = 1000;
  b.time.detours[2] = 5000;
  fake::Work work(b.time, hundred);
  std::vector<Ticks> stamps(4);
  EXPECT_EQ(b.timer.contiguous(work, 0, 6, stamps), 0);
  EXPECT_THAT(stamps, ElementsAre(0, 0, 6000, 6000));
}

TEST(contiguous_timing, first_error_is_returned_and_all_batches_run) {
  Bench b;
  fake::Work work(b.time, hundred);
  work.run_code = 17;
  work.complete_code = 3;
  std::vector<Ticks> stamps(3);
  EXPECT_EQ(b.timer.contiguous(work, 0, 1, stamps), 17);
  EXPECT_EQ(work.calls.size(), 2U);
  work.run_code = 0;
  EXPECT_EQ(b.timer.contiguous(work, 0, 1, stamps), 3);
}

TEST(single_timing, synchronisation_is_outside_the_interval) {
  Bench b;
  b.time.read_cost = 7;
  fake::Work work(b.time, hundred);
  work.completion = 5;
  fake::Sync sync(b.time, 1000);
  std::vector<Ticks> begin(2), end(2);
  EXPECT_EQ(b.timer.each(work, sync, 40, begin, end), 0);
  EXPECT_THAT(begin, ElementsAre(1007, 2126));
  EXPECT_THAT(end, ElementsAre(1119, 2238));
  EXPECT_THAT(work.calls, ElementsAre(Pair(40, 1), Pair(41, 1)));
}

TEST(single_timing, error_of_the_synchronisation_comes_first) {
  Bench b;
  fake::Work work(b.time, hundred);
  work.run_code = 2;
  fake::Sync sync(b.time, 0);
  std::vector<Ticks> begin(1), end(1);
  EXPECT_EQ(b.timer.each(work, sync, 0, begin, end), 2);
  sync.code = 9;
  EXPECT_EQ(b.timer.each(work, sync, 0, begin, end), 9);
}

TEST(make_timer, gives_what_was_asked_for_and_says_its_source) {
  const ChosenTimer raw = make_timer(ClockKind::raw);
  EXPECT_EQ(raw.kind, ClockKind::raw);
  EXPECT_EQ(raw.source, "clock_gettime(CLOCK_MONOTONIC_RAW)");
  const ChosenTimer mono = make_timer(ClockKind::mono);
  EXPECT_EQ(mono.kind, ClockKind::mono);
  EXPECT_EQ(mono.source, "clock_gettime(CLOCK_MONOTONIC)");
  const Ticks start = raw.timer->now();
  EXPECT_GE(raw.timer->now(), start);
  EXPECT_DOUBLE_EQ(raw.timer->seconds(250), 250e-9);
}

TEST(make_timer, automatic_is_one_of_the_kernel_clocks) {
  const ChosenTimer timer = make_timer(ClockKind::automatic);
  EXPECT_TRUE(timer.kind == ClockKind::raw || timer.kind == ClockKind::mono);
  EXPECT_TRUE(timer.fallback.empty());
}

TEST(make_timer, counter_is_used_or_the_reason_is_given) {
  const ChosenTimer timer = make_timer(ClockKind::tsc);
  EXPECT_EQ(timer.kind == ClockKind::tsc, timer.fallback.empty()) << timer.fallback;
  const ChosenTimer raw = make_timer(ClockKind::raw);
  const Ticks raw_start = raw.timer->now(), start = timer.timer->now();
  while (raw.timer->seconds(raw.timer->now() - raw_start) < 5e-3) continue;
  EXPECT_GE(timer.timer->seconds(timer.timer->now() - start), 4.9e-3);
}

TEST(make_timer, clock_of_mpi_needs_the_measuring_half) {
  EXPECT_THROW(static_cast<void>(make_timer(ClockKind::mpi)), std::invalid_argument);
}

}  // namespace
}  // namespace steelyard::measure
