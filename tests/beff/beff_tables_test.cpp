// SPDX-License-Identifier: Apache-2.0
// Data rows of every section, read back independently.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "beff_reader.hpp"
#include "beff_sources.hpp"
#include "record/json.hpp"

namespace steelyard::formats {
namespace {

using analysis::BeffExperiment;
using testing::Contains;
using testing::HasSubstr;
using testing::SizeIs;

std::string operator*(const std::string& text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

const std::string result = " -> " + fixed(7, 3) + " -> " + fixed(10, 3) + " MByte/s";
const std::string average = " \\|\\| " + fixed(7, 3) + " -> " + fixed(10, 3) + " MByte/s";
const std::string accumulated = " \\|\\| " + fixed(7, 3) + " MByte/s";
const std::string cell = " " + fixed(7, 3);
const std::string latency = "\\((?=.{7}\\)) *[0-9.-]+\\)";
const std::string named = " p\\d\\d .{17} :";

std::size_t patterns_of(int processes) {
  return processes == 2 ? 46 : 49;
}

/// Geometric mean of the last column of the pattern rows, as the definition of b_eff combines it.
double b_eff_of_rows(const std::vector<std::string>& rows) {
  double logs[2] = {0, 0};
  for (std::size_t p = 0; p < 36; ++p)
    logs[p < 6 ? 0 : 1] += std::log(last_number(rows.at(p))) / (p < 6 ? 6 : 30);
  return std::exp((logs[0] + logs[1]) / 2);
}

}  // namespace

class beff_tables : public testing::TestWithParam<int> {
 protected:
  BeffExperiment experiment_{.processes = GetParam()};
  BeffFiles files_ = files_of(experiment_);
  std::size_t patterns_ = patterns_of(GetParam());
  [[nodiscard]] std::vector<std::string> rows(const char* name, const std::string& expression) const {
    return matching(section(files_.shorter, name), expression);
  }
};

TEST_P(beff_tables, last_column_by_pattern_and_length_gives_b_eff) {
  const auto found = rows("BY-PATTERN-MSGLNG", named + latency + cell * 6 + result);
  ASSERT_EQ(found.size(), patterns_);
  const double b_eff = std::stod(files_.last_line.substr(files_.last_line.find('=') + 1));
  EXPECT_NEAR(b_eff_of_rows(found), b_eff, 1e-3);
  const auto both =
      rows("BY-PATTERN-MSGLNG", " log_avg\\(ring,random\\)  :" + std::string(9, ' ') + cell * 6 + average);
  ASSERT_THAT(both, SizeIs(1));
  EXPECT_NEAR(last_number(both[0]), b_eff, 1e-3);
}

TEST_P(beff_tables, by_methods_and_by_repetitions_have_a_row_per_pattern) {
  for (const char* name : {"BY-METHODS", "BY-REPETITIONS"}) {
    EXPECT_THAT(rows(name, named + cell * 3 + result), SizeIs(patterns_));
    EXPECT_THAT(rows(name, " log_avg of all rings  :" + cell * 3 + average), SizeIs(1));
    EXPECT_THAT(rows(name, " log_avg of all random :" + cell * 3 + average), SizeIs(1));
    EXPECT_THAT(rows(name, " log_avg\\(ring,random\\)  :" + cell * 3 + average), SizeIs(1));
    EXPECT_THAT(rows(name, " accumulated on all pr\\.:" + cell * 3 + accumulated), SizeIs(1));
  }
}

TEST_P(beff_tables, additional_patterns_are_announced_before_the_first) {
  const auto lines = section(files_.shorter, "BY-METHODS");
  const auto announced =
      std::ranges::find_if(lines, [](const auto& line) { return line.starts_with(" additional"); });
  ASSERT_NE(announced, lines.end());
  EXPECT_THAT(*(announced - 1), testing::StartsWith(" p35 "));
  EXPECT_THAT(*(announced + 1), testing::StartsWith(" p36 worst-cyc-1dim"));
}

TEST_P(beff_tables, by_method_and_length_have_a_row_per_pattern_and_method) {
  const std::string label = " p\\d\\d method \\d =.{7} :";
  EXPECT_THAT(rows("BY-MTHD-MSGLNG", label + latency + cell * 6 + result), SizeIs(3 * patterns_));
  EXPECT_THAT(rows("BY-MTHD-MSGLNG", " p\\d\\d [^:]{17}"), SizeIs(patterns_));
  for (const char* set : {"ring,   ", "random, ", "average,"})
    EXPECT_THAT(
        rows("BY-MTHD-MSGLNG", " - " + std::string(set) + "   method \\d =.{8}:" + cell * 6 + average),
        SizeIs(3));
  EXPECT_THAT(rows("BY-MTHD-MSGLNG", " - accumulated, mthd \\d =.{8}:" + cell * 6 + accumulated), SizeIs(3));
  EXPECT_THAT(
      rows("BY-MTHD-MSGLNG", " p39 method 1 =Alltoal :\\(-------\\)" + std::string(" -------") * 6 + result),
      SizeIs(1));
}

TEST_P(beff_tables, by_length_has_21_rows) {
  EXPECT_THAT(rows("BY-MSGLNG", " (?=.{9}) *\\d+  " + fixed(10, 3) + (" " + fixed(8, 3)) * 6), SizeIs(21));
}

TEST_P(beff_tables, pattern_shapes_have_a_row_each) {
  EXPECT_THAT(rows("PATTERN", " p\\d\\d .{17} (?=.{5}) *\\d+  (?=.{12}) *\\d+  " + fixed(9, 2) + "  " +
                                  fixed(9, 2) + "  (?=.{6}) *\\d+  \\( -1 -1 -1 \\)"),
              SizeIs(patterns_));
}

TEST_P(beff_tables, protocol_has_three_rows_per_loop) {
  const auto lines = section(files_.prot, "VALUES");
  const std::size_t loops = 21 * 3 * patterns_;
  const std::size_t unmeasured = 21 * 2;  // the ping-pong has one method
  EXPECT_THAT(matching(lines, "(?=.{22}min).* p\\d\\d min=" + cell * 3 + " -> " + fixed(7, 3) + " \\(" +
                                  fixed(5, 3) + " s\\)"),
              SizeIs(loops - unmeasured));
  EXPECT_THAT(matching(lines, "(?=.{22}min).* p39 min=  ------  ------  ------ ->  ------ \\(----- s\\)"),
              SizeIs(unmeasured));
  EXPECT_THAT(matching(lines, " {22}avg=" + cell * 3), SizeIs(loops - unmeasured));
  EXPECT_THAT(matching(lines, " {22}avg=   ----    ----    ---- "), SizeIs(unmeasured));
  EXPECT_THAT(matching(lines, " {22}max=    --      --      --  "), SizeIs(unmeasured));
  EXPECT_THAT(matching(lines, " (?=.{10}) *\\d+ mthd0 p00 .*"), SizeIs(21));
  EXPECT_THAT(matching(lines, " {12}mthd[12] p00 .*"), SizeIs(42));
}

TEST_P(beff_tables, loop_lengths_have_21_rows_per_method) {
  const auto lines = section(files_.prot, "LOOPLNGS");
  const std::string time = "\\d\\.\\de[-+]\\d\\d";
  EXPECT_THAT(
      matching(lines, " (?=.{9}) *\\d+ ( (?=.{4}) *\\d+ " + time + " " + time + " " + time + "  ){3}"),
      SizeIs(63));
  EXPECT_THAT(matching(lines, "method=\\d  \\|.*"), SizeIs(3));
  EXPECT_THAT(matching(lines, "\\(=( Sndrcv|Alltoal|non-blk)\\)\\|.*"), SizeIs(3));
}

INSTANTIATE_TEST_SUITE_P(processes, beff_tables, testing::Values(2, 8),
                         [](const auto& test) { return "np" + std::to_string(test.param); });

TEST(beff_by_pattern, last_column_shows_a_planted_error) {
  auto points = beff_points({});
  for (auto& point : points)
    if (record::number(*record::find(point.params, "pattern")) == 2)
      for (double& value : std::get<std::vector<double>>(analysis::member(point, "min_byte_s")))
        value *= 1.01;
  const auto changed = files_of(beff_run_record({}), points);
  const auto rows =
      matching(section(changed.shorter, "BY-PATTERN-MSGLNG"), named + latency + cell * 6 + result);
  const auto usual = files_of(BeffExperiment{}).last_line;
  const double before = std::stod(usual.substr(usual.find('=') + 1));
  EXPECT_NEAR(b_eff_of_rows(rows) / before, std::pow(1.01, 1.0 / 12), 1e-6);
}

TEST(beff_values, spend_warm_up_and_timed_iterations) {
  auto points = beff_points({.repetitions = 1});
  analysis::member(points.front(), "looplength") = std::vector<double>{9};
  analysis::member(points.front(), "repeats_s") = std::vector<double>{9.0};
  const auto files = files_of(beff_run_record({}), points);
  EXPECT_THAT(section(files.prot, "VALUES"),
              Contains("          1 mthd0 p00 min=   0.925 ->   0.925 (10.000 s)"));
  EXPECT_THAT(
      matching(section(files.shorter, "ELAPSED"), "sum over the loops, as measured +:  1\\d\\.\\d{3} sec,.*"),
      SizeIs(1));
}

TEST(beff_elapsed, warns_of_a_difference_above_five_percent_only) {
  const auto head = beff_run_record({});
  const auto points = beff_points({});
  const analysis::BeffRun run(points);
  const auto with = [&](std::optional<double> elapsed_s) {
    return section(beff_files(head, run, analysis::beff_frame(head), elapsed_s).shorter, "ELAPSED");
  };
  const auto sums = matching(with(100.0), "sum over the loops, (as|by).*: " + fixed(7, 3) +
                                              " sec, difference = " + fixed(6, 2) + " %");
  ASSERT_THAT(sums, SizeIs(2));
  const auto seconds = [](const std::string& line) { return std::stod(line.substr(line.find(": ") + 2)); };
  EXPECT_GT(seconds(sums[0]), seconds(sums[1]));
  EXPECT_THAT(with(100.0), Contains(testing::StartsWith("CAUTION")));
  EXPECT_THAT(with((seconds(sums[0]) + seconds(sums[1])) / 2),
              testing::Not(Contains(testing::StartsWith("CAUTION"))));
  EXPECT_THAT(with(std::nullopt), Contains("elapsed time of the run                       : ------- sec"));
}

TEST(beff_shortened, tables_carry_the_marks) {
  const auto files = files_of(BeffExperiment{.shortened = true});
  for (const char* name : {"BY-METHODS", "BY-REPETITIONS", "BY-MTHD-MSGLNG", "BY-MSGLNG"})
    EXPECT_THAT(section(files.shorter, name), Contains(testing::StartsWith("CAUTION"))) << name;
  EXPECT_THAT(section(files.shorter, "BY-PATTERN-MSGLNG"),
              testing::Not(Contains(testing::StartsWith("CAUTION"))));
  const auto loops = section(files.prot, "LOOPLNGS");
  EXPECT_THAT(matching(loops, " +524288 .* M.* M.* M"), SizeIs(3));
  EXPECT_THAT(matching(loops, " +1048576 .* R.* R ---- ------- ------- ------- R"), SizeIs(3));
  EXPECT_THAT(matching(loops, ".* [MR]"), SizeIs(6));
  const auto patterns = section(files.shorter, "PATTERN");
  EXPECT_THAT(matching(patterns, " p\\d\\d .*\\(  2  2  2 \\)"), SizeIs(48));
  EXPECT_THAT(matching(patterns, " p39 .*\\(  0  0  0 \\)"), SizeIs(1));
  EXPECT_THAT(matching(section(files.shorter, "BY-METHODS"), named + " ------- -------" + cell + result),
              SizeIs(48));
}

TEST(beff_shortened, cautions_tell_what_was_left_out) {
  const auto caution_of = [](const BeffExperiment& experiment, const char* name) {
    const auto lines = section(files_of(experiment).shorter, name);
    const auto found =
        std::ranges::find_if(lines, [](const auto& line) { return line.starts_with("CAUTION"); });
    return found == lines.end() ? std::string("none") : *found + '\n' + *std::next(found);
  };
  const BeffExperiment one_method{.shortened = true, .without_methods = {1, 2}};
  EXPECT_EQ(caution_of(one_method, "BY-METHODS"), "none");
  EXPECT_EQ(caution_of(one_method, "BY-MSGLNG"), "none");
  EXPECT_THAT(caution_of(one_method, "BY-REPETITIONS"),
              testing::StartsWith("CAUTION: The last message length was not measured in every repetition"));
  const BeffExperiment two_repetitions{.repetitions = 2, .shortened = true};
  EXPECT_EQ(caution_of(two_repetitions, "BY-REPETITIONS"), "none");
  EXPECT_THAT(caution_of(two_repetitions, "BY-METHODS"), testing::Not(HasSubstr("in every repetition")));
  EXPECT_THAT(caution_of(BeffExperiment{.shortened = true}, "BY-METHODS"), HasSubstr("in every repetition"));
}

TEST(beff_shortened, b_eff_stays) {
  EXPECT_EQ(files_of(BeffExperiment{.shortened = true}).last_line, files_of(BeffExperiment{}).last_line);
}

TEST(beff_unshortened, tables_carry_no_marks) {
  const auto files = files_of(BeffExperiment{});
  EXPECT_THAT(files.shorter.substr(files.shorter.find("SECTION-PATTERN")),
              testing::Not(HasSubstr("CAUTION")));
  EXPECT_THAT(matching(section(files.prot, "LOOPLNGS"), " +\\d+ .* [MR]"), SizeIs(0));
}

}  // namespace steelyard::formats
