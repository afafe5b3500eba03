// SPDX-License-Identifier: Apache-2.0
// IMB-RMA before anything is measured.
#include <gmock/gmock.h>

#include <set>

#include "record/records.hpp"
#include "suites/imb/part_definition.hpp"
#include "suites/imb/schedule.hpp"
#include "suites/imb/sides.hpp"

namespace steelyard::imb {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const Definition& row(std::string_view name) {
  return *find(rma(), name);
}

std::vector<suites::BlockPlan> plan(const Settings& settings, const std::vector<std::string>& names,
                                    int world) {
  return definition(rma(), settings)->plan(names, world);
}

TEST(rma_catalogue, has_nineteen_rows_of_which_seventeen_are_run) {
  EXPECT_EQ(rma().benchmarks.size(), 19U);
  for (const auto version : {Version::v31, Version::v2021}) {
    const auto names = default_set(rma(), version);
    EXPECT_EQ(names.size(), 17U);
    EXPECT_THAT(names, Not(Contains("Get_local")));
    EXPECT_THAT(names, Not(Contains("Get_all_local")));
    EXPECT_EQ(names.front(), "Unidir_put");
    EXPECT_EQ(names.back(), "Truly_passive_put");
  }
}

TEST(rma_sizes, are_bytes_for_transfers_floats_for_updates_and_one_for_elements) {
  EXPECT_EQ(sizes(Settings{}, row("Unidir_put")).size(), 24U);
  EXPECT_EQ(sizes(Settings{}, row("All_get_all"))[1].count(), 1);
  EXPECT_EQ(sizes(Settings{}, row("Get_accumulate"))[1].count(), 4);
  Settings listed;
  listed.sizes.listed = std::vector{Bytes{10}, Bytes{100}};
  for (const auto* name : {"Fetch_and_op", "Compare_and_swap"})
    EXPECT_THAT(sizes(listed, row(name)), ElementsAre(Bytes{4}));
  EXPECT_EQ(sizes(listed, row("Accumulate")).front().count(), 12);
}

TEST(rma_repetitions, follow_the_mode_and_are_many_without_modes) {
  struct Row {
    std::int64_t size;
    std::uint64_t aggregate, non_aggregate;
  };
  for (const auto& [size, aggregate, non_aggregate] : std::vector<Row>{
           {0, 1000, 100}, {1024, 1000, 100}, {65536, 640, 100}, {1048576, 40, 40}, {4194304, 10, 10}}) {
    EXPECT_EQ(planned_repetitions({}, row("Unidir_put"), Bytes{size}, 2, Mode::aggregate), aggregate);
    EXPECT_EQ(planned_repetitions({}, row("Unidir_put"), Bytes{size}, 2, Mode::non_aggregate), non_aggregate);
    EXPECT_EQ(planned_repetitions({}, row("Truly_passive_put"), Bytes{size}, 2), aggregate);
    EXPECT_EQ(planned_repetitions({}, row("Exchange_get"), Bytes{size}, 4), aggregate);
  }
}

TEST(rma_plan, measures_each_transfer_alone_before_all_together) {
  const auto blocks = plan({}, {"Bidir_put", "Truly_passive_put", "All_put_all"}, 4);
  ASSERT_EQ(blocks.size(), 5U);
  EXPECT_EQ(mode_of(blocks[0]), Mode::non_aggregate);
  EXPECT_EQ(mode_of(blocks[1]), Mode::aggregate);
  EXPECT_EQ(mode_of(blocks[2]), Mode::none);
  EXPECT_EQ(blocks[0].processes, 2);
  EXPECT_EQ(blocks[4].processes, 4);
  EXPECT_EQ(blocks[0].points[1].bundle, 1U);
  EXPECT_EQ(blocks[1].points[1].bundle, 1000U);
  EXPECT_EQ(blocks[2].points[1].bundle, 1U);
  EXPECT_EQ(blocks[3].points[1].bundle, 1000U);
  EXPECT_EQ(blocks[1].points[1].key,
            "imb-rma/Bidir_put;message_byte=1;mode=aggregate;processes=2;type=MPI_BYTE");
}

TEST(rma_plan, every_point_is_an_experiment_of_its_own) {
  std::set<std::string> keys;
  std::size_t points = 0;
  for (const auto& block : plan({}, default_set(rma(), Version::v31), 5))
    for (const auto& point : block.points) {
      keys.insert(point.key);
      ++points;
    }
  EXPECT_EQ(keys.size(), points);
}

TEST(rma_plan, needs_two_processes_but_for_exchanges) {
  for (const auto& definition : rma().benchmarks) {
    const bool alone = definition.name.starts_with("Exchange");
    EXPECT_EQ(process_series(definition, 1, 1).size(), alone ? 1U : 0U) << definition.name;
    const auto blocks = plan({}, {std::string(definition.name)}, 1);
    EXPECT_EQ(blocks.front().points.front().skip == record::ReasonCode::processes, !alone) << definition.name;
  }
  EXPECT_THAT(process_series(row("One_put_all"), 5, 1), ElementsAre(2, 4, 5));
  EXPECT_THAT(process_series(row("Fetch_and_op"), 5, 4), ElementsAre(2)) << "whatever npmin is";
}

TEST(rma_plan, tells_how_many_transfers_are_under_way) {
  Settings settings;
  settings.outstanding = 64;
  const auto blocks = plan(settings, {"Accumulate"}, 2);
  EXPECT_THAT(blocks[1].points.front().key, HasSubstr("outstanding=64"));
  EXPECT_THAT(blocks[0].points.front().key, Not(HasSubstr("outstanding")));
}

TEST(rma_sides, have_sections_for_transfers_results_for_fetches_and_one_place_for_updates) {
  const auto slots = [](std::string_view name, std::int64_t size, Version version = Version::v31) {
    const auto both = sides(defaults(rma(), version), row(name), Bytes{size}, 2, 1000, Mode::aggregate);
    return std::pair{both.send.slots.slots, both.receive.slots.slots};
  };
  EXPECT_EQ(slots("Unidir_put", 1000), std::pair(std::int64_t{1000}, std::int64_t{1000}));
  EXPECT_EQ(slots("Unidir_put", 1000, Version::v2021), std::pair(std::int64_t{1}, std::int64_t{1}));
  EXPECT_EQ(slots("Accumulate", 1000), std::pair(std::int64_t{1}, std::int64_t{1}));
  for (const auto version : {Version::v31, Version::v2021})
    EXPECT_EQ(slots("Compare_and_swap", 4, version), std::pair(std::int64_t{1}, std::int64_t{1000}));
}

TEST(rma_sides, have_a_section_for_each_origin) {
  const auto need = [](std::string_view name) {
    const auto both = buffer_need(row(name), Version::v31, Bytes{1024}, 4, 1);
    return std::pair{both.send, both.receive};
  };
  EXPECT_EQ(need("All_put_all"), std::pair(std::int64_t{1024}, std::int64_t{4096}));
  EXPECT_EQ(need("One_get_all"), std::pair(std::int64_t{1024}, std::int64_t{4096}));
  EXPECT_EQ(need("One_put_all"), std::pair(std::int64_t{1024}, std::int64_t{1024}));
  EXPECT_EQ(need("Exchange_put"), std::pair(std::int64_t{2048}, std::int64_t{2048}));
}

// The reference counts one target of several: it prints 121.04.
TEST(rma_throughput, counts_every_target) {
  const Rate rate = Bytes{counted_byte(row("One_put_all"), Bytes{1024}, 4, 1)} / Seconds{8.46e-6};
  EXPECT_NEAR(rate.value() / 1e6, 363.12, 0.01);
  EXPECT_NEAR(rate.value() / 1048576, 346.30, 0.01);
  EXPECT_EQ(counted_byte(row("Unidir_put"), Bytes{65536}, 2, 1), 65536);
  EXPECT_EQ(counted_byte(row("All_put_all"), Bytes{1024}, 4, 1), 0);
}

TEST(rma_tables, follow_the_classes) {
  EXPECT_EQ(table_of(row("Bidir_get"), {}), Table::a);
  EXPECT_EQ(table_of(row("Fetch_and_op"), 0), Table::b);
  EXPECT_EQ(table_of(row("One_put_all"), 0), Table::a);
  EXPECT_EQ(table_of(row("Exchange_put"), {}), Table::c);
  EXPECT_EQ(table_of(row("Truly_passive_put"), 0), Table::h);
}

TEST(rma_repetitions, of_fetch_and_op_are_so_few_that_a_float_counts_them) {
  Settings settings;
  settings.iterations.per_sample = settings.iterations.non_aggregate = 20'000'000;
  for (const auto policy : {IterationPolicy::volume, IterationPolicy::off}) {
    settings.policy = policy;
    for (const auto mode : {Mode::aggregate, Mode::non_aggregate}) {
      EXPECT_EQ(planned_repetitions(settings, row("Fetch_and_op"), Bytes{4}, 2, mode), 1'000'000U);
      EXPECT_GT(planned_repetitions(settings, row("Compare_and_swap"), Bytes{4}, 2, mode), 1'000'000U);
    }
  }
}

TEST(rma_configuration, says_what_changes_nothing) {
  Settings settings = defaults(rma(), Version::v31);
  settings.sync = true;
  settings.outstanding = 8;
  std::string remarks;
  for (const auto& [name, value] : definition(rma(), settings)->configuration())
    if (name == "remarks") remarks = std::get<std::string>(value);
  EXPECT_EQ(remarks, "-sync on changes nothing in imb-rma\n--outstanding 8 instead of all");
}

}  // namespace
}  // namespace steelyard::imb
