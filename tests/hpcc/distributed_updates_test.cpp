// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/random_access/distributed_updates.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <functional>
#include <limits>
#include <new>
#include <numeric>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "measure/failure.hpp"
#include "mpi/communicator.hpp"

namespace {

/// What this process is given of the heap at once.
std::atomic<std::size_t> most_at_once{std::numeric_limits<std::size_t>::max()};

}  // namespace

void* operator new(std::size_t bytes) {
  void* memory = bytes > most_at_once ? nullptr : std::malloc(std::max<std::size_t>(bytes, 1));
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

using namespace steelyard;
using namespace steelyard::hpcc;

namespace {

/// Sum of T[i] (i + 1) over all processes, modulo 2^64.
std::uint64_t checksum(const mpi::Communicator& world, const DistributedUpdates& updates) {
  std::uint64_t sum = 0;
  const auto start = static_cast<std::uint64_t>(updates.parts().start(world.rank()));
  const auto table = updates.table();
  for (std::size_t i = 0; i < table.size(); ++i) sum += table[i] * (start + i + 1);
  return static_cast<std::uint64_t>(world.sum(static_cast<std::int64_t>(sum)));
}

const mpi::Communicator& world() {
  static const auto comm = mpi::Communicator::world();
  return comm;
}

}  // namespace

class UpdatesOf : public testing::TestWithParam<std::tuple<Generator, Form>> {
 protected:
  [[nodiscard]] static DistributedUpdates updates(int bits) {
    return DistributedUpdates(world(), std::get<0>(GetParam()), bits, std::get<1>(GetParam()));
  }
};

TEST_P(UpdatesOf, table_has_the_published_checksum) {
  const bool polynomial = std::get<0>(GetParam()) == Generator::polynomial;
  for (const auto& [bits, expected] :
       {std::pair{10, polynomial ? 0x3928e862eb42dc3aU : 0x3e689faf4f8e1597U},
        std::pair{16, polynomial ? 0x16eee14aa3f63d52U : 0x25a0c157f18cafc3U}}) {
    auto all = updates(bits);
    ASSERT_EQ(all.run(), MPI_SUCCESS);
    EXPECT_EQ(checksum(world(), all), expected);
  }
}

TEST_P(UpdatesOf, no_update_is_lost_in_several_runs) {
  for (const int bits : {3, 4, 7, 12}) {
    auto all = updates(bits);
    for (int runs = 1; runs <= 3; ++runs) {
      for (int run = 0; run < runs; ++run) ASSERT_EQ(all.run(), MPI_SUCCESS);
      const auto found = all.verify();
      EXPECT_EQ(found.errors, 0) << found.first;
    }
  }
}

TEST_P(UpdatesOf, half_of_the_table_is_held_against_all_of_it_by_the_slowest_process) {
  auto all = updates(12);
  const std::vector<double> shown{0, 2, 2, 5, 5, 7, 7, 10, 10, 12, 12, 15};  // half, all, half, ...
  std::size_t asked = 0;
  const bool slowest = world().rank() == world().size() - 1;
  const auto clock = [&] { return (slowest ? 1 : 0.125) * shown.at(asked++); };
  EXPECT_DOUBLE_EQ(all.speed_of_half(clock), 1.5);
  EXPECT_EQ(asked, shown.size());
  EXPECT_EQ(all.parts().words(), 1 << 12);
  all.limit(all.updates());
  ASSERT_EQ(all.run(), MPI_SUCCESS);
  EXPECT_EQ(all.verify().errors, 0);
}

TEST_P(UpdatesOf, table_without_a_half_for_all_processes_is_not_tried) {
  auto all = updates(static_cast<int>(std::bit_width(static_cast<unsigned>(world().size() - 1))));
  EXPECT_EQ(all.speed_of_half([]() -> double { throw std::logic_error("asked for the time"); }), 1);
}

TEST_P(UpdatesOf, look_ahead_stays_within_the_rule) {
  auto all = updates(15);
  ASSERT_EQ(all.run(), MPI_SUCCESS);
  const auto most = all.exchange().look_ahead();
  EXPECT_LE(most.generated, static_cast<std::int64_t>(most_ahead));
  EXPECT_LE(most.received, static_cast<std::int64_t>(most_ahead));
  if (world().size() > 1) {
    EXPECT_GT(most.generated, 0);
    EXPECT_GT(most.received, 0);
  }
}

TEST_P(UpdatesOf, one_flipped_bit_is_found) {
  auto all = updates(9);
  ASSERT_EQ(all.run(), MPI_SUCCESS);
  const bool last = world().rank() == world().size() - 1;
  if (last) all.table().front() ^= 1U << 20;
  EXPECT_EQ(all.verify().errors, last ? 1 : 0);
}

TEST_P(UpdatesOf, time_bound_reduces_the_updates_and_loses_none) {
  auto all = updates(12);
  all.limit(100);
  EXPECT_EQ(all.updates(), 100 * world().size());
  ASSERT_EQ(all.run(), MPI_SUCCESS);
  EXPECT_EQ(all.verify().errors, 0);
  EXPECT_GE(all.updates_within(0), 1);
  EXPECT_EQ(all.updates(), 4 << 12);
  EXPECT_GT(all.updates_within(1e6), 4 << 12);
}

TEST_P(UpdatesOf, trials_leave_a_table_that_a_limit_makes_fresh) {
  auto all = updates(12);
  all.prepare();
  static_cast<void>(all.speed_of_half(MPI_Wtime));
  static_cast<void>(all.updates_within(1));
  EXPECT_EQ(all.updates(), 4 << 12);
  all.limit(all.updates());
  for (std::size_t i = 0; i < all.table().size(); ++i)
    ASSERT_EQ(all.table()[i], static_cast<std::uint64_t>(all.parts().start(world().rank())) + i);
}

TEST_P(UpdatesOf, check_after_one_that_failed_is_right) {
  auto all = updates(9);
  ASSERT_EQ(all.run(), MPI_SUCCESS);
  if (world().is_root()) all.table().back() ^= 1;
  EXPECT_EQ(world().sum(all.verify().errors), 1);
  for (int check = 0; check < 2; ++check) {
    EXPECT_EQ(all.verify().errors, 0);
    ASSERT_EQ(all.run(), MPI_SUCCESS);
  }
  if (world().is_root()) all.table().front() ^= 1;
  EXPECT_EQ(world().sum(all.verify().errors), 1) << "a table that was left as it was found is checked again";
}

INSTANTIATE_TEST_SUITE_P(generators_and_forms, UpdatesOf,
                         testing::Combine(testing::Values(Generator::polynomial, Generator::congruential),
                                          testing::Values(Form::base, Form::optimized)));

TEST(shared_exchange, delivers_everything_within_the_look_ahead) {
  for (const auto generator : {Generator::polynomial, Generator::congruential}) {
    DistributedUpdates all(world(), generator, 12, Form::optimized);
    all.prepare(Way::shared_memory);
    EXPECT_EQ(all.way(), world().size() > 1 ? Way::shared_memory : Way::messages);
    for (int run = 0; run < 3; ++run) ASSERT_EQ(all.run(), MPI_SUCCESS);
    EXPECT_LE(all.exchange().look_ahead().generated, 1024);
    EXPECT_LE(all.exchange().look_ahead().received, 1024);
    EXPECT_EQ(all.verify().errors, 0);
  }
}

TEST(shared_exchange, has_the_published_checksum) {
  DistributedUpdates all(world(), Generator::polynomial, 16, Form::optimized);
  all.prepare(Way::shared_memory);
  ASSERT_EQ(all.run(), MPI_SUCCESS);
  EXPECT_EQ(checksum(world(), all), 0x16eee14aa3f63d52U);
}

TEST(shared_exchange, processes_with_unequal_numbers_of_updates_end_in_order) {
  DistributedUpdates all(world(), Generator::congruential, 12, Form::optimized);
  all.prepare(Way::shared_memory);
  all.limit(world().rank() == 0 ? 1 : 3000);
  ASSERT_EQ(all.run(), MPI_SUCCESS);
  ASSERT_EQ(all.run(), MPI_SUCCESS);
  EXPECT_EQ(all.verify().errors, 0);
}

TEST(distributed_updates, without_a_wish_one_of_both_ways_is_chosen_by_all) {
  DistributedUpdates all(world(), Generator::polynomial, 10, Form::optimized);
  all.prepare();
  EXPECT_FALSE(world().any(all.way() == Way::messages) && world().any(all.way() == Way::shared_memory));
}

TEST(distributed_updates, by_every_route_of_messages_arrive) {
  for (const auto route : {std::optional(MessageRoute::direct), std::optional(MessageRoute::routed),
                           std::optional<MessageRoute>()}) {
    DistributedUpdates all(world(), Generator::polynomial, 12, Form::optimized);
    all.choose_route(route);
    EXPECT_EQ(all.way(), Way::messages);
    if (route && world().size() > 1) {
      EXPECT_EQ(all.route(), *route);
      EXPECT_EQ(all.way_told(), *route == MessageRoute::direct ? "messages" : "routed messages");
    }
    EXPECT_FALSE(world().any(all.route() == MessageRoute::direct) &&
                 world().any(all.route() == MessageRoute::routed));
    EXPECT_EQ(all.updates(), 4 << 12);
    all.limit(all.updates());
    for (int run = 0; run < 3; ++run) ASSERT_EQ(all.run(), MPI_SUCCESS);
    EXPECT_LE(all.exchange().look_ahead().received, 1024);
    EXPECT_EQ(all.verify().errors, 0);
  }
}

TEST(distributed_updates, of_the_base_form_have_no_choice) {
  DistributedUpdates all(world(), Generator::polynomial, 10, Form::base);
  all.choose_route(MessageRoute::routed);
  EXPECT_EQ(all.way_told(), "messages");
  EXPECT_EQ(all.exchange().algorithm(), 0);
}

TEST(batched_exchange, partners_in_turn_deliver_everything) {
  for (const int partners : {1, 2, 3}) {
    const TableParts parts(11, world().size());
    std::vector<std::uint64_t> table(static_cast<std::size_t>(parts.length(world().rank())));
    const auto start = static_cast<std::uint64_t>(parts.start(world().rank()));
    std::iota(table.begin(), table.end(), start);
    const UpdateTask task{table.data(), parts, world().rank(), 4 * parts.length(world().rank())};
    const auto exchange = batched_exchange(world(), Generator::polynomial, partners);
    ASSERT_EQ(exchange->run(task), MPI_SUCCESS);
    EXPECT_LE(exchange->look_ahead().generated, static_cast<std::int64_t>(most_ahead));
    EXPECT_LE(exchange->look_ahead().received, static_cast<std::int64_t>(most_ahead));
    // The base exchange undoes what the other has done.
    ASSERT_EQ(bucket_exchange(world(), Generator::polynomial)->run(task), MPI_SUCCESS);
    for (std::size_t i = 0; i < table.size(); ++i) ASSERT_EQ(table[i], start + i);
  }
}

class Routing : public testing::TestWithParam<Generator> {};

TEST_P(Routing, delivers_everything_within_the_rule) {
  if (world().size() < 2) return;
  for (const int bits : {4, 9, 13}) {
    const TableParts parts(bits, world().size());
    std::vector<std::uint64_t> table(static_cast<std::size_t>(parts.length(world().rank())));
    const auto start = static_cast<std::uint64_t>(parts.start(world().rank()));
    std::iota(table.begin(), table.end(), start);
    const UpdateTask task{table.data(), parts, world().rank(), 4 * parts.length(world().rank())};
    const auto exchange = routed_exchange(world(), GetParam());
    EXPECT_EQ(exchange->algorithm(), 3);
    for (int run = 0; run < 3; ++run) ASSERT_EQ(exchange->run(task), MPI_SUCCESS);
    EXPECT_GT(exchange->look_ahead().generated, 0);
    EXPECT_LE(exchange->look_ahead().generated, static_cast<std::int64_t>(most_ahead));
    EXPECT_LE(exchange->look_ahead().received, static_cast<std::int64_t>(most_ahead));
    ASSERT_EQ(bucket_exchange(world(), GetParam())->run(task), MPI_SUCCESS);
    for (std::size_t i = 0; i < table.size(); ++i) ASSERT_EQ(table[i], start + i);
  }
}

INSTANTIATE_TEST_SUITE_P(generators, Routing,
                         testing::Values(Generator::polynomial, Generator::congruential));

TEST(batched_exchange, unequal_numbers_of_updates_end_in_order) {
  const TableParts parts(10, world().size());
  std::vector<std::uint64_t> table(static_cast<std::size_t>(parts.length(world().rank())));
  const auto updates = world().rank() % 2 == 0 ? 0 : 4 * parts.length(world().rank());
  const UpdateTask task{table.data(), parts, world().rank(), updates};
  ASSERT_EQ(batched_exchange(world(), Generator::congruential)->run(task), MPI_SUCCESS);
  ASSERT_EQ(bucket_exchange(world(), Generator::congruential)->run(task), MPI_SUCCESS);
  for (const auto word : table) ASSERT_EQ(word, 0U);
}

TEST(distributed_updates, fewer_words_than_processes_are_refused) {
  if (world().size() < 2) return;
  EXPECT_THROW(DistributedUpdates(world(), Generator::polynomial, 0, Form::base), std::invalid_argument);
}

/// What becomes of an act, the same on all processes, while the last one is given little memory at once.
measure::Failure outcome_with_little(const std::function<void()>& act) {
  if (world().rank() == world().size() - 1) most_at_once = 2000;
  const auto own = measure::attempt(act);
  most_at_once = std::numeric_limits<std::size_t>::max();
  return measure::agree(world(), own);
}

TEST(distributed_updates, without_memory_on_one_process_fail_on_all) {
  if (world().size() < 2) GTEST_SKIP() << "needs two processes";
  const auto fails = [](const std::function<void()>& act) {
    const auto failure = outcome_with_little(act);
    return failure && failure->code == record::ReasonCode::memory && failure->rank == world().size() - 1;
  };
  for (const auto form : {Form::base, Form::optimized})
    EXPECT_TRUE(fails([&] { const DistributedUpdates updates(world(), Generator::polynomial, 14, form); }));
  DistributedUpdates updates(world(), Generator::polynomial, 14, Form::optimized);
  EXPECT_TRUE(fails([&] { static_cast<void>(shared_exchange(world(), Generator::polynomial)); }));
  EXPECT_TRUE(fails([&] { updates.undo(); }));
  updates.prepare();
  updates.limit(updates.updates());
  ASSERT_EQ(updates.run(), 0);
  EXPECT_EQ(updates.verify().errors, 0);
}
