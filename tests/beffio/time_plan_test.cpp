// SPDX-License-Identifier: Apache-2.0
// The time of patterns, and the loop that is ended by it, against a simulated clock.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "suites/beffio/patterns.hpp"

using namespace steelyard::beffio;

namespace {

struct Course {
  double elapsed_s = 0;
  std::uint64_t iterations = 0;
  int broadcasts = 0;
};

/// A loop whose iteration i takes seconds(i).
Course simulate(double scheduled_s, const std::function<double(std::uint64_t)>& seconds,
                Control control = Control::batched) {
  Course course;
  for (std::uint64_t batch = 1; batch > 0;) {
    const double before_s = course.elapsed_s;
    for (std::uint64_t i = 0; i < batch; ++i) course.elapsed_s += seconds(course.iterations++);
    const double last_s = (course.elapsed_s - before_s) / static_cast<double>(batch);
    batch = next_batch(control, scheduled_s, {course.elapsed_s, course.iterations, last_s});
    ++course.broadcasts;
  }
  return course;
}

double doublings(const Course& course) {
  return 2 * std::log2(static_cast<double>(course.iterations));
}

}  // namespace

TEST(scheduled_time, is_shared_by_partitions_and_units) {
  EXPECT_EQ(scheduled_units(Rewriting::all_types), 192);
  EXPECT_EQ(scheduled_units(Rewriting::scatter_only), 150);
  EXPECT_DOUBLE_EQ(unit_s(1800, 3, Rewriting::all_types), 3.125);
  EXPECT_DOUBLE_EQ(unit_s(1800, 3, Rewriting::scatter_only), 4);
}

TEST(batched_control, constant_iterations_do_not_overrun) {
  for (const double iteration_s : {2e-5, 1e-4, 3e-3, 0.7}) {
    const auto course = simulate(12.5, [&](std::uint64_t) { return iteration_s; });
    EXPECT_LE(course.elapsed_s, 12.5 + 1e-6);
    EXPECT_GT(course.elapsed_s, 12.5 - 2 * iteration_s - 1e-6);
    EXPECT_LE(course.broadcasts, doublings(course) + 16);
  }
}

TEST(batched_control, an_iteration_longer_than_the_schedule_is_done_once) {
  const auto course = simulate(1, [](std::uint64_t) { return 3.0; });
  EXPECT_EQ(course.iterations, 1u);
  EXPECT_EQ(course.broadcasts, 1);
  EXPECT_EQ(simulate(0, [](std::uint64_t) { return 1e-3; }).iterations, 1u);
}

TEST(batched_control, a_step_of_the_iteration_time_overruns_little) {
  constexpr double scheduled_s = 10, iteration_s = 1e-4;
  for (const double factor : {10.0, 100.0, 0.1, 0.01})
    for (const std::uint64_t at : {100u, 5000u, 40000u, 90000u}) {
      const auto course =
          simulate(scheduled_s, [&](std::uint64_t i) { return i < at ? iteration_s : factor * iteration_s; });
      EXPECT_LE(course.elapsed_s, scheduled_s + std::max(1.0, factor) * (scheduled_s / 16 + iteration_s));
      EXPECT_LE(course.broadcasts, doublings(course) + 24);
    }
}

TEST(batched_control, a_clock_that_stands_still_does_not_stop_it) {
  const auto course = simulate(1e-3, [](std::uint64_t i) { return i < 8 ? 0.0 : 1e-5; });
  EXPECT_GT(course.iterations, 50u);
  EXPECT_LE(course.elapsed_s, 1.1e-3);
}

TEST(control_of_each_iteration, asks_after_every_one) {
  const auto course = simulate(
      1, [](std::uint64_t) { return 0.03; }, Control::each);
  EXPECT_EQ(course.iterations, 33u);
  EXPECT_EQ(course.broadcasts, 33);
}

TEST(volume_guard, keeps_a_twentieth_of_the_file_system_or_what_must_follow) {
  EXPECT_EQ(VolumeGuard::within_space({1000, 10000}, 0), 500);
  EXPECT_EQ(VolumeGuard::within_space({1000, 10000}, 800), 200);
  EXPECT_EQ(VolumeGuard::within_space({400, 10000}, 0), 0);
}

TEST(volume_guard, shares_a_total_volume_by_units) {
  const VolumeGuard guard(6400);
  EXPECT_EQ(guard.share({0, 64}, 4), 400);
  EXPECT_EQ(guard.share({6000, 4}, 2), 200);
  EXPECT_EQ(guard.share({7000, 4}, 2), 0);
  EXPECT_EQ(guard.left({100, 64}), 6300);
  EXPECT_FALSE(VolumeGuard(std::nullopt).share({0, 64}, 4));
}
