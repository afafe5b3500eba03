// SPDX-License-Identifier: Apache-2.0
#include "mpi/communicator.hpp"

#include <gmock/gmock.h>

#include <chrono>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "mpi/environment.hpp"

namespace steelyard::mpi {
namespace {

const Communicator& world() {
  static const Communicator comm = Communicator::world();
  return comm;
}

TEST(communicator, empty_one_is_not_valid_and_a_moved_one_leaves_nothing_behind) {
  EXPECT_FALSE(Communicator().valid());
  Communicator copy = world().duplicate();
  const Communicator moved = std::move(copy);
  EXPECT_TRUE(moved.valid());
  EXPECT_NE(moved.get(), MPI_COMM_WORLD);
  EXPECT_EQ(moved.rank(), world().rank());
}

TEST(communicator, self_has_one_process) {
  EXPECT_EQ(Communicator::self().size(), 1);
  EXPECT_TRUE(Communicator::self().is_root());
}

TEST(communicator, split_orders_by_key_and_leaves_out_negative_colours) {
  const int rank = world().rank();
  const Communicator half = world().split(rank % 2 == 0 ? 0 : -1, -rank);
  EXPECT_EQ(half.valid(), rank % 2 == 0);
  if (!half.valid()) return;
  EXPECT_EQ(half.size(), (world().size() + 1) / 2);
  EXPECT_EQ(half.rank(), half.size() - 1 - rank / 2);
}

TEST(communicator, processes_of_one_node_share_memory) {
  EXPECT_EQ(world().split_shared().size(), world().size());
}

TEST(communicator, errors_come_back_as_exceptions_on_every_new_communicator) {
  const Communicator copy = world().duplicate();
  int value = 0;
  const int nobody = copy.size() + 3;
  EXPECT_NE(MPI_Send(&value, 1, MPI_INT, nobody, 0, copy.get()), MPI_SUCCESS);
  EXPECT_THROW(check(MPI_Send(&value, 1, MPI_INT, nobody, 0, copy.get()), "MPI_Send"), Error);
}

// A message from the last process to the first that nobody receives. A process alone may wait for itself for ever.
void send_in_vain(const Communicator& comm, int& value) {
  if (comm.size() == 1) return;
  if (comm.rank() == comm.size() - 1) check(MPI_Send(&value, 1, MPI_INT, 0, 7, comm.get()), "MPI_Send");
}

bool finds_a_message(const Communicator& comm) {
  int found = 0;
  for (int look = 0; look < 100 && found == 0; ++look)
    check(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm.get(), &found, MPI_STATUS_IGNORE), "MPI_Iprobe");
  return found != 0;
}

TEST(communicator, what_was_made_of_an_abandoned_one_keeps_its_messages_to_itself) {
  int value = 1;
  const auto abandoned = std::make_unique<Communicator>(world().duplicate());
  {
    const Communicator grid = abandoned->cartesian({world().size()}, true, RankOrder::kept);
    const Communicator of_grid = grid.duplicate();
    abandoned->abandon();
    const Communicator later = abandoned->split(0, world().rank());
    for (const Communicator* comm : {&std::as_const(*abandoned), &grid, &of_grid, &later})
      send_in_vain(*comm, value);
  }
  Communicator moved = world().duplicate();
  moved = std::move(*abandoned);
  moved = Communicator();
  world().barrier();
  std::vector<Communicator> others;
  for (int i = 0; i < 16; ++i) {
    others.push_back(world().duplicate());
    EXPECT_FALSE(finds_a_message(others.back())) << i;
  }
}

TEST(broadcast, values_spans_and_texts_arrive_from_every_root) {
  for (int root = 0; root < world().size(); ++root) {
    const bool mine = world().rank() == root;
    EXPECT_EQ(world().broadcast(mine ? 41 + root : 0, root), 41 + root);
    std::vector<double> values(3, mine ? 0.5 : 0);
    world().broadcast(std::span<double>(values), root);
    EXPECT_THAT(values, testing::Each(0.5));
    EXPECT_EQ(world().broadcast(mine ? std::string("text") : std::string("longer than that"), root), "text");
    EXPECT_EQ(world().broadcast(std::string(), root), "");
  }
}

TEST(reductions, all_ranks_get_the_result) {
  const std::int64_t rank = world().rank();
  const std::int64_t size = world().size();
  EXPECT_EQ(world().max(rank), size - 1);
  EXPECT_EQ(world().min(rank), 0);
  EXPECT_EQ(world().sum(rank), size * (size - 1) / 2);
  EXPECT_EQ(world().sum(0.5), 0.5 * static_cast<double>(size));
  EXPECT_EQ(world().max(std::int64_t{1} << 40), std::int64_t{1} << 40);
  EXPECT_EQ(world().all(rank == 0), size == 1);
  EXPECT_TRUE(world().any(rank == 0));
}

TEST(gather, texts_arrive_in_rank_order_on_the_root_only) {
  const int root = world().size() - 1;
  const auto texts = world().gather(std::string(static_cast<std::size_t>(world().rank()), 'x'), root);
  if (world().rank() != root) {
    EXPECT_TRUE(texts.empty());
    return;
  }
  ASSERT_EQ(texts.size(), static_cast<std::size_t>(world().size()));
  for (std::size_t r = 0; r < texts.size(); ++r) EXPECT_EQ(texts[r].size(), r);
}

TEST(sleepy_barrier, nobody_leaves_before_the_last_has_entered) {
  using Clock = std::chrono::steady_clock;
  const int last = world().size() - 1;
  world().barrier();
  if (world().rank() == last) {
    for (const auto until = Clock::now() + std::chrono::milliseconds(5); Clock::now() < until;) {
    }
  }
  const auto entered = static_cast<std::int64_t>(Clock::now().time_since_epoch().count());
  world().sleepy_barrier(1e-4);
  const auto left = static_cast<std::int64_t>(Clock::now().time_since_epoch().count());
  EXPECT_GE(world().min(left), world().max(entered));
}

struct Extent {
  int low, high;
  double sum;
};
void merge(const Extent& in, Extent& into) {
  into.low = std::min(in.low, into.low);
  into.high = std::max(in.high, into.high);
  into.sum += in.sum;
}

TEST(reduction, structure_is_merged_member_by_member) {
  const Reduction<Extent, merge> reduction;
  const int rank = world().rank();
  const int size = world().size();
  const Extent own{rank, rank, 0.5};
  const Extent rooted = reduction.to_root(own, world(), size - 1);
  EXPECT_EQ(rooted.low, rank == size - 1 ? 0 : rank);
  EXPECT_EQ(rooted.high, rank == size - 1 ? size - 1 : rank);
  EXPECT_DOUBLE_EQ(rooted.sum, rank == size - 1 ? 0.5 * size : 0.5);
}

}  // namespace
}  // namespace steelyard::mpi
