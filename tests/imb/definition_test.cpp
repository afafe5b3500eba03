// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/definition.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "suites/imb/part_definition.hpp"
#include "suites/imb/schedule.hpp"
#include "suites/imb/sides.hpp"

namespace steelyard::imb {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::int64_t> counts(const std::vector<Bytes>& sizes) {
  std::vector<std::int64_t> result;
  for (const auto size : sizes) result.push_back(size.count());
  return result;
}

TEST(catalogue, default_sets_follow_the_versions) {
  EXPECT_THAT(default_set(mpi1(), Version::v31),
              ElementsAre("PingPong", "PingPing", "Sendrecv", "Exchange", "Allreduce", "Reduce",
                          "Reduce_scatter", "Allgather", "Allgatherv", "Gather", "Gatherv", "Scatter",
                          "Scatterv", "Alltoall", "Alltoallv", "Bcast", "Barrier"));
  EXPECT_EQ(default_set(mpi1(), Version::v2021).size(), 19U);
  EXPECT_EQ(mpi1().benchmarks.size(), 25U);
}

TEST(catalogue, names_are_found_in_any_case) {
  ASSERT_NE(find(mpi1(), "pingPONG"), nullptr);
  EXPECT_EQ(find(mpi1(), "pingPONG")->name, "PingPong");
  EXPECT_EQ(find(mpi1(), "Ping"), nullptr);
  EXPECT_EQ(find(mpi1(), "PingPongg"), nullptr);
}

TEST(table, kind_follows_class_and_groups) {
  using enum Class;
  EXPECT_EQ(table_of(single_transfer, {}), Table::a);
  EXPECT_EQ(table_of(single_transfer, 1), Table::a);
  EXPECT_EQ(table_of(single_transfer, 0), Table::b);
  EXPECT_EQ(table_of(parallel_transfer, 1), Table::b);
  EXPECT_EQ(table_of(collective, {}), Table::c);
  EXPECT_EQ(table_of(sync, 0), Table::d);
  EXPECT_EQ(table_of(message_rate, {}), Table::g);
}

TEST(process_series, doubles_from_the_minimum_and_ends_with_all) {
  EXPECT_THAT(process_series(11, 2), ElementsAre(2, 4, 8, 11));
  EXPECT_THAT(process_series(11, 5), ElementsAre(5, 10, 11));
  EXPECT_THAT(process_series(14, 7), ElementsAre(7, 14));
  EXPECT_THAT(process_series(6, 2), ElementsAre(2, 4, 6));
  EXPECT_THAT(process_series(7, 1), ElementsAre(1, 2, 4, 7));
  EXPECT_THAT(process_series(5, 3), ElementsAre(3, 5));
  EXPECT_THAT(process_series(4, 9), ElementsAre(4));
  EXPECT_THAT(process_series(2147483647, 1073741824), ElementsAre(1073741824, 2147483647));
}

TEST(process_series, transfers_of_pairs_need_pairs) {
  EXPECT_THAT(process_series(*find(mpi1(), "PingPong"), 11, 5), ElementsAre(2));
  EXPECT_THAT(process_series(*find(mpi1(), "PingPong"), 1, 2), IsEmpty());
  EXPECT_THAT(process_series(*find(mpi1(), "Uniband"), 11, 3), ElementsAre(4, 8, 10));
  EXPECT_THAT(process_series(*find(mpi1(), "Biband"), 1, 2), IsEmpty());
  EXPECT_THAT(process_series(*find(mpi1(), "Bcast"), 1, 2), ElementsAre(1));
}

TEST(process_series, grows_strictly_for_every_number_of_processes) {
  for (int world = 1; world <= 300; ++world)
    for (int npmin = 1; npmin <= world + 3; ++npmin) {
      const auto series = process_series(world, npmin);
      EXPECT_TRUE(std::ranges::is_sorted(series, std::less_equal<>{}) || series.size() == 1);
      EXPECT_EQ(series.back(), world);
      EXPECT_EQ(std::ranges::adjacent_find(series), series.end());
    }
}

TEST(rank_order, numbers_rows_of_the_matrix_filled_by_columns) {
  EXPECT_THAT(rank_order(2, 3), ElementsAre(0, 2, 4, 1, 3, 5));
  EXPECT_THAT(rank_order(3, 2), ElementsAre(0, 3, 1, 4, 2, 5));
  EXPECT_THAT(rank_order(2, 2), ElementsAre(0, 2, 1, 3));
  EXPECT_THAT(rank_order(1, 6), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(rank_order(6, 1), ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST(rank_order, is_a_permutation_for_every_shape) {
  for (int p = 1; p <= 12; ++p)
    for (int q = 1; q <= 12; ++q) {
      auto order = rank_order(p, q);
      EXPECT_EQ(order.front(), 0);
      std::ranges::sort(order);
      std::vector<int> all(order.size());
      std::iota(all.begin(), all.end(), 0);
      EXPECT_EQ(order, all);
    }
}

TEST(groups, five_processes_leave_one_idle_unless_all_take_part) {
  EXPECT_THAT(groups(5, 2, true, {}), ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3)));
  EXPECT_THAT(groups(5, 4, true, {}), ElementsAre(ElementsAre(0, 1, 2, 3)));
  EXPECT_THAT(groups(5, 5, true, {}), ElementsAre(ElementsAre(0, 1, 2, 3, 4)));
  EXPECT_THAT(groups(5, 2, false, {}), ElementsAre(ElementsAre(0, 1)));
}

TEST(groups, map_orders_the_members) {
  EXPECT_THAT(groups(6, 2, true, rank_order(2, 3)),
              ElementsAre(ElementsAre(0, 2), ElementsAre(4, 1), ElementsAre(3, 5)));
}

TEST(sizes, default_lists_have_24_and_22_entries) {
  const auto bytes = sizes(SizeRule{}, 1);
  ASSERT_EQ(bytes.size(), 24U);
  EXPECT_EQ(bytes[0].count(), 0);
  EXPECT_EQ(bytes[1].count(), 1);
  EXPECT_EQ(bytes.back().count(), 4194304);
  const auto floats = sizes(SizeRule{}, 4);
  ASSERT_EQ(floats.size(), 22U);
  EXPECT_EQ(floats[1].count(), 4);
  EXPECT_EQ(floats[2].count(), 8);
  EXPECT_EQ(floats.back().count(), 4194304);
}

SizeRule exponents(int low, int high, bool zero = true) {
  SizeRule rule;
  rule.low_exponent = low;
  rule.high_exponent = high;
  rule.zero = zero;
  return rule;
}

TEST(sizes, exponents_and_zero_size_change_the_list) {
  EXPECT_THAT(counts(sizes(exponents(4, 6), 1)), ElementsAre(0, 16, 32, 64));
  EXPECT_THAT(counts(sizes(exponents(4, 6, false), 4)), ElementsAre(16, 32, 64));
  EXPECT_THAT(counts(sizes(exponents(3, 3), 1)), ElementsAre(0, 8));
  EXPECT_THAT(counts(sizes(exponents(0, 1), 4)), ElementsAre(0, 4));
  EXPECT_EQ(sizes(exponents(0, 40), 1).back().count(), std::int64_t{1} << 40);
}

TEST(sizes, given_lengths_keep_order_and_repeats_and_are_rounded_up) {
  SizeRule rule;
  rule.listed = std::vector<Bytes>{Bytes{100}, Bytes{1}, Bytes{7}, Bytes{100}, Bytes{0}};
  EXPECT_THAT(counts(sizes(rule, 4)), ElementsAre(100, 4, 8, 100, 0));
  EXPECT_THAT(counts(sizes(rule, 1)), ElementsAre(100, 1, 7, 100, 0));
}

struct RepetitionRow {
  std::int64_t size;
  std::uint64_t operations;
};

TEST(repetitions, are_bounded_by_volume) {
  for (const auto [size, n] : std::vector<RepetitionRow>{{0, 1000},
                                                         {1, 1000},
                                                         {4, 1000},
                                                         {100, 1000},
                                                         {1000, 1000},
                                                         {32768, 1000},
                                                         {65536, 640},
                                                         {100000, 419},
                                                         {131072, 320},
                                                         {1000000, 41},
                                                         {1048576, 40},
                                                         {2097152, 20},
                                                         {4194304, 10},
                                                         {16777216, 2},
                                                         {41943041, 1}})
    EXPECT_EQ(repetitions({}, Bytes{size}), n) << size;
}

TEST(repetitions, volume_is_counted_in_64_bit) {
  EXPECT_EQ(repetitions({.per_sample = 2, .volume = Bytes{std::int64_t{4096} << 20}, .non_aggregate = 1},
                        Bytes{1024}),
            2U);
}

TEST(repetitions, multiple_np_is_a_multiple_of_the_processes) {
  const Bytes s{16384};
  for (const auto [size, n] :
       std::vector<RepetitionRow>{{0, 100}, {1024, 88}, {2048, 80}, {4096, 66}, {8192, 50}, {16384, 32}})
    EXPECT_EQ(repetitions_multiple_np(100, Bytes{size}, s, 2), n) << size;
  EXPECT_EQ(repetitions_multiple_np(1000, Bytes{4194304}, Bytes{4194304}, 8), 104U);
  EXPECT_EQ(repetitions_multiple_np(1000, Bytes{65536}, Bytes{4194304}, 7), 896U);
  for (int q = 1; q < 200; ++q)
    EXPECT_EQ(repetitions_multiple_np(1000, Bytes{4096}, s, q) % static_cast<unsigned>(q), 0U);
}

TEST(throughput, counts_messages_of_the_slowest_rank) {
  const Seconds t{7.66e-6};
  const Bytes x{65536};
  const auto mbytes = [&](std::string_view name, Version version) {
    return (Bytes{counted_byte(*find(mpi1(), name), x, 2, 256)} / t).value() / mbyte(version);
  };
  EXPECT_NEAR(mbytes("PingPong", Version::v31), 8159.27, 0.005);
  EXPECT_NEAR(mbytes("PingPong", Version::v2021), 8555.61, 0.005);
  EXPECT_NEAR(mbytes("Sendrecv", Version::v31), 2 * 8159.27, 0.01);
  EXPECT_NEAR(mbytes("Exchange", Version::v31), 4 * 8159.27, 0.02);
}

TEST(throughput, counts_nothing_without_bytes_or_messages) {
  EXPECT_EQ(counted_byte(*find(mpi1(), "PingPong"), Bytes{0}, 2, 1), 0);
  EXPECT_EQ(counted_byte(*find(mpi1(), "Bcast"), Bytes{8}, 2, 1), 0);
}

TEST(throughput, message_rates_count_pairs_and_windows) {
  EXPECT_EQ(counted_messages(*find(mpi1(), "Uniband"), 6, 256), 3 * 256);
  EXPECT_EQ(counted_messages(*find(mpi1(), "Biband"), 6, 64), 2 * 3 * 64);
  EXPECT_EQ(counted_byte(*find(mpi1(), "Biband"), Bytes{8}, 6, 64), 8 * 2 * 3 * 64);
  EXPECT_EQ(counted_messages(*find(mpi1(), "PingPong"), 2, 256), 0);
}

struct MemoryRow {
  std::string_view name;
  std::int64_t send, receive;
};

TEST(memory, follows_the_table_for_five_processes) {
  constexpr std::int64_t x = 1000;
  for (const auto& [name, send, receive] : std::vector<MemoryRow>{{"PingPong", x, x},
                                                                  {"PingPing", x, x},
                                                                  {"Sendrecv", x, x},
                                                                  {"Bcast", x, x},
                                                                  {"Reduce", x, x},
                                                                  {"Allreduce", x, x},
                                                                  {"Reduce_local", x, x},
                                                                  {"Exchange", 2 * x, x},
                                                                  {"Allgather", x, 5 * x},
                                                                  {"Allgatherv", x, 5 * x},
                                                                  {"Gather", x, 5 * x},
                                                                  {"Gatherv", x, 5 * x},
                                                                  {"Scatter", 5 * x, x},
                                                                  {"Scatterv", 5 * x, x},
                                                                  {"Alltoall", 5 * x, 5 * x},
                                                                  {"Alltoallv", 5 * x, 5 * x},
                                                                  {"Reduce_scatter", x, x / 5},
                                                                  {"Reduce_scatter_block", 5 * x, x},
                                                                  {"Barrier", 0, 0},
                                                                  {"Uniband", x, 64 * x},
                                                                  {"Biband", x, 64 * x}}) {
    const auto need = buffer_need(*find(mpi1(), name), Version::v31, Bytes{x}, 5, 64);
    EXPECT_EQ(need.send, send) << name;
    EXPECT_EQ(need.receive, receive) << name;
  }
}

TEST(memory, small_messages_take_four_bytes) {
  const auto need = buffer_need(*find(mpi1(), "Alltoall"), Version::v31, Bytes{1}, 3, 1);
  EXPECT_EQ(need.send, 12);
  EXPECT_EQ(need.receive, 12);
}

TEST(memory, scattered_sums_depend_on_the_version) {
  const auto& definition = *find(mpi1(), "Reduce_scatter");
  EXPECT_EQ(buffer_need(definition, Version::v31, Bytes{1000}, 7, 1).receive, 144);
  EXPECT_EQ(buffer_need(definition, Version::v2021, Bytes{1000}, 7, 1).send, 7000);
  EXPECT_EQ(buffer_need(definition, Version::v2021, Bytes{1000}, 7, 1).receive, 1000);
  EXPECT_GE(buffer_need(definition, Version::v31, Bytes{24}, 2, 1, 8).receive, 16) << "two of three doubles";
}

TEST(memory, every_piece_of_a_scattered_sum_fits) {
  for (int q = 1; q < 40; ++q)
    for (std::int64_t elements = 0; elements < 100; ++elements)
      for (const std::int64_t unit : {1, 4, 8}) {
        const auto need =
            buffer_need(*find(mpi1(), "Reduce_scatter"), Version::v31, Bytes{elements * unit}, q, 1, unit);
        EXPECT_GE(need.receive, unit * reduce_scatter_share(elements, q, 0));
      }
}

TEST(reduce_scatter_share, adds_up_to_the_vector) {
  EXPECT_EQ(reduce_scatter_share(7, 3, 0), 3);
  EXPECT_EQ(reduce_scatter_share(7, 3, 1), 2);
  for (int q = 1; q < 20; ++q) {
    std::int64_t sum = 0;
    for (int r = 0; r < q; ++r) sum += reduce_scatter_share(100, q, r);
    EXPECT_EQ(sum, 100);
  }
}

struct SlotRow {
  std::int64_t size, offset, slots, bytes;
};

TEST(sides, cache_avoidance_spreads_repetitions_over_slots) {
  Settings settings;
  settings.off_cache = {.cache_byte = 8 << 20, .line_byte = 64};
  for (const auto& [size, offset, slots, bytes] : std::vector<SlotRow>{{1, 128, 1000, 128000},
                                                                       {65, 192, 1000, 192000},
                                                                       {4096, 4160, 1000, 4160000},
                                                                       {65536, 65600, 256, 16793600},
                                                                       {1048576, 1048640, 16, 16778240},
                                                                       {4194304, 4194368, 4, 16777472}}) {
    const auto both =
        sides(settings, *find(mpi1(), "PingPong"), Bytes{size}, 2, repetitions({}, Bytes{size}));
    EXPECT_EQ(both.send.slots.offset, offset);
    EXPECT_EQ(both.send.slots.slots, slots);
    EXPECT_EQ(both.receive.slots.bytes, bytes);
  }
}

TEST(sides, without_cache_avoidance_one_slot_is_used) {
  const auto both = sides(Settings{}, *find(mpi1(), "Exchange"), Bytes{100}, 4, 1000);
  EXPECT_EQ(both.send.slots.bytes, 200);
  EXPECT_EQ(both.receive.slots.slots, 1);
  EXPECT_EQ(both.memory_byte(), 300);
}

TEST(sides, doubled_extents_double_the_memory) {
  Settings settings;
  settings.contiguous_type = ContiguousType::resize;
  EXPECT_EQ(sides(settings, *find(mpi1(), "Alltoall"), Bytes{100}, 4, 1000).memory_byte(), 2 * 2 * 400);
}

TEST(sides, receives_of_a_window_have_sections_up_to_64_mebibytes) {
  Settings settings;
  const auto separate = sides(settings, *find(mpi1(), "Uniband"), Bytes{262144}, 4, 1000);
  EXPECT_FALSE(separate.overlapping_receives);
  EXPECT_EQ(separate.receive.slots.slots, 256);
  const auto shared = sides(settings, *find(mpi1(), "Uniband"), Bytes{262145}, 4, 1000);
  EXPECT_TRUE(shared.overlapping_receives);
  EXPECT_EQ(shared.receive.slots.slots, 1);
}

TEST(data_types, have_the_sizes_of_their_elements) {
  EXPECT_EQ(size_of(DataType::byte), 1);
  EXPECT_EQ(size_of(DataType::integer), 4);
  EXPECT_EQ(size_of(DataType::real), 8);
  EXPECT_EQ(mpi_name(DataType::single), "MPI_FLOAT");
  EXPECT_EQ(stride(ContiguousType::resize_vector), 2);
  EXPECT_EQ(stride(ContiguousType::base_vector), 1);
}

TEST(defaults, versions_differ_in_the_rules_of_the_table) {
  const auto seed = defaults(mpi1(), Version::v31);
  EXPECT_FALSE(seed.sync);
  EXPECT_TRUE(seed.root_shift);
  EXPECT_EQ(seed.policy, IterationPolicy::volume);
  EXPECT_FALSE(seed.time_limit.has_value());
  const auto later = defaults(mpi1(), Version::v2021);
  EXPECT_TRUE(later.sync);
  EXPECT_FALSE(later.root_shift);
  EXPECT_EQ(later.policy, IterationPolicy::dynamic);
  EXPECT_EQ(later.time_limit, Seconds{10});
}

// IMB-EXT before anything is measured.

std::vector<suites::BlockPlan> plan(const Settings& settings, const std::vector<std::string>& names,
                                    int world) {
  return definition(ext(), settings)->plan(names, world);
}

TEST(ext_catalogue, both_versions_run_all_six_in_the_order_of_the_seed) {
  for (const auto version : {Version::v31, Version::v2021})
    EXPECT_THAT(default_set(ext(), version),
                ElementsAre("Window", "Unidir_Get", "Unidir_Put", "Bidir_Get", "Bidir_Put", "Accumulate"));
}

TEST(ext_sizes, are_multiples_of_a_float) {
  for (const auto& one : ext().benchmarks) {
    const auto all = sizes(Settings{}, one);
    EXPECT_EQ(all.size(), 22U) << one.name;
    EXPECT_EQ(all[1].count(), 4) << one.name;
  }
  Settings listed;
  listed.sizes.listed = std::vector{Bytes{10}};
  EXPECT_EQ(sizes(listed, *find(ext(), "Unidir_Put")).front().count(), 12);
}

struct Row {
  std::int64_t size;
  std::uint64_t aggregate, non_aggregate;
};

TEST(ext_repetitions, follow_the_table_in_both_modes) {
  const auto& put = *find(ext(), "Unidir_Put");
  for (const auto& [size, aggregate, non_aggregate] : std::vector<Row>{{0, 1000, 100},
                                                                       {1000, 1000, 100},
                                                                       {65536, 640, 100},
                                                                       {131072, 320, 100},
                                                                       {1048576, 40, 40},
                                                                       {4194304, 10, 10},
                                                                       {41943044, 1, 1}}) {
    EXPECT_EQ(planned_repetitions({}, put, Bytes{size}, 2, Mode::aggregate), aggregate) << size;
    EXPECT_EQ(planned_repetitions({}, put, Bytes{size}, 2, Mode::non_aggregate), non_aggregate) << size;
    EXPECT_EQ(planned_repetitions({}, *find(ext(), "Window"), Bytes{size}, 2), non_aggregate) << size;
  }
}

TEST(ext_plan, aggregate_tables_come_before_the_others_and_window_has_one) {
  const auto blocks = plan({}, {"Window", "Bidir_Put"}, 4);
  ASSERT_EQ(blocks.size(), 4U);  // Window with 2 and 4 processes
  EXPECT_EQ(mode_of(blocks[0]), Mode::none);
  EXPECT_EQ(mode_of(blocks[2]), Mode::aggregate);
  EXPECT_EQ(mode_of(blocks[3]), Mode::non_aggregate);
  EXPECT_EQ(blocks[2].points[1].key,
            "imb-ext/Bidir_Put;message_byte=4;mode=aggregate;processes=2;type=MPI_BYTE");
  EXPECT_EQ(blocks[2].points[1].bundle, 1000U);
  EXPECT_EQ(blocks[3].points[1].bundle, 1U);
}

TEST(ext_plan, every_point_is_an_experiment_of_its_own) {
  std::set<std::string> keys;
  std::size_t points = 0;
  for (const auto& block : plan({}, default_set(ext(), Version::v31), 5))
    for (const auto& point : block.points) {
      keys.insert(point.key);
      ++points;
    }
  EXPECT_EQ(keys.size(), points);
  EXPECT_EQ(points, 22U * (3 + 4 * 2 + 3 * 2));
}

TEST(ext_plan, one_mode_can_be_chosen) {
  Settings settings;
  settings.mode = Mode::non_aggregate;
  const auto blocks = plan(settings, {"Accumulate", "Window"}, 2);
  ASSERT_EQ(blocks.size(), 2U);
  EXPECT_EQ(mode_of(blocks[0]), Mode::non_aggregate);
  EXPECT_EQ(mode_of(blocks[1]), Mode::none);
}

TEST(ext_sides, aggregate_transfers_have_a_section_each) {
  const auto& put = *find(ext(), "Unidir_Put");
  const auto both = sides({}, put, Bytes{1000}, 2, 1000, Mode::aggregate);
  EXPECT_EQ(both.send.slots.slots, 1000);
  EXPECT_EQ(both.send.slots.offset, 1000);
  EXPECT_EQ(both.memory_byte(), 2000000);
  EXPECT_EQ(sides({}, put, Bytes{1000}, 2, 100, Mode::non_aggregate).memory_byte(), 2000);
  EXPECT_EQ(sides(defaults(ext(), Version::v2021), put, Bytes{1000}, 2, 1000, Mode::aggregate).memory_byte(),
            2000);
}

// So few slots as the cache asks for would let transfers of one epoch meet.
TEST(ext_sides, sections_stay_disjoint_when_the_cache_is_avoided) {
  Settings settings;
  settings.off_cache = {.cache_byte = 10000, .line_byte = 64};
  const auto both = sides(settings, *find(ext(), "Unidir_Put"), Bytes{4}, 2, 1000, Mode::aggregate);
  EXPECT_EQ(both.send.slots.slots, 1000);
  EXPECT_EQ(both.send.slots.offset, 128);
  EXPECT_EQ(
      sides(settings, *find(ext(), "Unidir_Put"), Bytes{4096}, 2, 1000, Mode::aggregate).send.slots.offset,
      4096);
}

TEST(ext_tables, follow_the_classes) {
  EXPECT_EQ(table_of(*find(ext(), "Bidir_Get"), {}), Table::a);
  EXPECT_EQ(table_of(*find(ext(), "Bidir_Get"), 0), Table::b);
  EXPECT_EQ(table_of(*find(ext(), "Accumulate"), 1), Table::c);
  EXPECT_EQ(table_of(*find(ext(), "Window"), {}), Table::c);
}

}  // namespace
}  // namespace steelyard::imb
