// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

#include "analysis/hpcc_summary.hpp"
#include "hpcc_points.hpp"
#include "suites/hpcc/summary_keys.hpp"

namespace steelyard::formats {
namespace {

using Strings = std::vector<std::string>;

Strings lines(const std::string& text) {
  std::istringstream in(text);
  Strings all;
  for (std::string line; std::getline(in, line);) all.push_back(line);
  return all;
}

std::string section(const std::string& text, const std::string& name) {
  const auto from = text.find("Begin of " + name + " section.\n");
  const auto to = text.find("End of " + name + " section.\n");
  return from == text.npos || to == text.npos ? "" : text.substr(from, to - from);
}

Strings sections(const std::string& text) {
  Strings names;
  const std::regex begin("Begin of (\\w+) section\\.");
  for (const auto& line : lines(text))
    if (std::smatch found; std::regex_match(line, found, begin)) names.push_back(found[1]);
  return names;
}

/// key=value of the Summary, as a reader that knows nothing of this program takes them.
std::map<std::string, std::string> pairs(const std::string& text) {
  std::map<std::string, std::string> found;
  for (const auto& line : lines(section(text, "Summary")))
    if (const auto sign = line.find('='); sign != line.npos)
      found[line.substr(0, sign)] = line.substr(sign + 1);
  return found;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

/// Sizes of this machine's types as those of the golden file's machine; a size that is not this machine's stays.
std::string of_64_bit(std::string text) {
  const std::map<std::string, std::size_t> sizes{
      {"long", sizeof(long)}, {"void_ptr", sizeof(void*)}, {"size_t", sizeof(std::size_t)}};
  for (const auto& [type, byte] : sizes) {
    const std::string line = "sizeof_" + type + "=";
    text = std::regex_replace(text, std::regex(line + std::to_string(byte) + "\n"), line + "8\n");
  }
  return text;
}

TEST(hpcc_text, is_the_golden_file_byte_by_byte) {
  const auto text = of_64_bit(hpcc_output(hpcc_points()));
  const std::string golden = GOLDEN_DIRECTORY "/hpccoutf.txt";
  if (std::getenv("STEELYARD_WRITE_GOLDEN") != nullptr) std::ofstream(golden) << text;
  std::ifstream in(golden);
  const std::string expected(std::istreambuf_iterator<char>(in), {});
  EXPECT_EQ(text, expected);
}

TEST(hpcc_text, has_the_sections_in_the_order_of_the_suite) {
  EXPECT_EQ(sections(hpcc_output(hpcc_points())),
            (Strings{"MPIRandomAccess", "StarRandomAccess", "SingleRandomAccess", "MPIRandomAccess_LCG",
                     "StarRandomAccess_LCG", "SingleRandomAccess_LCG", "PTRANS", "StarDGEMM", "SingleDGEMM",
                     "StarSTREAM", "SingleSTREAM", "MPIFFT", "StarFFT", "SingleFFT", "LatencyBandwidth",
                     "HPL", "Summary"}));
}

TEST(hpcc_text, every_key_of_the_summary_comes_back_with_its_value) {
  const auto points = hpcc_points();
  const auto summary = analysis::hpcc_summary(points, analysis::hpcc_frame(hpcc_run())).value();
  const auto found = pairs(hpcc_output(points));
  EXPECT_EQ(found.size(), summary.classic.size());
  for (const auto& [name, value] : summary.classic) {
    ASSERT_TRUE(found.contains(name)) << name;
    const auto& word = found.at(name);
    if (const auto* text = std::get_if<std::string>(&value)) {
      auto told = *text;
      std::ranges::replace(told, ' ', '_');
      EXPECT_EQ(word, told) << name;
    } else {
      const double number = record::number(value);
      EXPECT_NEAR(std::stod(word), number, 1e-6 * std::abs(number)) << name;
    }
  }
}

TEST(hpcc_text, keys_are_in_the_order_of_the_table) {
  const auto body = lines(section(hpcc_output(hpcc_points()), "Summary"));
  std::size_t at = 1;
  for (const auto& key : steelyard::hpcc::summary_keys())
    EXPECT_EQ(body.at(at++).rfind(std::string(key.name) + '=', 0), 0U) << key.name;
  EXPECT_EQ(body.at(at).rfind("Sy_", 0), 0U);
}

TEST(hpcc_text, rates_have_digits_around_a_point_and_no_exponent) {
  const std::regex plain("-?[0-9]+\\.[0-9]+");
  const auto found = pairs(hpcc_output(hpcc_points()));
  for (const auto& key : steelyard::hpcc::summary_keys()) {
    if (key.format != steelyard::hpcc::KeyFormat::rate) continue;
    const auto& word = found.at(std::string(key.name));
    EXPECT_TRUE(std::regex_match(word, plain)) << word;
  }
  EXPECT_EQ(found.at("MPIRandomAccess_GUPs"), "0.0000812346");
  EXPECT_EQ(found.at("HPL_dMACH_SFMIN"), "2.225074e-308");
  EXPECT_EQ(found.at("HPL_N"), "2000");
  EXPECT_EQ(found.at("HPL_ctop"), "1");
  EXPECT_EQ(found.at("HPLMaxProcs"), "2");
  EXPECT_EQ(found.at("Success"), "1");
}

TEST(hpcc_text, what_was_not_run_keeps_the_initial_value) {
  auto points = hpcc_points();
  points.resize(1);
  const auto found = pairs(hpcc_output(points));
  EXPECT_EQ(found.at("HPL_Tflops"), "-1");
  EXPECT_EQ(found.at("HPL_N"), "-1");
  EXPECT_EQ(found.at("HPL_ctop"), "-");
  EXPECT_EQ(found.at("STREAM_Threads"), "1");
  EXPECT_EQ(found.at("SingleRandomAccess_LCG_GUPs"), "-1");
  EXPECT_EQ(found.at("MPIFFT_time0"), "0");
}

TEST(hpcc_text, every_line_of_the_summary_is_a_key_and_one_word) {
  auto points = hpcc_points();
  points[0].classic.emplace_back("Sy_BLAS_trial", std::string("OpenBLAS 0.3: 49.5, BLIS 0.9: 47 Gflop/s"));
  points[0].classic.emplace_back("Sy_BLAS_advice", std::string("Take another library."));
  const auto text = hpcc_output(points);
  const std::regex pair("^\\S+=\\S+$");
  auto body = lines(section(text, "Summary"));
  body.erase(body.begin());
  for (const auto& line : body) EXPECT_TRUE(std::regex_match(line, pair)) << line;
  EXPECT_EQ(pairs(text).at("Sy_BLAS_trial"), "OpenBLAS_0.3:_49.5,BLIS_0.9:_47_Gflop/s");
  EXPECT_FALSE(pairs(text).contains("Sy_BLAS_advice"));
  EXPECT_TRUE(has(section(text, "MPIRandomAccess"), "\nTake another library.\n"));
}

TEST(hpcc_text, whole_numbers_of_the_summary_have_no_point) {
  const auto found = pairs(hpcc_output(hpcc_points()));
  EXPECT_EQ(found.at("MPIRandomAccess_TimeBound"), "60");
  EXPECT_EQ(found.at("MPIRandomAccess_ErrorsFraction"), "0");
  EXPECT_EQ(found.at("MemProc"), "-1");
  EXPECT_EQ(found.at("SingleDGEMM_Gflops"), "36.0");
}

TEST(hpcc_text, number_beyond_all_whole_ones_is_the_largest) {
  auto points = hpcc_points();
  for (auto& point : points)
    for (auto& [name, value] : point.classic)
      if (name == "HPL_N") value = 1e19;
  EXPECT_EQ(pairs(hpcc_output(points)).at("HPL_N"), "9223372036854775807");
}

TEST(hpcc_text, time_and_rate_of_a_section_are_two_forms_of_one_figure) {
  const std::regex time("Real time used = ([0-9.]+) seconds"),
      rate("([0-9.]+) Billion\\(10\\^9\\) Updates    per");
  const auto body = section(hpcc_output(hpcc_points()), "StarRandomAccess");
  std::smatch seconds, updates;
  ASSERT_TRUE(std::regex_search(body, seconds, time));
  ASSERT_TRUE(std::regex_search(body, updates, rate));
  EXPECT_NEAR(std::stod(seconds[1]) * std::stod(updates[1]) * 1e9, 4.0 * (1 << 19), 10);
}

/// The machine was in several states: `time_s` is of the one with most executions, the rate of all of them.
TEST(hpcc_text, time_of_a_section_is_of_the_executions_that_its_rate_is_of) {
  auto points = hpcc_points();
  for (auto& point : points)
    if (point.benchmark.ends_with("RandomAccess") || point.benchmark.ends_with("FFT"))
      point.classic.emplace_back("passes_s", std::vector<double>{0.75, 2.0, 0.25});
  const auto text = hpcc_output(points);
  EXPECT_TRUE(has(section(text, "SingleRandomAccess"), "\nReal time used = 0.750000 seconds\n"));
  EXPECT_TRUE(has(section(text, "SingleFFT"), "\nComputing:     0.750\n"));
  EXPECT_EQ(pairs(text).at("Sy_SingleRandomAccess_median_s"), "0.75");
  EXPECT_EQ(pairs(text).at("Sy_SingleRandomAccess_spread"), "2.33333");
}

TEST(hpcc_text, time_of_a_section_is_that_of_the_first_execution_where_its_rate_is) {
  auto points = hpcc_points();
  for (auto& point : points)
    if (point.benchmark.ends_with("RandomAccess") || point.benchmark.ends_with("FFT")) {
      point.classic.emplace_back("passes_s", std::vector<double>{2.0, 0.75, 0.25});
      point.classic.emplace_back("figure_s", 2.0);
    }
  const auto text = hpcc_output(points);
  EXPECT_TRUE(has(section(text, "SingleRandomAccess"), "\nReal time used = 2.000000 seconds\n"));
  EXPECT_TRUE(has(section(text, "MPIFFT"), "\nComputing:     2.000\n"));
  EXPECT_EQ(pairs(text).at("Sy_SingleRandomAccess_median_s"), "0.75");
}

TEST(hpcc_text, updates_of_a_section_are_those_that_a_budget_allowed) {
  auto points = hpcc_points();
  for (auto& point : points)
    if (point.benchmark == "StarRandomAccess") point.params["updates"] = std::int64_t{1 << 18};
  const auto body = section(hpcc_output(points), "StarRandomAccess");
  EXPECT_TRUE(has(body, "\nNumber of updates = 262144\n")) << body;
  EXPECT_TRUE(has(body, "\n0.000524288 Billion(10^9) Updates    per second [GUP/s]\n")) << body;
}

TEST(hpcc_text, remarks_of_our_own_are_made_of_flags) {
  auto points = hpcc_points();
  EXPECT_FALSE(has(section(hpcc_output(points), "LatencyBandwidth"), "ten times the time"));
  for (auto& point : points)
    if (point.benchmark == "LatencyBandwidth") point.flags.emplace_back("far_beyond_budget");
  EXPECT_TRUE(has(section(hpcc_output(points), "LatencyBandwidth"),
                  "\nThe ping-pong took more than ten times the time that it plans with.\n"));
}

TEST(hpcc_text, small_share_of_the_memory_is_not_none) {
  auto points = hpcc_points();
  for (auto& point : points)
    for (auto& [name, value] : point.classic)
      if (name == "memory_share") value = 3.14e-5;
  EXPECT_TRUE(has(section(hpcc_output(points), "StarSTREAM"),
                  "\nMemory: 0.0031 % of a process's share of its node\n"));
}

TEST(hpcc_text, every_doubt_stands_in_the_section_once) {
  auto points = hpcc_points();
  for (auto& point : points) {
    if (point.benchmark != "StarSTREAM") continue;
    point.flags = {"noisy", "oversubscribed", "not_representative", "few_visits"};
    point.classic.emplace_back("condition", std::string("9 elements where 99 elements or more stand for it"));
  }
  const auto text = hpcc_output(points);
  EXPECT_TRUE(has(section(text, "StarSTREAM"),
                  "Memory: 12.50 % of a process's share of its node\n"
                  "Too small to stand for this machine: 9 elements where 99 elements or more stand for it.\n"
                  "More processes and threads than cores.\n"
                  "Many batches were disturbed, or states of the machine differ much.\n"
                  "Current time"));
  EXPECT_FALSE(has(section(text, "SingleSTREAM"), "Too small"));
}

TEST(hpcc_text, details_of_a_single_test_come_first_only_from_rank_0) {
  auto points = hpcc_points();
  const auto elsewhere = section(hpcc_output(points), "SingleSTREAM");
  EXPECT_EQ(lines(elsewhere)[1], "Node(s) with error 0");
  EXPECT_TRUE(has(elsewhere, "Solution Validates: avg error less than 1.000000e-13 on all three arrays\n"));
  for (auto& point : points)
    if (point.benchmark == "SingleSTREAM") point.params["rank"] = std::int64_t{0};
  EXPECT_EQ(lines(section(hpcc_output(points), "SingleSTREAM"))[2],
            "This system uses 8 bytes per DOUBLE PRECISION word.");
}

TEST(hpcc_text, solution_that_is_wrong_is_told_in_the_words_that_readers_look_for) {
  auto points = hpcc_points();
  for (auto& point : points)
    if (point.benchmark == "StarSTREAM") point.verified = false;
  const auto body = section(hpcc_output(points), "StarSTREAM");
  EXPECT_FALSE(has(body, "Solution Validates"));
  EXPECT_TRUE(has(body, "Failed Validation on array "));
}

TEST(hpcc_text, mean_of_the_rates_of_pairs_is_not_the_rate_of_their_mean_time) {
  const auto body = section(hpcc_output(hpcc_points()), "LatencyBandwidth");
  EXPECT_TRUE(has(body,
                  "Latency   min / avg / max:   0.160000 /   0.166957 /   0.173913 msecs\n"
                  "Bandwidth min / avg / max:  11500.000 /  12000.000 /  12500.000 MByte/s\n"))
      << body;
  auto points = hpcc_points();
  for (auto& point : points)
    std::erase_if(point.classic, [](const auto& one) { return one.first.starts_with("mean_"); });
  const auto without = section(hpcc_output(points), "LatencyBandwidth");
  EXPECT_TRUE(has(without, "Latency   min / avg / max:   0.160000 /  -1.000000 /   0.173913 msecs\n"))
      << "a mean that no record holds";
}

TEST(hpcc_text, solver_section_has_rows_that_readers_find) {
  const auto body = section(hpcc_output(hpcc_points()), "HPL");
  const std::regex row("WC\\S+\\s+(\\d+)\\s+(\\d+)\\s+(\\d+)\\s+(\\d+)\\s+(\\d+\\.\\d+)\\s+([\\d.e+-]+)");
  Strings orders;
  for (const auto& line : lines(body))
    if (std::smatch found; std::regex_match(line, found, row)) orders.push_back(found[1]);
  EXPECT_EQ(orders, (Strings{"1000", "2000"}));
  EXPECT_TRUE(
      has(body, "WC11C2R4        1000    80     1     2               0.01              7.957e+01\n"));
  EXPECT_TRUE(
      has(body, "||Ax-b||_oo/(eps*(||A||_oo*||x||_oo+||b||_oo)*N)=        0.0039687 ...... PASSED\n"));
  EXPECT_TRUE(has(body,
                  "Finished      2 tests with the following results:\n"
                  "              2 tests completed and passed residual checks,\n"));
  EXPECT_FALSE(has(body, "HPL_pdgesv"));
}

TEST(hpcc_text, echo_names_every_parameter) {
  const auto text = hpcc_output(hpcc_points());
  EXPECT_TRUE(has(text, "\nN      :    1000     2000 \n"));
  EXPECT_TRUE(has(text, "\nPMAP   : Column-major process mapping\n"));
  EXPECT_TRUE(has(text, "\nPFACT  :   Right \n"));
  EXPECT_TRUE(has(text, "\nRFACT  :   Crout \n"));
  EXPECT_TRUE(has(text, "\nBCAST  :  1ringM \n"));
  EXPECT_TRUE(has(text, "\nSWAP   : Mix (threshold = 64)\n"));
  EXPECT_TRUE(has(text, "\nALIGN  : 8 double precision words\n"));
  EXPECT_TRUE(has(text, "         1.110223e-16\n"));
}

TEST(hpcc_text, long_lists_of_the_echo_go_on_in_the_next_line) {
  auto settings = hpcc_settings();
  settings.problem.orders = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  const auto text = hpcc_output({}, hpcc_run(settings));
  EXPECT_TRUE(has(text,
                  "N      :       1        2        3        4        5        6        7        8 \n"
                  "               9 \n"));
}

TEST(hpcc_text, section_ends_with_its_last_point) {
  auto points = hpcc_points();
  std::ostringstream out;
  const auto writer = hpcc_text(out, {{{"MPIRandomAccess", 1}, {"PTRANS", 2}}, [] { return 0; }});
  writer->run(hpcc_run());
  writer->point(points[0]);
  EXPECT_TRUE(has(out.str(), "End of MPIRandomAccess section.\n"));
  writer->point(points[6]);
  EXPECT_FALSE(has(out.str(), "End of PTRANS section.\n"));
  writer->point(points[7]);
  EXPECT_TRUE(has(out.str(), "End of PTRANS section.\n"));
}

TEST(hpcc_text, rows_of_the_solver_are_there_before_its_section_ends) {
  std::ostringstream out;
  const auto writer = hpcc_text(out, {{{"HPL", 2}}, [] { return 0; }});
  writer->run(hpcc_run());
  writer->point(hpcc_points().end()[-2]);
  EXPECT_TRUE(has(out.str(), "WC11C2R4        1000 "));
  EXPECT_FALSE(has(out.str(), "End of HPL"));
}

TEST(hpcc_text, failure_is_told_in_the_section_and_in_success) {
  auto points = hpcc_points();
  points[0].verified = false;
  points[7].verified = false;
  auto& solved = points.back();
  solved.verified = false;
  solved.check->worst = 1e6;
  const auto text = hpcc_output(points);
  EXPECT_TRUE(has(section(text, "MPIRandomAccess"), "(failed).\n"));
  EXPECT_TRUE(has(section(text, "PTRANS"), " FAILED "));
  EXPECT_TRUE(has(section(text, "PTRANS"), "    5 tests completed and failed residual checks.\n"));
  const auto body = section(text, "HPL");
  EXPECT_TRUE(has(body,
                  "N)=  1000000.0000000 ...... FAILED\n"
                  "||Ax-b||_oo  . . . . . . . . . . . . . . . . . = "));
  EXPECT_TRUE(has(body, "\n||b||_oo . . . . . . . . . . . . . . . . . . . =           0.499776\n"));
  EXPECT_EQ(pairs(text).at("Success"), "0");
}

TEST(hpcc_text, failed_check_without_a_number_has_found_one_that_is_none) {
  auto points = hpcc_points();
  for (auto& point : points) {
    point.verified = false;
    point.check = record::Check{.errors = 1, .worst = {}, .limit = {}, .first = {}};
    std::erase_if(point.classic, [](const auto& held) { return held.first == "max_error"; });
  }
  const auto text = hpcc_output(points);
  EXPECT_TRUE(has(section(text, "PTRANS"), " FAILED    2.000   nan\n")) << section(text, "PTRANS");
  EXPECT_TRUE(has(section(text, "StarDGEMM"), "Scaled residual: nan\n")) << section(text, "StarDGEMM");
  EXPECT_TRUE(has(section(text, "StarSTREAM"), "AvgRelAbsErr: nan\n")) << section(text, "StarSTREAM");
  EXPECT_TRUE(has(section(text, "StarFFT"), "max(|x-x0|):       nan\n")) << section(text, "StarFFT");
}

TEST(hpcc_text, point_without_result_says_why_and_is_no_success) {
  auto points = hpcc_points();
  points.back() = without_result(points.back(), "needs 3 GiB");
  points[6] = without_result(points[6], "not enough memory");
  const auto text = hpcc_output(points);
  EXPECT_TRUE(has(section(text, "HPL"), "Not measured: needs 3 GiB\n"));
  EXPECT_TRUE(has(section(text, "HPL"), "              1 tests skipped because of illegal input values.\n"));
  EXPECT_TRUE(has(section(text, "PTRANS"), "Not measured: not enough memory\n"));
  EXPECT_EQ(pairs(text).at("Success"), "0");
  EXPECT_EQ(pairs(text).at("HPL_N"), "1000");
}

TEST(hpcc_text, one_process_exchanges_no_messages_and_succeeds) {
  auto points = hpcc_points();
  for (auto& point : points) {
    point.processes = 1;
    if (point.benchmark == "LatencyBandwidth") point = without_result(point, "needs at least 2 processes");
  }
  const auto found = pairs(hpcc_output(points));
  EXPECT_EQ(found.at("Success"), "1");
  EXPECT_EQ(found.at("MaxPingPongLatency_usec"), "-1");
}

TEST(hpcc_text, threshold_that_is_not_above_0_bypasses_the_residuals_and_is_no_success) {
  auto points = hpcc_points();
  points.back().verified.reset();
  points.end()[-2].verified.reset();
  auto settings = hpcc_settings();
  settings.threshold = -1;
  const auto text = hpcc_output(points, hpcc_run(settings));
  const auto body = section(text, "HPL");
  EXPECT_FALSE(has(body, "||Ax-b||"));
  EXPECT_TRUE(has(body, "              2 tests completed without checking,\n"));
  std::size_t heads = 0;
  for (const auto& line : lines(body)) heads += line.rfind("T/V                N", 0) == 0 ? 1U : 0U;
  EXPECT_EQ(heads, 1U);
  EXPECT_EQ(pairs(text).at("Success"), "0");
}

TEST(hpcc_text, transposition_without_a_check_is_no_passed_test) {
  auto points = hpcc_points();
  for (auto& point : points)
    if (point.benchmark == "PTRANS") point.verified.reset();
  const auto body = section(hpcc_output(points), "PTRANS");
  EXPECT_TRUE(has(body, " BYPASS "));
  EXPECT_TRUE(has(body, " tests completed without checking.\n"));
  EXPECT_FALSE(has(body, "PASSED") || has(body, "passed") || has(body, "failed")) << body;
}

TEST(hpcc_text, plan_with_benchmarks_that_have_no_record_is_no_success) {
  auto run = hpcc_run();
  run.plan_sequence = {"hpcc/MPIRandomAccess", "hpcc/Later"};
  EXPECT_EQ(pairs(hpcc_output(hpcc_points(), run)).at("Success"), "0");
}

TEST(hpcc_text, other_suites_are_passed_over) {
  auto points = hpcc_points();
  points[0].suite = "imb-mpi1";
  EXPECT_EQ(sections(hpcc_output(points)).front(), "StarRandomAccess");
}

TEST(hpcc_text, sections_have_the_lines_of_the_published_suite) {
  const auto text = hpcc_output(hpcc_points());
  const auto updates = section(text, "MPIRandomAccess");
  EXPECT_TRUE(has(updates,
                  "Running on 2 processors (PowerofTwo)\nTotal Main table size = 2^20 = 1048576 words\n"
                  "PE Main table size = 2^19 = 524288 words/PE\n"
                  "Default number of updates (RECOMMENDED) = 4194304\n"
                  "Number of updates EXECUTED = 4194304 (for a TIME BOUND of 60.00 secs)\n"));
  EXPECT_TRUE(has(updates, "0.000081235 Billion(10^9) Updates    per second [GUP/s]\n"));
  EXPECT_TRUE(has(updates, "Found 0 errors in 1048576 locations (passed).\n"));
  EXPECT_TRUE(has(section(text, "StarDGEMM"),
                  "Node(s) with error 0\nMinimum Gflop/s 29.500000\n"
                  "Average Gflop/s 30.250000\nMaximum Gflop/s 31.000000\n"));
  EXPECT_TRUE(has(section(text, "SingleDGEMM"), "Node selected 1\nSingle DGEMM Gflop/s 36.000000\n"));
  EXPECT_TRUE(
      has(section(text, "PTRANS"), "WALL   500   500  80  80   1   2   0.0010 PASSED    2.000  0.00\n"));
  EXPECT_TRUE(
      has(section(text, "LatencyBandwidth"), "Randomly  Ordered Ring Bandwidth:   6125.000000 MB/s\n"));
  EXPECT_TRUE(has(section(text, "StarSTREAM"), "Average Copy GB/s 10.250000\n"));
  EXPECT_TRUE(has(section(text, "StarSTREAM"),
                  "Memory: 12.50 % of a process's share of its node\n"
                  "The problem is smaller than the published rules ask.\n"));
  EXPECT_TRUE(has(section(text, "MPIFFT"), "max(|x-x0|): 1.250e-15\nGflop/s:     2.500\n"));
}

TEST(hpcc_text, uneven_table_is_told_by_its_largest_part) {
  auto points = hpcc_points();
  points.resize(1);
  points[0].processes = 3;
  EXPECT_TRUE(has(hpcc_output(points),
                  "Running on 3 processors\nTotal Main table size = 2^20 = 1048576 words\n"
                  "PE Main table size = (2^20)/3  = 349526 words/PE MAX\n"));
}

TEST(hpl_text, later_form_has_wider_columns_and_times) {
  const auto text = hpl_output(hpcc_points(), HplVersion::v23);
  EXPECT_TRUE(has(text,
                  "WC11C2R4        1000    80     1     2               0.01             7.9574e+01\n"
                  "HPL_pdgesv() start time Thu Nov 19 08:00:00 2026\n\n"
                  "HPL_pdgesv() end time   Thu Nov 19 08:00:00 2026\n\n"));
  EXPECT_TRUE(has(text, "N)=   3.96870000e-03 ...... PASSED\n"));
  EXPECT_TRUE(has(text, "HPLinpack 2.3  --  High-Performance Linpack benchmark  --   "));
}

TEST(hpl_text, run_that_was_interrupted_says_so) {
  EXPECT_FALSE(has(hpl_output(hpcc_points(), HplVersion::v23), "Not complete"));
  std::ostringstream out;
  const auto writer = hpl_text(out, HplVersion::v23, [] { return std::int64_t{0}; });
  writer->run(hpcc_run());
  writer->end(hpcc_end("interrupted"));
  EXPECT_TRUE(has(out.str(), "\nNot complete: signal\n====")) << out.str();
}

TEST(hpl_text, every_doubt_stands_above_the_counts_once) {
  auto points = hpcc_points();
  for (auto& point : points) point.flags = {"noisy", "not_representative"};
  EXPECT_TRUE(has(hpl_output(points, HplVersion::v23),
                  "Many batches were disturbed, or states of the machine differ much.\n===="))
      << hpl_output(points, HplVersion::v23);
}

/// A row of a text of HPL that was read.
record::PointRecord row_of_a_text(double time_s) {
  record::PointRecord point = hpcc_points().back();
  for (const std::string_view name :
       {"HPL_time", "HPL_RnormI", "HPL_Anorm1", "HPL_AnormI", "HPL_Xnorm1", "HPL_XnormI", "HPL_BnormI"})
    std::erase_if(point.classic, [&](const auto& one) { return one.first == name; });
  point.classic.emplace_back("HPL_time", time_s);
  point.schedule.emplace().rule = "imported";
  point.check.reset();
  return point;
}

TEST(hpl_text, row_of_a_text_that_was_read_begins_when_it_said) {
  auto point = row_of_a_text(50);
  const auto begun = hpl_output({point}, HplVersion::v23);
  EXPECT_TRUE(has(begun,
                  "start time Thu Nov 19 08:00:00 2026\n\n"
                  "HPL_pdgesv() end time   Thu Nov 19 08:00:50 2026\n"))
      << "the time of the record is that of the text's first line\n"
      << begun;
  point.classic.emplace_back("started_utc", std::string("2022-03-03T10:15:00Z"));
  EXPECT_TRUE(
      has(hpl_output({point}, HplVersion::v23),
          "start time Thu Mar  3 10:15:00 2022\n\nHPL_pdgesv() end time   Thu Mar  3 10:15:50 2022\n"));
  point.classic.emplace_back("finished_utc", std::string("2022-03-03T10:15:51Z"));
  EXPECT_TRUE(
      has(hpl_output({point}, HplVersion::v23),
          "start time Thu Mar  3 10:15:00 2022\n\nHPL_pdgesv() end time   Thu Mar  3 10:15:51 2022\n"));
  std::erase_if(point.classic, [](const auto& one) { return one.first == "started_utc"; });
  EXPECT_TRUE(
      has(hpl_output({point}, HplVersion::v23),
          "start time Thu Mar  3 10:15:01 2022\n\nHPL_pdgesv() end time   Thu Mar  3 10:15:51 2022\n"));
}

TEST(hpl_text, failed_row_has_the_residual_and_the_norms_that_are_known) {
  auto point = row_of_a_text(1);
  point.verified = false;
  const auto bare = hpl_output({point}, HplVersion::v23);
  EXPECT_TRUE(has(bare, "N)=              nan ...... FAILED\n")) << bare;
  EXPECT_FALSE(has(bare, "-1.0")) << bare;
  EXPECT_FALSE(has(bare, "||Ax-b||_oo  .")) << bare;
  point.classic.emplace_back("residual", std::string("inf"));
  point.classic.emplace_back("HPL_AnormI", 505.123411);
  for (const auto version : {HplVersion::v20, HplVersion::v23}) {
    const auto text = hpl_output({point}, version);
    EXPECT_TRUE(has(text, "N)=              inf ...... FAILED\n||A||_oo . . ")) << text;
    EXPECT_TRUE(has(text, " . =         505.123411\n")) << text;
    EXPECT_FALSE(has(text, "||x||_oo .")) << text;
  }
}

TEST(hpl_text, earlier_form_is_that_of_the_section) {
  const auto text = hpl_output(hpcc_points(), HplVersion::v20);
  const auto body = section(hpcc_output(hpcc_points()), "HPL");
  EXPECT_TRUE(has(body, text));
}

TEST(hpl_text, phases_are_told_between_rulers_where_the_point_tells_them) {
  auto point = hpcc_points().back();
  EXPECT_EQ(hpl_detail(point), "");
  point.classic.emplace_back("detail_rfact_s", 1.5);
  point.classic.emplace_back("detail_pfact_s", 1.25);
  point.classic.emplace_back("detail_mxswp_s", 0.5);
  point.classic.emplace_back("detail_update_s", 20.0);
  point.classic.emplace_back("detail_laswp_s", 2.0);
  point.classic.emplace_back("detail_uptrsv_s", 0.125);
  point.classic.emplace_back("detail_solve_s", 1.75);
  point.classic.emplace_back("detail_multiply_s", 16.0);
  point.classic.emplace_back("detail_wait_s", 0.75);
  point.classic.emplace_back("detail_looks", std::int64_t{120});
  point.classic.emplace_back("detail_looks_between_slices", std::int64_t{40});
  const std::string ruler = "--VVV--VVV--VVV--VVV--VVV--VVV--VVV--VVV--VVV--VVV--VVV--VVV--VVV--VVV--VVV-\n";
  EXPECT_EQ(hpl_detail(point), ruler +
                                   "Max aggregated wall time rfact . . . :              1.50\n"
                                   "+ Max aggregated wall time pfact . . :              1.25\n"
                                   "+ Max aggregated wall time mxswp . . :              0.50\n"
                                   "Max aggregated wall time update  . . :             20.00\n"
                                   "+ Max aggregated wall time laswp . . :              2.00\n"
                                   "Max aggregated wall time up tr sv  . :              0.12\n"
                                   "+ update: solving triangles  . . . . :              1.75\n"
                                   "+ update: multiplying  . . . . . . . :             16.00\n"
                                   "Max aggregated wall time waiting . . :              0.75\n"
                                   "Looks at panels on their way . . . . :               120\n"
                                   "+ between slices of an update  . . . :                40\n" +
                                   ruler);
  EXPECT_TRUE(has(hpl_output({point}, HplVersion::v20), "8.000e+01\n" + ruler + "Max aggregated"));
  point.classic.emplace_back("expected_rfact_s", 1.375);
  point.classic.emplace_back("expected_wait_s", 0.5);
  EXPECT_TRUE(has(hpl_detail(point), "time rfact . . . :              1.50  of expected 1.38\n+ Max"));
  EXPECT_TRUE(has(hpl_detail(point), "time waiting . . :              0.75  of expected 0.50\nLooks"));
}

TEST(hpl_text, timeline_is_drawn_where_the_point_tells_it) {
  auto point = hpcc_points().back();
  EXPECT_EQ(hpl_timeline(point), "");
  // Process 0 factors panel 8 and sends it; process 1 multiplies meanwhile. Seconds are cells of the picture.
  enum { eliminate = 0, update = 3, multiply = 6, wait = 7, travel = 9 };
  struct Span {
    double rank, phase, panel, begin, end;
  };
  std::vector<double> rank, phase, panel, begin, end;
  for (const auto& span :
       {Span{0, eliminate, 8, 100, 120}, Span{0, multiply, 7, 120, 168}, Span{0, update, 7, 120, 168},
        Span{0, travel, 8, 120, 125}, Span{1, multiply, 7, 100, 160}, Span{1, wait, 8, 160, 168},
        Span{1, travel, 8, 102, 125}}) {
    rank.push_back(span.rank);
    phase.push_back(span.phase);
    panel.push_back(span.panel);
    begin.push_back(span.begin);
    end.push_back(span.end);
  }
  point.classic.emplace_back("timeline_rank", rank);
  point.classic.emplace_back("timeline_phase", phase);
  point.classic.emplace_back("timeline_panel", panel);
  point.classic.emplace_back("timeline_begin_s", begin);
  point.classic.emplace_back("timeline_end_s", end);
  const auto of = [](std::size_t n, char letter) { return std::string(n, letter); };
  const auto picture = lines(hpl_timeline(point));
  ASSERT_EQ(picture.size(), 6U);
  EXPECT_TRUE(has(picture[0], "Iteration of panel 7, 68000.000 ms from edge to edge."));
  EXPECT_EQ(picture[2], "    0 |" + of(20, 'F') + of(48, 'M') + "|");
  EXPECT_EQ(picture[3], "panel |" + of(20, ' ') + of(5, '=') + of(43, ' ') + "|");
  EXPECT_EQ(picture[4], "    1 |" + of(60, 'M') + of(8, '.') + "|");
  EXPECT_EQ(picture[5], "panel |" + of(2, ' ') + of(23, '=') + of(43, ' ') + "|");
}

TEST(hpl_text, what_the_library_moves_is_called_auto) {
  auto settings = hpcc_settings();
  settings.solver.broadcast = {steelyard::hpcc::hpl::Broadcast::automatic};
  settings.solver.swap = steelyard::hpcc::hpl::Swap::automatic;
  const auto text = hpl_parameters(settings);
  EXPECT_TRUE(has(text, "\nBCAST  :    auto \n"));
  EXPECT_TRUE(has(text, "\nSWAP   : auto\n"));
  EXPECT_TRUE(has(hpcc_output({}, hpcc_run(settings)), "\nBCAST  :    auto \n"));
}

TEST(unix_seconds, are_those_of_the_calendar) {
  EXPECT_EQ(unix_seconds("1970-01-01T00:00:00Z"), 0);
  EXPECT_EQ(unix_seconds("2000-02-29T12:34:56Z"), 951827696);
  EXPECT_EQ(unix_seconds("no time"), 0);
}

}  // namespace
}  // namespace steelyard::formats
