// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <climits>
#include <cstdlib>
#include <numeric>

#include "suites/imb/collectives.hpp"
#include "suites/imb/point.hpp"
#include "tests/imb/bench.hpp"

namespace steelyard::imb {
namespace {

struct Extent {
  std::int64_t bytes = 0, extent = 0;
};

Extent extent_of(const Message& message) {
  MPI_Count size = 0;
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  MPI_Type_size_x(message.type(), &size);
  MPI_Type_get_extent(message.type(), &lower, &extent);
  EXPECT_EQ(lower, 0);
  return {message.count() * static_cast<std::int64_t>(size),
          message.count() * static_cast<std::int64_t>(extent)};
}

constexpr ContiguousType layouts[] = {ContiguousType::base, ContiguousType::base_vector,
                                      ContiguousType::resize, ContiguousType::resize_vector};

TEST(message, has_its_bytes_and_the_extent_of_its_layout) {
  constexpr std::int64_t beyond = std::int64_t{INT_MAX} + 5;
  for (const auto layout : layouts)
    for (const std::int64_t elements : {std::int64_t{0}, std::int64_t{1}, std::int64_t{1000}, beyond})
      for (const auto packing : {Packing::free, Packing::one}) {
        const Message message(DataType::real, false, layout, elements, packing);
        const auto [bytes, extent] = extent_of(message);
        EXPECT_EQ(bytes, 8 * elements) << text(layout);
        EXPECT_EQ(extent, 8 * elements * stride(layout)) << text(layout) << " " << elements;
        if (packing == Packing::one && elements > 0) {
          EXPECT_EQ(message.count(), 1);
        }
      }
}

TEST(message, small_ones_of_the_base_layout_are_plain) {
  const Message message(DataType::byte, false, ContiguousType::base, 4096);
  EXPECT_EQ(message.count(), 4096);
  EXPECT_EQ(message.type(), MPI_BYTE);
}

// All elements of the type lie in one place, so that 2 GiB of them need no memory.
TEST(sums, add_all_elements_of_a_type_whose_bytes_an_int_does_not_hold) {
  constexpr int elements = 1 << 28;
  mpi::DatatypeHandle type;
  MPI_Type_create_hvector(elements, 1, 0, MPI_DOUBLE, type.put());
  MPI_Type_commit(type.put());
  const Sum sum(DataType::real, ContiguousType::base_vector);
  double total = 0;
  const double one = 1;
  EXPECT_EQ(MPI_Reduce_local(&one, &total, 1, type.get(), sum.get()), MPI_SUCCESS);
  EXPECT_EQ(total, elements);
}

// Blocks of four neighbours: the third one begins beyond what MPI's int counts in bytes.
TEST(pieces, are_displaced_by_whole_messages_where_bytes_are_too_many_for_mpi) {
  const auto world = mpi::Communicator::world();
  const Settings settings;
  Point point{.settings = settings,
              .definition = *find(own_mpi4(), "Neighbor_alltoallv"),
              .group = world,
              .rank = world.rank(),
              .processes = world.size(),
              .size = Bytes{std::int64_t{1} << 30},
              .send = {},
              .receive = {}};
  const PerRank large(point, 4);
  point.size = Bytes{64};
  const PerRank small(point, 4);
  for (int s = 0; s < 4; ++s) {
    EXPECT_EQ(large.counts()[s], 1);
    EXPECT_EQ(large.displacements()[s], s);
    EXPECT_EQ(small.counts()[s], 64);
    EXPECT_EQ(small.displacements()[s], 64 * s);
  }
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  MPI_Type_get_extent(large.type(), &lower, &extent);
  EXPECT_EQ(extent, MPI_Aint{1} << 30);
  EXPECT_EQ(small.type(), MPI_BYTE);
}

TEST(reduction, is_cut_into_pieces_beyond_the_counts_of_mpi) {
  struct Piece {
    std::int64_t at;
    int count;
  };
  std::vector<Piece> pieces;
  const Vector vector(DataType::single, ContiguousType::base, 3 * (std::int64_t{1} << 30) + 7);
  static_cast<void>(vector.for_each_piece([&](std::int64_t at, const Message& message) {
    pieces.push_back({at, message.count()});
    return 0;
  }));
  ASSERT_EQ(pieces.size(), 4U);
  EXPECT_EQ(pieces[1].at, std::int64_t{1} << 32);
  EXPECT_EQ(pieces[2].count, 1 << 30);
  EXPECT_EQ(pieces[3].count, 7);
  EXPECT_FALSE(needs_pieces(INT_MAX));
  EXPECT_TRUE(needs_pieces(std::int64_t{INT_MAX} + 1));
}

TEST(reduction, below_that_is_one_call) {
  for (const std::int64_t elements : {0, 1, 1000}) {
    int calls = 0;
    const Vector vector(DataType::single, ContiguousType::base, elements);
    static_cast<void>(vector.for_each_piece([&](std::int64_t, const Message& message) {
      EXPECT_EQ(message.count(), elements);
      ++calls;
      return 0;
    }));
    EXPECT_EQ(calls, 1);
  }
}

TEST(reduction, in_pieces_gives_the_sum_of_the_whole_vector) {
  const auto world = mpi::Communicator::world();
  for (const auto layout : layouts) {
    const auto step = static_cast<std::size_t>(stride(layout));
    std::vector<float> in(23 * step);
    std::vector<float> out(23 * step, -1);
    std::iota(in.begin(), in.end(), 1.0F);
    const Sum sum(DataType::single, layout);
    const Vector vector(DataType::single, layout, 23, 5, 5);
    const int code = vector.for_each_piece([&](std::int64_t at, const Message& piece) {
      return MPI_Allreduce(reinterpret_cast<const std::byte*>(in.data()) + at,
                           reinterpret_cast<std::byte*>(out.data()) + at, piece.count(), piece.type(),
                           sum.get(), world.get());
    });
    EXPECT_EQ(code, MPI_SUCCESS);
    for (std::size_t i = 0; i < in.size(); ++i)
      EXPECT_EQ(out[i], i % step == 0 ? in[i] * static_cast<float>(world.size()) : -1)
          << text(layout) << " " << i;
  }
}

TEST(large, messages_beyond_two_gibibytes_arrive) {
  if (std::getenv("STEELYARD_TEST_LARGE") == nullptr)
    GTEST_SKIP() << "needs 12 GiB: set STEELYARD_TEST_LARGE";
  if (mpi::Communicator::world().size() != 2) GTEST_SKIP() << "needs two ranks";
  const test::Groups groups;
  for (const auto* name : {"PingPong"}) {
    test::Bench bench(Settings{}, groups.of(2), name, std::int64_t{5} << 29);
    const auto found = bench.workload().verify(1);
    EXPECT_EQ(found->errors, 0) << name << ": " << found->first;
  }
}

}  // namespace
}  // namespace steelyard::imb
