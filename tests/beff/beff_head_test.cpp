// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "beff_reader.hpp"
#include "beff_sources.hpp"
#include "record/json.hpp"

namespace steelyard::formats {
namespace {

using analysis::BeffExperiment;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

std::vector<std::string> head_of(const BeffExperiment& experiment) {
  return section(files_of(experiment).sum, "HEAD");
}

}  // namespace

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

}  // namespace steelyard::formats
