// SPDX-License-Identifier: Apache-2.0
// The whole files: sections, last line, writing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "beff_reader.hpp"
#include "beff_sources.hpp"
#include "formats/beff/files.hpp"
#include "record/file.hpp"
#include "record/json.hpp"

namespace steelyard::formats {
namespace {

using analysis::BeffExperiment;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;

const BeffFiles& usual() {
  static const BeffFiles files = files_of(BeffExperiment{});
  return files;
}

record::PointRecord& first(std::vector<record::PointRecord>& points) {
  return points.front();
}

TEST(beff_files, have_the_sections_in_order) {
  EXPECT_THAT(section_names(usual().prot), ElementsAre("HEAD", "LOOP", "LOOPLNGS", "VALUES"));
  EXPECT_THAT(section_names(usual().shorter),
              ElementsAre("HEAD", "ELAPSED", "PATTERN", "BY-METHODS", "BY-REPETITIONS", "BY-MTHD-MSGLNG",
                          "BY-MSGLNG", "BY-PATTERN-MSGLNG", "BEFF"));
  EXPECT_THAT(section_names(usual().sum), ElementsAre("HEAD", "BEFF"));
}

TEST(beff_files, end_with_the_same_line) {
  for (const auto* text : {&usual().prot, &usual().shorter, &usual().sum})
    EXPECT_EQ(last_line_of(*text), usual().last_line);
}

TEST(beff_last_line, has_the_format_of_the_published_release) {
  EXPECT_THAT(
      matching({usual().last_line}, "b_eff = " + fixed(10, 3) + " MB/s = " + fixed(7, 3) +
                                        " \\*   8 PEs with 128 MB/PE on Linux n001 6\\.1\\.0-18-amd64 #1 SMP "
                                        "PREEMPT_DYNAMIC Debian 6\\.1\\.76-1 \\(2024-02-01\\) x86_64"),
      testing::SizeIs(1));
}

TEST(beff_last_line, marks_what_is_not_official) {
  EXPECT_THAT(files_of(BeffExperiment{.mark = "SHORT", .because = "2 repetitions"}).last_line,
              StartsWith("b_effSHORT = "));
  auto points = beff_points({});
  first(points).status = record::Status::partial;
  EXPECT_THAT(files_of(beff_run_record({}), points).last_line, StartsWith("b_effMOD = "));
  first(points).verified = false;
  EXPECT_THAT(files_of(beff_run_record({}), points).last_line, StartsWith("b_effINVALID = "));
}

TEST(beff_last_line, has_dashes_where_a_ring_is_missing) {
  auto points = beff_points({});
  first(points).status = record::Status::failed;
  std::erase_if(points, [](const auto& p) {
    return record::number(*record::find(p.params, "pattern")) == 3 &&
           record::number(*record::find(p.params, "message_byte")) == 32;
  });
  const auto files = files_of(beff_run_record({}), points);
  EXPECT_THAT(files.last_line, StartsWith("b_effMOD =    ------- MB/s = ------- *   8 PEs"));
  EXPECT_THAT(files.sum, HasSubstr("NOT VALID"));
}

TEST(beff_last_line, is_one_line_of_ascii_whatever_the_system_says) {
  const auto files = files_of(hostile(beff_run_record({})), beff_points({}));
  EXPECT_THAT(files.last_line, HasSubstr(" on Li_nux#&%$ {node}~^\\end{document} 6.1 \\input{x} -- "));
  EXPECT_EQ(last_line_of(files.sum), files.last_line);
  for (const auto* text : {&files.prot, &files.shorter, &files.sum, &files.plot, &files.gps, &files.tex})
    for (const char c : *text) ASSERT_TRUE((c >= ' ' && c <= '~') || c == '\n') << static_cast<int>(c);
}

TEST(beff_files, of_a_run_without_configuration_and_machine_have_dashes) {
  record::RunRecord bare;
  bare.processes = 8;
  const auto files = files_of(bare, beff_points({}));
  EXPECT_THAT(files.last_line, HasSubstr("PEs with --- MB/PE on - - - - -"));
  EXPECT_THAT(files.sum, HasSubstr("MEMORY_PER_PROCESSOR = - MBytes"));
}

class beff_written : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(directory_); }
  void TearDown() override { std::filesystem::remove_all(directory_); }
  [[nodiscard]] std::string content(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(directory_ / name, std::ios::binary).rdbuf();
    return text.str();
  }
  std::filesystem::path directory_ =
      std::filesystem::path(testing::TempDir()) /
      (std::string("beff_written_") + testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(beff_written, files_have_prefix_and_content) {
  write_files(directory_ / "my.run", usual().named(), Existing::refuse);
  EXPECT_EQ(content("my.run.prot"), usual().prot);
  EXPECT_EQ(content("my.run.short"), usual().shorter);
  EXPECT_EQ(content("my.run.sum"), usual().sum);
  EXPECT_EQ(content("my.run.plot"), usual().plot);
  EXPECT_EQ(content("my.run.gps"), usual().gps);
  EXPECT_EQ(content("my.run.tex"), usual().tex);
}

TEST_F(beff_written, a_link_that_leads_nowhere_yet_is_a_file_of_somebody_and_stays) {
  const auto link = directory_ / "b_eff.sum";
  std::filesystem::create_symlink("elsewhere", link);
  EXPECT_THROW(check_files(directory_ / "b_eff", BeffFiles{}.named(), Existing::refuse), record::WriteError);
  check_files(directory_ / "b_eff", BeffFiles{}.named(), Existing::overwrite);
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_FALSE(std::filesystem::exists(directory_ / "b_eff.prot"));
}

TEST_F(beff_written, files_are_not_replaced_unasked) {
  std::ofstream(directory_ / "b_eff.tex") << "mine";
  EXPECT_THROW(write_files(directory_ / "b_eff", usual().named(), Existing::refuse), record::WriteError);
  EXPECT_EQ(content("b_eff.tex"), "mine");
  EXPECT_FALSE(std::filesystem::exists(directory_ / "b_eff.prot"));
  write_files(directory_ / "b_eff", usual().named(), Existing::overwrite);
  EXPECT_EQ(content("b_eff.tex"), usual().tex);
}

std::string objection(const std::filesystem::path& prefix, Existing existing) {
  try {
    check_files(prefix, BeffFiles{}.named(), existing);
    return "none";
  } catch (const record::WriteError& error) {
    return error.what();
  }
}

TEST_F(beff_written, check_finds_what_writing_would_and_leaves_nothing) {
  EXPECT_EQ(objection(directory_ / "b_eff", Existing::refuse), "none");
  EXPECT_TRUE(std::filesystem::is_empty(directory_));
  EXPECT_THAT(objection(directory_ / "absent" / "b_eff", Existing::refuse),
              HasSubstr("b_eff.prot': No such file or directory"));
  std::filesystem::create_directory(directory_ / "b_eff.gps");
  EXPECT_THAT(objection(directory_ / "b_eff", Existing::refuse), HasSubstr("b_eff.gps' exists"));
  EXPECT_THAT(objection(directory_ / "b_eff", Existing::overwrite), HasSubstr("b_eff.gps': Is a directory"));
}

TEST_F(beff_written, check_does_not_touch_a_file_that_may_be_replaced) {
  std::ofstream(directory_ / "b_eff.sum") << "mine";
  EXPECT_EQ(objection(directory_ / "b_eff", Existing::overwrite), "none");
  EXPECT_EQ(content("b_eff.sum"), "mine");
}

TEST_F(beff_written, nowhere_is_an_error) {
  EXPECT_THROW(write_files(directory_ / "absent" / "b_eff", usual().named(), Existing::refuse),
               record::WriteError);
}

std::vector<std::string> head_of(const BeffExperiment& experiment) {
  return section(files_of(experiment).sum, "HEAD");
}

TEST(beff_head, says_memory_grids_lengths_and_methods) {
  const auto head = head_of({});
  EXPECT_THAT(head, Contains("MEMORY_PER_PROCESSOR = 128 MBytes  [1M = 1024*1024]"));
  EXPECT_THAT(head, Contains("2-dim-patterns: size = 4 * 2"));
  EXPECT_THAT(head, Contains("3-dim-patterns: size = 2 * 2 * 2"));
  EXPECT_THAT(head, Contains("Used message lengths:"));
  EXPECT_THAT(
      head,
      Contains("msglng= 1 2 4 8 16 32 64 128 256 512 1024 2048 4096 8192 16384 32768 65536 131072 262144 "
               "524288 1048576"));
  EXPECT_THAT(head, Contains("Used methods:  0=Sndrcv  1=Alltoal  2=non-blk"));
}

TEST(beff_head, lists_four_patterns_a_line) {
  const auto head = head_of({});
  EXPECT_THAT(head, Contains("Used patterns:  0=ring-4*2fix        1=ring-2*4fix        2=ring-1*8fix        "
                             "3=ring-1*8fix      "));
  EXPECT_THAT(matching(head, " {14}( [ 0-9]{2}=.{17}){4}"), SizeIs(11));
  EXPECT_THAT(matching(head, " {14} 48=cyclic-3dim-all  "), SizeIs(1));
}

TEST(beff_head, tells_the_real_range_of_patterns) {
  EXPECT_THAT(matching(head_of({}), "patterns +\\d+ - +\\d+: .*"),
              ElementsAre(testing::StartsWith("patterns  0 -  5: ring"),
                          testing::StartsWith("patterns  6 - 35: random"),
                          testing::StartsWith("patterns 36 - 48: additional")));
  EXPECT_THAT(head_of({.processes = 2}), Contains(testing::StartsWith("patterns 36 - 45: additional")));
}

TEST(beff_head, tells_surroundings_and_seed) {
  auto run = beff_run_record({});
  run.layout = record::Json{{"hosts", {"a", "b"}}, {"ranks", {{0, 4}, {1, 3}, {0, 1}}}};
  const auto head = section(files_of(run, beff_points({})).sum, "HEAD");
  EXPECT_THAT(head, Contains("number of processes  = 8"));
  EXPECT_THAT(head, Contains("threads per process  = 2"));
  EXPECT_THAT(head, Contains("processes per node   = 3 to 5"));
  EXPECT_THAT(head, Contains("ranks in their order = 4 on a, 3 on b, 1 on a"));
  EXPECT_THAT(head, Contains("MPI library          = Open MPI v4.1.4"));
  EXPECT_THAT(head, Contains("seed of the polygons = 1"));
}

TEST(beff_overview, has_results_system_and_time) {
  const auto lines = section(files_of(BeffExperiment{}).sum, "BEFF");
  EXPECT_THAT(lines, Contains("system parameters  : 2 nodes, 512 MB/node"));
  EXPECT_THAT(lines, Contains("       system name : Linux"));
  EXPECT_THAT(lines, Contains("       hostname    : n001"));
  EXPECT_THAT(lines, Contains("       OS release  : 6.1.0-18-amd64"));
  EXPECT_THAT(lines, Contains("       machine     : x86_64"));
  EXPECT_THAT(lines, Contains("Date of measurement: Fri Nov 20 08:36:21 2026"));
  EXPECT_THAT(lines, Contains("Total execution wall clock time =   100 seconds"));
  EXPECT_THAT(lines, Contains("validity: VALID"));
}

TEST(beff_overview, table_has_the_columns_of_the_published_release) {
  const auto lines = section(files_of(BeffExperiment{}).sum, "BEFF");
  EXPECT_THAT(matching(lines, "accumulated \\|  " + fixed(5, 0) + "    " + fixed(9, 0) + "   " + fixed(3, 0) +
                                  " MB  " + fixed(9, 0) + "    " + fixed(9, 0) + "    " + fixed(6, 3) +
                                  "    " + fixed(6, 3) + "    " + fixed(6, 3) + "    " + fixed(9, 0)),
              SizeIs(1));
  EXPECT_THAT(matching(lines, "per process \\|           " + fixed(9, 0) + "           " + fixed(9, 0) +
                                  "    " + fixed(9, 0)),
              SizeIs(1));
}

TEST(beff_overview, a_short_lmax_is_told_in_kilobytes) {
  const auto told = [](Bytes longest) {
    const BeffFiles files = files_of(BeffExperiment{.longest = longest});
    return std::pair{files.sum, files.tex};
  };
  for (const auto& [longest, text] : {std::pair<Bytes, std::string>{Bytes{65536}, " 64 kB "},
                                      {Bytes{4104}, "4.0 kB "},
                                      {mebi, "  1 MB "},
                                      {Bytes{1572864}, "1.5 MB "},
                                      {128 * mebi, "128 MB "}}) {
    const auto [sum, tex] = told(longest);
    EXPECT_THAT(matching(lines_of(sum), "accumulated \\|.*"), Contains(HasSubstr(text)));
    EXPECT_THAT(matching(lines_of(tex), "accumulated &.*"),
                Contains(HasSubstr("& " + text.substr(text.find_first_not_of(' ')) + "&")));
  }
}

TEST(beff_overview, ring_latency_counts_the_processes) {
  const BeffExperiment experiment;
  const auto points = beff_points(experiment);
  const double expected_us = *analysis::BeffRun(points).derived().ring_latency_s * 1e6;
  const auto rows = matching(section(files_of(experiment).sum, "BEFF"), "latency, rings only +=.*");
  ASSERT_THAT(rows, SizeIs(1));
  EXPECT_NEAR(std::stod(rows[0].substr(rows[0].find('=') + 1)), expected_us, 5e-4);
  EXPECT_GT(expected_us, 1.0);  // the fastest process needs 1 microsec
}

TEST(beff_overview, has_balance_only_where_the_solver_rate_is_known) {
  auto run = beff_run_record({});
  EXPECT_THAT(section(files_of(run, beff_points({})).sum, "BEFF"),
              testing::Not(Contains(testing::HasSubstr("R_max"))));
  run.config.json()["b-eff"]["rmax_flop_s"] = 1e12;
  const auto lines = section(files_of(run, beff_points({})).sum, "BEFF");
  EXPECT_THAT(lines, Contains("R_max                             =     1000.000 Gflop/s"));
  EXPECT_THAT(matching(lines, "balance factor b_eff / R_max +=  +0\\.00\\d{4} byte/flop"), SizeIs(1));
}

}  // namespace
}  // namespace steelyard::formats
