// SPDX-License-Identifier: Apache-2.0
// The calls of the timed loops, one by one.
#include <gmock/gmock.h>

#include "tests/imb/rma/passive_bench.hpp"

namespace steelyard::imb {
namespace {

using test::passive_bench;
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

}  // namespace
}  // namespace steelyard::imb
