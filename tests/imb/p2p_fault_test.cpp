// SPDX-License-Identifier: Apache-2.0
// Faults of a library or a network in the patterns of IMB-P2P.
#include <gtest/gtest.h>

#include "tests/imb/bench.hpp"
#include "tests/imb/interposed.hpp"

namespace steelyard::imb {
namespace {

using test::Bench;
using test::Fault;
using test::Groups;

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
