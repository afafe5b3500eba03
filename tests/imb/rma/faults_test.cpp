// SPDX-License-Identifier: Apache-2.0
// Each fault that a library or a network can make must be found in each benchmark that it can meet.
#include "tests/imb/rma/passive_bench.hpp"

namespace steelyard::imb {
namespace {

using test::passive_bench;
using test::passive_cases;
using test::PassiveCase;
using test::WindowFault;
using test::words;

constexpr std::int64_t size = 1000;

class passive_checking : public test::passive_targets {
 protected:
  // Errors over all ranks, the same on all of them; nothing on ranks that take no part.
  std::optional<std::int64_t> errors_with(WindowFault fault, const PassiveCase& one, int hit = 1,
                                          bool late = false) {
    const auto bench = passive_bench({}, groups_, one, size);
    if (!bench) return std::nullopt;
    test::watch_windows(fault, hit, late);
    const auto found = bench->workload().verify(4);
    test::watch_windows();
    return groups_.of(bench->point().processes).sum(found->errors);
  }
  void expect_found(WindowFault fault, const std::vector<PassiveCase>& cases, int hit = 1,
                    bool late = false) {
    for (const auto& one : cases)
      if (const auto errors = errors_with(fault, one, hit, late); errors) {
        EXPECT_GT(*errors, 0) << words(one);
      }
  }
};

// Completions of a check: one for all its transfers where these are complete together.
std::vector<PassiveCase> completed(bool together) {
  std::vector<PassiveCase> some;
  for (const auto& one : passive_cases())
    if ((one.mode == Mode::aggregate) == together) some.push_back(one);
  return some;
}

TEST_F(passive_checking, finds_a_transfer_that_never_happens) {
  expect_found(WindowFault::drop, passive_cases());
  expect_found(WindowFault::drop, passive_cases(), 0);
}
TEST_F(passive_checking, finds_data_that_are_shifted_by_one_element) {
  expect_found(WindowFault::shift, passive_cases());
}
TEST_F(passive_checking, finds_one_byte_written_behind_the_window) {
  expect_found(WindowFault::overrun, completed(false));
}
TEST_F(passive_checking, finds_an_update_that_happens_twice) {
  for (const auto* name : {"Accumulate", "Get_accumulate", "Fetch_and_op", "Compare_and_swap"})
    expect_found(WindowFault::twice, {{name, Mode::aggregate}, {name, Mode::non_aggregate}});
}
TEST_F(passive_checking, finds_neighbours_that_are_exchanged) {
  if (mpi::Communicator::world().size() < 3) GTEST_SKIP() << "left and right are one";
  // The first neighbour of each: half way round is its own mirror image.
  expect_found(WindowFault::mirror, {{"Exchange_put"}, {"Exchange_get"}, {"All_put_all"}, {"All_get_all"}},
               0);
}
TEST_F(passive_checking, finds_sections_that_are_exchanged) {
  expect_found(WindowFault::section,
               {{"Exchange_put"}, {"Exchange_get"}, {"All_put_all"}, {"Unidir_put", Mode::aggregate}});
}

// In a library that does everything as late as it may.
TEST_F(passive_checking, finds_a_completion_that_is_left_out) {
  expect_found(WindowFault::unflushed, completed(false), 1, true);
  expect_found(WindowFault::unflushed, completed(true), 0, true);
}
TEST_F(passive_checking, finds_nothing_in_a_library_that_does_everything_as_late_as_it_may) {
  for (const auto& one : passive_cases())
    if (const auto errors = errors_with(WindowFault::none, one, 0, true); errors) {
      EXPECT_EQ(*errors, 0) << words(one);
    }
}

TEST_F(passive_checking, finds_an_update_that_was_lost_while_the_clock_ran) {
  for (const auto* name : {"Fetch_and_op", "Compare_and_swap"}) {
    const auto bench = passive_bench({}, groups_, {name, Mode::non_aggregate}, 4);
    if (!bench) continue;
    test::watch_windows(WindowFault::drop, 3);
    EXPECT_EQ(bench->workload().run(0, 10), 0);
    test::watch_windows();
    const auto& group = groups_.of(2);
    group.barrier();
    EXPECT_EQ(group.sum(bench->workload().verify(2)->errors), 1) << name;
  }
}

}  // namespace
}  // namespace steelyard::imb
