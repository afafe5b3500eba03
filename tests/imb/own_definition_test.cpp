// SPDX-License-Identifier: Apache-2.0
// Suite mpi4: what is planned, and what follows from its times.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "suites/imb/part_definition.hpp"
#include "suites/imb/rank_figures.hpp"

namespace steelyard::imb {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::Eq;

const Definition& row(std::string_view name) {
  return *find(own_mpi4(), name);
}

std::vector<suites::BlockPlan> planned(const Settings& settings, std::string name, int world) {
  const std::string names[] = {std::move(name)};
  return PartDefinition(own_mpi4(), settings).plan(names, world);
}

TEST(own_mpi4, default_set_leaves_out_what_has_hung_and_what_is_a_part_of_another) {
  const auto names = default_set(own_mpi4(), Version::v31);
  EXPECT_EQ(names.size(), own_mpi4().benchmarks.size() - 2);
  EXPECT_EQ(std::ranges::count(names, "Exchange_part"), 0);
  EXPECT_EQ(std::ranges::count(names, "Ineighbor_alltoall_pure"), 0);
}

TEST(own_mpi4, tables_and_process_numbers_follow_the_class) {
  const std::map<std::string_view, std::pair<Table, std::vector<int>>> known{
      {"PingPong_persist", {Table::a, {2}}},
      {"Sendrecv_persist", {Table::b, {2, 4, 5}}},
      {"Uniband_persist", {Table::g, {2, 4}}},
      {"Bcast_init", {Table::j, {2, 4, 5}}},
      {"Barrier_init", {Table::j_unsized, {2, 4, 5}}},
      {"PingPong_part", {Table::k, {2}}},
      {"Overlap_part", {Table::l, {2}}},
      {"Exchange_part", {Table::k, {2, 4, 5}}},
      {"Halo_p2p", {Table::c, {2, 4, 5}}},
      {"Ineighbor_alltoall", {Table::e, {2, 4, 5}}}};
  for (const auto& [name, wanted] : known) {
    EXPECT_EQ(table_of(row(name), std::nullopt), wanted.first) << name;
    EXPECT_EQ(process_series(row(name), 5, 2), wanted.second) << name;
  }
}

TEST(own_mpi4, exchange_has_two_sections_on_both_sides_and_counts_four_messages) {
  const auto need = buffer_need(row("Exchange_persist"), Version::v31, Bytes{1024}, 4, 256);
  EXPECT_EQ(need.send, 2048);
  EXPECT_EQ(need.receive, 2048);
  EXPECT_EQ(counted_byte(row("Exchange_persist"), Bytes{1024}, 4, 256), 4096);
}

TEST(own_mpi4, a_table_whose_sizes_have_no_parts_tells_why) {
  auto settings = defaults(own_mpi4(), Version::v31);
  settings.partitions = {3, 5};
  const auto blocks = planned(settings, "PingPong_part", 2);
  ASSERT_EQ(blocks.size(), 1U);
  ASSERT_EQ(blocks.front().points.size(), 1U);
  const auto& only = blocks.front().points.front();
  EXPECT_EQ(only.skip, record::ReasonCode::unsupported);
  EXPECT_EQ(only.skip_text, "no size can be cut into 3,5 equal parts of 64 byte or more");
  settings.obstacles[Family::partitioned] = [] { return "the library lacks it"; };
  EXPECT_EQ(planned(settings, "PingPong_part", 2).front().points.front().skip_text, "the library lacks it");
}

TEST(own_mpi4, parts_are_whole_and_not_shorter_than_64_byte) {
  const auto settings = defaults(own_mpi4(), Version::v31);
  const auto points = planned(settings, "PingPong_part", 2).front().points;
  EXPECT_EQ(points.size(), 3U * 8) << "1 KiB to 16 MiB by four, in 1, 4 and 16 parts";
  EXPECT_EQ(points.front().spec<PointSpec>().size.count(), 1024);
  EXPECT_THAT(partitions(settings, row("PingPong_part"), Bytes{512}), ElementsAre(1, 4));
  EXPECT_THAT(partitions(settings, row("PingPong_part"), Bytes{1026}), ElementsAre(1));
  EXPECT_THAT(partitions(settings, row("PingPong_persist"), Bytes{1026}), ElementsAre(1));
  std::set<std::string> keys;
  for (const auto& point : points) EXPECT_TRUE(keys.insert(point.key).second) << point.key;
}

TEST(own_mpi4, parts_that_threads_hand_over_are_another_experiment) {
  auto settings = defaults(own_mpi4(), Version::v31);
  const auto alone = planned(settings, "Overlap_part", 2).front().points;
  settings.part_threads = true;
  const auto threads = planned(settings, "Overlap_part", 2).front().points;
  ASSERT_EQ(alone.size(), threads.size());
  EXPECT_EQ(std::get<std::string>(threads.front().params.at("pready_by")), "threads");
  EXPECT_NE(alone.front().key, threads.front().key);
  EXPECT_FALSE(planned(settings, "PingPong_persist", 2).front().points.front().params.contains("pready_by"));
}

TEST(own_mpi4, sizes_are_its_own_until_the_user_names_some) {
  auto settings = defaults(own_mpi4(), Version::v31);
  EXPECT_EQ(sizes(settings, row("Halo_p2p")).size(), 22U);
  EXPECT_EQ(sizes(settings, row("Halo_p2p")).back().count(), 1 << 20);
  settings.usual_sizes = false;
  EXPECT_EQ(sizes(settings, row("Halo_p2p")).back().count(), 4194304);
}

TEST(own_mpi4, neighbours_send_and_receive_a_block_each) {
  auto settings = defaults(own_mpi4(), Version::v31);
  settings.sizes.listed = {Bytes{8}};
  settings.sides_of_grid = [](int, int) { return std::vector{3, 2}; };
  const auto point = planned(settings, "Neighbor_alltoall", 6).back().points.front();
  EXPECT_EQ(point.memory_byte, 2 * 4 * 8);
  EXPECT_EQ(std::get<std::string>(point.params.at("topology")), "3x2");
  EXPECT_EQ(std::get<std::int64_t>(point.params.at("neighbours")), 4);
  EXPECT_EQ(point.key.find("topology"), std::string::npos) << "the library chooses it";
}

TEST(own_mpi4, form_of_the_functions_is_told_and_makes_no_other_experiment) {
  auto settings = defaults(own_mpi4(), Version::v31);
  const auto form = [&](std::string name) {
    const auto point = planned(settings, std::move(name), 2).front().points.front();
    EXPECT_EQ(point.key.find("form"), std::string::npos) << "libraries with other names are compared";
    const auto* value = record::find(point.params, "form");
    return value == nullptr ? std::string() : std::get<std::string>(*value);
  };
  EXPECT_EQ(form("Bcast_init"), "");
  settings.persistent_form = "MPIX_";
  EXPECT_EQ(form("Bcast_init"), "MPIX_");
  EXPECT_EQ(form("Neighbor_alltoall_persist"), "MPIX_");
  EXPECT_EQ(form("PingPong_part"), "MPI_");
  EXPECT_EQ(form("PingPong_persist"), "");
}

TEST(own_mpi4, a_grid_of_the_users_own_needs_its_processes) {
  auto settings = defaults(own_mpi4(), Version::v31);
  settings.cart = {2, {3, 2}};
  for (const auto& block : planned(settings, "Halo_p2p", 6))
    EXPECT_EQ(block.points.front().skip.has_value(), block.processes != 6) << block.processes;
  EXPECT_EQ(planned(settings, "Halo_p2p", 4).front().points.front().skip_text,
            "Halo_p2p cannot run with 2 processes in a grid of 3x2");
}

TEST(own_mpi4, what_the_library_lacks_is_skipped_and_the_rest_is_not) {
  auto settings = defaults(own_mpi4(), Version::v31);
  settings.obstacles[Family::partitioned] = [] {
    return "this MPI library has no partitioned communication";
  };
  for (const auto& definition : own_mpi4().benchmarks)
    for (const auto& block : planned(settings, std::string(definition.name), 4))
      for (const auto& point : block.points) {
        EXPECT_EQ(point.skip.has_value(), definition.family == Family::partitioned) << definition.name;
        EXPECT_EQ(point.skip_text.empty(), !point.skip) << definition.name;
      }
}

TEST(own_figures, a_request_pays_for_itself_after_so_many_executions) {
  EXPECT_EQ(break_even(41e-6, 5e-6, 4.2e-6), 52);
  EXPECT_EQ(break_even(10, 5, 4), 10);
  EXPECT_EQ(break_even(10, 5, 5), std::nullopt);
  EXPECT_EQ(break_even(10, 5, 6), std::nullopt);
}

TEST(own_figures, saving_is_a_share_of_the_time_without_requests) {
  EXPECT_DOUBLE_EQ(saving_percent(5, 4), 20);
  EXPECT_DOUBLE_EQ(saving_percent(4, 5), -25);
  EXPECT_DOUBLE_EQ(saving_percent(0, 5), 0);
}

TEST(own_figures, availability_is_what_is_not_left_of_a_message_after_the_computation) {
  constexpr double message_s = 100e-6;
  EXPECT_NEAR(*availability(6.25e-6, message_s), 0.9375, 1e-12);
  EXPECT_NEAR(*availability(100e-6, message_s), 0, 1e-12);
  EXPECT_NEAR(*availability(130e-6, message_s), -0.30, 1e-12);
  EXPECT_EQ(availability(1e-6, 0), std::nullopt);
}

TEST(own_figures, perceived_bandwidth_is_the_message_over_what_is_left) {
  constexpr double mebi = 1 << 20;
  EXPECT_NEAR(*perceived_bandwidth(mebi, 100e-6) / 1e6, 10485.76, 0.005);
  EXPECT_NEAR(*perceived_bandwidth(mebi, 6.25e-6) / 1e6, 167772.16, 0.005);
  EXPECT_NEAR(*perceived_bandwidth(mebi, 130e-6) / 1e6, 8065.97, 0.005);
  EXPECT_EQ(perceived_bandwidth(mebi, 0), std::nullopt);
}

TEST(own_figures, early_is_what_travels_before_the_last_piece_is_computed) {
  EXPECT_DOUBLE_EQ(early_share({{0, 1}, {1, 2}, {2, 3}, {3, 4}}, 3), 0.75);
  EXPECT_DOUBLE_EQ(early_share({{3, 4}}, 3), 0);
  EXPECT_DOUBLE_EQ(early_share({{0, 2}, {1, 3}}, 3), 1);
  EXPECT_DOUBLE_EQ(early_share({{0, 1}, {5, 6}}, 5), 0.5) << "nothing travels between";
  EXPECT_DOUBLE_EQ(early_share({{0, 4}, {1, 2}}, 2), 0.5) << "one within another counts once";
  EXPECT_DOUBLE_EQ(early_share({}, 1), 0);
}

TEST(own_figures, one_thread_computes_a_message_long_and_so_does_each_of_several) {
  EXPECT_DOUBLE_EQ(products_of_piece(100e-6, 1, 4, 1e6), 25);
  EXPECT_DOUBLE_EQ(products_of_piece(100e-6, 4, 4, 1e6), 100);
  EXPECT_DOUBLE_EQ(products_of_piece(100e-6, 1, 1, 1e6), 100);
}

TEST(own_figures, noise_is_within_its_bounds_and_the_same_on_every_machine) {
  Settings settings;
  settings.noise = 0.5;
  for (std::uint64_t i = 0; i < 50; ++i) {
    for (const double one : piece_noise(settings, 8, i)) {
      EXPECT_GE(one, 0);
      EXPECT_LT(one, 0.5);
    }
    EXPECT_EQ(piece_noise(settings, 8, i), piece_noise(settings, 8, i));
  }
  EXPECT_NE(piece_noise(settings, 8, 0), piece_noise(settings, 8, 1));
  settings.noise_model = NoiseModel::single;
  EXPECT_THAT(piece_noise(settings, 3, 5), ElementsAre(0.5, 0, 0));
  settings.noise_model = NoiseModel::gauss;
  for (const double one : piece_noise(settings, 100, 1)) EXPECT_GE(one, 0);
  settings.noise = 0;
  EXPECT_THAT(piece_noise(settings, 4, 1), Each(Eq(0)));
}

TEST(own_figures, parts_are_handed_over_once_each) {
  EXPECT_THAT(part_order(PartOrder::forward, 4), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(part_order(PartOrder::backward, 4), ElementsAre(3, 2, 1, 0));
  EXPECT_THAT(part_order(PartOrder::random, 8), testing::UnorderedElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_NE(part_order(PartOrder::random, 8), part_order(PartOrder::forward, 8));
}

TEST(own_figures, what_counts_is_the_same_of_the_benchmark_and_of_what_it_is_compared_with) {
  OwnTimes times;
  times.add(100, {.other_s = 9});  // a trial that is no result
  times.add(10, {.other_s = 2});
  times.set_own(10, 10);
  times.add(10, {.other_s = 4});
  times.set_own(10, 30);
  times.add(10, {.other_s = 3});
  times.set_own(10, 20);
  EXPECT_EQ(times.median().own_s, 2);
  EXPECT_EQ(times.median().other_s, 3);
  EXPECT_EQ(times.last().own_s, 2);
}

TEST(own_figures, medians_count_samples_by_their_operations) {
  OwnTimes times;
  times.add(1, {.other_s = 9});
  times.add(10, {.other_s = 2, .bare_s = 1});
  times.add_operation(3, 1);
  times.add_operation(5, 2);
  times.add(5, {.other_s = 3});
  times.set_request(4, 5);
  times.set_crowded(true);
  EXPECT_EQ(times.median().other_s, 2);
  EXPECT_EQ(times.median().making_s, 4);
  EXPECT_EQ(times.last().other_s, 3);
  EXPECT_EQ(times.last().freeing_s, 5);
  const auto median = times.median();
  EXPECT_EQ(OwnFigures::from(median.values().data()).piece_s, median.piece_s);
  EXPECT_EQ(median.piece_s, 4);
  EXPECT_EQ(median.last_s, 1.5);
  EXPECT_EQ(OwnFigures::from(median.values().data()).crowded, 1);
  EXPECT_EQ(median.exchanged, 0);
}

}  // namespace
}  // namespace steelyard::imb
