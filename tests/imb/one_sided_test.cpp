// SPDX-License-Identifier: Apache-2.0
// IMB-EXT: every benchmark delivers what it must, and each planted fault is found.
#include <gtest/gtest.h>

#include "suites/imb/part_definition.hpp"
#include "tests/imb/bench.hpp"
#include "tests/imb/interposed.hpp"

namespace steelyard::imb {
namespace {

using test::Bench;
using test::Fault;
using test::Groups;

constexpr std::int64_t size = 1000;
constexpr std::uint64_t aggregated = 6;

// Component osc/rdma of Open MPI 4.1, which is its first choice, refuses windows of one process.
class one_sided : public testing::Test {
 protected:
  void SetUp() override {
    if (mpi::Communicator::world().size() > 1) return;
    std::byte memory{};
    mpi::WindowHandle window;
    const int code =
        MPI_Win_create(&memory, 1, 1, MPI_INFO_NULL, mpi::Communicator::world().get(), window.put());
    if (code != MPI_SUCCESS) GTEST_SKIP() << "this MPI library makes no window for one process";
  }
};
class one_sided_checking : public one_sided {};

struct Case {
  std::string_view name;
  Mode mode;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const auto& definition : ext().benchmarks)
    for (const Mode mode : modes(Settings{}, definition)) all.push_back({definition.name, mode});
  return all;
}

std::unique_ptr<Bench> bench_of(const Settings& settings, const Groups& groups, const Case& one,
                                std::int64_t bytes = size, std::uint64_t bundle = 0) {
  const auto& definition = *find(ext(), one.name);
  const int processes = test::active_ranks(definition, mpi::Communicator::world().size());
  if (processes == 0 || !groups.of(processes).valid()) return nullptr;
  return std::make_unique<Bench>(settings, groups.of(processes), one.name, bytes, aggregated,
                                 test::PartMode{ext(), one.mode, bundle});
}

std::string words(const Case& one) {
  return std::string(one.name) + " " + std::string(text(one.mode));
}

void expect_right_data(const Settings& settings) {
  const Groups groups;
  for (const auto& one : cases())
    for (const std::int64_t bytes : {0, 4, 1000}) {
      const auto bench = bench_of(settings, groups, one, bytes);
      if (!bench) continue;
      const auto found = bench->workload().verify(4);
      ASSERT_TRUE(found) << words(one);
      EXPECT_EQ(found->errors, 0) << words(one) << " " << bytes << " byte: " << found->first;
      EXPECT_EQ(bench->arena().guard_damage(0), 0) << words(one);
    }
}

TEST_F(one_sided, delivers_every_byte) {
  expect_right_data({});
}
TEST_F(one_sided, delivers_every_byte_under_the_later_rules) {
  expect_right_data(defaults(ext(), Version::v2021));
}
TEST_F(one_sided, delivers_every_byte_out_of_cache_and_with_hints) {
  Settings settings;
  settings.off_cache = {.cache_byte = 2000, .line_byte = 64};
  settings.hints = {{"no_locks", "true"}};
  expect_right_data(settings);
}

TEST_F(one_sided, runs_from_any_index_and_holds_its_first_contents_after_a_check) {
  const Groups groups;
  for (const auto& one : cases())
    for (const std::uint64_t bundle : {std::uint64_t{0}, one.mode == Mode::aggregate ? aggregated : 0}) {
      const auto bench = bench_of({}, groups, one, size, bundle);
      if (!bench) continue;
      const auto send = bench->arena().send(0);
      const auto receive = bench->arena().receive(0);
      const std::vector<std::byte> before(send.begin(), send.end());
      for (const auto first : {std::uint64_t{0}, std::uint64_t{3}, std::uint64_t{1000}}) {
        EXPECT_EQ(bench->workload().run(first, 3), 0) << words(one);
        EXPECT_EQ(bench->workload().complete(), 0) << words(one);
      }
      fill_receive(bench->point().receive);
      const auto found = bench->workload().verify(2);
      EXPECT_EQ(found->errors, 0) << words(one) << ": " << found->first;
      EXPECT_TRUE(std::ranges::equal(send, before)) << words(one);
      EXPECT_TRUE(std::ranges::all_of(receive, [](std::byte b) { return b == std::byte{0}; })) << words(one);
    }
}

std::int64_t errors_with(Fault fault, const Groups& groups, const Case& one, int hit) {
  const auto bench = bench_of({}, groups, one);
  if (!bench) return 1;
  test::watch(fault, hit);
  const auto found = bench->workload().verify(4);
  test::watch();
  const int processes = bench->point().processes;
  return groups.of(processes).sum(found->errors);
}

void expect_found_everywhere(Fault fault) {
  const Groups groups;
  for (const auto& one : cases()) EXPECT_GT(errors_with(fault, groups, one, 1), 0) << words(one);
}

TEST_F(one_sided_checking, finds_a_transfer_that_never_happens) {
  expect_found_everywhere(Fault::drop);
}
TEST_F(one_sided_checking, finds_data_that_are_shifted_by_one_element) {
  expect_found_everywhere(Fault::shift);
}
TEST_F(one_sided_checking, finds_an_accumulation_that_happens_twice) {
  const Groups groups;
  for (const Mode mode : {Mode::aggregate, Mode::non_aggregate})
    EXPECT_GT(errors_with(Fault::twice, groups, {"Accumulate", mode}, 1), 0);
}
TEST_F(one_sided_checking, finds_one_byte_written_behind_the_window) {
  const Groups groups;
  for (const auto& one : cases()) {
    if (one.mode == Mode::non_aggregate) {
      EXPECT_GT(errors_with(Fault::overrun, groups, one, 1), 0) << words(one);
    }
  }
}
TEST_F(one_sided_checking, finds_a_byte_in_a_section_that_nobody_wrote_to) {
  const Groups groups;
  if (mpi::Communicator::world().size() < 2) GTEST_SKIP() << "needs a pair";
  EXPECT_GT(errors_with(Fault::spoil, groups, {"Unidir_Put", Mode::aggregate}, 1), 0);
}

TEST_F(one_sided, aggregates_touch_each_section_once_and_fence_once) {
  const Groups groups;
  const auto bench = bench_of({}, groups, {"Accumulate", Mode::aggregate});
  test::watch();
  static_cast<void>(bench->workload().run(0, aggregated));
  static_cast<void>(bench->workload().complete());
  const auto& displacements = test::interposer().displacements;
  ASSERT_EQ(displacements.size(), aggregated);
  for (std::size_t i = 0; i < displacements.size(); ++i)
    EXPECT_EQ(displacements[i], static_cast<std::int64_t>(i) * size);
  EXPECT_EQ(test::interposer().fences, 1);
  test::watch();
  const auto bundle = bench_of({}, groups, {"Accumulate", Mode::aggregate}, size, aggregated);
  const int opening = test::interposer().fences;
  static_cast<void>(bundle->workload().run(0, 2));
  EXPECT_EQ(test::interposer().displacements.size(), 2 * aggregated);
  EXPECT_EQ(test::interposer().fences - opening, 2);
}

TEST_F(one_sided, each_transfer_is_followed_by_a_fence_and_later_rules_put_one_before) {
  const Groups groups;
  const auto fences_of = [&](const Settings& settings, Mode mode) {
    const auto bench = bench_of(settings, groups, {"Accumulate", mode});
    test::watch();
    static_cast<void>(bench->workload().run(0, 5));
    static_cast<void>(bench->workload().complete());
    return test::interposer().fences;
  };
  EXPECT_EQ(fences_of({}, Mode::non_aggregate), 5);
  EXPECT_EQ(fences_of(defaults(ext(), Version::v2021), Mode::non_aggregate), 10);
  EXPECT_EQ(fences_of(defaults(ext(), Version::v2021), Mode::aggregate), 2);
}

}  // namespace
}  // namespace steelyard::imb
