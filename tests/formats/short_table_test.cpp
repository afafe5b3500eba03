// SPDX-License-Identifier: Apache-2.0
// Brief tables: a row per benchmark, what was left out in one line, doubt in the row.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "formats/live/table.hpp"
#include "imb_points.hpp"
#include "record/point_view.hpp"

namespace steelyard::formats {
namespace {

using record::Status;

struct Given {
  std::int64_t byte = 0;
  double time_s = 1e-6;
  double half_width = 0.01;
  bool rate = true;
};

record::PointRecord message(const std::string& benchmark, const Given& given, int processes = 2) {
  record::PointRecord point;
  point.suite = benchmark.find("_Write_") == std::string::npos ? "imb-mpi1" : "imb-io";
  point.benchmark = benchmark;
  point.processes = processes;
  point.params = {{"message_byte", given.byte}, {"type", "MPI_BYTE"}};
  point.key = benchmark + std::to_string(processes) + "/" + std::to_string(given.byte);
  record::Statistics time;
  time.over_ranks = "max";
  time.median = given.time_s;
  time.ci = {given.time_s * (1 - given.half_width), given.time_s * (1 + given.half_width)};
  point.metrics = {{"time_s", time}};
  if (given.rate && given.byte > 0)
    point.metrics.emplace_back("bandwidth_byte_s", static_cast<double>(given.byte) / given.time_s);
  point.primary = "time_s";
  return point;
}

record::PointRecord left_out(const std::string& benchmark, std::int64_t byte) {
  auto point = message(benchmark, {byte});
  point.metrics.clear();
  point.status = Status::skipped;
  point.reason = because(record::ReasonCode::time, "takes too long");
  return point;
}

std::string table(const std::vector<record::PointRecord>& points, bool colour = false) {
  std::ostringstream out;
  const auto writer = live_table(out, {.colour = colour, .brief = true});
  writer->run({});
  for (const auto& point : points) writer->point(point);
  writer->end({});
  return out.str();
}

TEST(short_table, benchmark_is_one_row_with_its_shortest_message_and_best_bandwidth) {
  EXPECT_EQ(table({message("PingPong", {0, 0.5e-6}), message("PingPong", {1, 0.6e-6}),
                   message("PingPong", {1024, 1e-6}), message("PingPong", {4096, 8e-6})}),
            "imb-mpi1                    np          shortest  best, or longest        points\n"
            "PingPong                     2     1 B   0.60 us     1024 MB/s at 1 KiB        4\n");
}

TEST(short_table, benchmark_without_bandwidth_shows_its_longest_message) {
  const std::string text =
      table({message("Bcast", {1, 1e-6, 0.01, false}), message("Bcast", {65536, 80e-6, 0.01, false})});
  EXPECT_NE(text.find("     1 B   1.00 us       80.0 us at 64 KiB       2\n"), std::string::npos) << text;
}

TEST(short_table, what_was_left_out_is_one_line_of_the_suite) {
  const std::string text =
      table({message("PingPong", {1, 1e-6}), left_out("PingPong", 64), left_out("Bcast", 64)});
  EXPECT_NE(text.find("  1 of 2\n  2 sizes not measured: takes too long\n"), std::string::npos) << text;
  EXPECT_EQ(std::ranges::count(text, '\n'), 3);
}

TEST(short_table, largest_number_of_processes_is_shown_and_others_are_named) {
  const std::string text =
      table({message("Bcast", {8, 1e-6}, 2), message("Bcast", {8, 2e-6}, 4), message("Bcast", {8, 3e-6}, 8)});
  EXPECT_NE(text.find("\nBcast                        8     8 B   3.00 us"), std::string::npos) << text;
  EXPECT_NE(text.find("also measured with fewer processes, np 2, 4\n"), std::string::npos) << text;
}

TEST(short_table, doubt_about_a_value_that_is_shown_is_told_and_others_are_counted) {
  auto noisy = message("PingPong", {64, 1e-6});
  noisy.flags = {"noisy"};
  const std::string text =
      table({message("PingPong", {1, 1e-6, 0.5}), noisy, message("PingPong", {4096, 2e-6})});
  EXPECT_TRUE(text.ends_with("  +-50 %, 1 more in doubt\n")) << text;
  EXPECT_TRUE(table({message("PingPong", {1, 1e-6, 0.5})}, true).ends_with("\033[35m+-50 %\033[0m\n"));
}

TEST(short_table, failures_and_wrong_data_stand_in_the_row) {
  auto failed = left_out("PingPong", 64);
  failed.status = Status::failed;
  failed.reason->text = "MPI_ERR_COUNT in MPI_Recv";
  auto wrong = message("PingPong", {1, 1e-6});
  wrong.verified = false;
  EXPECT_TRUE(table({wrong, failed}).ends_with("  1 UNVERIFIED, 1 failed (MPI_ERR_CO ...\n"));
}

TEST(short_table, a_point_that_is_measured_again_counts_once) {
  const std::string text = table({message("PingPong", {1, 9e-6}), message("PingPong", {1, 1e-6})});
  EXPECT_NE(text.find("1.00 us"), std::string::npos) << text;
  EXPECT_TRUE(text.ends_with("       1\n")) << text;
}

TEST(short_table, parameters_by_which_tables_differ_stand_behind_the_name) {
  auto together = message("Unidir_Put", {8, 1e-6}), apart = together;
  together.params["mode"] = "aggregate";
  apart.params["mode"] = "non_aggregate";
  const std::string text = table({together, apart});
  EXPECT_NE(text.find("\nUnidir_Put aggregate "), std::string::npos) << text;
  EXPECT_NE(text.find("\nUnidir_Put non-aggregate "), std::string::npos) << text;
}

TEST(short_table, files_have_a_row_per_way_to_reach_them) {
  std::vector<record::PointRecord> points;
  for (const char* benchmark : {"S_Write_Indv", "S_IWrite_Indv", "P_Write_Shared"}) {
    points.push_back(message(benchmark, {1 << 20, benchmark[2] == 'I' ? 2e-3 : 1e-3}));
    points.back().suite = "imb-io";
    points.back().params["mode"] = "aggregate";
  }
  points.push_back(message("Open_Close", {0, 50e-6}));
  points.back().suite = "imb-io";
  EXPECT_EQ(table(points),
            "imb-io        np      write write+sync     iwrite       read      iread   points  best of "
            "each, MB/s\n"
            "S_*_Indv       2       1049          -      524.3          -          -        2\n"
            "P_*_Shared     2       1049          -          -          -          -        1\n"
            "imb-io                      np          shortest  best, or longest        points\n"
            "Open_Close                   2     0 B   50.0 us                               1\n");
}

/// As `-multi 1` records a size: a point for each group.
std::vector<record::PointRecord> of_groups(const std::string& benchmark, std::int64_t byte,
                                           const std::vector<double>& times_s) {
  std::vector<record::PointRecord> points;
  for (std::size_t group = 0; group < times_s.size(); ++group) {
    points.push_back(message(benchmark, {byte, times_s[group]}));
    points.back().groups = static_cast<int>(times_s.size());
    points.back().params["group"] = static_cast<std::int64_t>(group);
    points.back().key += "/" + std::to_string(group);
  }
  return points;
}

TEST(short_table, of_groups_side_by_side_the_slowest_of_each_size_counts_and_the_row_says_so) {
  auto points = of_groups("PingPong", 1, {1e-6, 3e-6});
  for (auto& point : of_groups("PingPong", 4096, {1e-6, 4e-6})) points.push_back(std::move(point));
  for (auto& point : of_groups("PingPong", 8192, {16e-6, 2e-6})) points.push_back(std::move(point));
  EXPECT_EQ(
      table(points),
      "imb-mpi1                    np          shortest  best, or longest        points\n"
      "PingPong                     2     1 B   3.00 us     1024 MB/s at 4 KiB        6  slowest of 2 groups\n");
  for (auto& point : points) {
    point.metrics.front().second = 1 / *record::figure(point, "time_s");
    point.metrics.front().first = point.primary = "message_rate_op_s";
  }
  const std::string rates = table(points);
  EXPECT_NE(rates.find("     1 B   333 k/s "), std::string::npos) << rates;
  points = {message("PingPong", {1, 1e-6})};
  points.front().groups = 2;  // one point of all groups, as `-multi 0` has it
  EXPECT_TRUE(table(points).ends_with("  slowest of 2 groups\n")) << table(points);
}

TEST(short_table, of_groups_the_slowest_counts_for_files_and_modes_too) {
  auto files = of_groups("S_Write_Indv", 1 << 20, {1e-3, 2e-3});
  for (auto& point : files) point.params["mode"] = "aggregate";
  EXPECT_NE(table(files).find("S_*_Indv       2      524.3 "), std::string::npos) << table(files);
  EXPECT_TRUE(table(files).ends_with("        2  slowest of 2 groups\n")) << table(files);
  auto puts = of_groups("Unidir_Put", 4096, {1e-6, 4e-6});
  for (auto& point : puts) {
    point.suite = "imb-ext";
    point.params["mode"] = "aggregate";
  }
  EXPECT_NE(table(puts).find(" 4.00 us  1024 MB/s 4 KiB "), std::string::npos) << table(puts);
  EXPECT_TRUE(table(puts).ends_with("  slowest of 2 groups\n")) << table(puts);
}

TEST(short_table, rows_of_files_in_doubt_are_no_wider_than_a_terminal) {
  auto point = message("S_Write_Indv", {1 << 20, 1e-3, 1.38});
  point.params["mode"] = "aggregate";
  point.status = Status::partial;
  point.flags = {"noisy", "mixed_states", "preempted"};
  std::istringstream lines(table({point, message("S_Write_Indv", {1 << 19, 1e-3, 0.5})}));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 120U) << line;
}

TEST(short_table, of_the_kernels_of_stream_the_triad_is_shown_and_what_went_wrong) {
  std::vector<record::PointRecord> points;
  for (const char* kernel : {"Copy", "Scale", "Triad"}) {
    record::PointRecord point;
    point.suite = "hpcc";
    point.benchmark = "StarSTREAM";
    point.params = {{"kernel", kernel}};
    point.primary = "bandwidth_byte_s";
    point.metrics = {{"bandwidth_byte_s", 1e9}};
    points.push_back(std::move(point));
  }
  points[1].verified = false;
  const std::string text = table(points);
  EXPECT_EQ(text.find("Copy"), std::string::npos) << text;
  EXPECT_NE(text.find("StarSTREAM Scale"), std::string::npos) << text;
  EXPECT_NE(text.find("StarSTREAM Triad"), std::string::npos) << text;
}

record::PointRecord one_sided(const std::string& benchmark, const Given& given, const std::string& mode) {
  auto point = message(benchmark, given);
  point.suite = "imb-ext";
  if (!mode.empty()) point.params["mode"] = mode;
  point.key += mode;
  return point;
}

TEST(short_table, both_modes_of_a_one_sided_benchmark_stand_in_one_row) {
  const std::string text = table({one_sided("Window", {64, 9e-6, 0.01, false}, ""),
                                  one_sided("Window", {4096, 9.5e-6, 0.01, false}, ""),
                                  one_sided("Unidir_Get", {64, 1e-6}, "aggregate"),
                                  one_sided("Unidir_Get", {4096, 2e-6, 0.3}, "aggregate"),
                                  one_sided("Unidir_Get", {64, 1.5e-6}, "non_aggregate"),
                                  one_sided("Unidir_Put", {256, 1e-6}, "aggregate")});
  EXPECT_EQ(text,
            "imb-ext      np  from      aggregate: time, to  non-aggregate: time, to   points\n"
            "Window        2  64 B       -                - 9.00 us    9.50 us 4 KiB        2\n"
            "Unidir_Get    2  64 B 1.00 us  2048 MB/s 4 KiB 1.50 us  42.67 MB/s 64 B        3  +-30 %\n"
            "Unidir_Put    2 256 B 1.00 us 256.0 MB/s 256 B       -                -        1\n");
}

TEST(short_table, summaries_of_experiments_are_a_line_of_figures_each) {
  record::SummaryRecord network, files, transform;
  network.name = "b_eff";
  files.name = "b_eff_io";
  transform.name = "ftio";
  for (auto* one : {&network, &files, &transform}) {
    one->processes = 2;
    one->verified = true;
  }
  network.values = {{"b_eff_byte_s", 4e9}, {"latency_s", 1.25e-6}, {"pingpong_bandwidth_byte_s", 6.5e9}};
  files.values = {{"b_eff_io_byte_s", 844.6e6}, {"b_eff_io_read_byte_s", 1.2e9}};
  transform.values = {{"ftio_flop_s", 4.2e8}, {"ftio_io_fraction", 0.7874}};
  std::ostringstream out;
  const auto writer = live_table(out, {.brief = true});
  writer->run({});
  for (const auto* one : {&network, &files, &transform}) writer->summary(*one);
  EXPECT_EQ(
      out.str(),
      "b-eff/b_eff   2 processes   b_eff 4000 MB/s, 2000 per process; ping-pong 6500 MB/s, latency 1.250 us\n"
      "b-eff-io/b_eff_io   2 processes   b_eff_io 844.6 MB/s: initial write -, rewrite -, read 1200\n"
      "ftio/FTIO   2 processes   nominal rate 420.0 Mflop/s, I/O fraction 0.7874, means of the runs\n");
}

TEST(short_table, experiments_of_one_process_are_of_a_process) {
  for (const bool brief : {true, false}) {
    std::ostringstream out;
    const auto writer = live_table(out, {.brief = brief});
    writer->run({});
    for (const char* name : {"b_eff_io", "ftio"}) {
      record::SummaryRecord summary;
      summary.name = name;
      summary.processes = 1;
      summary.verified = true;
      summary.classic = {{"partitions", std::vector<double>{1, 2}},
                         {"value_byte_s", std::vector<double>{1e6, 2e6}}};
      writer->summary(summary);
    }
    EXPECT_EQ(out.str().find("1 processes"), std::string::npos) << out.str();
    EXPECT_NE(out.str().find("ftio/FTIO   1 process"), std::string::npos) << out.str();
  }
}

/// A point that bears every doubt there is.
record::PointRecord doubtful(record::PointRecord point) {
  point.status = Status::partial;
  for (const char* flag : {"smaller_than_the_rules_ask", "preempted", "mixed_states", "noisy", "late"})
    point.flags.emplace_back(flag);
  return point;
}

record::PointRecord of_hpcc(const std::string& benchmark) {
  record::PointRecord point;
  point.suite = "hpcc";
  point.benchmark = benchmark;
  point.processes = 2;
  point.params = {{"order", std::int64_t{100000}},
                  {"block", std::int64_t{192}},
                  {"grid_rows", std::int64_t{16}},
                  {"grid_columns", std::int64_t{256}}};
  point.primary = "flop_rate_flop_s";
  record::Statistics rate, time;
  rate.median = 18.5e9;
  time.median = 25.3e-3;
  point.metrics = {{"flop_rate_flop_s", rate}, {"time_s", time}};
  return doubtful(std::move(point));
}

record::SummaryRecord summary_of(const std::string& name) {
  record::SummaryRecord summary;
  summary.name = name;
  summary.processes = 2;
  summary.verified = true;
  summary.official = false;
  summary.not_official_because = {std::string(150, 'x'), "2 repetitions instead of 3"};
  summary.classic = {{"shortened", true}, {"files_in_memory", std::string(150, 'y')}};
  return summary;
}

/// What a whole quick run shows in its tables: seven suites, every row in doubt, most sizes left out.
std::string full_run() {
  std::ostringstream out;
  const auto writer = live_table(out, {.brief = true});
  writer->run({});
  for (int test = 0; test < 15; ++test) writer->point(of_hpcc("MPIRandomAccess" + std::to_string(test)));
  for (const auto& [suite, name] :
       {std::pair("b-eff", "b_eff"), std::pair("b-eff-io", "b_eff_io"), std::pair("ftio", "ftio")})
    writer->summary(summary_of(name));
  for (const auto& [suite, benchmarks] :
       {std::pair("imb-mpi1", 17), std::pair("imb-ext", 8), std::pair("imb-io", 8)})
    for (int i = 0; i < benchmarks; ++i)
      for (const std::int64_t byte : {64, 65536, 1048576}) {
        const std::string name = "Unidir_Get_accumulate" + std::to_string(i);
        auto point = doubtful(message(name, {byte, 1e-6, 1.38}));
        auto skipped = left_out(name, 2 * byte);
        skipped.reason->text =
            "every second size left out to fit a share of 10.4 s; needs --budget 50s" + std::to_string(i % 3);
        for (auto* one : {&point, &skipped}) {
          one->suite = suite;
          writer->point(*one);
        }
      }
  writer->end({});
  return out.str();
}

TEST(short_table, head_of_hpcc_is_one_line_where_it_has_room) {
  auto point = of_hpcc("PTRANS");
  EXPECT_EQ(table({point}).find("hpcc   2 processes      size "), 0U) << table({point});
  point.threads = 4;
  EXPECT_EQ(table({point}).find("hpcc   2 processes with 4 threads\ntest "), 0U) << table({point});
}

TEST(short_table, a_whole_quick_run_is_short_and_no_line_is_wider_than_a_terminal) {
  const std::string text = full_run();
  EXPECT_LE(std::ranges::count(text, '\n'), 75) << text;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 120U) << line;
}

TEST(short_table, in_a_narrow_terminal_remarks_stand_below_their_rows) {
  for (const bool colour : {false, true}) {
    std::ostringstream out;
    const auto writer = live_table(out, {.colour = colour, .brief = true, .columns = 80});
    writer->run({});
    for (const auto& point :
         {message("PingPong", {1, 1e-6, 0.5}), message("PingPong", {4096, 2e-6}), left_out("PingPong", 64)})
      writer->point(point);
    writer->end({});
    const std::string remark = colour ? "\033[35m+-50 %\033[0m" : "+-50 %";
    EXPECT_EQ(out.str(),
              "imb-mpi1                    np          shortest  best, or longest        points\n"
              "PingPong                     2     1 B   1.00 us     2048 MB/s at 4 KiB   2 of 3\n"
              "    " +
                  remark + "\n  1 size not measured: takes too long\n");
  }
  EXPECT_EQ(narrowed("  2 sizes not measured: takes too long", 24),
            "  2 sizes not measured:\n    takes too long");
}

TEST(short_table, a_count_of_points_stands_apart_from_what_precedes_it) {
  std::vector<record::PointRecord> points;
  for (int byte = 1; byte < 4000; byte += 100)
    points.push_back(one_sided("Unidir_Get", {byte * 1048576LL, byte * 1e-4}, "aggregate"));
  points.push_back(left_out("Unidir_Get", 7));
  points.back().suite = "imb-ext";
  points.back().params["mode"] = "aggregate";
  EXPECT_NE(table(points).find(" 40 of 41"), std::string::npos) << table(points);
}

TEST(short_table, every_row_in_doubt_tells_the_gravest_one_and_counts_the_others) {
  const std::string text = full_run();
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("Unidir_Get")) {
      EXPECT_NE(line.find("  3 partial, +-138 %"), std::string::npos) << line;
      EXPECT_NE(line.find(" +"), std::string::npos) << line;
    }
    if (line.starts_with("MPIRandomAccess")) {
      EXPECT_NE(line.find("  partial, smaller than the rules ask +4"), std::string::npos) << line;
    }
  }
}

}  // namespace
}  // namespace steelyard::formats
