// SPDX-License-Identifier: Apache-2.0
// Each fault that a library or a network can make must be found in each benchmark.
#include <gtest/gtest.h>

#include <set>

#include "tests/imb/bench.hpp"
#include "tests/imb/interposed.hpp"

namespace steelyard::imb {
namespace {

using test::Bench;
using test::Fault;
using test::Groups;

constexpr std::int64_t size = 1000;

// Errors over all ranks of one check with a fault in the receiving call `hit`.
std::int64_t errors_with(Fault fault, const mpi::Communicator& group, std::string_view name, int hit = 1) {
  auto settings = Settings{};
  settings.window = 3;
  Bench bench(settings, group, name, size);
  test::watch(fault, hit);
  const auto found = bench.workload().verify(4);
  test::watch();
  return group.sum(found->errors);
}

// Receiving call of repetition 1: Exchange receives twice.
int second_repetition(std::string_view name) {
  return name == "Exchange" ? 2 : 1;
}

void expect_found_everywhere(Fault fault) {
  const Groups groups;
  const int world = mpi::Communicator::world().size();
  for (const auto& definition : mpi1().benchmarks) {
    const int processes = test::active_ranks(definition, world);
    const bool alone = world == 1 && definition.rooted;  // the only rank is the root
    if (processes == 0 || definition.kind == Class::sync || alone || !groups.of(processes).valid()) continue;
    EXPECT_GT(errors_with(fault, groups.of(processes), definition.name, second_repetition(definition.name)),
              0)
        << definition.name;
  }
}

TEST(checking, finds_a_message_that_never_arrives_in_one_repetition) {
  expect_found_everywhere(Fault::drop);
}
TEST(checking, finds_data_that_are_shifted_by_one_element) {
  expect_found_everywhere(Fault::shift);
}
TEST(checking, finds_one_byte_written_behind_the_message) {
  expect_found_everywhere(Fault::overrun);
}

// Elements of every type, one after the other or with gaps between them. Bytes cannot be added.
TEST(checking, finds_faults_in_elements_of_every_type_and_layout) {
  const Groups groups;
  const auto& all = groups.of(mpi::Communicator::world().size());
  Settings settings;
  for (const auto type :
       {DataType::byte, DataType::character, DataType::integer, DataType::single, DataType::real})
    for (const auto layout : {ContiguousType::base, ContiguousType::base_vector, ContiguousType::resize,
                              ContiguousType::resize_vector})
      for (const auto* name : {"Sendrecv", "Allreduce", "Reduce_local", "Reduce_scatter",
                               "Reduce_scatter_block", "Allgatherv", "Alltoallv"})
        for (const auto fault : {Fault::none, Fault::drop, Fault::shift, Fault::overrun}) {
          settings.data_type = type;
          settings.reduction_type = type == DataType::byte ? DataType::character : type;
          settings.contiguous_type = layout;
          Bench bench(settings, all, name, size);
          test::watch(fault);
          const auto found = all.sum(bench.workload().verify(2)->errors);
          test::watch();
          EXPECT_EQ(found > 0, fault != Fault::none) << name << ' ' << mpi_name(type) << ' ' << text(layout)
                                                     << ", fault " << static_cast<int>(fault);
        }
}

TEST(checking, finds_senders_that_are_exchanged) {
  const Groups groups;
  const int world = mpi::Communicator::world().size();
  if (world < 2) GTEST_SKIP() << "needs two senders";
  for (const auto* name : {"Allgather", "Allgatherv", "Gather", "Gatherv", "Scatter", "Scatterv", "Alltoall",
                           "Alltoallv", "Bcast", "Reduce"})
    EXPECT_GT(errors_with(Fault::swap, groups.of(world), name), 0) << name;
  if (world > 2) {
    EXPECT_GT(errors_with(Fault::swap, groups.of(world), "Sendrecv"), 0) << "left and right differ";
  }
}

TEST(checking, finds_either_message_of_an_exchange) {
  const Groups groups;
  const int world = mpi::Communicator::world().size();
  for (const int hit : {2, 3})
    EXPECT_GT(errors_with(Fault::drop, groups.of(world), "Exchange", hit), 0) << "receive " << hit;
}

TEST(checking, finds_a_send_buffer_that_was_changed) {
  const Groups groups;
  const int world = mpi::Communicator::world().size();
  for (const auto* name : {"Sendrecv", "Allreduce", "Alltoall", "Allgather"})
    EXPECT_GT(errors_with(Fault::spoil, groups.of(world), name), 0) << name;
}

TEST(checking, says_where_the_first_error_is) {
  const Groups groups;
  const int world = mpi::Communicator::world().size();
  Bench bench(Settings{}, groups.of(world), "Allgather", size);
  test::watch(Fault::overrun, 1);
  const auto found = bench.workload().verify(2);
  test::watch();
  EXPECT_EQ(found->errors, 1);
  EXPECT_EQ(found->worst, 1);
  EXPECT_EQ(found->first, "rank " + std::to_string(bench.point().rank) + ", repetition 1, receive byte " +
                              std::to_string(size * world) + ": found 0x77, expected 0xa5");
}

TEST(checking, reports_the_deviation_of_a_sum) {
  const Groups groups;
  const int world = mpi::Communicator::world().size();
  Bench bench(Settings{}, groups.of(world), "Allreduce", size);
  test::watch(Fault::shift, 0);
  const auto found = bench.workload().verify(1);
  test::watch();
  EXPECT_GT(found->errors, 200);
  EXPECT_GT(found->worst, 0.001);
  EXPECT_LT(found->worst, 1100.0 * world);
}

TEST(roots, shift_by_one_in_every_repetition_or_stay) {
  const Groups groups;
  const int world = mpi::Communicator::world().size();
  for (const auto* name : {"Bcast", "Reduce", "Gather", "Gatherv", "Scatter", "Scatterv"})
    for (const bool shifts : {true, false}) {
      Settings settings;
      settings.root_shift = shifts;
      Bench bench(settings, groups.of(world), name, 8);
      test::watch();
      static_cast<void>(bench.workload().run(0, 7));
      static_cast<void>(bench.workload().run(1001, 3));
      std::vector<int> expected;
      for (const int i : {0, 1, 2, 3, 4, 5, 6, 1001, 1002, 1003}) expected.push_back(shifts ? i % world : 0);
      EXPECT_EQ(test::interposer().roots, expected) << name;
    }
}

TEST(slots, differ_between_repetitions_and_come_back) {
  const Groups groups;
  const int world = mpi::Communicator::world().size();
  Settings settings;
  settings.off_cache = {.cache_byte = 4096, .line_byte = 64};
  Bench bench(settings, groups.of(world), "Sendrecv", 1000);
  test::watch();
  static_cast<void>(bench.workload().run(0, 16));
  const auto& sent = test::interposer().sent;
  const auto& received = test::interposer().received;
  const auto slots = static_cast<std::size_t>(bench.point().send.layout.slots.slots);
  EXPECT_EQ(slots, 8U);  // ceil(2 * 4096 / 1088)
  EXPECT_EQ(std::set<const void*>(sent.begin(), sent.end()).size(), slots);
  EXPECT_EQ(std::set<const void*>(received.begin(), received.end()).size(), slots);
  for (std::size_t i = 0; i < slots; ++i) EXPECT_EQ(sent[i], sent[i + slots]);
  EXPECT_EQ(static_cast<const std::byte*>(sent[1]) - static_cast<const std::byte*>(sent[0]), 1088);
}

TEST(slots, stay_at_one_place_in_the_cache) {
  const Groups groups;
  Bench bench(Settings{}, groups.of(mpi::Communicator::world().size()), "Sendrecv", 1000);
  test::watch();
  static_cast<void>(bench.workload().run(0, 5));
  const auto& sent = test::interposer().sent;
  EXPECT_EQ(std::set<const void*>(sent.begin(), sent.end()).size(), 1U);
}

// Faults of a library or a network in the patterns of IMB-P2P.

std::int64_t p2p_errors(Fault fault, std::string_view name, int hit = 1) {
  const Groups groups;
  const auto& all = groups.of(mpi::Communicator::world().size());
  Bench bench(defaults(p2p(), Version::v31), all, name, 1000, 3, {p2p()});
  test::watch(fault, hit);
  const auto found = bench.workload().verify(4);
  test::watch();
  return all.sum(found->errors);
}

void expect_found_in_all_patterns(Fault fault) {
  for (const auto& definition : p2p().benchmarks) {
    if (!possible(definition, mpi::Communicator::world().size())) continue;
    EXPECT_GT(p2p_errors(fault, definition.name), 0) << definition.name;
  }
}

TEST(p2p_checking, finds_a_message_that_never_arrives) {
  expect_found_in_all_patterns(Fault::drop);
}
TEST(p2p_checking, finds_data_that_are_shifted) {
  expect_found_in_all_patterns(Fault::shift);
}
TEST(p2p_checking, finds_one_byte_written_behind_the_message) {
  expect_found_in_all_patterns(Fault::overrun);
}

// With sides of two, both neighbours of a dimension are one process.
TEST(p2p_checking, finds_two_messages_of_one_process_that_are_exchanged) {
  if (mpi::Communicator::world().size() != 4) GTEST_SKIP() << "needs a grid of 2 x 2";
  EXPECT_EQ(p2p_errors(Fault::none, "Stencil2D"), 0);
  EXPECT_GT(p2p_errors(Fault::cross, "Stencil2D"), 0);
}

}  // namespace
}  // namespace steelyard::imb
