// SPDX-License-Identifier: Apache-2.0
// The rules of IMB-IO, against the original's tables.
#include <gmock/gmock.h>

#include <numeric>
#include <set>

#include "suites/imb/computation.hpp"
#include "suites/imb/io/catalogue.hpp"
#include "suites/imb/io/rules.hpp"
#include "suites/imb/part_definition.hpp"
#include "suites/imb/schedule.hpp"

namespace steelyard::imb {
namespace {

using testing::ElementsAre;

Portion part(std::int64_t size, int processes, int rank) {
  return portion(Bytes{size}, processes, rank);
}

TEST(portions, are_those_of_the_definition) {
  EXPECT_EQ(part(1, 2, 0), (Portion{0, 1}));
  EXPECT_EQ(part(1, 2, 1), (Portion{4, 0}));
  EXPECT_EQ(part(7, 2, 0), (Portion{0, 4}));
  EXPECT_EQ(part(7, 2, 1), (Portion{4, 3}));
  EXPECT_EQ(part(10, 3, 2), (Portion{8, 2}));
  EXPECT_EQ(part(8192, 3, 0), (Portion{0, 2732}));
  EXPECT_EQ(part(8192, 3, 2), (Portion{5464, 2728}));
}

TEST(portions, of_all_processes_cover_every_size_once) {
  for (std::int64_t size = 0; size < 70; ++size)
    for (int processes = 1; processes < 9; ++processes) {
      std::int64_t end = 0;
      for (int rank = 0; rank < processes; ++rank) {
        const auto own = part(size, processes, rank);
        if (own.bytes > 0) {
          EXPECT_EQ(own.start, end) << size << ' ' << processes;
        }
        end += own.bytes;
      }
      EXPECT_EQ(end, size) << processes;
    }
}

TEST(portions, of_private_files_are_that_of_rank_0_at_their_start) {
  const auto action = file_action("P_Write_Priv");
  EXPECT_EQ(portion(action, Bytes{10}, 3, 2), (Portion{0, 4}));
  EXPECT_EQ(step_byte(action, Bytes{10}, 3), 4);
  EXPECT_EQ(step_byte(file_action("P_Write_Expl"), Bytes{10}, 3), 10);
}

TEST(io_catalogue, has_every_combination_of_the_seed_once) {
  std::set<std::string_view> names;
  for (const auto& definition : io().benchmarks) names.insert(definition.name);
  EXPECT_EQ(names.size(), 37U);
  for (const auto* kind : {"S_*_Indv", "S_*_Expl", "P_*_Indv", "P_*_Expl", "P_*_Shared", "P_*_Priv",
                           "C_*_Indv", "C_*_Expl", "C_*_Shared"})
    for (const auto* word : {"Write", "IWrite", "Read", "IRead"}) {
      std::string name = kind;
      EXPECT_TRUE(names.contains(name.replace(2, 1, word))) << name;
    }
  EXPECT_TRUE(names.contains("Open_Close"));
}

TEST(io_catalogue, names_are_found_in_the_seeds_spelling) {
  EXPECT_EQ(find(io(), "s_write_indv")->name, "S_Write_Indv");
  EXPECT_EQ(find(io(), "open_close")->name, "Open_Close");
  EXPECT_EQ(find(io(), "PingPong"), nullptr);
}

TEST(io_catalogue, actions_are_what_the_names_say) {
  for (const auto& benchmark : file_benchmarks) {
    const auto& [name, action, source] = benchmark;
    EXPECT_EQ(action.writes(), name.find("Write") != std::string_view::npos) << name;
    EXPECT_EQ(action.blocks(), name[2] != 'I') << name;
    EXPECT_EQ(action.together(), name[0] == 'C') << name;
    EXPECT_EQ(action.pointer == Pointer::shared, name.ends_with("Shared")) << name;
    EXPECT_EQ(action.own_file(), name[0] == 'S' || name.ends_with("Priv")) << name;
  }
}

TEST(io_tables, follow_class_and_waiting) {
  EXPECT_EQ(table_of(*find(io(), "S_Write_Indv"), std::nullopt), Table::a);
  EXPECT_EQ(table_of(*find(io(), "S_Write_Indv"), 0), Table::b);
  EXPECT_EQ(table_of(*find(io(), "C_Read_Shared"), std::nullopt), Table::b);
  EXPECT_EQ(table_of(*find(io(), "P_IRead_Expl"), std::nullopt), Table::e);
  EXPECT_EQ(table_of(*find(io(), "Open_Close"), std::nullopt), Table::d);
}

std::uint64_t count(const char* name, std::int64_t size, Mode mode, Version version = Version::v31) {
  return unbounded_repetitions(defaults(io(), version), *find(io(), name), Bytes{size}, 2, mode);
}

TEST(io_repetitions, are_those_of_the_definition) {
  for (const std::int64_t size : {0, 1, 4, 100, 1000, 32768, 131072})
    EXPECT_EQ(count("P_Write_Expl", size, Mode::aggregate), 50U) << size;
  EXPECT_EQ(count("P_Write_Expl", 1000000, Mode::aggregate), 16U);
  EXPECT_EQ(count("P_Write_Expl", 2097152, Mode::aggregate), 8U);
  EXPECT_EQ(count("P_Write_Expl", 16777216, Mode::aggregate), 1U);
  EXPECT_EQ(count("P_Write_Expl", 1048576, Mode::non_aggregate), 10U);
  EXPECT_EQ(count("P_Write_Expl", 4194304, Mode::non_aggregate), 4U);
  EXPECT_EQ(count("P_IRead_Expl", 1000, Mode::aggregate), 50U);
  EXPECT_EQ(count("Open_Close", 0, Mode::none), 10U);
  EXPECT_EQ(count("P_Write_Expl", 32768, Mode::aggregate, Version::v2021), 1000U);
}

TEST(io_repetitions, of_rows_that_compute_are_bounded_by_time) {
  auto settings = defaults(io(), Version::v31);
  const auto& definition = *find(io(), "P_IWrite_Expl");
  const auto planned = planned_repetitions(settings, definition, Bytes{1000}, 2, Mode::aggregate);
  EXPECT_EQ(planned, 3U);
  EXPECT_LE(static_cast<double>(planned) * computation_target(settings).value(), 0.0601);
  settings.bounded_computation = false;
  EXPECT_EQ(planned_repetitions(settings, definition, Bytes{1000}, 2, Mode::aggregate), 50U);
  EXPECT_DOUBLE_EQ(computation_target(settings).value(), 0.1);
  settings.computing = Seconds{0.005};
  EXPECT_DOUBLE_EQ(computation_target(settings).value(), 0.005);
  auto later = defaults(io(), Version::v2021);
  EXPECT_EQ(planned_repetitions(later, definition, Bytes{1000}, 2, Mode::aggregate), 6U);
  EXPECT_DOUBLE_EQ(computation_target(later).value(), 0.01);
}

TEST(io_plan, asks_for_files_in_the_seeds_process_numbers_and_sizes) {
  const auto suite = definition(io(), defaults(io(), Version::v31));
  const std::vector<std::string> names{"S_Write_Indv", "P_Read_Expl", "C_IWrite_Shared", "Open_Close"};
  const auto blocks = suite->plan(names, 3);
  std::vector<std::string> order;
  for (const auto& block : blocks) {
    EXPECT_TRUE(block.files);
    order.push_back(block.benchmark + " " + std::to_string(block.processes) + " " +
                    std::string(text(mode_of(block))));
  }
  EXPECT_THAT(order,
              ElementsAre("S_Write_Indv 1 aggregate", "S_Write_Indv 1 non_aggregate",
                          "P_Read_Expl 1 aggregate", "P_Read_Expl 2 aggregate", "P_Read_Expl 3 aggregate",
                          "C_IWrite_Shared 1 aggregate", "C_IWrite_Shared 2 aggregate",
                          "C_IWrite_Shared 3 aggregate", "Open_Close 1 ", "Open_Close 2 ", "Open_Close 3 "));
  EXPECT_EQ(blocks.front().points.size(), 26U);
  EXPECT_EQ(blocks.front().points.back().bytes, 1 << 24);
  EXPECT_THAT(blocks.front().points.back().key, testing::HasSubstr("chunk_byte=16777216"));
}

std::int64_t planned_byte(Settings settings, const std::string& name, std::int64_t size) {
  settings.sizes.listed = std::vector{Bytes{size}};
  return definition(io(), settings)->plan(std::vector{name}, 2).back().points.front().memory_byte;
}

TEST(io_plan, counts_the_memory_of_all_reads_that_are_under_way) {
  const auto usual = defaults(io(), Version::v31);
  auto later = defaults(io(), Version::v2021);
  EXPECT_EQ(planned_byte(usual, "P_IRead_Expl", 8192), 4096);
  EXPECT_EQ(planned_byte(later, "P_IRead_Expl", 8192), 6 * 4096);
  EXPECT_EQ(planned_byte(later, "P_IWrite_Expl", 8192), 4096);
  later.bounded_computation = false;
  EXPECT_EQ(planned_byte(later, "S_IRead_Indv", 8192), 1000 * 8192);
  later.memory = Bytes{1000 * 8192 - 1};
  later.sizes.listed = std::vector{Bytes{8192}};
  const auto block = definition(io(), later)->plan(std::vector<std::string>{"S_IRead_Indv"}, 2).front();
  EXPECT_EQ(block.points.front().skip, record::ReasonCode::memory);
}

TEST(io_plan, keeps_no_buffers_out_of_cache) {
  auto settings = defaults(io(), Version::v31);
  settings.off_cache = {.cache_byte = 1 << 20, .line_byte = 64};
  EXPECT_EQ(planned_byte(settings, "P_Write_Expl", 8192), 4096);
}

TEST(overlap, is_that_of_the_definition) {
  EXPECT_DOUBLE_EQ(overlap_percent(100, 100, 100), 100);
  EXPECT_DOUBLE_EQ(overlap_percent(100, 100, 150), 50);
  EXPECT_DOUBLE_EQ(overlap_percent(100, 100, 200), 0);
  EXPECT_DOUBLE_EQ(overlap_percent(100, 100, 300), 0);
  EXPECT_DOUBLE_EQ(overlap_percent(0, 100, 50), 0);
}

TEST(computation, products_are_those_of_matrix_and_vector) {
  MatrixVector kernel(10);
  kernel.multiply(1);
  const double once = kernel.sum();
  EXPECT_NE(once, 0);
  kernel.multiply(2);
  EXPECT_NEAR(kernel.sum(), 3 * once, 1e-4 * std::abs(once));
  EXPECT_DOUBLE_EQ(MatrixVector(100).operations_of_one(), 20000);
}

TEST(computation, block_is_as_long_as_was_wished_at_the_rate_that_was_seen) {
  MatrixVector kernel(100);
  // A clock on which everything lasts half a second.
  double now = 0;
  const Now clock = [&now] { return now += 0.5; };
  const auto block = calibrate(kernel, Seconds{0.25}, clock);
  EXPECT_DOUBLE_EQ(block.rate_flop_s, 4e6);  // 100 products of 20000 operations in half a second
  EXPECT_EQ(block.products, 50U);
  EXPECT_DOUBLE_EQ(block.seconds, 0.5);
  EXPECT_EQ(rescale(kernel, block, Seconds{1e-9}, clock).products, 1U);
}

}  // namespace
}  // namespace steelyard::imb
