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

constexpr std::int64_t message_sizes[] = {0, 1, 4, 7, 1000, 65536};

// Many ranks on few cores: less of everything but ranks.
constexpr int many = 3;

// Every benchmark with every size; an error of any rank fails on that rank.
void expect_right_data(const Settings& settings, std::span<const std::int64_t> lengths = message_sizes) {
  const Groups groups;
  const int world = mpi::Communicator::world().size();
  const std::uint64_t repetitions = world < many ? 4 : 2;
  for (const auto& definition : mpi1().benchmarks) {
    const int processes = test::active_ranks(definition, world);
    if (processes == 0 || !groups.of(processes).valid()) continue;
    for (const auto size : lengths) {
      Bench bench(settings, groups.of(processes), definition.name, test::rounded(settings, definition, size),
                  3);
      const auto found = bench.workload().verify(repetitions);
      EXPECT_EQ(found.has_value(), definition.kind != Class::sync) << definition.name;
      if (found) {
        EXPECT_EQ(found->errors, 0) << definition.name << " " << size << " byte: " << found->first;
      }
      EXPECT_EQ(bench.arena().guard_damage(0), 0) << definition.name;
    }
  }
}

void expect_right_data_of_few_sizes(const Settings& settings) {
  const bool all = mpi::Communicator::world().size() < many;
  const std::span<const std::int64_t> sizes(message_sizes);
  expect_right_data(settings, all ? sizes : sizes.subspan(2, 3));
}

Settings small_window() {
  Settings settings;
  settings.window = 5;
  return settings;
}

Settings with_types(DataType data, DataType reduction, ContiguousType layout) {
  auto settings = small_window();
  settings.data_type = data;
  settings.reduction_type = reduction;
  settings.contiguous_type = layout;
  return settings;
}

TEST(benchmarks, deliver_every_byte_with_default_types) {
  expect_right_data(small_window());
}

TEST(benchmarks, deliver_every_byte_of_char) {
  expect_right_data_of_few_sizes(with_types(DataType::character, DataType::character, ContiguousType::base));
}
TEST(benchmarks, deliver_every_byte_of_int) {
  expect_right_data_of_few_sizes(with_types(DataType::integer, DataType::integer, ContiguousType::base));
}
TEST(benchmarks, deliver_every_byte_of_double) {
  expect_right_data_of_few_sizes(with_types(DataType::real, DataType::real, ContiguousType::base));
}
TEST(benchmarks, deliver_every_byte_of_vectors) {
  expect_right_data_of_few_sizes(
      with_types(DataType::single, DataType::integer, ContiguousType::base_vector));
}
TEST(benchmarks, deliver_every_byte_of_doubled_extents) {
  expect_right_data_of_few_sizes(with_types(DataType::byte, DataType::single, ContiguousType::resize));
}
TEST(benchmarks, deliver_every_byte_of_vectors_of_doubled_extents) {
  expect_right_data_of_few_sizes(with_types(DataType::real, DataType::real, ContiguousType::resize_vector));
}
TEST(benchmarks, add_vectors_of_char_with_gaps) {
  expect_right_data_of_few_sizes(
      with_types(DataType::character, DataType::character, ContiguousType::resize_vector));
}

TEST(benchmarks, deliver_every_byte_under_the_later_rules) {
  auto settings = defaults(mpi1(), Version::v2021);
  settings.window = 5;
  expect_right_data_of_few_sizes(settings);
}

TEST(benchmarks, deliver_every_byte_into_changing_slots) {
  auto settings = small_window();
  settings.off_cache = {.cache_byte = 20000, .line_byte = 64};
  expect_right_data_of_few_sizes(settings);
  settings.contiguous_type = ContiguousType::resize;
  expect_right_data_of_few_sizes(settings);
}

TEST(benchmarks, share_one_place_when_the_window_is_too_large) {
  auto settings = small_window();
  settings.window = 65;
  const Groups groups;
  const int world = mpi::Communicator::world().size();
  if (world < 2 || !groups.of(2).valid()) GTEST_SKIP() << "needs a pair";
  for (const auto* name : {"Uniband", "Biband"})
    for (const auto cache : {std::int64_t{0}, std::int64_t{1} << 20}) {
      settings.off_cache.cache_byte = cache;
      Bench bench(settings, groups.of(2), name, 1 << 20, 1);
      EXPECT_TRUE(sides(settings, *find(mpi1(), name), Bytes{1 << 20}, 2, 1).overlapping_receives);
      const auto found = bench.workload().verify(1);
      EXPECT_EQ(found->errors, 0) << found->first;
    }
}

TEST(benchmarks, hold_their_first_contents_after_a_check) {
  const Groups groups;
  const int world = mpi::Communicator::world().size();
  for (const auto* name : {"Sendrecv", "Alltoall", "Allreduce", "Reduce_local", "Exchange"}) {
    Bench bench(Settings{}, groups.of(world), name, 100);
    const auto send = bench.arena().send(0);
    const auto receive = bench.arena().receive(0);
    const std::vector<std::byte> before(send.begin(), send.end());
    static_cast<void>(bench.workload().verify(2));
    EXPECT_TRUE(std::ranges::equal(send, before)) << name;
    EXPECT_TRUE(std::ranges::all_of(receive, [](std::byte b) { return b == std::byte{0}; })) << name;
  }
}

TEST(benchmarks, run_many_operations_from_any_index) {
  const Groups groups;
  const int world = mpi::Communicator::world().size();
  auto settings = small_window();
  settings.off_cache = {.cache_byte = 4096, .line_byte = 64};
  for (const auto& definition : mpi1().benchmarks) {
    const int processes = test::active_ranks(definition, world);
    if (processes == 0 || !groups.of(processes).valid()) continue;
    Bench bench(settings, groups.of(processes), definition.name, 64);
    EXPECT_EQ(bench.workload().run(0, 7), 0) << definition.name;
    EXPECT_EQ(bench.workload().run(7, 5), 0) << definition.name;
    EXPECT_EQ(bench.workload().run(1000003, 3), 0) << definition.name;
    const auto found = bench.workload().verify(2);
    if (found) {
      EXPECT_EQ(found->errors, 0) << definition.name << ": " << found->first;
    }
  }
}

TEST(list, has_a_workload_for_every_definition) {
  for (const Part* part : {&mpi1(), &ext(), &rma()})
    for (const auto& definition : part->benchmarks)
      EXPECT_NE(workload_of(part->name, definition.name), nullptr) << definition.name;
  EXPECT_EQ(workload_of("imb-mpi1", "Nothing"), nullptr);
  EXPECT_EQ(workload_of("imb-ext", "Bcast"), nullptr);
}

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
