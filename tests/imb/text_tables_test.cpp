// SPDX-License-Identifier: Apache-2.0
// Banners and tables, byte for byte as in the samples of the definition.
#include <gtest/gtest.h>

#include <string>

#include "formats/imb/table.hpp"
#include "imb_points.hpp"

namespace steelyard::formats {
namespace {

const std::string rule_52 = "#" + std::string(51, '-') + "\n";
const std::string rule_65 = "#" + std::string(64, '-') + "\n";
const std::string rule_78 = "#" + std::string(77, '-') + "\n";
const std::string rule_91 = "#" + std::string(90, '-') + "\n";

TEST(imb_tables, kind_a_single_transfer) {
  const ImbRun run{.version = "2021"};
  const std::string text = imb_tables(
      run, {{.t_max_us = 0.12},
            {.byte = 65536, .repetitions = 640, .t_max_us = 7.66, .bandwidth_byte_s = 8550.80e6},
            {.byte = 4194304, .repetitions = 10, .t_max_us = 374.71, .bandwidth_byte_s = 11193.36e6}});
  EXPECT_EQ(text, "\n" + rule_52 +
                      "# Benchmarking PingPong \n"
                      "# #processes = 2 \n" +
                      rule_52 +
                      "       #bytes #repetitions      t[usec]   Mbytes/sec\n"
                      "            0         1000         0.12         0.00\n"
                      "        65536          640         7.66      8550.80\n"
                      "      4194304           10       374.71     11193.36\n");
}

TEST(imb_tables, kind_b_when_multi_0_merges_the_groups) {
  const ImbRun run{.version = "2021", .multi = 0, .world = 4};
  const std::string text =
      imb_tables(run, {{.groups = 2, .repetitions = 4, .t_min_us = 1.33, .t_max_us = 1.48, .t_avg_us = 1.43},
                       {.groups = 2,
                        .byte = 8,
                        .repetitions = 4,
                        .t_min_us = 1.37,
                        .t_max_us = 1.41,
                        .t_avg_us = 1.40,
                        .bandwidth_byte_s = 5.66e6}});
  EXPECT_EQ(text, "\n" + rule_78 +
                      "# Benchmarking Multi-PingPong \n"
                      "# ( 2 groups of 2 processes each running simultaneous ) \n"
                      "# Group  0:     0    1\n"
                      "# \n"
                      "# Group  1:     2    3\n"
                      "# \n" +
                      rule_78 +
                      "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]   Mbytes/sec\n"
                      "            0            4         1.33         1.48         1.43         0.00\n"
                      "            8            4         1.37         1.41         1.40         5.66\n");
}

TEST(imb_tables, multi_1_has_a_row_a_group_and_an_idle_process) {
  const ImbRun run{.version = "2021", .multi = 1, .world = 5};
  const auto row = [](std::int64_t byte, int group, double low, double high, double mean, double bandwidth) {
    ImbPoint point{.benchmark = "Sendrecv", .groups = 2, .byte = byte, .group = group, .repetitions = 4};
    point.t_min_us = low;
    point.t_max_us = high;
    point.t_avg_us = mean;
    if (byte > 0) point.bandwidth_byte_s = bandwidth * 1e6;
    return point;
  };
  const std::string text =
      imb_tables(run, {row(0, 0, 1.46, 1.47, 1.47, 0), row(0, 1, 1.49, 1.53, 1.51, 0),
                       row(8, 0, 1.51, 1.53, 1.52, 10.43), row(8, 1, 1.54, 1.54, 1.54, 10.39)});
  EXPECT_EQ(
      text,
      "\n" + rule_91 +
          "# Benchmarking Multi-Sendrecv \n"
          "# ( 2 groups of 2 processes each running simultaneous ) \n"
          "# Group  0:     0    1\n"
          "# \n"
          "# Group  1:     2    3\n"
          "# \n"
          "# ( 1 additional process waiting in MPI_Barrier)\n" +
          rule_91 +
          "        Group       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]   Mbytes/sec\n"
          "\n"
          "            0            0            4         1.46         1.47         1.47         0.00\n"
          "            1            0            4         1.49         1.53         1.51         0.00\n"
          "\n"
          "            0            8            4         1.51         1.53         1.52        10.43\n"
          "            1            8            4         1.54         1.54         1.54        10.39\n");
}

TEST(imb_tables, kind_c_with_defects) {
  const std::string text = imb_tables({.check = true}, {{.benchmark = "Reduce",
                                                         .byte = 4,
                                                         .repetitions = 4,
                                                         .t_min_us = 0.06,
                                                         .t_max_us = 0.30,
                                                         .t_avg_us = 0.18,
                                                         .defects = 0}});
  EXPECT_EQ(text, "\n" + rule_78 +
                      "# Benchmarking Reduce \n"
                      "# #processes = 2 \n" +
                      rule_78 +
                      "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]      defects\n"
                      "            4            4         0.06         0.30         0.18         0.00\n");
}

TEST(imb_tables, kind_d_has_no_size_and_no_defects) {
  const std::string text = imb_tables({.check = true, .world = 4}, {{.benchmark = "Barrier",
                                                                     .processes = 4,
                                                                     .byte = std::nullopt,
                                                                     .t_min_us = 2.66,
                                                                     .t_max_us = 2.81,
                                                                     .t_avg_us = 2.74}});
  EXPECT_EQ(text, "\n" + rule_52 +
                      "# Benchmarking Barrier \n"
                      "# #processes = 4 \n" +
                      rule_52 +
                      " #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n"
                      "         1000         2.66         2.81         2.74\n");
}

TEST(imb_tables, kind_g_message_rate) {
  const std::string text = imb_tables({.version = "2021", .world = 4}, {{.benchmark = "Uniband",
                                                                         .processes = 4,
                                                                         .byte = 8,
                                                                         .repetitions = 4,
                                                                         .bandwidth_byte_s = 126.88e6,
                                                                         .message_rate_op_s = 15859740.2}});
  EXPECT_EQ(text, "\n" + rule_52 +
                      "# Benchmarking Uniband \n"
                      "# #processes = 4 \n" +
                      rule_52 +
                      "       #bytes #repetitions   Mbytes/sec      Msg/sec\n"
                      "            8            4       126.88     15859740\n");
}

TEST(imb_tables, version_chosen_by_the_reader_converts_the_throughput) {
  const std::vector<record::PointRecord> points{
      point_record({.byte = 65536, .t_max_us = 7.66, .bandwidth_byte_s = 65536 / 7.66e-6})};
  EXPECT_NE(imb_output(run_record(), points).find("         7.66      8159.27\n"), std::string::npos);
  const std::string other = imb_output(run_record(), points, {}, {.version = imb::Version::v2021});
  EXPECT_NE(other.find("         7.66      8555.61\n"), std::string::npos);
  EXPECT_NE(other.find("(IMB 2021 rules)"), std::string::npos);
  const std::string by = "# Measured by the rules of 3.1: of 2021 are this head and the unit of Mbytes/sec\n";
  EXPECT_NE(other.find(by), std::string::npos);
  EXPECT_EQ(imb_output(run_record(), points, {}, {.version = imb::Version::v31}).find("# Measured by"),
            std::string::npos);
}

TEST(imb_tables, new_table_for_other_processes_and_idle_ones) {
  const std::string text =
      imb_tables({.world = 6}, {{.benchmark = "Bcast"}, {.benchmark = "Bcast", .processes = 4}});
  EXPECT_NE(text.find("# #processes = 2 \n# ( 4 additional processes waiting in MPI_Barrier)\n" + rule_65),
            std::string::npos);
  EXPECT_NE(text.find("# #processes = 4 \n# ( 2 additional processes waiting in MPI_Barrier)\n" + rule_65),
            std::string::npos);
}

std::size_t banners(const std::string& text) {
  std::size_t n = 0;
  for (auto at = text.find("# Benchmarking "); at != std::string::npos;
       at = text.find("# Benchmarking ", at + 1))
    ++n;
  return n;
}

TEST(imb_tables, repeated_benchmark_has_a_table_each_time) {
  EXPECT_EQ(banners(imb_tables({.benchmarks = {"PingPong", "PingPong"}}, {{}, {.byte = 1}, {}, {.byte = 1}})),
            2u);
  EXPECT_EQ(
      banners(imb_tables({}, {{.benchmark = "Barrier", .byte = {}}, {.benchmark = "Barrier", .byte = {}}})),
      2u);
}

TEST(imb_tables, repeated_size_of_the_user_stays_in_its_table) {
  const ImbRun once{.user_sizes = true, .benchmarks = {"PingPong"}};
  EXPECT_EQ(banners(imb_tables(once, {{.byte = 8}, {.byte = 64}, {.byte = 8}})), 1u);
  const ImbRun twice{.user_sizes = true, .benchmarks = {"PingPong", "PingPong"}};
  EXPECT_EQ(banners(imb_tables(twice, {{.byte = 8}, {.byte = 64}, {.byte = 8}, {.byte = 64}})), 2u);
}

TEST(imb_tables, repeated_size_of_a_repeated_benchmark_stays_in_its_table) {
  const ImbRun run{.user_sizes = true, .listed_sizes = 3, .benchmarks = {"PingPong", "PingPong"}};
  for (const std::int64_t between : {1, 0})
    EXPECT_EQ(
        banners(imb_tables(
            run, {{.byte = 0}, {.byte = between}, {.byte = 0}, {.byte = 0}, {.byte = between}, {.byte = 0}})),
        2u);
}

TEST(imb_tables, groups_of_one_size_stay_together) {
  const ImbRun run{.multi = 1, .world = 4};
  const std::string text = imb_tables(run, {{.benchmark = "Barrier", .groups = 2, .byte = {}, .group = 0},
                                            {.benchmark = "Barrier", .groups = 2, .byte = {}, .group = 1}});
  EXPECT_EQ(banners(text), 1u);
}

TEST(imb_tables, modes_stand_between_the_rule_and_the_heading) {
  const ImbRun run{.suite = "imb-ext", .benchmarks = {"Unidir_Put"}};
  const ImbPoint put{
      .benchmark = "Unidir_Put", .byte = 4, .mode = "aggregate", .suite = "imb-ext", .repetitions = 1000};
  auto alone = put;
  alone.mode = "non_aggregate";
  alone.repetitions = 100;
  const std::string table = "\n" + rule_52 + "# Benchmarking Unidir_Put \n# #processes = 2 \n" + rule_52;
  const std::string heading = "       #bytes #repetitions      t[usec]   Mbytes/sec\n";
  EXPECT_EQ(imb_tables(run, {put, alone}), table + "#\n#    MODE: AGGREGATE \n#\n" + heading +
                                               "            4         1000         3.00         0.00\n" +
                                               table + "#\n#    MODE: NON-AGGREGATE \n#\n" + heading +
                                               "            4          100         3.00         0.00\n");
}

TEST(imb_tables, a_put_beside_a_computation_has_two_times) {
  auto point = point_record({.benchmark = "Truly_passive_put", .byte = 4096, .suite = "imb-rma"});
  point.classic.emplace_back("t_pure_s", 1.85e-6);
  point.classic.emplace_back("t_ovrl_s", 3.31e-6);
  const std::string text = imb_output(run_record({.suite = "imb-rma"}), {point});
  EXPECT_NE(text.find("\n" + rule_52 + "# Benchmarking Truly_passive_put \n# #processes = 2 \n" + rule_52 +
                      "       #bytes #repetitions t_pure[usec] t_ovrl[usec]\n"
                      "         4096         1000         1.85         3.31\n"),
            std::string::npos)
      << text;
}

TEST(imb_tables, window_has_no_mode_and_no_defects) {
  const std::string text = imb_tables({.suite = "imb-ext", .check = true},
                                      {{.benchmark = "Window", .byte = 4, .suite = "imb-ext", .defects = 0}});
  EXPECT_EQ(text, "\n" + rule_65 + "# Benchmarking Window \n# #processes = 2 \n" + rule_65 +
                      "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n"
                      "            4         1000         1.00         3.00         2.00\n");
}

std::string overlap_tables(const ImbRun& run, const ImbPoint& point, const record::Members& overlap) {
  auto record = point_record(point);
  record.classic.insert(record.classic.end(), overlap.begin(), overlap.end());
  const std::string text = imb_output(run_record(run), {record});
  return text.substr(text.find("\n#---", text.find("# List of Benchmarks")));
}

TEST(imb_tables, kind_e_tells_what_a_computation_hides) {
  const record::Members row{
      {"t_ovrl_s", 39.80e-6}, {"t_pure_s", 25.40e-6}, {"t_cpu_s", 25.35e-6}, {"overlap_percent", 43.11}};
  const ImbPoint point{.benchmark = "Iallreduce", .byte = 65536, .suite = "imb-nbc", .repetitions = 640};
  EXPECT_EQ(overlap_tables({.suite = "imb-nbc", .benchmarks = {"Iallreduce"}}, point, row),
            "\n" + rule_78 + "# Benchmarking Iallreduce \n# #processes = 2 \n" + rule_78 +
                "       #bytes #repetitions t_ovrl[usec] t_pure[usec]  t_CPU[usec]   overlap[%]\n"
                "        65536          640        39.80        25.40        25.35        43.11\n");
}

TEST(imb_tables, kind_f_has_no_size_and_no_defects) {
  const record::Members row{
      {"t_ovrl_s", 4.42e-6}, {"t_pure_s", 2.71e-6}, {"t_cpu_s", 2.65e-6}, {"overlap_percent", 34.69}};
  const ImbPoint point{.benchmark = "Ibarrier", .byte = std::nullopt, .suite = "imb-nbc"};
  EXPECT_EQ(overlap_tables({.suite = "imb-nbc", .check = true, .benchmarks = {"Ibarrier"}}, point, row),
            "\n" + rule_65 + "# Benchmarking Ibarrier \n# #processes = 2 \n" + rule_65 +
                " #repetitions t_ovrl[usec] t_pure[usec]  t_CPU[usec]   overlap[%]\n"
                "         1000         4.42         2.71         2.65        34.69\n");
}

TEST(imb_tables, each_part_of_a_run_has_a_head_of_its_own) {
  const std::string text =
      imb_output(run_record(), {point_record(), point_record({.benchmark = "Window", .suite = "imb-ext"})});
  EXPECT_LT(text.find("MPI-1 part"), text.find("# Benchmarking PingPong"));
  EXPECT_LT(text.find("# Benchmarking PingPong"), text.find("MPI-2 part"));
  EXPECT_LT(text.find("MPI-2 part"), text.find("# Benchmarking Window"));
}

TEST(imb_tables, points_of_other_suites_are_ignored) {
  auto point = point_record();
  point.suite = "b-eff";
  EXPECT_EQ(imb_output(run_record(), {point}), imb_output(run_record(), {}));
}

TEST(imb_banner, map_shows_the_rank_order_by_rows) {
  EXPECT_EQ(imb_banner({"Allreduce", 4, 1, 4, std::pair{2, 2}}, 65),
            "\n" + rule_65 +
                "# Benchmarking Allreduce \n"
                "# #processes = 4; rank order (rowwise): \n"
                "#     0    2\n"
                "# \n"
                "#     1    3\n"
                "# \n" +
                rule_65);
}

TEST(imb_banner, map_shows_only_the_active_ranks) {
  const std::string text = imb_banner({"Bcast", 4, 1, 6, std::pair{2, 3}}, 65);
  EXPECT_NE(text.find("(rowwise): \n#     0    2    4\n# \n#     1\n# \n# ( 2 additional"),
            std::string::npos);
}

TEST(imb_banner, map_of_one_row_or_column_is_none) {
  EXPECT_NE(imb_banner({"Bcast", 4, 1, 4, std::pair{1, 4}}, 65).find("# #processes = 4 \n"),
            std::string::npos);
  EXPECT_NE(imb_banner({"Bcast", 4, 1, 4, std::pair{4, 1}}, 65).find("# #processes = 4 \n"),
            std::string::npos);
}

TEST(imb_banner, groups_hold_the_ranks_of_the_map) {
  const std::string text = imb_banner({"Multi-x", 2, 3, 6, std::pair{2, 3}}, 65);
  EXPECT_NE(text.find("# Group  0:     0    2\n# \n# Group  1:     4    1\n# \n# Group  2:     3    5\n# \n"),
            std::string::npos);
}

TEST(imb_banner, sixteen_ranks_fill_a_line) {
  const std::string text = imb_banner({"Bcast", 18, 2, 36, {}}, 65);
  EXPECT_NE(
      text.find(
          "# Group  0:     0    1    2    3    4    5    6    7    8    9   10   11   12   13   14   15\n"
          "#    16   17\n"
          "# \n"
          "# Group  1:    18   19"),
      std::string::npos);
  const std::string full = imb_banner({"Bcast", 16, 2, 32, {}}, 65);
  EXPECT_NE(full.find("   14   15\n# \n# Group  1:"), std::string::npos);
}

TEST(imb_banner, long_rows_show_both_ends) {
  const std::string text = imb_banner({"Bcast", 1025, 2, 2050, {}}, 65);
  EXPECT_NE(text.find("  511 ... "), std::string::npos);
  EXPECT_EQ(text.find("  512\n"), std::string::npos);
  EXPECT_NE(text.find("  513  514"), std::string::npos);
  EXPECT_NE(text.find("1024\n# \n# Group  1: "), std::string::npos);
}

TEST(imb_banner, many_groups_show_both_ends) {
  const std::string text = imb_banner({"PingPong", 1, 1030, 1030, {}}, 65);
  EXPECT_NE(text.find("# Group 511:   511\n# \n#  . \n#  . \n# Group 518:   518\n"), std::string::npos);
  EXPECT_EQ(text.find("# Group 512:"), std::string::npos);
  const std::string shown = imb_banner({"PingPong", 1, 1024, 1024, {}}, 65);
  EXPECT_NE(shown.find("# Group 512:"), std::string::npos);
}

// A program of later releases: no blanks at the ends of lines.
TEST(imb_tables, patterns_of_all_processes_have_a_grid_in_their_name) {
  const ImbRun run{
      .suite = "imb-p2p", .version = "2021", .benchmarks = {"PingPong", "Stencil2D"}, .world = 4};
  auto pairs = point_record({.byte = 1024,
                             .suite = "imb-p2p",
                             .repetitions = 100000,
                             .t_avg_us = 0.35,
                             .bandwidth_byte_s = 2925.71e6,
                             .message_rate_op_s = 2857143.1});
  auto grid =
      point_record({.benchmark = "Stencil2D", .processes = 4, .suite = "imb-p2p", .message_rate_op_s = 5});
  grid.params["grid"] = std::string("2x2");
  const std::string text = imb_output(run_record(run), {pairs, grid});
  EXPECT_EQ(text.substr(text.find("\n" + rule_65 + "# Benchmarking")),
            "\n" + rule_65 +
                "# Benchmarking PingPong\n"
                "# #processes = 2\n"
                "# ( 2 additional processes waiting in MPI_Barrier)\n" +
                rule_65 +
                "       #bytes #repetitions      t[usec]   Mbytes/sec      Msg/sec\n"
                "         1024       100000         0.35      2925.71      2857143\n"
                "\n" +
                rule_65 +
                "# Benchmarking Stencil2D (2 x 2)\n"
                "# #processes = 4\n" +
                rule_65 +
                "       #bytes #repetitions      t[usec]   Mbytes/sec      Msg/sec\n"
                "            0         1000         2.00         0.00            5\n");
}

record::PointRecord threaded(std::string benchmark, int threads, ImbPoint point) {
  point.benchmark = std::move(benchmark);
  point.suite = "imb-mt";
  auto record = point_record(point);
  record.threads = threads;
  record.params["taking_part"] = std::int64_t{point.processes};
  return record;
}

TEST(imb_tables, threads_have_tables_of_one_width) {
  const ImbRun run{
      .suite = "imb-mt", .version = "2021", .benchmarks = {"PingPongMT", "UniBandMT", "BiBandMT"}};
  const auto pingpong = threaded(
      "PingPongMT", 3,
      {.byte = 1000000000, .t_min_us = 0.95, .t_max_us = 0.97, .t_avg_us = 0.96, .bandwidth_byte_s = 8.25e6});
  auto band =
      threaded("UniBandMT", 1,
               {.byte = 16, .t_avg_us = 0.31, .bandwidth_byte_s = 51.2e6, .message_rate_op_s = 3200000.2});
  band.params["window"] = std::int64_t{64};
  auto none = no_result({.benchmark = "BiBandMT", .byte = {}, .suite = "imb-mt"}, record::Status::skipped,
                        because(record::ReasonCode::processes));
  const std::string text =
      imb_output(run_record(run), {pingpong, band, none}, std::nullopt, {.headless = true});
  EXPECT_EQ(text, "\n" + rule_78 +
                      "# Benchmarking PingPongMT\n"
                      "# #processes = 2 (threads: 3)\n" +
                      rule_78 +
                      "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]   Mbytes/sec\n"
                      "   3000000000         1000         0.95         0.97         0.96         8.25\n"
                      "\n" +
                      rule_78 +
                      "# Benchmarking UniBandMT\n"
                      "# #processes = 2 (threads: 1)\n"
                      "# window_size = 64\n" +
                      rule_78 +
                      "       #bytes #repetitions  t_avg[usec]   Mbytes/sec      Msg/sec\n"
                      "           16         1000         0.31        51.20      3200000\n"
                      "\n" +
                      rule_78 +
                      "# Benchmarking BiBandMT\n"
                      "# NO SUCCESSFUL EXECUTIONS\n" +
                      rule_78 + "\n");
}

std::string own_tables(const std::vector<record::PointRecord>& points) {
  const std::string text = imb_output(run_record({.suite = "mpi4"}), points);
  return text.substr(text.find("\n#---", text.find("# List of Benchmarks")));
}

TEST(imb_tables, a_request_tells_when_it_has_paid_or_that_it_never_does) {
  std::vector<record::PointRecord> points;
  for (const std::int64_t byte : {4, 8}) {
    auto point = point_record({.benchmark = "Allreduce_init", .byte = byte, .suite = "mpi4"});
    point.classic.emplace_back("t_init_max_s", 40e-6);
    point.classic.emplace_back("t_exec_s", 4.2e-6);
    point.classic.emplace_back("t_call_s", 5e-6);
    point.classic.emplace_back("break_even",
                               byte == 4 ? record::Value{std::int64_t{52}} : record::Value{nullptr});
    points.push_back(point);
  }
  const std::string text = own_tables(points);
  EXPECT_NE(text.find("       #bytes #repetitions t_init[usec] t_exec[usec] t_call[usec]   break_even\n"
                      "            4         1000        40.00         4.20         5.00           52\n"
                      "            8         1000        40.00         4.20         5.00            -\n"),
            std::string::npos)
      << text;
}

TEST(imb_tables, messages_in_parts_have_a_row_for_each_number_of_them) {
  std::vector<record::PointRecord> points;
  for (const std::int64_t parts : {1, 4}) {
    auto point = point_record(
        {.benchmark = "PingPong_part", .byte = 1024, .suite = "mpi4", .bandwidth_byte_s = 1048576e3});
    point.params["partitions"] = parts;
    points.push_back(point);
  }
  const std::string text = own_tables(points);
  EXPECT_NE(text.find("       #bytes       #parts #repetitions      t[usec]   Mbytes/sec\n"
                      "         1024            1         1000         3.00      1000.00\n"
                      "         1024            4         1000         3.00      1000.00\n"),
            std::string::npos)
      << text;
}

TEST(imb_tables, parts_that_leave_early_have_their_own_columns) {
  auto point = point_record({.benchmark = "Overlap_part", .byte = 1048576, .suite = "mpi4"});
  point.params["partitions"] = std::int64_t{16};
  for (const auto& [name, value] : {std::pair{"t_comp_s", 6.5e-6},
                                    {"t_part_s", 110e-6},
                                    {"t_p2p_s", 100e-6},
                                    {"overhead", 1.25},
                                    {"perceived_bandwidth_byte_s", 160e9},
                                    {"early_percent", 93.75}})
    point.classic.emplace_back(name, value);
  const std::string text = own_tables({point});
  EXPECT_NE(
      text.find(
          "       #bytes       #parts #repetitions t_comp[usec] t_part[usec]  t_p2p[usec]     overhead perceiv_MB/s     early[%]\n"
          "      1048576           16         1000         6.50       110.00       100.00         1.25    152587.89        93.75\n"),
      std::string::npos)
      << text;
}

TEST(imb_tables, neighbours_are_named_with_their_grid) {
  auto point = point_record({.benchmark = "Neighbor_alltoall", .processes = 6, .byte = 8, .suite = "mpi4"});
  point.params["topology"] = std::string("3x2");
  point.params["neighbours"] = std::int64_t{4};
  EXPECT_NE(own_tables({point}).find("# #processes = 6 \n# topology = 3 x 2, neighbours = 4\n"),
            std::string::npos)
      << own_tables({point});
}

}  // namespace
}  // namespace steelyard::formats
