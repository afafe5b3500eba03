// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "suites/imb/p2p/patterns.hpp"
#include "suites/imb/p2p/sequence.hpp"
#include "tests/imb/bench.hpp"

namespace steelyard::imb {
namespace {

using test::Bench;
using test::Groups;

const Settings usual = defaults(p2p(), Version::v31);

TEST(p2p_patterns, deliver_every_byte_with_any_number_of_processes) {
  const Groups groups;
  const int world = mpi::Communicator::world().size();
  for (const auto& definition : p2p().benchmarks) {
    if (!possible(definition, world)) continue;
    for (const std::int64_t size : {0, 1, 4, 7, 1000, 100000}) {
      Bench bench(usual, groups.of(world), definition.name, size, 3, {p2p()});
      const auto found = bench.workload().verify(4);
      ASSERT_TRUE(found);
      EXPECT_EQ(found->errors, 0) << definition.name << " " << size << " byte: " << found->first;
      EXPECT_EQ(bench.arena().guard_damage(0), 0) << definition.name;
    }
  }
}

TEST(p2p_patterns, run_from_any_operation_and_hold_their_first_contents_after_a_check) {
  const Groups groups;
  const int world = mpi::Communicator::world().size();
  for (const auto& definition : p2p().benchmarks) {
    if (!possible(definition, world)) continue;
    for (const bool touched : {true, false}) {
      auto settings = usual;
      settings.writes = settings.reads = touched;
      Bench bench(settings, groups.of(world), definition.name, 200, 3, {p2p()});
      const auto send = bench.arena().send(0);
      const std::vector<std::byte> before(send.begin(), send.end());
      static_cast<void>(bench.workload().verify(2));
      EXPECT_TRUE(std::ranges::equal(send, before)) << definition.name;
      EXPECT_EQ(bench.workload().run(0, 7), MPI_SUCCESS);
      EXPECT_EQ(bench.workload().run(1000000, 5), MPI_SUCCESS) << definition.name;
      EXPECT_EQ(bench.workload().run(3, 2), MPI_SUCCESS);
      EXPECT_EQ(bench.arena().guard_damage(0), 0) << definition.name;
      const bool written = !std::ranges::equal(send, before);
      EXPECT_EQ(written && definition.send != Side::none, touched && definition.send != Side::none)
          << definition.name;
    }
  }
}

// A hand that has nothing to do with messages: what one byte is expected to be depends on all of a label.
class Hand {
 public:
  Hand() : arena_({1000, 1000}, 0) {
    sides_.send = {arena_.send(0).data(), layout};
    sides_.receive = {arena_.receive(0).data(), layout};
  }
  std::int64_t errors(const Label& sent, const Label& expected) {
    Inspection inspection(sides_, 0, 4, 1000, false);
    inspection.begin(0);
    inspection.write(sides_.send.base, sent);
    std::copy_n(sides_.send.base, 1000, sides_.receive.base);
    inspection.read(sides_.receive.base, expected);
    inspection.end();
    return inspection.finish().errors;
  }

 private:
  static constexpr SideLayout layout{1000, {.offset = 1000, .slots = 1, .bytes = 1000}};
  measure::Arena arena_;
  CheckedSides sides_;
};

TEST(p2p_inspection, knows_a_message_of_another_process_repetition_or_draw) {
  Hand hand;
  const Label right{.sender = 1, .receiver = 0, .repetition = 2, .number = 3};
  EXPECT_EQ(hand.errors(right, right), 0);
  for (const Label& wrong : {Label{2, 0, 2, 3}, Label{1, 3, 2, 3}, Label{1, 0, 1, 3}, Label{1, 0, 2, 2}})
    EXPECT_GT(hand.errors(wrong, right), 900);
}

}  // namespace
}  // namespace steelyard::imb
