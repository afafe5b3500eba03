// SPDX-License-Identifier: Apache-2.0
// IMB-RMA: every benchmark delivers what it must.
#include <gmock/gmock.h>

#include <cstring>

#include "suites/imb/rma/passive_session.hpp"
#include "tests/imb/rma/passive_bench.hpp"

namespace steelyard::imb {
namespace {

using test::aggregated;
using test::passive_bench;
using test::passive_cases;
using test::passive_targets;
using test::words;

// Ranks outnumber the cores of a small machine: less of everything but ranks.
std::vector<std::int64_t> lengths() {
  if (mpi::Communicator::world().size() > 2) return {7, 1000};
  return {0, 1, 7, 1000};
}

void expect_right_data(const test::Groups& groups, const Settings& settings) {
  for (const auto& one : passive_cases())
    for (const std::int64_t bytes : lengths()) {
      const auto bench = passive_bench(settings, groups, one, bytes);
      if (!bench) continue;
      for (const std::uint64_t repetitions : {std::uint64_t{4}, std::uint64_t{1}}) {
        const auto found = bench->workload().verify(repetitions);
        ASSERT_TRUE(found) << words(one);
        EXPECT_EQ(found->errors, 0) << words(one) << " " << bytes << " byte: " << found->first;
      }
      EXPECT_EQ(bench->arena().guard_damage(0), 0) << words(one);
    }
}

TEST_F(passive_targets, receive_every_byte) {
  expect_right_data(groups_, {});
}
TEST_F(passive_targets, receive_every_byte_under_the_later_rules) {
  expect_right_data(groups_, defaults(rma(), Version::v2021));
}
TEST_F(passive_targets, receive_every_byte_out_of_cache_and_with_hints) {
  Settings settings;
  settings.off_cache = {.cache_byte = 2000, .line_byte = 64};
  settings.hints = {{"accumulate_ops", "same_op_no_op"}};
  expect_right_data(groups_, settings);
}
TEST_F(passive_targets, receive_every_byte_with_few_transfers_under_way) {
  Settings settings;
  settings.outstanding = 2;
  expect_right_data(groups_, settings);
}

// What it has done so far stands in memory.
bool counts(const test::PassiveCase& one) {
  return one.name == "Fetch_and_op" || one.name == "Compare_and_swap";
}

TEST_F(passive_targets, are_reached_from_any_index_and_hold_their_first_contents_after_a_check) {
  for (const auto& one : passive_cases())
    for (const std::uint64_t bundle :
         {std::uint64_t{0}, complete_together(*find(rma(), one.name), one.mode) ? aggregated : 0}) {
      const auto bench = passive_bench({}, groups_, one, 1000, bundle);
      if (!bench) continue;
      const auto send = bench->arena().send(0);
      const auto receive = bench->arena().receive(0);
      const std::vector<std::byte> before(send.begin(), send.end());
      for (const auto first : {std::uint64_t{0}, std::uint64_t{3}, std::uint64_t{1000}}) {
        EXPECT_EQ(bench->workload().run(first, 3), 0) << words(one);
        EXPECT_EQ(bench->workload().complete(), 0) << words(one);
      }
      mpi::check(MPI_Barrier(bench->point().comm()), "MPI_Barrier");
      // Of many sections the check looks at the first ones.
      if (!counts(one)) fill_receive(bench->point().receive);
      const auto found = bench->workload().verify(2);
      EXPECT_EQ(found->errors, 0) << words(one) << ": " << found->first;
      EXPECT_TRUE(std::ranges::equal(send, before)) << words(one);
      EXPECT_TRUE(std::ranges::all_of(receive, [](std::byte b) { return b == std::byte{0}; })) << words(one);
    }
}

TEST_F(passive_targets, count_every_fetch_and_every_swap) {
  constexpr std::uint64_t many = 1000;
  for (const auto* name : {"Fetch_and_op", "Compare_and_swap"})
    for (const Mode mode : {Mode::aggregate, Mode::non_aggregate}) {
      const auto bench = passive_bench({}, groups_, {name, mode}, 4, 0, many);
      if (!bench) continue;
      EXPECT_EQ(bench->workload().run(0, many), 0);
      EXPECT_EQ(bench->workload().complete(), 0);
      mpi::check(MPI_Barrier(bench->point().comm()), "MPI_Barrier");
      if (bench->point().rank == 1) {
        float real = 0;
        int whole = 0;
        std::memcpy(&real, bench->arena().receive(0).data(), sizeof real);
        std::memcpy(&whole, bench->arena().receive(0).data(), sizeof whole);
        EXPECT_EQ(name == std::string_view("Fetch_and_op") ? static_cast<int>(real) : whole, many);
      }
      EXPECT_EQ(bench->workload().verify(4)->errors, 0) << name;
    }
}

// A computation whose length is what it says.
class Naps final : public BesideBlock {
 public:
  [[nodiscard]] double prepare(Seconds target) override {
    target_ = target;
    return target.value();
  }
  void run() noexcept override { ++runs; }
  Seconds target_{0};
  int runs = 0;
};

TEST_F(passive_targets, compute_as_long_as_a_put_takes) {
  const auto bench = passive_bench({}, groups_, {"Truly_passive_put"}, 1000);
  if (!bench) GTEST_SKIP() << "needs a pair";
  auto& put = dynamic_cast<TrulyPassivePut&>(bench->workload());
  Naps naps;
  EXPECT_EQ(put.run(0, 3), 0);
  EXPECT_EQ(naps.runs, 0) << "before it is prepared nobody computes";
  const auto times = put.prepare(groups_.of(2), naps, 20, Seconds{1});
  EXPECT_GT(times.pure_s, 0);
  EXPECT_GT(times.put_s, 0);
  EXPECT_EQ(times.block_s, times.pure_s);
  EXPECT_EQ(put.run(0, 7), 0);
  EXPECT_EQ(naps.runs, bench->point().rank == 1 ? 7 : 0);
}

TEST(passive_progress, tells_a_truly_passive_library_from_one_that_needs_calls) {
  const PassiveTimes times{.pure_s = 11e-6, .put_s = 10e-6, .block_s = 11e-6};
  EXPECT_DOUBLE_EQ(passive_progress(times, 12e-6), 1);
  EXPECT_NEAR(passive_progress(times, 22e-6), 0, 1e-9);
  EXPECT_DOUBLE_EQ(passive_progress(times, 30e-6), 0);
  EXPECT_DOUBLE_EQ(passive_progress({}, 1e-6), 0);
}

// The calls of the timed loops, one by one.

using test::PassiveCase;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::IsEmpty;
using Calls = std::vector<std::string>;

class passive_calls : public test::passive_targets {
 protected:
  // Of this rank in three repetitions; nothing on ranks that take no part.
  std::optional<Calls> calls_of(const PassiveCase& one, const Settings& settings = {},
                                std::int64_t size = 8) {
    test::watch_windows();
    auto bench = passive_bench(settings, groups_, one, size, 0, 3);
    if (!bench) return std::nullopt;
    EXPECT_EQ(bench->workload().run(0, 3), 0);
    EXPECT_EQ(bench->workload().complete(), 0);
    mpi::check(MPI_Barrier(bench->point().comm()), "MPI_Barrier");
    bench.reset();
    return test::windows().calls;
  }
  [[nodiscard]] int world() const { return mpi::Communicator::world().size(); }
  [[nodiscard]] int rank() const { return mpi::Communicator::world().rank(); }
  static std::string to(const char* call, int target, std::int64_t at) {
    return std::string(call) + " " + std::to_string(target) + " " + std::to_string(at);
  }
  static std::string on(const char* call, int target) {
    return std::string(call) + " " + std::to_string(target);
  }
};

TEST_F(passive_calls, one_by_one_have_a_flush_each_within_one_lock) {
  const auto calls = calls_of({"Unidir_put", Mode::non_aggregate});
  if (!calls) return;
  if (rank() == 0)
    EXPECT_THAT(*calls, ElementsAre("lock 1", "put 1 0", "flush 1", "put 1 0", "flush 1", "put 1 0",
                                    "flush 1", "unlock 1"));
  else
    EXPECT_THAT(*calls, IsEmpty());
}
TEST_F(passive_calls, together_have_one_flush_and_sections_of_their_own) {
  const auto put = calls_of({"Unidir_put", Mode::aggregate});
  const auto later = calls_of({"Unidir_put", Mode::aggregate}, defaults(rma(), Version::v2021));
  const auto sum = calls_of({"Accumulate", Mode::aggregate});
  if (!put || rank() != 0) return;
  EXPECT_THAT(*put, ElementsAre("lock 1", "put 1 0", "put 1 8", "put 1 16", "flush 1", "unlock 1"));
  EXPECT_THAT(*later, ElementsAre("lock 1", "put 1 0", "put 1 0", "put 1 0", "flush 1", "unlock 1"));
  EXPECT_THAT(*sum, ElementsAre("lock 1", "accumulate 1 0", "accumulate 1 0", "accumulate 1 0", "flush 1",
                                "unlock 1"));
}
TEST_F(passive_calls, are_completed_in_between_where_few_may_be_under_way) {
  Settings settings;
  settings.outstanding = 2;
  const auto calls = calls_of({"Fetch_and_op", Mode::aggregate}, settings);
  if (!calls || rank() != 0) return;
  EXPECT_THAT(*calls, ElementsAre("lock 1", "fetch_and_op 1 0", "fetch_and_op 1 0", "flush 1",
                                  "fetch_and_op 1 0", "flush 1", "unlock 1"));
}
TEST_F(passive_calls, at_the_origin_have_a_local_flush) {
  const auto put = calls_of({"Put_local", Mode::aggregate});
  const auto all = calls_of({"Get_all_local"});
  if (put && rank() == 0) {
    EXPECT_EQ((*put)[4], "flush_local 1");
  }
  if (all && rank() == 0) {
    EXPECT_EQ((*all)[all->size() - 2], "flush_local_all");
  }
}
TEST_F(passive_calls, of_both_go_to_the_other) {
  const auto calls = calls_of({"Bidir_get", Mode::aggregate});
  if (!calls) return;
  const int other = 1 - rank();
  EXPECT_THAT(*calls, ElementsAre(on("lock", other), to("get", other, 0), to("get", other, 8),
                                  to("get", other, 16), on("flush", other), on("unlock", other)));
}
TEST_F(passive_calls, on_all_begin_with_the_next_rank_and_have_one_flush) {
  const auto one = calls_of({"One_put_all"}), all = calls_of({"All_put_all"});
  if (!one || !all) return;
  Calls expected{"lock_all"};
  for (int i = 0; i < 3; ++i)
    for (int k = 1; k < world(); ++k) expected.push_back(to("put", (rank() + k) % world(), rank() * 8));
  expected.insert(expected.end(), {"flush_all", "unlock_all"});
  EXPECT_THAT(*all, ElementsAreArray(expected));
  if (rank() == 0)
    EXPECT_THAT(*one, ElementsAreArray(expected));
  else
    EXPECT_THAT(*one, IsEmpty());
}
TEST_F(passive_calls, with_neighbours_are_completed_in_every_repetition) {
  const auto put = calls_of({"Exchange_put"}), get = calls_of({"Exchange_get"});
  if (!put) return;
  const int left = (rank() + world() - 1) % world(), right = (rank() + 1) % world();
  Calls puts{on("lock", left)}, gets = puts;
  const auto each = [&](Calls& calls, const auto& call) {
    calls.push_back(call(left));
    if (left != right) calls.push_back(call(right));
  };
  if (left != right) puts.push_back(on("lock", right));
  gets = puts;
  for (int i = 0; i < 3; ++i) {
    puts.insert(puts.end(), {to("put", left, 0), to("put", right, 8)});
    gets.insert(gets.end(), {to("get", right, 0), to("get", left, 8)});
    for (Calls* calls : {&puts, &gets}) each(*calls, [](int rank) { return on("flush", rank); });
  }
  for (Calls* calls : {&puts, &gets}) each(*calls, [](int rank) { return on("unlock", rank); });
  EXPECT_THAT(*put, ElementsAreArray(puts));
  EXPECT_THAT(*get, ElementsAreArray(gets));
}
TEST_F(passive_calls, of_atomics_reach_one_place) {
  for (const auto* name : {"Get_accumulate", "Compare_and_swap"}) {
    const auto calls = calls_of({name, Mode::aggregate});
    if (!calls || rank() != 0) continue;
    EXPECT_EQ(std::ranges::count_if(*calls, [](const auto& call) { return call.ends_with(" 1 0"); }), 3)
        << name;
  }
}

TEST_F(passive_calls, leave_no_window_and_no_epoch_behind) {
  for (const auto& one : test::passive_cases()) {
    const auto bench = passive_bench({}, groups_, one, 100);
    if (!bench) continue;
    static_cast<void>(bench->workload().run(0, 3));
    static_cast<void>(bench->workload().complete());
    mpi::check(MPI_Barrier(bench->point().comm()), "MPI_Barrier");
    static_cast<void>(bench->workload().verify(2));
  }
  EXPECT_EQ(test::windows().made, test::windows().freed);
  EXPECT_EQ(test::windows().opened, test::windows().closed);
}

// Each fault that a library or a network can make must be found in each benchmark that it can meet.

using test::WindowFault;

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
