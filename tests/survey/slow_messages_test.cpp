// SPDX-License-Identifier: Apache-2.0
// Messages of this program pass a layer that makes them slow, as processors that have other work do.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <thread>

#include "survey/probes.hpp"
#include "survey/survey.hpp"

namespace {

using namespace std::chrono_literals;

constexpr auto slice = 50ms;
constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
// Messages that are sent at once; each of those after them waits for a slice of time.
std::atomic<std::int64_t> fast_messages = never;

void wait_for_processor() {
  if (fast_messages == never) return;
  if (fast_messages > 0)
    --fast_messages;
  else
    std::this_thread::sleep_for(slice);
}

}  // namespace

extern "C" int MPI_Send(const void* bytes, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  wait_for_processor();
  return PMPI_Send(bytes, count, type, to, tag, comm);
}

extern "C" int MPI_Sendrecv(const void* out, int sent, MPI_Datatype out_type, int to, int out_tag, void* in,
                            int received, MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm,
                            MPI_Status* status) {
  wait_for_processor();
  return PMPI_Sendrecv(out, sent, out_type, to, out_tag, in, received, in_type, from, in_tag, comm, status);
}

namespace steelyard::survey {
namespace {

class SlowMessages : public ::testing::Test {
 protected:
  ~SlowMessages() override { fast_messages = never; }
  [[nodiscard]] Surveyed after(std::int64_t fast) const {
    Wishes wishes;
    wishes.groups = {suites::RateGroup::messages};
    wishes.seconds = 1;
    fast_messages = fast;
    return survey(world, wishes);
  }
  const mpi::Communicator world = mpi::Communicator::world();
};

TEST_F(SlowMessages, end_the_survey_in_time_though_they_were_fast_when_it_chose_their_number) {
  constexpr std::int64_t of_the_first_tries = 500;
  constexpr double at_most_s = 6;
  EXPECT_LT(after(of_the_first_tries).seconds, at_most_s);
}

TEST_F(SlowMessages, that_are_slow_from_the_first_on_leave_the_rest_assumed) {
  constexpr double at_most_s = 6;
  const auto found = after(0);
  EXPECT_LT(found.seconds, at_most_s);
  EXPECT_EQ(std::ranges::count(found.assumed, "far_exchange_byte_s"), 1);
  EXPECT_EQ(found.rates.far_exchange_byte_s, suites::assumed_rates().far_exchange_byte_s);
}

TEST_F(SlowMessages, calls_of_all_end_with_the_time) {
  constexpr int most = 1 << 20, between_looks = 4;
  const ProbeClock clock(world, 0.1);
  const auto calls = calls_together(clock, most, between_looks, [] { std::this_thread::sleep_for(10ms); });
  EXPECT_LT(calls.made, 100);
  EXPECT_EQ(world.max(double(calls.made)), world.min(double(calls.made)));
  EXPECT_GE(calls.seconds, 0.01 * calls.made);
}

TEST_F(SlowMessages, one_trial_is_made_without_time) {
  EXPECT_EQ(trials_in_time(ProbeClock(world, 0), 5, [] { return 1.0; }).size(), 1U);
  EXPECT_EQ(trials_in_time(ProbeClock(world, 60), 5, [] { return 1.0; }).size(), 5U);
}

TEST_F(SlowMessages, lost_slices_are_not_the_time_of_a_call) {
  constexpr double call_s = 1e-6, lost_s = 8e-3, long_enough_s = 1e-3;
  int tries = 0;
  // Half of all tries lose a slice, the first ones with very few calls.
  const auto found = seconds_each(ProbeClock(world, 60), long_enough_s, [&](int most) {
    return Calls{most * call_s + (tries++ % 2 == 1 ? lost_s : 0), most};
  });
  ASSERT_FALSE(found.empty());
  EXPECT_TRUE(std::ranges::is_sorted(found));
  EXPECT_LT(found.front(), 20 * call_s);
}

TEST_F(SlowMessages, a_quiet_machine_is_told_the_time_of_a_call) {
  constexpr double call_s = 1e-6, long_enough_s = 1e-3;
  const auto found = seconds_each(ProbeClock(world, 60), long_enough_s, [&](int most) {
    return Calls{most * call_s, most};
  });
  ASSERT_FALSE(found.empty());
  EXPECT_NEAR(found.front(), call_s, 1e-9);
  EXPECT_NEAR(found.back(), call_s, 1e-9);
}

TEST_F(SlowMessages, nothing_is_measured_without_time) {
  const auto found = seconds_each(ProbeClock(world, 0), 1e-3, [&](int most) { return Calls{1, most}; });
  EXPECT_TRUE(found.empty());
}

}  // namespace
}  // namespace steelyard::survey
