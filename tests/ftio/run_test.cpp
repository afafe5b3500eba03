// SPDX-License-Identifier: Apache-2.0
#include "suites/ftio/run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ftio_bench.hpp"
#include "suites/ftio/definition.hpp"
#include "tests/counted_memory.hpp"

namespace steelyard::ftio {
namespace {

using test::world;

void expect_right(const RunPlan& plan, const test::Ran& ran) {
  ASSERT_FALSE(ran.failure) << ran.failure->text;
  ASSERT_TRUE(ran.check);
  EXPECT_EQ(ran.check->errors, 0) << ran.result.difference.first;
  EXPECT_LE(ran.result.difference.largest, largest_difference(plan.shape.order()));
  EXPECT_GT(ran.result.difference.total, 0);
  for (const Phase phase : phases) {
    const Traffic one = traffic(plan.shape, phase, plan.batches);
    const std::int64_t c = plan.shape.processes;
    const PhaseResult& found = ran.result.phases[index(phase)];
    EXPECT_EQ(found.traffic, (Traffic{c * one.read_byte, c * one.written_byte, c * one.calls}))
        << text(phase);
    EXPECT_GT(found.time_s, 0);
    EXPECT_LE(found.io_min_s, found.io_s);
    EXPECT_LE(found.io_s, found.io_max_s);
  }
  EXPECT_GT(ran.result.io_s(), 0);
  EXPECT_LT(ran.result.io_s() + ran.result.communication_s(), ran.result.total_s());
}

}  // namespace

TEST(ftio_run, all_kinds_of_files_give_the_closed_form) {
  const test::Place place;
  for (const auto access : {FileAccess::posix, FileAccess::mpi, FileAccess::shared})
    for (const auto cache : {PageCache::keep, PageCache::drop}) {
      RunPlan plan = test::plan_in(place, test::parameter_from(2));
      test::set_access(plan, access, cache);
      const auto ran = test::run(plan);
      expect_right(plan, ran);
      EXPECT_EQ(ran.result.implementation.empty(), access == FileAccess::posix);
      EXPECT_TRUE(place.files().empty());
    }
}

TEST(ftio_run, parameters_and_batches_give_the_closed_form) {
  const test::Place place;
  for (const auto parameter : valid_parameters(world().size(), 2, 2)) {
    RunPlan plan = test::plan_in(place, parameter);
    expect_right(plan, test::run(plan));
    plan.batches = {3, 5};
    expect_right(plan, test::run(plan));
  }
}

TEST(ftio_run, memory_stays_below_eight_row_sections) {
  const test::Place place;
  const RunPlan plan = test::plan_in(place, test::parameter_from(24));
  constexpr std::int64_t books = 4096;  // names, plans, and what grows with the processes
  RunResult result;
  steelyard::test::begin_counting_memory();
  { const FtioRun workload(plan, result); }
  EXPECT_LE(steelyard::test::most_memory_byte(), memory_bound(plan.shape, plan.batches).count() + books);
  EXPECT_GE(steelyard::test::most_memory_byte(), 2 * plan.shape.section().count());  // something was counted
}

TEST(ftio_run, phases_take_no_memory_of_their_own) {
  const test::Place place;
  const RunPlan plan = test::plan_in(place, test::parameter_from(8));
  RunResult result;
  FtioRun workload(plan, result);
  steelyard::test::begin_counting_memory();
  EXPECT_EQ(workload.run(0, 1), 0);
  EXPECT_LT(steelyard::test::most_memory_byte(), plan.shape.section().count());
  EXPECT_FALSE(measure::verify(workload, 1, *plan.team).failure);
}

TEST(ftio_run, a_stop_between_phases_leaves_those_that_ended) {
  const test::Place place;
  RunPlan plan = test::plan_in(place, test::parameter_from(2));
  int asked = 0;
  plan.stop = [&asked] { return ++asked == 2; };
  std::vector<Phase> begun;
  plan.begins = [&begun](Phase phase) { begun.push_back(phase); };
  const auto ran = test::run(plan);
  EXPECT_FALSE(ran.failure);
  EXPECT_FALSE(ran.check);
  EXPECT_EQ(ran.result.ended_phases, 2U);
  if (world().is_root()) {
    EXPECT_THAT(begun, testing::ElementsAre(Phase::initialise, Phase::first_transforms));
  }
  EXPECT_TRUE(place.files().empty());
}

namespace {

/// Stops a run in the midst of that phase.
void expect_left(Phase phase, FileAccess access) {
  const test::Place place;
  RunPlan plan = test::plan_in(place, test::parameter_from(2));
  test::set_access(plan, access, PageCache::keep);
  plan.looks = {1, 0};
  Phase begun{};
  plan.begins = [&begun](Phase next) { begun = next; };
  plan.stop = [&begun, phase] { return begun == phase; };
  const auto ran = test::run(plan);
  EXPECT_FALSE(ran.failure);
  EXPECT_FALSE(ran.check);
  EXPECT_EQ(ran.result.ended_phases, index(phase));
  const auto calls = [&](Phase one) { return ran.result.phases[index(one)].traffic.calls; };
  const auto whole = [&](Phase one) { return world().size() * traffic(plan.shape, one).calls; };
  EXPECT_LT(calls(phase), whole(phase)) << text(phase);
  for (std::size_t p = 0; p < index(phase); ++p) EXPECT_EQ(calls(phases[p]), whole(phases[p]));
  EXPECT_TRUE(place.files().empty());
}

}  // namespace

TEST(ftio_run, a_stop_in_the_midst_of_any_phase_leaves_it) {
  if (world().size() > 1) expect_left(Phase::exchange, FileAccess::posix);
  if (world().size() > 2) return;  // more than the processors of small machines, slowly
  for (const Phase phase : phases)
    if (phase != Phase::exchange) expect_left(phase, FileAccess::posix);
  expect_left(Phase::initialise, FileAccess::shared);
}

TEST(ftio_run, kept_files_lie_beside_the_directory_and_hold_the_transform) {
  const test::Place place;
  RunPlan plan = test::plan_in(place, test::parameter_from(2));
  plan.ending = Ending::kept;
  static_cast<void>(test::run(plan));
  EXPECT_EQ(place.files().size(), static_cast<std::size_t>(world().size()));
  const auto kept = place.scratch().parent_path() / column_path(plan.files).filename();
  EXPECT_EQ(std::filesystem::file_size(kept), static_cast<std::uintmax_t>(plan.shape.file().count()));
  // Another run leaves them alone.
  static_cast<void>(test::run(plan));
  EXPECT_EQ(place.files().size(), static_cast<std::size_t>(world().size()));
}

}  // namespace steelyard::ftio
