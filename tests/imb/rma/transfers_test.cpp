// SPDX-License-Identifier: Apache-2.0
// IMB-RMA: every benchmark delivers what it must.
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

}  // namespace
}  // namespace steelyard::imb
