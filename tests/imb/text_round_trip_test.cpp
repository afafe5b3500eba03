// SPDX-License-Identifier: Apache-2.0
// What the writer wrote is read back by a reader that shares nothing with it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>
#include <string>

#include "imb_points.hpp"
#include "text_reader.hpp"

namespace steelyard::formats {
namespace {

using testing::ElementsAre;

class Numbers {
 public:
  /// Microseconds from nanoseconds to days.
  double time() { return std::pow(10.0, std::uniform_real_distribution<double>(-3, 11)(random_)); }
  double rate() { return std::pow(10.0, std::uniform_real_distribution<double>(3, 17)(random_)); }

 private:
  std::mt19937_64 random_{31};
};

ImbPoint random_point(Numbers& numbers, const std::string& benchmark, std::optional<std::int64_t> byte) {
  ImbPoint point{.benchmark = benchmark, .processes = 4, .byte = byte};
  point.repetitions = byte.value_or(0) + 1;
  point.t_min_us = numbers.time();
  point.t_max_us = numbers.time();
  point.t_avg_us = numbers.time();
  point.bandwidth_byte_s = numbers.rate();
  point.message_rate_op_s = numbers.rate();
  point.defects = 0;
  return point;
}

const std::vector<std::int64_t> sizes{0, 1, 8, 65536, 4194304, 1099511627776};

void expect_number(const std::map<std::string, double>& row, const std::string& heading, double wanted,
                   double step) {
  if (!row.contains(heading)) return;
  EXPECT_NEAR(row.at(heading), wanted, step / 2 + 1e-12 * wanted) << heading;
}

void expect_row(const std::map<std::string, double>& row, const ImbPoint& point, double mbyte) {
  expect_number(row, "#bytes", static_cast<double>(point.byte.value_or(0)), 0);
  expect_number(row, "#repetitions", static_cast<double>(point.repetitions), 0);
  expect_number(row, "t[usec]", point.t_max_us, 0.01);
  expect_number(row, "t_min[usec]", point.t_min_us, 0.01);
  expect_number(row, "t_max[usec]", point.t_max_us, 0.01);
  expect_number(row, "t_avg[usec]", point.t_avg_us, 0.01);
  expect_number(row, "Mbytes/sec", *point.bandwidth_byte_s / mbyte, 0.01);
  expect_number(row, "Msg/sec", *point.message_rate_op_s, 1);
  expect_number(row, "defects", 0, 0);
}

struct Kind {
  std::string benchmark;
  std::size_t columns;
};
const std::vector<Kind> kinds{
    {"PingPong", 4}, {"Exchange", 6}, {"Alltoallv", 5}, {"Barrier", 4}, {"Biband", 4}};

TEST(imb_round_trip, every_kind_of_table_gives_the_same_numbers) {
  Numbers numbers;
  for (const std::string version : {"3.1", "2021"}) {
    for (const bool check : {false, true}) {
      std::vector<ImbPoint> points;
      for (const Kind& kind : kinds) {
        for (const std::int64_t byte : sizes) {
          const bool sized = kind.benchmark != "Barrier";
          if (sized || byte == 0)
            points.push_back(
                random_point(numbers, kind.benchmark, sized ? std::optional(byte) : std::nullopt));
        }
      }
      const ReadText text = read_imb(imb_tables({.version = version, .check = check, .world = 4}, points));
      ASSERT_EQ(text.tables.size(), kinds.size());
      std::size_t next = 0;
      for (std::size_t k = 0; k < kinds.size(); ++k) {
        const ReadTable& table = text.tables[k];
        EXPECT_EQ(table.name, kinds[k].benchmark);
        EXPECT_EQ(table.processes, 4);
        EXPECT_TRUE(table.refused.empty());
        EXPECT_EQ(table.headings.size(), kinds[k].columns + (check && table.name != "Barrier" ? 1 : 0));
        for (const auto& row : table.rows) expect_row(row, points[next++], version == "3.1" ? 1048576 : 1e6);
      }
      EXPECT_EQ(next, points.size());
    }
  }
}

TEST(imb_round_trip, groups_keep_their_rows_and_ranks) {
  Numbers numbers;
  std::vector<ImbPoint> points;
  for (const std::int64_t byte : {0, 8, 64}) {
    for (int group = 0; group < 3; ++group) {
      ImbPoint point = random_point(numbers, "Sendrecv", byte);
      point.processes = 2;
      point.groups = 3;
      point.group = group;
      point.map = "2x3";
      points.push_back(point);
    }
  }
  const ReadText text = read_imb(imb_tables({.multi = 1, .map = "2x3", .world = 6}, points));
  ASSERT_EQ(text.tables.size(), 1u);
  const ReadTable& table = text.tables.front();
  EXPECT_EQ(table.name, "Multi-Sendrecv");
  EXPECT_EQ(table.groups, 3);
  EXPECT_THAT(table.group_ranks, ElementsAre(ElementsAre(0, 2), ElementsAre(4, 1), ElementsAre(3, 5)));
  ASSERT_EQ(table.rows.size(), points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(table.rows[i].at("Group"), *points[i].group);
    expect_row(table.rows[i], points[i], 1048576);
  }
}

TEST(imb_round_trip, rank_order_of_a_map) {
  const ReadText text = read_imb(
      imb_tables({.map = "3x2", .world = 6}, {{.benchmark = "Bcast", .processes = 6, .map = "3x2"}}));
  EXPECT_THAT(text.tables.at(0).rank_order, ElementsAre(0, 3, 1, 4, 2, 5));
}

TEST(imb_round_trip, rows_without_result_do_not_disturb_the_others) {
  using record::Status;
  const std::string text =
      imb_output(run_record(),
                 {no_result({.benchmark = "Uniband", .processes = 1, .byte = {}}, Status::skipped,
                            because(record::ReasonCode::processes)),
                  point_record(), out_of_time({.byte = 1}),
                  no_result({.byte = 2}, Status::failed, because(record::ReasonCode::mpi_error, "lost")),
                  point_record({.byte = 4})},
                 end_record(1));
  const ReadText read = read_imb(text);
  EXPECT_THAT(read.invalid, ElementsAre("Uniband"));
  ASSERT_EQ(read.tables.size(), 1u);
  EXPECT_EQ(read.tables[0].rows.size(), 2u);
  EXPECT_EQ(read.tables[0].refused.size(), 2u);
  EXPECT_TRUE(read.tables[0].refused[0].starts_with("1 time-out"));
  EXPECT_FALSE(read.finished);
}

TEST(imb_round_trip, head_tail_and_end_are_found) {
  const std::string text = imb_output(run_record({.show_tail = true}),
                                      {point_record({.byte = 8, .tail_us = {0.5, 1, 2.25}})}, end_record());
  const ReadText read = read_imb(text);
  EXPECT_EQ(read.head.at("Machine"), "x86_64");
  EXPECT_EQ(read.head.at("MPI Thread Environment"), "MPI_THREAD_SINGLE");
  EXPECT_EQ(read.head.at("Date"), "Fri Nov 20 08:36:21 2026");
  EXPECT_THAT(read.listed, ElementsAre("PingPong", "Allreduce"));
  EXPECT_THAT(read.tables.at(0).tails, ElementsAre(ElementsAre(0.5, 1, 2.25)));
  EXPECT_TRUE(read.finished);
}

TEST(imb_round_trip, no_line_stands_between_name_and_processes_or_inside_a_table) {
  const std::string text =
      imb_tables({.check = true, .world = 3}, {{.defects = 0}, {.byte = 1, .defects = 0}});
  const auto name = text.find("# Benchmarking PingPong \n");
  EXPECT_EQ(text.substr(text.find('\n', name) + 1, 14), "# #processes =");
  const auto heading = text.find("#bytes");
  EXPECT_EQ(text.find('#', text.find('\n', heading)), std::string::npos);
}

// Layouts of whole texts against files. Dates and numbers with decimals are placeholders there, ~ at the end
// of a line is a blank. STEELYARD_WRITE_GOLDEN=1 writes the files anew; read the difference before keeping
// it.

std::string path_of(const std::string& name) {
  return std::string(GOLDEN_DIRECTORY) + "/" + name + ".txt";
}

std::string marked_blanks(std::string text) {
  for (std::size_t at = text.find(" \n"); at != std::string::npos; at = text.find(" \n", at)) text[at] = '~';
  return text;
}

std::string read_file(const std::string& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void expect_golden(const std::string& name, const std::string& text) {
  const std::string found = masked(text);
  if (std::getenv("STEELYARD_WRITE_GOLDEN") != nullptr) std::ofstream(path_of(name)) << marked_blanks(found);
  const std::string wanted = visible_blanks(read_file(path_of(name)));
  ASSERT_FALSE(wanted.empty()) << path_of(name);
  EXPECT_EQ(found, wanted) << path_of(name);
}

struct Case {
  std::string file, benchmark;
  bool sized = true;
};

ImbPoint point_of(const Case& kind, std::int64_t byte, std::optional<int> multi, int group, bool check) {
  ImbPoint point{.benchmark = kind.benchmark, .groups = multi ? 2 : 1};
  point.byte = kind.sized ? std::optional(byte) : std::nullopt;
  if (multi == 1) point.group = group;
  if (byte > 0) point.bandwidth_byte_s = 1e9;
  point.message_rate_op_s = 1e6;
  if (check) point.defects = 0;
  return point;
}

std::vector<ImbPoint> points_of(const Case& kind, std::optional<int> multi, bool check) {
  std::vector<ImbPoint> points;
  for (const std::int64_t byte : {0, 4, 65536}) {
    for (int group = 0; group < (multi == 1 ? 2 : 1); ++group) {
      if (kind.sized || byte == 0) points.push_back(point_of(kind, byte, multi, group, check));
    }
  }
  return points;
}

class imb_golden : public testing::TestWithParam<Case> {};

TEST_P(imb_golden, tables_without_group_with_groups_with_and_without_defects) {
  std::string text;
  for (const auto multi : {std::optional<int>{}, std::optional{0}, std::optional{1}}) {
    for (const bool check : {false, true}) {
      text += imb_tables({.multi = multi, .check = check, .world = 5}, points_of(GetParam(), multi, check));
    }
  }
  expect_golden(GetParam().file, text);
}

INSTANTIATE_TEST_SUITE_P(kinds, imb_golden,
                         testing::Values(Case{"kind_a", "PingPong"}, Case{"kind_b", "Exchange"},
                                         Case{"kind_c", "Allgather"}, Case{"kind_d", "Barrier", false},
                                         Case{"kind_g", "Biband"}),
                         [](const auto& parameter) { return parameter.param.file; });

TEST(imb_golden_text, whole_text_under_both_versions) {
  for (const std::string version : {"3.1", "2021"}) {
    const ImbRun run{.version = version, .map = "2x2", .world = 4};
    const std::vector<record::PointRecord> points{
        point_record({.map = "2x2"}), point_record({.byte = 1, .map = "2x2", .bandwidth_byte_s = 1e6}),
        point_record({.benchmark = "Allreduce", .processes = 4, .map = "2x2"})};
    expect_golden("text_" + version, imb_output(run_record(run), points, end_record()));
  }
}

TEST(imb_golden_text, rows_without_result) {
  using record::ReasonCode;
  using record::Status;
  record::Reason memory = because(ReasonCode::memory);
  memory.needed_byte = std::int64_t{5} << 29;
  const std::vector<record::PointRecord> points{
      no_result({.processes = 1, .byte = {}}, Status::skipped, because(ReasonCode::processes)),
      point_record({.benchmark = "Bcast"}),
      no_result({.benchmark = "Bcast", .byte = 1}, Status::skipped, memory),
      out_of_time({.benchmark = "Bcast", .byte = 2}),
      no_result({.benchmark = "Bcast", .byte = 4}, Status::failed,
                because(record::ReasonCode::mpi_error, "MPI_ERR_COUNT")),
      point_record({.benchmark = "Bcast", .byte = 8, .defects = 0.5})};
  expect_golden("no_result", imb_output(run_record({.check = true}), points, end_record(1)));
}

}  // namespace
}  // namespace steelyard::formats
