// SPDX-License-Identifier: Apache-2.0
// Non-blocking collectives: what arrives, in which order calls are made, and the faults that the check must find.
#include <gmock/gmock.h>

#include <algorithm>
#include <span>

#include "tests/imb/bench.hpp"
#include "tests/imb/interposed.hpp"

namespace steelyard::imb {
namespace {

using test::Bench;
using test::Fault;
using test::Groups;

const test::PartMode of_nbc{.part = nbc()};

std::int64_t errors_of(const Settings& settings, const mpi::Communicator& group, std::string_view name,
                       std::int64_t size, Fault fault = Fault::none) {
  Bench bench(settings, group, name, size, 1000, of_nbc);
  test::watch(fault, 1);
  const auto found = bench.workload().verify(2);
  test::watch();
  EXPECT_EQ(bench.arena().guard_damage(0), 0) << name;
  return group.sum(found ? found->errors : std::int64_t{-1000000});
}

void expect_right_data(const Settings& settings, std::span<const std::int64_t> sizes) {
  const Groups groups;
  const auto& group = groups.of(mpi::Communicator::world().size());
  for (const auto& definition : nbc().benchmarks)
    for (const auto size : sizes) {
      if (definition.kind == Class::sync) continue;
      EXPECT_EQ(errors_of(settings, group, definition.name, test::rounded(settings, definition, size)), 0)
          << definition.name << ' ' << size;
    }
}

TEST(started_collectives, deliver_every_byte) {
  expect_right_data(Settings{}, std::array<std::int64_t, 4>{0, 4, 1000, 65536});
}
TEST(started_collectives, deliver_every_byte_under_the_later_rules) {
  expect_right_data(defaults(nbc(), Version::v2021), std::array<std::int64_t, 2>{1, 1000});
}
TEST(started_collectives, deliver_every_byte_into_changing_slots_and_between_tests) {
  Settings settings;
  settings.off_cache = {.cache_byte = 20000, .line_byte = 64};
  settings.progress_calls = 3;
  expect_right_data(settings, std::array<std::int64_t, 2>{7, 1000});
}

TEST(started_collectives, check_finds_every_fault_alone_and_beside_a_computation) {
  const Groups groups;
  const int world = mpi::Communicator::world().size();
  for (const auto fault : {Fault::drop, Fault::shift, Fault::overrun})
    for (const auto& definition : nbc().benchmarks) {
      const bool alone = world == 1 && definition.rooted;
      if (definition.kind == Class::sync || alone) continue;
      EXPECT_GT(errors_of(Settings{}, groups.of(world), definition.name, 1000, fault), 0) << definition.name;
    }
}

TEST(started_collectives, check_finds_senders_that_are_exchanged_and_a_changed_send_buffer) {
  const Groups groups;
  const int world = mpi::Communicator::world().size();
  if (world < 2) GTEST_SKIP() << "needs two senders";
  for (const auto* name : {"Ibcast", "Iallgather", "Iallgatherv", "Igather", "Igatherv", "Iscatter",
                           "Iscatterv", "Ialltoall", "Ialltoallv", "Ireduce"})
    EXPECT_GT(errors_of(Settings{}, groups.of(world), name, 1000, Fault::swap), 0) << name;
  for (const auto* name : {"Iallgather_pure", "Ialltoall", "Iallreduce", "Ireduce_scatter"})
    EXPECT_GT(errors_of(Settings{}, groups.of(world), name, 1000, Fault::spoil), 0) << name;
}

// The operations alone behind two barriers, then as many beside the computation; nothing between start and wait.
TEST(started_collectives, are_started_and_waited_for_in_the_order_of_the_definition) {
  const Groups groups;
  const auto& group = groups.of(mpi::Communicator::world().size());
  for (const auto& definition : nbc().benchmarks) {
    Bench bench(Settings{}, group, definition.name, 64, 1000, of_nbc);
    test::watch();
    EXPECT_EQ(bench.workload().lead_in(3), MPI_SUCCESS);
    EXPECT_EQ(bench.workload().run(0, 3), MPI_SUCCESS);
    EXPECT_EQ(test::interposer().calls_in_order, definition.with_computation ? "bbswswswswswsw" : "swswsw")
        << definition.name;
  }
}

TEST(started_collectives, are_tested_as_often_as_was_asked_for) {
  const Groups groups;
  Settings settings;
  settings.progress_calls = 2;
  Bench bench(settings, groups.of(mpi::Communicator::world().size()), "Ialltoall", 64, 1000, of_nbc);
  test::watch();
  EXPECT_EQ(bench.workload().lead_in(1), MPI_SUCCESS);
  EXPECT_EQ(bench.workload().run(0, 1), MPI_SUCCESS);
  EXPECT_EQ(test::interposer().calls_in_order, "bbswsttw");
}

TEST(started_collectives, have_the_same_roots_alone_and_beside_the_computation) {
  const Groups groups;
  const int world = mpi::Communicator::world().size();
  for (const auto* name : {"Ibcast", "Ireduce", "Igather", "Igatherv", "Iscatter", "Iscatterv"})
    for (const bool shifts : {true, false}) {
      Settings settings;
      settings.root_shift = shifts;
      Bench bench(settings, groups.of(world), name, 8, 1000, of_nbc);
      test::watch();
      static_cast<void>(bench.workload().lead_in(5));
      static_cast<void>(bench.workload().run(0, 5));
      std::vector<int> expected;
      for (int turn = 0; turn < 2; ++turn)
        for (int i = 0; i < 5; ++i) expected.push_back(shifts ? i % world : 0);
      EXPECT_EQ(test::interposer().roots, expected) << name;
    }
}

TEST(started_collectives, compute_for_about_as_long_as_they_take_alone) {
  const Groups groups;
  Bench bench(Settings{}, groups.of(mpi::Communicator::world().size()), "Ialltoall", 1 << 16, 1000, of_nbc);
  static_cast<void>(bench.workload().lead_in(4));
  static_cast<void>(bench.workload().run(0, 4));
  static_cast<void>(bench.workload().run(4, 4));  // more than was announced is warm-up
  const auto figures = bench.overlap();
  EXPECT_GT(figures.pure_s, 0);
  EXPECT_GT(figures.product_s, 0);
  EXPECT_GT(figures.block_s, 0);
  EXPECT_GT(figures.computing_s, 0.5 * figures.block_s);
  EXPECT_GT(figures.overlapped_s, figures.computing_s);
}

}  // namespace
}  // namespace steelyard::imb
