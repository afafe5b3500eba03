// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "suites/hpcc/input/file.hpp"

using namespace steelyard::hpcc;

namespace {

using Lines = std::vector<std::string>;

/// A file whose every value differs from the default.
Lines sample() {
  return {"title",
          "more title",
          "HPL.out      output file name (if any)",
          "8            device out",
          "4            # of problems sizes (N)",
          "29 30 34 35  Ns",
          "3            # of NBs",
          "1 2   3      NBs",
          "0            PMAP process mapping",
          "3            # of process grids (P x Q)",
          "2 1 4        Ps",
          "2 4 1        Qs",
          "16.0         threshold",
          "3            # of panel fact",
          "0 1 2        PFACTs",
          "2            # of recursive stopping criterium",
          "2 4          NBMINs (>= 1)",
          "1            # of panels in recursion",
          "3            NDIVs",
          "3            # of recursive panel fact.",
          "2 1 0        RFACTs",
          "6            # of broadcast",
          "0 1 2 3 4 5  BCASTs",
          "2            # of lookahead depth",
          "0 3          DEPTHs",
          "0            SWAP",
          "60           swapping threshold",
          "1            L1",
          "1            U",
          "0            Equilibration",
          "4            memory alignment in double (> 0)",
          "##### This line",
          "2            Number of additional problem sizes for PTRANS",
          "1200 16      values of N",
          "1            number of additional blocking sizes for PTRANS",
          "40 9         values of NB"};
}

std::string joined(const Lines& lines, const std::string& end = "\n") {
  std::string text;
  for (const auto& line : lines) text += line + end;
  return text;
}

Lines with(int line, const std::string& text) {
  auto lines = sample();
  lines[static_cast<std::size_t>(line - 1)] = text;
  return lines;
}

std::vector<InputFault> faults(const std::string& text, std::optional<int> processes = std::nullopt) {
  try {
    static_cast<void>(read_input(text, "hpccinf.txt", {}, processes));
  } catch (const InputError& error) {
    return error.faults();
  }
  return {};
}

bool same(const Settings& a, const Settings& b) {
  const auto& x = a.solver;
  const auto& y = b.solver;
  return a.problem.orders == b.problem.orders && a.problem.blocks == b.problem.blocks &&
         a.problem.grids == b.problem.grids && a.extra_orders == b.extra_orders &&
         a.extra_blocks == b.extra_blocks && a.threshold == b.threshold && x.mapping == y.mapping &&
         x.panel == y.panel && x.stop == y.stop && x.parts == y.parts && x.recursive == y.recursive &&
         x.broadcast == y.broadcast && x.depth == y.depth && x.swap == y.swap &&
         x.swap_threshold == y.swap_threshold && x.l1 == y.l1 && x.u == y.u &&
         x.equilibration == y.equilibration && x.alignment == y.alignment;
}

TEST(input_file, every_line_is_read) {
  const auto file = read_input(joined(sample()), "hpccinf.txt");
  const auto& [orders, blocks, grids] = file.settings.problem;
  EXPECT_EQ(orders, (std::vector<std::int64_t>{29, 30, 34, 35}));
  EXPECT_EQ(blocks, (std::vector<std::int64_t>{1, 2, 3}));
  EXPECT_EQ(grids, (std::vector<Grid>{{2, 2}, {1, 4}, {4, 1}}));
  EXPECT_EQ(file.settings.threshold, 16.0);
  EXPECT_EQ(file.settings.extra_orders, (std::vector<std::int64_t>{1200, 16}));
  EXPECT_EQ(file.settings.extra_blocks, (std::vector<std::int64_t>{40}));
  const auto& options = file.settings.solver;
  using enum hpl::Factorisation;
  EXPECT_EQ(options.mapping, hpl::Mapping::row_major);
  EXPECT_EQ(options.panel, (std::vector{left, crout, right}));
  EXPECT_EQ(options.recursive, (std::vector{right, crout, left}));
  EXPECT_EQ(options.stop, (std::vector{2, 4}));
  EXPECT_EQ(options.parts, (std::vector{3}));
  EXPECT_EQ(options.broadcast.size(), 6U);
  EXPECT_EQ(options.broadcast.back(), hpl::Broadcast::spread_roll_modified);
  EXPECT_EQ(options.depth, (std::vector{0, 3}));
  EXPECT_EQ(options.swap, hpl::Swap::binary_exchange);
  EXPECT_EQ(options.swap_threshold, 60);
  EXPECT_EQ(options.l1, hpl::Storage::plain);
  EXPECT_EQ(options.u, hpl::Storage::plain);
  EXPECT_EQ(options.equilibration, hpl::Equilibration::no);
  EXPECT_EQ(options.alignment, 4);
}

TEST(input_file, other_settings_stay_as_they_were) {
  Settings base;
  base.seed = 7;
  base.form = Form::base;
  const auto file = read_input(joined(sample()), "x", base);
  EXPECT_EQ(file.settings.seed, 7U);
  EXPECT_EQ(file.settings.form, Form::base);
}

TEST(input_file, line_ends_blanks_and_a_byte_order_mark_change_nothing) {
  const auto expected = read_input(joined(sample()), "x").settings;
  EXPECT_TRUE(same(read_input("\xef\xbb\xbf" + joined(sample(), "\r\n"), "x").settings, expected));
  EXPECT_TRUE(same(read_input(joined(with(6, "\t29    30 34\t \t35")), "x").settings, expected));
  EXPECT_TRUE(same(read_input(joined(with(1, std::string(2000, 'x'))), "x").settings, expected));
  EXPECT_TRUE(same(read_input(joined(sample(), "\n") + "37\n\n", "x").settings, expected));
}

TEST(input_file, tail_of_the_ptrans_lines_may_be_missing) {
  for (const std::size_t lines : {31U, 32U}) {
    auto text = sample();
    text.resize(lines);
    const auto settings = read_input(joined(text) + "\n  \n", "HPL.dat").settings;
    EXPECT_TRUE(settings.extra_orders.empty());
    EXPECT_TRUE(settings.extra_blocks.empty());
  }
  auto text = sample();
  text.resize(34);
  EXPECT_EQ(read_input(joined(text), "x").settings.extra_orders.size(), 2U);
}

TEST(input_file, missing_line_of_the_solver_is_told_once) {
  auto text = sample();
  text.resize(13);
  const auto found = faults(joined(text));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].line, 14);
  EXPECT_EQ(found[0].found, "end of file");
  EXPECT_EQ(faults("").at(0).line, 5);
}

TEST(input_file, announced_values_that_are_missing_are_a_fault) {
  auto text = sample();
  text.resize(33);
  EXPECT_EQ(faults(joined(text)).at(0).line, 34);
  const auto found = faults(joined(with(6, "29 30 Ns")));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0], (InputFault{6, "value 3 of 4: N must be a whole number from 0 to 2147483647", "Ns"}));
  EXPECT_EQ(faults(joined(with(6, "29 30"))).at(0).found, "end of line");
}

struct Range {
  int line;
  std::vector<std::string> good, bad;
};

class EveryLine : public testing::TestWithParam<Range> {};

TEST_P(EveryLine, accepts_both_ends_of_its_range_and_tells_what_is_outside) {
  const auto& range = GetParam();
  for (const auto& word : range.good) EXPECT_EQ(faults(joined(with(range.line, word))).size(), 0U) << word;
  for (const auto& word : range.bad) {
    const auto found = faults(joined(with(range.line, word)));
    ASSERT_EQ(found.size(), 1U) << range.line << ' ' << word;
    EXPECT_EQ(found[0].line, range.line);
    EXPECT_TRUE((' ' + word + ' ').find(' ' + found[0].found + ' ') != std::string::npos) << found[0].found;
  }
}

INSTANTIATE_TEST_SUITE_P(
    lines, EveryLine,
    testing::Values(
        Range{4, {"6", "7", "-1"}, {"x", "1.5"}}, Range{5, {"1", "4"}, {"0", "21", "x", "-1", "1e1"}},
        Range{6, {"0 1 2 2147483647"}, {"1 2 3 -1", "1 2 3 2147483648", "1 2 3 4.0"}},
        Range{7, {"1", "3"}, {"0", "21"}}, Range{8, {"1 1 1"}, {"1 0 1", "1 1 x"}},
        Range{9, {"0", "1"}, {"2", "-1", "R"}}, Range{10, {"1", "3"}, {"0", "21"}},
        Range{11, {"1 1 1"}, {"1 1 0", "1 x 1"}}, Range{12, {"1 1 1"}, {"0 1 1"}},
        Range{13, {"0", "-1.5", "1e-3", "16"}, {"x", "1,5", "nan", "inf"}},
        Range{14, {"1", "3"}, {"0", "21"}}, Range{15, {"0 1 2"}, {"0 1 3", "0 1 -1"}},
        Range{16, {"1", "2"}, {"0", "21"}}, Range{17, {"1 1"}, {"1 0"}}, Range{18, {"1"}, {"0", "21"}},
        Range{19, {"2"}, {"1", "x"}}, Range{20, {"1", "3"}, {"0", "21"}}, Range{21, {"0 2 1"}, {"0 1 3"}},
        Range{22, {"1", "6"}, {"0", "21"}}, Range{23, {"5 4 3 2 1 0"}, {"0 1 2 3 4 6", "0 1 2 3 4 -1"}},
        Range{24, {"1", "2"}, {"0", "21"}}, Range{25, {"0 0"}, {"0 -1"}}, Range{26, {"0", "2"}, {"3", "-1"}},
        Range{27, {"0", "64"}, {"-1", "x"}}, Range{28, {"0", "1"}, {"2"}}, Range{29, {"0", "1"}, {"2"}},
        Range{30, {"0", "1"}, {"2"}}, Range{31, {"1", "64"}, {"0", "-8"}}, Range{33, {"0", "1"}, {"-1", "x"}},
        Range{34, {"-5 3"}, {"x 3", "3 y"}}, Range{35, {"0", "2"}, {"-1", "x"}},
        Range{36, {"1"}, {"0", "x"}}));

TEST(input_file, all_faults_are_listed_with_name_line_and_word) {
  auto lines = with(9, "5");
  lines[6] = "none";
  lines[25] = "3 SWAP";
  try {
    static_cast<void>(read_input(joined(lines), "my.dat"));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "my.dat:7: the number of values must be a whole number from 1 to 20, found \"none\"\n"
                 "my.dat:9: PMAP must be 0 (row-major) or 1 (column-major), found \"5\"\n"
                 "my.dat:26: SWAP must be 0 (bin-exch), 1 (long) or 2 (mix), found \"3\"");
  }
}

TEST(input_file, grid_needs_no_more_than_the_processes_of_the_run) {
  EXPECT_TRUE(faults(joined(sample()), 4).empty());
  const auto found = faults(joined(sample()), 3);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[1], (InputFault{12, "a grid of 1 x 4 needs more than the 3 processes of this run", "4"}));
}

TEST(input_file, what_is_not_used_is_told) {
  EXPECT_TRUE(read_input(joined(sample()), "x").notes.empty());
  auto lines = with(35, "22");
  lines[35].clear();
  for (int i = 0; i < 22; ++i) lines[35] += "8 ";
  const auto capped = read_input(joined(lines), "x");
  EXPECT_EQ(capped.settings.extra_blocks.size(), 20U);
  EXPECT_EQ(capped.notes.at(0), (InputNote{35, "only the first 20 of 22 values are used"}));
}

TEST(input_file, text_that_is_written_says_the_same) {
  for (const std::string threshold : {"16", "-1", "0.0001", "12.5"}) {
    const auto settings = read_input(joined(with(13, threshold)), "x").settings;
    const auto text = write_input(settings);
    EXPECT_EQ(std::ranges::count(text, '\n'), 36);
    EXPECT_TRUE(same(read_input(text, "written").settings, settings)) << text;
  }
  Settings defaults;
  defaults.problem = default_problem(64, 6);
  EXPECT_TRUE(same(read_input(write_input(defaults), "written", {}, 6).settings, defaults));
}

}  // namespace
