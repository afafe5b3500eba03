// SPDX-License-Identifier: Apache-2.0
// Layouts of whole texts against files. Dates and numbers with decimals are placeholders there, ~ at the end
// of a line is a blank. STEELYARD_WRITE_GOLDEN=1 writes the files anew; read the difference before keeping
// it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "imb_points.hpp"

namespace steelyard::formats {
namespace {

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
