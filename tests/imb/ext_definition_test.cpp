// SPDX-License-Identifier: Apache-2.0
// IMB-EXT before anything is measured.
#include <gmock/gmock.h>

#include <set>

#include "suites/imb/part_definition.hpp"
#include "suites/imb/schedule.hpp"
#include "suites/imb/sides.hpp"

namespace steelyard::imb {
namespace {

using testing::ElementsAre;

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
