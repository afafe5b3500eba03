// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "beff_reader.hpp"
#include "beff_sources.hpp"
#include "formats/tables/tables.hpp"
#include "record/json.hpp"

namespace steelyard::formats {
namespace {

using analysis::BeffExperiment;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

struct DataSet {
  std::string comment;
  std::vector<std::vector<double>> rows;
};

/// As gnuplot counts data sets: two blank lines end one.
std::vector<DataSet> data_sets(const std::string& text) {
  std::vector<DataSet> sets(1);
  int blank = 0;
  for (const auto& line : lines_of(text)) {
    blank = line.empty() ? blank + 1 : 0;
    if (blank == 2) sets.emplace_back();
    if (line.empty()) continue;
    if (line.front() == '#') {
      sets.back().comment = line;
      continue;
    }
    auto& row = sets.back().rows.emplace_back();
    std::istringstream stream(line);
    for (std::string word; stream >> word;) row.push_back(std::stod(word));
  }
  return sets;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

}  // namespace

TEST(beff_plot, has_ten_data_sets_with_all_columns) {
  const auto sets = data_sets(files_of(BeffExperiment{}).plot);
  ASSERT_THAT(sets, SizeIs(10));
  const std::size_t columns[] = {9,  12, 9,  12, 9,
                                 12, 9,  12, 6,  7};  // P = 8 has 12 additional patterns to draw
  const char* const comments[] = {
      "# Sndrcv: ring & random", "# Sndrcv: additional",     "# Alltoal: ring & random",
      "# Alltoal: additional",   "# non-blk: ring & random", "# non-blk: additional",
      "# best: ring & random",   "# best: additional",       "# compare the methods: ring & random",
      "# compare ring & random"};
  for (std::size_t i = 0; i < sets.size(); ++i) {
    EXPECT_THAT(sets[i].comment, StartsWith(comments[i]));
    EXPECT_THAT(sets[i].rows, SizeIs(21));
    for (const auto& row : sets[i].rows) EXPECT_THAT(row, SizeIs(1 + columns[i])) << i;
  }
}

TEST(beff_plot, rows_have_the_format_of_the_published_release) {
  const auto lines = lines_of(files_of(BeffExperiment{}).plot);
  EXPECT_THAT(matching(lines, "(?=.{10} ) *\\d+ ((?=.{7} ) *[0-9]+\\.[0-9]{3} |\\d{4,}\\.\\d{3} )+"),
              SizeIs(210));
}

TEST(beff_plot, additional_sets_name_all_patterns_but_the_ping_pong) {
  for (const auto& set : data_sets(files_of(BeffExperiment{}).plot)) {
    EXPECT_THAT(set.comment, Not(HasSubstr("PingPong")));
    if (set.comment.starts_with("# best: additional")) {
      EXPECT_EQ(
          set.comment,
          "# best: additional: worst-cyc-1dim, best  bi-section, worst bi-section, acyclic-2dim-all, "
          "acyclic-3dim-all, cyclic-2dim-x, cyclic-2dim-y, cyclic-2dim-all, cyclic-3dim-x, cyclic-3dim-y, "
          "cyclic-3dim-z, cyclic-3dim-all");
    }
  }
}

TEST(beff_plot, values_are_those_of_the_analysis) {
  const BeffExperiment experiment;
  const auto points = beff_points(experiment);
  const analysis::BeffRun run(points);
  const auto sets = data_sets(files_of(experiment).plot);
  const auto mega = [](std::optional<double> byte_s) { return *byte_s / 1e6 / 8; };
  const auto& at = run.result().each_length[15];
  EXPECT_NEAR(sets[6].rows[15][1], mega(at.patterns[0]), 5e-4);
  EXPECT_NEAR(sets[6].rows[15][8], mega(at.sets.random), 5e-4);
  EXPECT_NEAR(sets[3].rows[15][1], mega(run.result().each_method_length[1][15].patterns[36]), 5e-4);
  EXPECT_NEAR(sets[8].rows[15][6], mega(run.result().each_method_length[2][15].sets.random), 5e-4);
  EXPECT_NEAR(sets[9].rows[15][7], mega(at.sets.both), 5e-4);
  for (const auto& row : sets[9].rows) {
    EXPECT_LE(row[1], row[2]);
    EXPECT_LE(row[2], row[3]);
    EXPECT_LE(row[4], row[5]);
    EXPECT_LE(row[5], row[6]);
  }
}

TEST(beff_plot, methods_end_before_the_shortened_last_two) {
  const auto sets = data_sets(files_of(BeffExperiment{.shortened = true}).plot);
  for (const std::size_t i : {0u, 1u, 2u, 3u, 4u, 5u, 8u}) EXPECT_THAT(sets[i].rows, SizeIs(19)) << i;
  for (const std::size_t i : {6u, 7u, 9u}) EXPECT_THAT(sets[i].rows, SizeIs(21)) << i;
}

TEST(beff_gps, draws_ten_figures_in_a_syntax_that_works) {
  const auto gps = files_of(BeffExperiment{}).gps;
  EXPECT_THAT(gps, StartsWith("set term postscript eps noenhanced monochrome 'Times-Roman' 18\n"));
  for (int i = 0; i < 10; ++i)
    EXPECT_EQ(count(gps, "set output 'epsfig" + std::to_string(i) + ".eps'\n"), 1u);
  EXPECT_EQ(count(gps, "with linespoints lt "), 4 * (9u + 12u) + 6 + 7);
  EXPECT_THAT(
      lines_of(gps),
      Contains(
          "     'b_eff.plot' index 1 using 1:3 title 'best  bi-section' with linespoints lt 2 pt 2, \\"));
  EXPECT_THAT(lines_of(gps), Contains("set title 'Best transfer method, additional patterns'"));
}

TEST(beff_gps, prefix_colour_and_range_are_the_users) {
  const auto gps =
      files_of(BeffExperiment{}, {.prefix = "it's", .y_range = std::pair{0.5, 2e6}, .colour = true}).gps;
  EXPECT_THAT(gps, StartsWith("set term postscript eps noenhanced color 'Times-Roman' 18\n"));
  EXPECT_THAT(gps, HasSubstr("'it''s.plot' index 0"));
  EXPECT_THAT(gps, HasSubstr("set yrange [0.5:2e+06]\n"));
}

TEST(beff_gps, range_grows_with_the_machine) {
  EXPECT_THAT(files_of(BeffExperiment{}).gps, HasSubstr("set yrange [0.01:10000]\n"));
  EXPECT_THAT(files_of(BeffExperiment{.byte_s = 5e10}).gps, HasSubstr("set yrange [0.01:100000]\n"));
}

TEST(beff_gps, methods_that_were_not_measured_still_make_a_figure) {
  const auto gps = files_of(BeffExperiment{.without_methods = {1}}).gps;
  EXPECT_EQ(count(gps, "plot NaN title 'not measured'"), 2u);
  EXPECT_EQ(count(gps, "index 8 "), 4u);
}

TEST(beff_tex, has_results_and_ten_figures_in_order) {
  const auto files = files_of(BeffExperiment{});
  std::size_t at = files.tex.find("b\\_eff =");
  ASSERT_NE(at, std::string::npos);
  for (const char* part :
       {"accumulated & 8 &", "per process &  &", "Ping-pong between two processes: latency "}) {
    at = files.tex.find(part, at);
    ASSERT_NE(at, std::string::npos) << part;
  }
  for (int i = 0; i < 10; ++i) {
    at = files.tex.find("{epsfig" + std::to_string(i) + ".eps}", at);
    ASSERT_NE(at, std::string::npos) << i;
  }
  EXPECT_EQ(count(files.tex, "\\newpage"), 5u);
}

TEST(beff_tex, rows_of_the_table_have_ten_columns) {
  const auto rows = matching(lines_of(files_of(BeffExperiment{}).tex), "(accumulated|per process) &.*");
  ASSERT_THAT(rows, SizeIs(2));
  for (const auto& row : rows) EXPECT_EQ(count(row, "&"), 9u) << row;
}

TEST(beff_tex, shows_why_a_run_is_not_valid) {
  const auto tex = files_of(BeffExperiment{.mark = "MOD", .because = "100 % of #1\nsecond_one"}).tex;
  EXPECT_THAT(tex, HasSubstr("\\item 100 \\% of \\#1\n\\item second\\_one\n"));
}

TEST(latex_text, says_every_character_literally) {
  EXPECT_EQ(
      latex_text("#1 SMP x86_64 50% a&b $x {y} ~ ^ \\"),
      "\\#1 SMP x86\\_64 50\\% a\\&b \\$x \\{y\\} \\textasciitilde{} \\textasciicircum{} \\textbackslash{}");
  EXPECT_EQ(latex_text("a--b ?`"), "a{-}{-}b ?{`}");
  EXPECT_EQ(latex_text("<|>\"[*]"), "\\textless{}\\textbar{}\\textgreater{}{\\ttfamily\\char34}{[}{*}{]}");
}

}  // namespace steelyard::formats
