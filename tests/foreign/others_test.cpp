// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>

#include "record/point_view.hpp"
#include "vectors.hpp"

namespace steelyard::foreign::test {
namespace {

const record::Statistics& statistics(const record::Run& run, std::string_view name = {}) {
  for (const auto& [metric, held] : run.points.at(0).metrics)
    if (name.empty() || metric == name) return std::get<record::Statistics>(held);
  throw std::logic_error("no such metric");
}

/// Parameter of a point as a text; empty where it has none.
std::string param(const record::PointRecord& point, std::string_view name) {
  const auto* found = record::find(point.params, name);
  if (found == nullptr) return {};
  if (const auto* number = std::get_if<std::int64_t>(found)) return std::to_string(*number);
  return std::get<std::string>(*found);
}

bool is_unknown(const record::PointRecord& point, const std::string& name) {
  const auto json = point.imported.json();
  return json.contains("unknown_params") &&
         json["unknown_params"].dump().find('"' + name + '"') != std::string::npos;
}

TEST(hpl, a_row_is_a_point_of_our_own_key) {
  const auto run = only_run(hpl);
  ASSERT_EQ(run.points.size(), 1U);
  const auto& point = run.points[0];
  EXPECT_EQ(
      point.key,
      "hpcc/HPL;block=192;broadcast=1;depth=1;grid_columns=2;grid_rows=2;mapping=R;order=20000;panel=R;parts=2;processes=4;recursive=C;stop=4");
  EXPECT_EQ(value(&point, "flop_rate_flop_s"), 1.0668e11);
  EXPECT_EQ(value(&point, "time_s"), 50.0);
  EXPECT_EQ(point.verified, true);
  EXPECT_FALSE(has_flag(&point, "rate_and_time_disagree"));
  EXPECT_NE(point.imported.json()["unknown_params"].dump().find("\"swap\""), std::string::npos);
}

TEST(hpl, checks_rates_and_variants_are_told) {
  EXPECT_EQ(only_run(with(hpl, "PASSED", "FAILED")).points[0].verified, false);
  const auto cut = only_run(hpl.substr(0, hpl.find("||Ax-b||")));
  EXPECT_FALSE(cut.points[0].verified.has_value());
  EXPECT_TRUE(has_event(cut, "import_truncated"));
  EXPECT_TRUE(has_flag(&only_run(with(hpl, "1.0668e+02", "2.1336e+02")).points[0], "rate_and_time_disagree"));
  const auto vendor =
      only_run(with(hpl, "WR11C2R4       20000   192     2     2              50.00             1.0668e+02",
                    "WC03R2R4 1 20000 192 2 2 50.00 1.0668e+02 ( 2.667e+01)"));
  EXPECT_EQ(*record::find(vendor.points[0].params, "mapping"), record::Value(std::string("C")));
  EXPECT_EQ(value(&vendor.points[0], "flop_rate_flop_s"), 1.0668e11);
  EXPECT_TRUE(has_event(only_run(with(hpl, "Finished      1", "Finished      2")), "import_truncated"));
}

TEST(hpl, what_stands_behind_a_row_is_kept) {
  const auto row =
      only_run(with(hpl, "||Ax-b||_oo/(eps*(||A||_oo*||x||_oo+||b||_oo)*N)=   3.96870000e-03 ...... PASSED",
                    "HPL_pdgesv() start time Thu Mar  3 10:15:00 2022\n"
                    "HPL_pdgesv() end time   Thu Mar  3 10:15:50 2022\n"
                    "||Ax-b||_oo/(eps*(||A||_oo*||x||_oo+||b||_oo)*N)=              nan ...... FAILED\n"
                    "||Ax-b||_oo  . . . . . . . . . . . . . . . . . =           0.000012\n"
                    "||A||_1  . . . . . . . . . . . . . . . . . . . =         505.123411"))
          .points.at(0);
  const auto word = [&](const char* name) { return record::word_of(record::find(row.classic, name)); };
  EXPECT_EQ(word("started_utc"), "2022-03-03T10:15:00Z");
  EXPECT_EQ(word("finished_utc"), "2022-03-03T10:15:50Z");
  EXPECT_EQ(word("residual"), "nan");
  EXPECT_EQ(record::number_of(record::find(row.classic, "HPL_RnormI")), 0.000012);
  EXPECT_EQ(record::number_of(record::find(row.classic, "HPL_Anorm1")), 505.123411);
  EXPECT_EQ(record::find(row.classic, "HPL_AnormI"), nullptr);
}

TEST(hpl, its_input_is_no_output) {
  const std::string input =
      "HPLinpack benchmark input file\nInnovative Computing Laboratory, University of Tennessee\n"
      "HPL.out      output file name (if any)\n6            device out (6=stdout,7=stderr,file)\n"
      "1            # of problems sizes (N)\n20000        Ns\n";
  EXPECT_FALSE(is_foreign(input));
  const auto reading = read_text(input + hpl);
  EXPECT_TRUE(reading.refused.empty());
  EXPECT_EQ(reading.runs.size(), 1U);
}

TEST(hpl, a_code_of_another_form_tells_no_parameter) {
  const auto run = only_run(with(hpl, "WR11C2R4       20000", "WRC06R3C38c 211 20000"));
  const auto& point = run.points.at(0);
  EXPECT_EQ(point.key, "hpcc/HPL;block=192;grid_columns=2;grid_rows=2;order=20000;processes=4");
  EXPECT_EQ(value(&point, "flop_rate_flop_s"), 1.0668e11);
  for (const char* name : {"mapping", "depth", "broadcast", "recursive", "parts", "panel", "stop"})
    EXPECT_TRUE(is_unknown(point, name)) << name;
  const auto longer = only_run(with(hpl, "WR11C2R4", "WC09L10R16")).points.at(0);
  EXPECT_EQ(param(longer, "parts"), "10");
  EXPECT_EQ(param(longer, "stop"), "16");
  EXPECT_TRUE(is_unknown(longer, "broadcast"));
  EXPECT_EQ(param(only_run(with(hpl, "WR11C2R4", "WR11C2R")).points.at(0), "mapping"), "");
}

TEST(hpcc, a_text_without_its_end_keeps_date_and_host) {
  for (const char* end : {"Begin of", "CommWorldProcs"}) {
    const auto cut = only_run(hpcc.substr(0, hpcc.find(end)));
    EXPECT_EQ(cut.head.started_utc, "2022-03-03T10:15:00Z") << end;
    EXPECT_EQ(cut.head.machine.json()["hostname"].get<std::string>(), "n1") << end;
    EXPECT_FALSE(has_event(cut, "import_date")) << end;
    EXPECT_TRUE(has_event(cut, "import_truncated")) << end;
  }
}

TEST(hpcc, a_summary_keeps_every_key_and_rows_of_hpl_are_points) {
  const auto run = only_run(hpcc);
  ASSERT_EQ(run.summaries.size(), 1U);
  EXPECT_EQ(run.summaries[0].name, "hpcc");
  EXPECT_EQ(record::number(*record::find(run.summaries[0].classic, "HPL_Tflops")), 0.10668);
  EXPECT_EQ(run.head.processes, 4);
  EXPECT_EQ(run.points.size(), 1U);
  EXPECT_EQ(run.head.started_utc, "2022-03-03T10:15:00Z");
  EXPECT_EQ(read_text(hpcc + hpcc).runs.size(), 2U);
  const auto cut = only_run(hpcc.substr(0, hpcc.find("Begin of")));
  EXPECT_TRUE(has_event(cut, "import_truncated"));
  EXPECT_EQ(cut.points.size(), 1U);
}

TEST(stream, best_rates_are_read_with_threads_elements_and_check) {
  const auto run = only_run(stream);
  const auto* triad = point_of(run, "stream/triad;elements=10000000;processes=1;threads=8");
  ASSERT_NE(triad, nullptr);
  EXPECT_EQ(value(triad, "bandwidth_byte_s"), 1.92e10);
  EXPECT_EQ(value(point_of(run, "stream/copy;elements=10000000;processes=1;threads=8"), "bandwidth_byte_s"),
            2.0e10);
  EXPECT_EQ(classic(triad, "min_time_s"), 0.0125);
  EXPECT_EQ(triad->verified, true);
  EXPECT_FALSE(has_flag(triad, "rate_and_time_disagree"));
  const auto failed =
      only_run(with(stream, "Solution Validates: avg error less than 1.000000e-13 on all three arrays",
                    "Failed Validation on array a[]"));
  EXPECT_EQ(failed.points[0].verified, false);
  const auto hosted = only_run(with(with(stream, "Copy:", "node07 Copy:"), "Triad:", "node07 Triad:"));
  EXPECT_EQ(hosted.head.machine.json()["hostname"].get<std::string>(), "node07");
  EXPECT_EQ(hosted.points.size(), 2U);
  const auto unthreaded = only_run(with(stream, "Number of Threads counted = 8\n", ""));
  EXPECT_EQ(unthreaded.points[0].threads, 1);
  EXPECT_TRUE(unthreaded.head.imported.json()["assumed"].contains("threads"));
}

TEST(stream, rates_of_several_processes_are_none_of_one) {
  const auto spread = [](const std::string& ranks) {
    return read_text(with(stream, "Array size = 10000000 (elements), Offset = 0 (elements)",
                          "Total Aggregate Array size = 10000000 (elements)\nData is distributed across " +
                              ranks + " MPI ranks"));
  };
  const auto several = spread("4");
  EXPECT_TRUE(several.runs.empty());
  ASSERT_EQ(several.refused.size(), 1U);
  EXPECT_NE(several.refused[0].what.find("several MPI processes"), std::string::npos);
  EXPECT_EQ(spread("1").runs.at(0).points.size(), 2U);
}

TEST(stream, copies_that_ran_at_the_same_time_are_none_after_another) {
  const std::size_t table = stream.find("Function");
  const std::string head = stream.substr(0, table), rows = stream.substr(table);
  const auto refusal = [](const std::string& text) {
    try {
      static_cast<void>(read_text(text));
    } catch (const Unreadable& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string no_end = rows.substr(0, rows.find("Solution"));
  EXPECT_NE(refusal(head + head + no_end + rows).find("import_mixed"), std::string::npos);
  const std::string first_row = rows.substr(0, rows.find("Triad"));
  EXPECT_NE(refusal(head + first_row + head + no_end + rows).find("import_mixed"), std::string::npos);
  EXPECT_NE(refusal(head + head + rows + rows).find("import_mixed"), std::string::npos);
  EXPECT_EQ(read_text(stream + stream).runs.size(), 2U);
  EXPECT_EQ(read_text(head + stream).runs.size(), 1U);  // the first was ended before its table
  EXPECT_TRUE(has_event(only_run(with(stream, "Triad:", "Copy:")), "import_row"));
}

TEST(stream, the_fortran_program_is_read_too) {
  const auto run = only_run(
      " STREAM Version $Revision: 5.6 $\n Array size =        20000000\n Offset     =               0\n"
      " Number of Threads =                      2\nFunction     Rate (MB/s)  Avg time   Min time  Max time\n"
      "Copy:         24435.2    0.0131      0.0131      0.0132\n"
      "Triad:        14479.2    0.0332      0.0332      0.0332\n Solution Validates!\n");
  const auto* triad = point_of(run, "stream/triad;elements=20000000;processes=1;threads=2");
  ASSERT_NE(triad, nullptr);
  EXPECT_EQ(value(triad, "bandwidth_byte_s"), 1.44792e10);
  EXPECT_EQ(classic(triad, "max_time_s"), 0.0332);
  EXPECT_EQ(triad->verified, true);
}

TEST(babelstream, units_are_what_their_headings_say) {
  const auto run = only_run(babel_csv);
  const auto& point = run.points.at(0);
  EXPECT_EQ(point.key, "babelstream/triad;element_byte=8;elements=33554432;processes=1");
  EXPECT_DOUBLE_EQ(value(&point, "bandwidth_byte_s"), 8.05306368e11);
  EXPECT_EQ(classic(&point, "min_time_s"), 1e-3);
  const auto binary =
      only_run(with(with(babel_csv, "max_mbytes_per_sec", "max_mibytes_per_sec"), "805306.368", "768000"));
  EXPECT_DOUBLE_EQ(value(&binary.points[0], "bandwidth_byte_s"), 8.05306368e11);
  const auto strange = read_text(with(babel_csv, "max_mbytes_per_sec", "max_furlongs_per_sec"));
  ASSERT_EQ(strange.refused.size(), 1U);
  EXPECT_NE(strange.refused[0].what.find("furlongs"), std::string::npos);
}

TEST(ior, repetitions_of_one_launch_have_a_mean_and_no_interval) {
  const auto run = only_run(ior);
  EXPECT_EQ(
      run.points.at(0).key,
      "ior/write;api=POSIX;block_byte=134217728;collective=no;file_per_process=yes;processes=8;segments=1;transfer_byte=1048576");
  const auto& held = statistics(run);
  EXPECT_EQ(held.visit_medians, (std::vector<double>{2147483648, 1073741824}));
  EXPECT_EQ(held.mean, 1610612736);
  EXPECT_EQ(held.max, 2147483648);
  EXPECT_EQ(held.headline, "mean");
  EXPECT_FALSE(held.ci.has_value());
  EXPECT_EQ(run.head.nodes, 2);
  EXPECT_NE(run.points[0].imported.json()["unknown_params"].dump().find("random"), std::string::npos);
}

TEST(ior, what_is_lost_leaves_the_rest) {
  auto rows_lost = with(
      ior,
      "write     2048.00    2100.00    0.003800    131072     1024.00    0.001000   0.487000   0.002000   0.500000   0\n",
      "");
  rows_lost = with(
      rows_lost,
      "write     1024.00    1040.00    0.007600    131072     1024.00    0.001000   0.985000   0.002000   1.00       1\n",
      "");
  const auto best = only_run(rows_lost);
  EXPECT_EQ(statistics(best).headline, "max");
  EXPECT_EQ(statistics(best).max, 2147483648);
  const auto cut = only_run(ior.substr(0, ior.find("Finished")));
  EXPECT_EQ(statistics(cut).mean, 1610612736);
  EXPECT_TRUE(has_event(cut, "import_truncated"));
  const auto bad = only_run(with(ior, "write     1024.00 ", "write     nan "));
  EXPECT_EQ(statistics(bad).n, 1);
  EXPECT_EQ(record::value_of(statistics(bad)), 2147483648);
  EXPECT_TRUE(has_event(bad, "import_row"));
}

TEST(ior, less_moved_than_planned_is_told) {
  const std::string summary =
      "Summary of all tests:\n"
      "Operation   Max(MiB)   Min(MiB)  Mean(MiB)     StdDev   Max(OPs)   Min(OPs)  Mean(OPs)     StdDev    Mean(s) "
      "Stonewall(s) Stonewall(MiB) Test# #Tasks tPN reps fPP reord reordoff reordrand seed segcnt   blksiz    xsize "
      "aggs(MiB)   API RefNum\n"
      "write        2048.00    1024.00    1536.00     512.00    2048.00    1024.00    1536.00     512.00    0.75000 "
      "         NA            NA     0      8   4    2   1     0        1         0    0      1 134217728  1048576    "
      "1024.0 POSIX      0\n";
  const auto whole = only_run(with(ior, "Max Write:", summary + "Max Write:"));
  EXPECT_FALSE(has_flag(&whole.points.at(0), "warned_by_program"));
  EXPECT_FALSE(has_event(whole, "import_warning"));
  const auto less =
      only_run(with(ior, "Max Write:", with(summary, "1024.0 POSIX", "1000.0 POSIX") + "Max Write:"));
  EXPECT_TRUE(has_flag(&less.points.at(0), "warned_by_program"));
  EXPECT_TRUE(has_event(less, "import_warning"));
  EXPECT_EQ(statistics(less).mean, 1610612736);
}

const std::string ior_heading =
    "access    bw(MiB/s)  IOPS       Latency(s)  block(KiB) xfer(KiB)  open(s)    wr/rd(s)   close(s)   total(s)   iter\n";
const std::string ior_summary_heading =
    "Summary of all tests:\n"
    "Operation   Max(MiB)   Min(MiB)  Mean(MiB)     StdDev   Max(OPs)   Min(OPs)  Mean(OPs)     StdDev    Mean(s) "
    "Stonewall(s) Stonewall(MiB) Test# #Tasks tPN reps fPP reord reordoff reordrand seed segcnt   blksiz    xsize "
    "aggs(MiB)   API RefNum\n";

/// Options of a test as the program prints them: the block of 10,000 MiB as "9.77 GiB".
std::string ior_options(int id, const std::string& transfer, const std::string& order) {
  return "TestID              : " + std::to_string(id) +
         "\nStartTime           : Thu Mar  3 10:15:00 2022\n\nOptions: \napi                 : POSIX\n"
         "access              : file-per-process\ntype                : independent\nsegments            : 1\n"
         "ordering in a file  : sequential\nordering inter file : " +
         order +
         "\nnodes               : 2\ntasks               : 8\nclients per node    : 4\nrepetitions         : 1\n"
         "xfersize            : " +
         transfer + "\nblocksize           : 9.77 GiB\n\nResults: \n\n" + ior_heading;
}

std::string ior_row(const std::string& access, int rate, const std::string& transfer_kib) {
  return access + "  " + std::to_string(rate) + ".00  2100.00  0.003800  10240000  " + transfer_kib +
         "  0.001000  0.487000  0.002000  40.00  0\n";
}

/// Row of the summary of a test whose tasks are in random order; 80,000 MiB are moved if nothing goes wrong.
std::string ior_summary(const std::string& access, int rate, int test, int transfer,
                        const std::string& moved = "80000.0") {
  const std::string bandwidth = std::to_string(rate) + ".00  ";
  return access + "  " + bandwidth + bandwidth + bandwidth +
         "0.00  10.00  10.00  10.00  0.00  40.00000  NA  NA  " + std::to_string(test) +
         "  8  4  1  1  0  1  1  0  1  10485760000  " + std::to_string(transfer) + "  " + moved +
         "  POSIX  0\n";
}

const std::string ior_head =
    "IOR-3.3.0: MPI Coordinated Test of Parallel I/O\nBegan               : Thu Mar  3 10:15:00 2022\n"
    "Command line        : ior -f script\nMachine             : Linux n1\n";
const std::string ior_end = "Finished            : Thu Mar  3 10:17:05 2022\n";
const std::string ior_key_of_two =
    "api=POSIX;block_byte=10485760000;collective=no;file_per_process=yes;processes=8;random=no;reorder=random;segments=1;";

/// Two tests, the second without a read, and the summary of both.
std::string two_tests(const std::string& moved_by_second = "80000.0") {
  return ior_head + ior_options(0, "1 MiB", "random task offset") + ior_row("write", 2048, "1024.00") +
         ior_row("read", 8192, "1024.00") + ior_options(1, "4 MiB", "random task offset") +
         ior_row("write", 4096, "4096") + "Max Write: 4096.00 MiB/sec (4294.97 MB/sec)\n" +
         ior_summary_heading + ior_summary("write", 2050, 0, 1048576) +
         ior_summary("read", 8190, 0, 1048576) + ior_summary("write", 4100, 1, 4194304, moved_by_second) +
         ior_end;
}

TEST(ior, rows_of_the_summary_belong_to_their_tests) {
  const auto run = only_run(two_tests());
  ASSERT_EQ(run.points.size(), 3U);
  const auto* write = point_of(run, "ior/write;" + ior_key_of_two + "transfer_byte=1048576");
  const auto* read = point_of(run, "ior/read;" + ior_key_of_two + "transfer_byte=1048576");
  const auto* other = point_of(run, "ior/write;" + ior_key_of_two + "transfer_byte=4194304");
  EXPECT_EQ(value(write, "bandwidth_byte_s"), 2050.0 * (1 << 20));
  EXPECT_EQ(value(read, "bandwidth_byte_s"), 8190.0 * (1 << 20));
  EXPECT_EQ(value(other, "bandwidth_byte_s"), 4100.0 * (1 << 20));
  const auto less = only_run(two_tests("70000.0"));
  EXPECT_TRUE(has_event(less, "import_warning"));
  EXPECT_FALSE(has_flag(&less.points.at(0), "warned_by_program"));
  EXPECT_FALSE(has_flag(&less.points.at(1), "warned_by_program"));
  EXPECT_TRUE(has_flag(&less.points.at(2), "warned_by_program"));
}

TEST(ior, a_warning_is_about_its_test) {
  const auto run = only_run(with(two_tests(), "write  4096", "WARNING: inconsistent file size\nwrite  4096"));
  EXPECT_FALSE(has_flag(&run.points.at(0), "warned_by_program"));
  EXPECT_TRUE(has_flag(&run.points.at(2), "warned_by_program"));
}

TEST(ior, a_summary_alone_has_the_points_that_it_names) {
  const auto run =
      only_run(ior_head + ior_summary_heading + ior_summary("write", 2050, 0, 1048576) +
               ior_summary("read", 0, 0, 1048576) + ior_summary("write", 4100, 1, 4194304) + ior_end);
  ASSERT_EQ(run.points.size(), 2U);
  EXPECT_EQ(param(run.points[0], "transfer_byte"), "1048576");
  EXPECT_EQ(param(run.points[1], "transfer_byte"), "4194304");
  EXPECT_EQ(value(&run.points[1], "bandwidth_byte_s"), 4100.0 * (1 << 20));
}

TEST(ior, a_random_order_of_tasks_is_an_order_of_its_own) {
  const auto read_of = [](const std::string& order) {
    return only_run(ior_head + ior_options(0, "1 MiB", order) + ior_row("read", 8192, "1024.00") +
                    ior_summary_heading + ior_summary("read", 8190, 0, 1048576) + ior_end)
        .points.at(0);
  };
  const auto random = read_of("random task offset");
  EXPECT_EQ(param(random, "reorder"), "random");
  EXPECT_FALSE(has_flag(&random, "may_be_cached"));
  EXPECT_EQ(param(read_of("constant task offset"), "reorder"), "yes");
  const auto none = read_of("no tasks offsets");
  EXPECT_EQ(param(none, "reorder"), "no");
  EXPECT_TRUE(has_flag(&none, "may_be_cached"));
}

TEST(ior, a_size_that_is_rounded_is_no_size) {
  const auto cut = ior_head + ior_options(0, "1 MiB", "no tasks offsets");
  const auto of_rows = only_run(cut + ior_row("write", 2048, "1024.00")).points.at(0);
  EXPECT_EQ(param(of_rows, "block_byte"), "10485760000");  // 10240000 KiB
  const auto odd = only_run(with(cut, "1 MiB", "45.91 KiB") + ior_row("write", 2048, "45.91")).points.at(0);
  EXPECT_EQ(param(odd, "transfer_byte"), "");
  EXPECT_TRUE(is_unknown(odd, "transfer_byte"));
  const auto best = only_run(cut + "Max Write: 2048.00 MiB/sec (2147.48 MB/sec)\n").points.at(0);
  EXPECT_EQ(param(best, "transfer_byte"), "1048576");
  EXPECT_TRUE(is_unknown(best, "block_byte"));
}

/// The document of a test, as the program writes it of the tests of `two_tests`.
std::string ior_document_test(int id, int transfer, const std::string& rows, const std::string& more = {}) {
  const std::string number = std::to_string(id), bytes = std::to_string(transfer);
  return R"({"TestID": )" + number + R"(, "Parameters": {"testID": )" + number +
         R"(, "api": "POSIX", "deadlineForStonewall": 0, "nodes": 2, "tasksPerNode": 4, "transferSize": )" +
         bytes +
         R"(, "blockSize": 10485760000}, "Options": {"api": "POSIX", "access": "file-per-process", )"
         R"("type": "independent", "segments": 1, "ordering in a file": "sequential", )"
         R"("ordering inter file": "random task offset", "nodes": 2, "tasks": 8, "blocksize": "9.77 GiB")" +
         more + R"(}, "Results": [[)" + rows + "]]}";
}

std::string ior_document(const std::string& more_of_first = {}) {
  const auto row = [](const std::string& access, const std::string& rate) {
    return R"({"access": ")" + access + R"(", "bwMiB": )" + rate + R"(, "blockKiB": 10240000.0000})";
  };
  const auto mean = [](const std::string& access, int test, const std::string& rate) {
    return R"({"operation": ")" + access + R"(", "TestID": )" + std::to_string(test) +
           R"(, "numTasks": 8, "bwMeanMIB": )" + rate + R"(, "bwMaxMIB": )" + rate + "}";
  };
  return "{\n\"Version\": \"4.0.0\", \"Began\": \"Thu Mar  3 10:15:00 2022\", \"Machine\": \"Linux n1\", \"tests\": [" +
         ior_document_test(0, 1048576, row("write", "2048.0") + ", " + row("read", "8192.0"), more_of_first) +
         ", " + ior_document_test(1, 4194304, row("write", "4096.0")) + "], \"summary\": [" +
         mean("write", 0, "2050.0") + ", " + mean("read", 0, "8190.0") + ", " + mean("write", 1, "4100.0") +
         "]\n}\n";
}

TEST(ior, a_document_of_several_tests_says_what_their_text_says) {
  const auto document = only_run(ior_document()), text = only_run(two_tests());
  ASSERT_EQ(document.points.size(), 3U);
  EXPECT_EQ(document.head.machine.json()["hostname"].get<std::string>(), "n1");
  for (const auto& point : text.points)
    EXPECT_EQ(value(point_of(document, point.key), "bandwidth_byte_s"), value(&point, "bandwidth_byte_s"))
        << point.key;
}

TEST(ior, a_document_has_its_deadline) {
  const auto of_options = only_run(ior_document(R"(, "stonewallingTime": 30)"));
  EXPECT_EQ(param(of_options.points.at(0), "stonewall_s"), "30");
  EXPECT_EQ(param(of_options.points.at(2), "stonewall_s"), "");
  const auto of_parameters =
      only_run(with(ior_document(), "\"deadlineForStonewall\": 0", "\"deadlineForStonewall\": 30"));
  EXPECT_EQ(param(of_parameters.points.at(0), "stonewall_s"), "30");
}

TEST(ior, json_is_found_behind_other_lines) {
  const auto run = only_run("WARNING: x\n" + ior_json);
  EXPECT_EQ(value(&run.points.at(0), "bandwidth_byte_s"), 2147483648);
  EXPECT_EQ(run.points[0].processes, 8);
  EXPECT_TRUE(has_flag(&run.points[0], "warned_by_program"));
  EXPECT_FALSE(has_flag(&only_run(ior_json).points.at(0), "warned_by_program"));
}

TEST(ior, every_repetition_is_kept) {
  std::string text = ior.substr(0, ior.find("write     2048.00"));
  for (int i = 0; i < 100; ++i)
    text +=
        "write     " + std::to_string(1000 + i) +
        ".00    2100.00    0.003800    131072     1024.00    0.001000   0.487000   0.002000   0.500000   " +
        std::to_string(i) + "\n";
  const auto run = only_run(text + "Finished            : Thu Mar  3 10:15:05 2022\n");
  const auto* all = record::list_of(record::find(run.points.at(0).classic, "bandwidth_byte_s"));
  ASSERT_NE(all, nullptr);
  EXPECT_EQ(all->size(), 100U);
  EXPECT_EQ(statistics(run).n, 100);
  EXPECT_EQ(statistics(run).visit_medians.size(), 64U) << "the schema knows no more";
}

TEST(fio, a_job_has_a_point_for_each_direction) {
  const auto run = only_run(fio);
  const auto& point = run.points.at(0);
  EXPECT_EQ(point.key, "fio/randread;block_byte=4096;depth=32;processes=1");
  EXPECT_EQ(value(&point, "bandwidth_byte_s"), 512000);
  EXPECT_EQ(value(&point, "operation_rate_op_s"), 125);
  EXPECT_EQ(value(&point, "latency_s"), 2e-6);
  EXPECT_EQ(only_run(with(fio, "\"error\":0", "\"error\":5")).points[0].status, record::Status::failed);
  EXPECT_EQ(value(&only_run(with(fio, "\"bw_bytes\":512000,", "")).points[0], "bandwidth_byte_s"), 512000);
}

TEST(fio, a_job_that_failed_has_its_error_whatever_number_that_is) {
  const auto told = [](const char* error) {
    return only_run(with(fio, R"("error":0)", error)).points.at(0).reason.value().text;
  };
  EXPECT_EQ(told(R"("error":5)"), "fio ended with error 5");
  EXPECT_EQ(told(R"("error":-1e300)"), "fio ended with error -2147483648");
}

TEST(fio, each_direction_has_its_block_size) {
  const auto mixed = [](const std::string& sizes) {
    const auto run = only_run(
        R"({"fio version":"fio-3.28","jobs":[{"jobname":"a","error":0,"job options":{"rw":"randrw","bs":")" +
        sizes +
        R"("},"read":{"bw_bytes":512000,"total_ios":10},"write":{"bw_bytes":256000,"total_ios":10},)"
        R"("trim":{"bw_bytes":128000,"total_ios":10}}]})"
        "\n");
    std::string found;
    for (const auto& point : run.points) found += param(point, "block_byte") + ' ';
    return found;
  };
  EXPECT_EQ(mixed("4k"), "4096 4096 4096 ");
  EXPECT_EQ(mixed("4k,64k"), "4096 65536 65536 ");
  EXPECT_EQ(mixed("4k,64k,8k"), "4096 65536 8192 ");
  EXPECT_EQ(mixed("4k,64k,"), "4096 65536  ");  // the default, which the text does not tell
  EXPECT_EQ(mixed(",8k"), " 8192 8192 ");
}

TEST(fio, sizes_have_all_units_and_their_base) {
  const auto size = [](const std::string& options) {
    return param(only_run(with(fio, "\"bs\":\"4k\"", "\"bs\":\"4k\"," + options)).points.at(0), "file_byte");
  };
  EXPECT_EQ(size(R"("size":"2t")"), "2199023255552");
  EXPECT_EQ(size(R"("size":"2TB")"), "2199023255552");
  EXPECT_EQ(size(R"("size":"1p")"), "1125899906842624");
  EXPECT_EQ(size(R"("size":"3kib")"), "3000");  // fio's units are the other way round, unless told otherwise
  EXPECT_EQ(size(R"("size":"3kib","kb_base":"1000")"), "3072");
  EXPECT_EQ(size(R"("size":"3k","kb_base":"1000")"), "3000");
  EXPECT_EQ(size(R"("size":"100%")"), "");
  EXPECT_EQ(size(R"("size":"9999999p")"), "");
}

TEST(fio, reporting_by_groups_can_be_off) {
  const auto point = [](const std::string& said) {
    const auto run = only_run(with(fio, "\"rw\"", "\"numjobs\":\"4\"" + said + ",\"rw\""));
    return std::pair(run.points.at(0).processes,
                     run.points[0].imported.json()["over_ranks"].get<std::string>());
  };
  EXPECT_EQ(point(R"(,"group_reporting":"")"), std::pair(4, std::string("sum")));
  EXPECT_EQ(point(R"(,"group_reporting":"1")"), std::pair(4, std::string("sum")));
  EXPECT_EQ(point(R"(,"group_reporting":"0")"), std::pair(1, std::string("one")));
  EXPECT_EQ(point(""), std::pair(1, std::string("one")));
}

TEST(fio, identical_jobs_of_a_document_are_told_apart) {
  const std::string job = fio.substr(fio.find("{\"jobname\""), fio.rfind("]}") - fio.find("{\"jobname\""));
  const auto faster = with(job, "512000", "600000"), fastest = with(job, "512000", "700000");
  const auto run = only_run(with(fio, job, job + "," + faster + "," + fastest));
  ASSERT_EQ(run.points.size(), 3U);
  std::set<std::string> keys;
  for (const auto& point : run.points) keys.insert(point.key);
  EXPECT_EQ(keys.size(), 3U);
  EXPECT_EQ(value(&run.points[0], "bandwidth_byte_s"), 512000);
  EXPECT_EQ(value(&run.points[2], "bandwidth_byte_s"), 700000);
}

TEST(fio, early_releases_count_no_operations_but_bytes) {
  const auto run = only_run(
      R"({"fio version":"fio-2.1.4","jobs":[{"jobname":"w","error":0,"read":{"io_bytes":0,"bw":0,"iops":0},)"
      R"("write":{"io_bytes":361984,"bw":68118,"iops":133}}]})"
      "\n");
  ASSERT_EQ(run.points.size(), 1U);
  EXPECT_EQ(run.points[0].benchmark, "write");
  EXPECT_EQ(value(&run.points[0], "bandwidth_byte_s"), 68118.0 * 1024);
  EXPECT_EQ(run.points[0].imported.json()["printed"].get<std::string>(), "KiB/s");
  EXPECT_TRUE(run.head.imported.json()["assumed"].contains("rw"));  // it may have gone at random
  EXPECT_FALSE(only_run(fio).head.imported.json()["assumed"].contains("rw"));
}

TEST(fio, the_last_of_several_documents_counts) {
  const auto run = only_run(with(fio, "512000", "256000") + with(fio, "512000", "300000") + fio);
  EXPECT_EQ(value(&run.points.at(0), "bandwidth_byte_s"), 512000);
  EXPECT_TRUE(has_event(run, "import_row"));
  const auto cut = read_text(fio + fio.substr(0, fio.size() / 2));
  EXPECT_EQ(value(&cut.runs.at(0).points.at(0), "bandwidth_byte_s"), 512000);
}

TEST(fio, documents_of_other_jobs_are_runs_of_their_own) {
  const auto blocks = only_run(fio + with(fio, "\"4k\"", "\"64k\""));  // no key repeats
  EXPECT_EQ(blocks.points.size(), 2U);
  EXPECT_FALSE(has_event(blocks, "import_row"));
  const auto named = read_text(fio + with(fio, "\"jobname\":\"a\"", "\"jobname\":\"b\""));
  EXPECT_EQ(named.runs.size(), 2U);  // a key repeats
}

TEST(mdtest, rates_of_old_and_new_releases_are_told_apart) {
  const auto run = only_run(mdtest);
  EXPECT_EQ(run.points.at(0).key, "mdtest/file_create;items=8000;processes=8");
  const auto& held = statistics(run);
  EXPECT_EQ(held.mean, 1000);
  EXPECT_EQ(held.max, 1200);
  EXPECT_EQ(held.min, 800);
  EXPECT_EQ(held.n, 3);
  const auto old =
      only_run(with(with(mdtest, "mdtest-4.0.0", "mdtest-3.3.0"), "File creation  ", "File creation      :"));
  EXPECT_TRUE(has_flag(&old.points.at(0), "rate_over_ranks"));
  EXPECT_EQ(statistics(old).mean, 1000);
  const auto unrun =
      only_run(with(mdtest, "-- finished", "   File stat   0.000 0.000 0.000 0.000\n-- finished"));
  EXPECT_EQ(unrun.points.size(), 1U);
}

TEST(mdtest, words_of_the_call_may_be_quoted_and_times_are_of_whole_phases) {
  const auto run = only_run(with(
      with(mdtest, "8 tasks,", "Command line used: ./mdtest '-n' '1000' '-u' '-w' '3901' '-N' '1'\n8 tasks,"),
      "-- finished",
      "SUMMARY time (in ms/op): (of 3 iterations)\n   File creation   9.8   6.6   8.0   0.1\n-- finished"));
  ASSERT_EQ(run.points.size(), 1U);
  EXPECT_EQ(run.points[0].key,
            "mdtest/file_create;items=8000;processes=8;shift=1;unique=yes;write_byte=3901");
  EXPECT_EQ(classic(&run.points[0], "mean_time_s"), 8.0);  // 8000 items at 1000 a second
}

TEST(mdtest, each_table_has_its_tasks_and_items) {
  const auto table = [](const std::string& work, const std::string& rate) {
    return work +
           "\n\nSUMMARY rate: (of 1 iterations)\n   Operation  Max  Min  Mean  Std Dev\n   File creation  : " +
           rate + " " + rate + " " + rate + " 0.000\n";
  };
  const std::string head = "mdtest-3.3.0 was launched with 8 total task(s) on 2 node(s)\n",
                    end = "-- finished at 03/03/2022 10:20:00 --\n";
  const auto run = only_run(head + table("2 tasks, 200 files", "1200.000") +
                            "  File creation     :   0.167 sec,  4800.000 ops/sec\n" +
                            table("8 tasks, 800 files", "4800.000") + end);
  ASSERT_EQ(run.points.size(), 2U);
  EXPECT_EQ(value(point_of(run, "mdtest/file_create;items=200;processes=2"), "operation_rate_op_s"), 1200);
  EXPECT_EQ(value(point_of(run, "mdtest/file_create;items=800;processes=8"), "operation_rate_op_s"), 4800);
  EXPECT_EQ(run.head.processes, 8);
  const auto untold =
      only_run(head + table("2 tasks, 200 directories", "1200.000") + table("", "4800.000") + end);
  EXPECT_EQ(untold.points.size(), 1U);
  EXPECT_EQ(param(untold.points[0], "items"), "200");
  EXPECT_TRUE(has_event(untold, "import_row"));
  const auto shared = only_run(head + table("8 tasks, 1 file", "1200.000") + end);
  EXPECT_TRUE(is_unknown(shared.points.at(0), "items"));
}

TEST(mdtest, wrong_data_are_of_the_tables_before_and_of_what_was_read) {
  const auto table = [](const std::string& work) {
    return work + "\nSUMMARY rate: (of 1 iterations)\n   Operation  Max  Min  Mean  Std Dev\n" +
           "   File creation   9.000 9.000 9.000 0.000\n   File read   8.000 8.000 8.000 0.000\n";
  };
  const auto error = [](int count) {
    return "\nERROR: verifying the data on read (" + std::to_string(count) +
           " errors)! Take the performance values with care!\n\n";
  };
  const std::string head = "mdtest-4.0.0 was launched with 8 total task(s) on 2 node(s)\n",
                    call = "Command line used: mdtest '-X' '-e' '4'\n",
                    end = "-- finished at 03/03/2022 10:20:00 --\n";
  const auto wrong = [](const record::Run& run) {
    std::string found;
    for (const auto& point : run.points) found += point.verified.has_value() ? 'w' : '.';
    return found;
  };
  const std::string one = table("2 tasks, 20 files"), two = table("4 tasks, 40 files"),
                    three = table("8 tasks, 80 files");
  EXPECT_EQ(wrong(only_run(head + call + one + two + error(3) + three + error(3) + end)), "...w..");
  EXPECT_EQ(wrong(only_run(head + call + one + error(1) + two + error(1) + three + error(2) + end)),
            ".w...w");
  EXPECT_EQ(wrong(only_run(head + one + error(1) + two + error(1) + end)),
            "ww..");  // no call: written or read
  EXPECT_EQ(wrong(only_run(head + call + error(1) + one + end)), "ww");
}

TEST(mdtest, a_row_twice_in_a_table_is_told) {
  const std::string row = "   File creation   1200.000   800.000   1000.000   163.299\n";
  const auto run = only_run(with(mdtest, row, row + row));
  EXPECT_EQ(run.points.size(), 1U);
  EXPECT_TRUE(has_event(run, "import_row"));
}

TEST(mdtest, the_call_is_read_as_mdtest_reads_it) {
  const auto of_call = [](const std::string& call) {
    return only_run(with(mdtest, "8 tasks,", "Command line used: mdtest " + call + "\n8 tasks,"))
        .points.at(0);
  };
  const auto key = [&](const std::string& call) { return of_call(call).key; };
  const std::string begin = "mdtest/file_create;", end = "items=8000;processes=8";
  EXPECT_EQ(key("-w=4096"), begin + end + ";write_byte=4096");
  EXPECT_EQ(key("-w4096"), begin + end + ";write_byte=4096");
  EXPECT_EQ(key("-w 4k -e '1M'"),
            begin + end.substr(0, end.find(';')) + ";processes=8;read_byte=1048576;write_byte=4096");
  EXPECT_EQ(key("-uC -z=3 -b2"), begin + "branch=2;depth=3;" + end + ";unique=yes");
  EXPECT_EQ(key("'-FCu' '-d' '/a b/-u=0 -z 4' --random-seed=-u"), begin + end + ";unique=yes");
  EXPECT_EQ(key("-d /scratch -n 1000 -i 3"), begin + end);
  EXPECT_TRUE(of_call("-d /scratch").imported.json()["unknown_params"].is_null());
}

TEST(mdtest, an_option_that_cannot_be_read_is_unknown) {
  const auto of_call = [](const std::string& call) {
    return only_run(with(mdtest, "8 tasks,", "Command line used: mdtest " + call + "\n8 tasks,"))
        .points.at(0);
  };
  for (const char* call : {"-w many", "-w=", "-uw4096", "-w 4096 -w=4x", "-w"})
    EXPECT_TRUE(is_unknown(of_call(call), "write_byte")) << call;
  EXPECT_TRUE(is_unknown(of_call("-qu"), "unique"));
  EXPECT_FALSE(is_unknown(of_call("-q -u"), "unique"));
}

TEST(mdtest, columns_are_those_of_the_heading) {
  const std::string plain =
                        "   Operation                      Max            Min           Mean        Std Dev",
                    rates = "1200.000   800.000   1000.000   163.299";
  const auto both = only_run(with(
      with(
          mdtest, plain,
          "   Operation     per Rank: Max            Min           Mean      per Iteration: Max            Min           Mean        Std Dev"),
      rates, "1500.000  700.000  1100.000      1000.000  900.000  950.000  40.825"));
  EXPECT_EQ(statistics(both).mean, 950);
  EXPECT_EQ(statistics(both).max, 1000);
  EXPECT_EQ(statistics(both).min, 900);
  EXPECT_EQ(statistics(both).sd, 40.825);
  EXPECT_EQ(statistics(both).over_ranks, "global");
  EXPECT_EQ(classic(&both.points.at(0), "rank_mean_op_s"), 1100);
  // Development builds between 3.3 and 4.0 had the deviation among those of the ranks.
  const auto between = only_run(with(
      with(
          with(mdtest, "mdtest-4.0.0", "mdtest-3.4.0+dev"), plain,
          "   Operation         per Rank:      Max            Min           Mean          Std Dev     per Iteration: Max            Min           Mean"),
      rates, "1500.000  700.000  1100.000  140.000    1000.000  900.000  950.000"));
  EXPECT_EQ(statistics(between).mean, 950);
  EXPECT_FALSE(statistics(between).sd.has_value());
  EXPECT_EQ(classic(&between.points.at(0), "rank_sd_op_s"), 140);
  EXPECT_FALSE(has_flag(&between.points.at(0), "rate_over_ranks"));
  EXPECT_TRUE(has_event(only_run(with(mdtest, rates, "1 2 3 4 5 6 7\n   File stat " + rates)), "import_row"));
}

TEST(hpcg, a_last_line_that_is_whole_needs_no_end) {
  const std::string last =
      "Final Summary::Please upload results from the YAML file contents to=http://hpcg-benchmark.org";
  EXPECT_FALSE(has_event(only_run(hpcg + last), "import_truncated"));
  EXPECT_TRUE(has_event(only_run(hpcg + "Final Summary::Results are in file=HPC"), "import_truncated"));
}

TEST(hpcg, builds_of_a_vendor_have_a_title_of_their_own) {
  const auto plain = only_run(hpcg);
  const auto same = [&](const record::Run& run) {
    EXPECT_EQ(run.points.at(0).key, plain.points.at(0).key);
    EXPECT_EQ(record::value_of(run.points.at(0).metrics.at(0).second),
              record::value_of(plain.points.at(0).metrics.at(0).second));
    EXPECT_EQ(record::text_in(run.head.imported.json(), "release"), "3.1");
  };
  same(only_run(with(hpcg, "HPCG-Benchmark\nversion=3.1", "n104-4p-2t\nversion=V3.1")));
  same(only_run(with(hpcg, "HPCG-Benchmark\nversion=3.1", "n104-4p-2t version: V3.1")));
  for (const char* other : {"n104-4p-2", "n-4p-2t", "n104-4p-2t and more", "note: http-p-1t"})
    EXPECT_THROW((void)only_run(with(hpcg, "HPCG-Benchmark\nversion=3.1", other)), std::exception) << other;
}

TEST(hpcg, the_rating_counts_and_its_verdict) {
  const auto run = only_run(hpcg);
  EXPECT_EQ(run.points.at(0).key, "hpcg/hpcg;nx=104;ny=104;nz=104;processes=4;threads=2");
  EXPECT_EQ(value(&run.points[0], "flop_rate_flop_s"), 1.25e10);
  EXPECT_EQ(run.points[0].verified, true);
  const auto invalid = only_run(with(
      hpcg, "Final Summary::HPCG result is VALID with a GFLOP/s rating of=12.5",
      "GFLOP/s Summary::Total with convergence and optimization phase overhead=11.0\nFinal Summary::HPCG result is=INVALID."));
  EXPECT_EQ(value(&invalid.points.at(0), "flop_rate_flop_s"), 1.1e10);
  EXPECT_EQ(invalid.points[0].verified, false);
  const auto brief =
      only_run(hpcg + "Final Summary::Official results execution time (sec) must be at least=1800\n");
  ASSERT_EQ(brief.summaries.size(), 1U);
  EXPECT_EQ(brief.summaries[0].official, false);
}

TEST(hpcg, an_extent_in_z_that_is_not_printed_is_the_share_of_all) {
  const auto key_with = [](const std::string& lines) {
    return only_run(with(hpcg, "Local Domain Dimensions::nz=104\n", lines)).points.at(0).key;
  };
  const std::string rest = "hpcg/hpcg;nx=104;ny=104;";
  EXPECT_EQ(key_with("Global Problem Dimensions::Global nz=416\nProcessor Dimensions::npz=4\n"),
            rest + "nz=104;processes=4;threads=2");
  EXPECT_EQ(key_with("Global Problem Dimensions::Global nz=417\nProcessor Dimensions::npz=4\n"),
            rest + "processes=4;threads=2");
  EXPECT_EQ(key_with(""), rest + "processes=4;threads=2");
}

TEST(graph500, the_harmonic_mean_is_the_value) {
  const auto run = only_run(graph500);
  EXPECT_EQ(run.points.at(0).key, "graph500/bfs;edgefactor=16;processes=4;roots=64;scale=20");
  EXPECT_EQ(value(&run.points[0], "traversal_rate_edge_s"), 2e8);
  EXPECT_EQ(statistics(run).min, 1e8);
  EXPECT_EQ(statistics(run).max, 3e8);
  const auto cut = only_run(with(graph500, "bfs  harmonic_mean_TEPS:     !  2e+08\n", ""));
  EXPECT_EQ(cut.points[0].status, record::Status::failed);
  EXPECT_TRUE(has_event(cut, "import_truncated"));
  EXPECT_EQ(
      value(&only_run(with(graph500, "bfs  harmonic_mean_TEPS:     !  2e+08", "harmonic_mean_TEPS: 2e+08"))
                 .points[0],
            "traversal_rate_edge_s"),
      2e8);
}

TEST(graph500, units_behind_numbers_and_a_mean_of_0_are_read) {
  const auto run = only_run(
      "SCALE:                          22\nedgefactor:                     16\n"
      "NBFS:                           64\nnum_mpi_processes:              8\n"
      "graph_generation:               1.25 s\nconstruction_time:              2.5 s\n"
      "min_time:                       0.5 s\nmin_TEPS:                       1.5e+08 TEPS\n"
      "median_TEPS:                    2.25e+08 TEPS\nharmonic_mean_TEPS:             2e+08 TEPS\n"
      "harmonic_stddev_TEPS:           1e+06\n");
  const auto& point = run.points.at(0);
  EXPECT_EQ(point.status, record::Status::ok);
  EXPECT_EQ(value(&point, "traversal_rate_edge_s"), 2e8);
  EXPECT_EQ(statistics(run).min, 1.5e8);
  EXPECT_EQ(statistics(run).median, 2.25e8);
  EXPECT_EQ(classic(&point, "construction_time_s"), 2.5);
  const auto none = only_run(with(graph500, "!  2e+08", "!  0"));  // a search that visits no edge
  EXPECT_EQ(none.points.at(0).status, record::Status::ok);
  EXPECT_TRUE(has_flag(&none.points[0], "below_resolution"));
  EXPECT_EQ(only_run(with(graph500, "!  2e+08", "!  -nan")).points.at(0).status, record::Status::failed);
}

TEST(graph500, the_form_of_one_process_is_read) {
  const std::string text =
      "SCALE: 18\nnvtx: 262144\nedgefactor: 16\nterasize: 6.71e-05\nA: 5.7e-01\nB: 1.9e-01\nC: 1.9e-01\n"
      "D: 5.0e-02\ngeneration_time: 4.0e-01\nconstruction_time: 2.5e-01\nnbfs: 64\nmin_time: 1.0e-02\n"
      "min_TEPS: 1.5e+08\nharmonic_mean_TEPS: 2.0e+08\nharmonic_stddev_TEPS: 1.0e+06\n";
  const auto run = only_run(text);
  EXPECT_EQ(run.points.at(0).key, "graph500/bfs;edgefactor=16;processes=1;roots=64;scale=18");
  EXPECT_EQ(value(&run.points[0], "traversal_rate_edge_s"), 2e8);
  EXPECT_EQ(classic(&run.points[0], "construction_time_s"), 0.25);
  EXPECT_EQ(read_text(text + with(text, "SCALE: 18", "SCALE: 19")).runs.at(0).points.size(), 2U);
}

TEST(nccl, a_row_has_a_point_out_of_place_and_one_in_place) {
  const auto run = only_run(nccl);
  ASSERT_EQ(run.points.size(), 2U);
  EXPECT_EQ(run.points[0].key,
            "nccl/all_reduce;message_byte=33554432;op=sum;place=out;processes=4;type=float");
  EXPECT_EQ(value(&run.points[0], "time_s"), 3.452e-4);
  EXPECT_EQ(value(&run.points[0], "bandwidth_byte_s"), 9.72e10);
  EXPECT_EQ(value(&run.points[0], "bus_bandwidth_byte_s"), 1.701e11);
  EXPECT_EQ(run.points[0].verified, true);
  EXPECT_EQ(run.head.nodes, 2);
  const auto wrong = only_run(with(nccl, "170.10 0", "170.10 3"));
  EXPECT_EQ(wrong.points[0].verified, false);
  EXPECT_EQ(wrong.points[1].verified, true);
  EXPECT_FALSE(only_run(with(nccl, "170.10 0", "170.10 N/A")).points[0].verified.has_value());
}

TEST(nccl, the_name_may_stand_above_the_head_of_each_of_several_tables) {
  const auto table = [](const std::string& name) {
    return "# nccl-tests version 2.17.8 nccl-headers=22902 nccl-library=22902\n# Collective test starting: " +
           name +
           "_perf\n# nThread 1 nGpus 1 minBytes 8 maxBytes 8 step: 2(factor)\n"
           "#  Rank  0 Group  0 Pid    100 on n1 device  0 [0x07] X\n"
           "  8  2  float  sum  -1  10.0  1.00  1.50  0  10.1  1.00  1.50  0\n";
  };
  const auto run = only_run(table("all_gather") + table("all_reduce") + "# Avg bus bandwidth    : 1.5\n");
  ASSERT_EQ(run.points.size(), 4U);
  EXPECT_EQ(run.points[1].benchmark, "all_gather");
  EXPECT_EQ(run.points[2].benchmark, "all_reduce");
  EXPECT_EQ(record::text_in(run.head.imported.json(), "release"), "2.29.2");
}

TEST(nccl, an_operation_without_reduction_leaves_its_column_blank) {
  const std::string head =
      "# nThread 1 nGpus 8 minBytes 1 maxBytes 8 step: 2(factor)\n# Collective test starting: alltoall_perf\n"
      "#   Rank  0 Pid 167261 on n1 device  0 [0x00] X\n"
      "#  size  count  type  redop  time  algbw  busbw  error  time  algbw  busbw  error\n";
  const auto run = only_run(head + "  8  2  float    10.0  1.00  1.50  N/A  11.0  1.00  1.50  N/A\n");
  ASSERT_EQ(run.points.size(), 2U);
  EXPECT_EQ(run.points[0].key, "nccl/alltoall;message_byte=8;place=out;processes=1;type=float");
  EXPECT_EQ(value(&run.points[1], "time_s"), 1.1e-5);
  const auto none = read_text(head + "  8  2  float\n  8  2  float 1 2\n# Avg bus bandwidth    : 1.5\n");
  EXPECT_EQ(none.refused.size(), 1U);
}

TEST(nccl, means_and_single_iterations_are_kept) {
  const auto run = only_run(nccl);
  ASSERT_EQ(run.summaries.size(), 1U);
  EXPECT_GT(record::number(*record::find(run.summaries[0].classic, "average_bus_bandwidth_byte_s")), 1e9);
  EXPECT_EQ(record::number(
                *record::find(only_run(nccl_json).summaries.at(0).classic, "average_bus_bandwidth_byte_s")),
            168.935e9);
  const auto tails = only_run(
      "# nThread 1 nGpus 1 minBytes 8 maxBytes 8 step: 2(factor)\n# Collective test starting: all_reduce_perf\n"
      "#  Rank  0 Group  0 Pid    100 on n1 device  0 [0x07] X\n"
      "#       size  count  type  redop  root  time  algbw  busbw  #wrong  i_min  i_max  i_p99  i_cv%  time  algbw  busbw  #wrong  i_min  i_max  i_p99  i_cv%\n"
      "  8  2  float  sum  -1  10.0  1.00  1.50  0  9.0  12.0  11.5  3.00  10.1  1.00  1.50  0  8.5  13.0  12.5  4.00\n"
      "# Avg bus bandwidth    : 1.5\n");
  EXPECT_EQ(classic(&tails.points.at(0), "i_min_s"), 9e-6);
  EXPECT_EQ(classic(&tails.points.at(1), "i_cv_percent"), 4);
}

TEST(nccl, the_document_says_what_the_text_says) {
  const auto run = only_run(nccl_json);
  ASSERT_EQ(run.points.size(), 2U);
  EXPECT_EQ(run.points[0].key,
            "nccl/all_reduce;message_byte=33554432;op=sum;place=out;processes=4;type=float");
  EXPECT_EQ(value(&run.points[0], "time_s"), 3.452e-4);
  EXPECT_EQ(value(&run.points[0], "bandwidth_byte_s"), 9.72e10);
  EXPECT_EQ(value(&run.points[1], "bus_bandwidth_byte_s"), 1.6777e11);
  EXPECT_EQ(run.points[0].verified, true);
  EXPECT_FALSE(run.points[1].verified.has_value());
  EXPECT_EQ(run.head.nodes, 2);
  EXPECT_EQ(run.head.started_utc, "2026-03-03T10:15:00Z");
  EXPECT_EQ(record::text_in(run.head.imported.json(), "release"), "2.27.3");
  EXPECT_FALSE(has_event(run, "import_truncated"));
  EXPECT_TRUE(has_event(only_run(nccl_json.substr(0, nccl_json.find(",\"average_bus"))), "import_truncated"));
  EXPECT_EQ(only_run(with(nccl_json, "\"nwrong\":0.0", "\"nwrong\":2.0")).points[0].verified, false);
  EXPECT_EQ(only_run(with(nccl_json, "345.200000", "\"nan\"")).points[0].status, record::Status::failed);
  EXPECT_EQ(read_text(with(nccl_json, "\"size\":33554432", "\"size\":null")).refused.size(), 1U);
  std::string longer = nccl_json;  // the environment of a job makes the line long
  longer.insert(longer.find("\"HOME"), "\"A=" + std::string(100'000, 'x') + "\",");
  EXPECT_EQ(only_run(longer).points.size(), 2U);
}

TEST(b_eff, the_values_of_a_protocol_are_points) {
  const auto run = only_run(b_eff_protocol);
  ASSERT_EQ(run.points.size(), 4U);
  const auto* point = point_of(run, "b-eff/b_eff;message_byte=1;method=Alltoal;pattern=0;processes=256");
  ASSERT_NE(point, nullptr);
  EXPECT_EQ(value(point, "bandwidth_per_process_byte_s"), 0.312e6);
  EXPECT_EQ(classic(point, "average_byte_s"), 0.351e6);
  EXPECT_EQ(classic(point, "largest_byte_s"), 0.403e6);
  EXPECT_FALSE(point->lower_is_better);
  EXPECT_NE(point_of(run, "b-eff/b_eff;message_byte=2;method=Sndrcv;pattern=0;processes=256"), nullptr);
  EXPECT_EQ(run.summaries.size(), 1U);
}

TEST(b_eff_io, rows_of_a_protocol_are_points) {
  const auto run = only_run(b_eff_io_protocol);
  ASSERT_EQ(run.points.size(), 2U);
  const auto* point =
      point_of(run, "b-eff-io/b_eff_io;access=write;chunk_byte=1048576;pattern=1;processes=8");
  ASSERT_NE(point, nullptr);
  EXPECT_EQ(value(point, "bandwidth_byte_s"), 119.837e6);
  EXPECT_EQ(value(point, "time_s"), 1.19);
  EXPECT_FALSE(point->verified.has_value());
  EXPECT_EQ(run.points[1].verified, false);
  EXPECT_EQ(run.head.started_utc, "2022-03-03T10:15:00Z");
}

TEST(b_eff_io, a_row_with_errors_has_failed) {
  const auto run = only_run(b_eff_io_protocol);
  const auto* point = point_of(run, "b-eff-io/b_eff_io;access=read;chunk_byte=1048576;pattern=1;processes=8");
  ASSERT_NE(point, nullptr);
  EXPECT_EQ(point->status, record::Status::failed);
  EXPECT_EQ(point->reason->code, record::ReasonCode::verification);
  EXPECT_EQ(classic(point, "bandwidth_byte_s"), 235.713e6);
  EXPECT_TRUE(has_flag(point, "warned_by_program"));
  EXPECT_FALSE(has_flag(&run.points[0], "warned_by_program"));
  EXPECT_EQ(run.summaries.at(0).verified, false);
  EXPECT_TRUE(has_event(run, "import_warning"));
}

/// Summary file of three partitions, the last line with this verdict.
std::string three_partitions(const std::string& verdict) {
  struct Partition {
    std::string processes, rate, verdict;
  };
  const std::string good = " VALID for comparison of different systems\n";
  std::string text =
      "b_eff_io.c, Revision 2.1 from 2001-05-01\nDate of measurement: Thu Mar  3 10:15:00 2022\n";
  for (const Partition& one :
       {Partition{"2", "100.000", good}, Partition{"4", "321.000", good},
        Partition{"8", "50.000",
                  " NOT" + good + "   scheduled time 10.0 min, at least 15.0 min: NOT reached\n"}})
    text += " b_eff_io of these measurements = " + one.rate + " MB/s on   " + one.processes +
            " processes with 256 MByte/PE and scheduled time=30.0 min\n" + one.verdict;
  return text +
         " b_eff_io =  321.000 MB/s on   4 processes with  256 MByte/PE, scheduled time=30.0 Min, on Linux n1 6.1 x x86_64" +
         verdict + "\n";
}

TEST(b_eff_io, every_partition_has_a_summary_and_that_of_the_figure_comes_first) {
  const auto run = only_run(three_partitions(""));
  ASSERT_EQ(run.summaries.size(), 3U);
  const auto &best = run.summaries[0], &small = run.summaries[1], &large = run.summaries[2];
  EXPECT_EQ(best.processes, 4);
  EXPECT_EQ(std::get<double>(best.values.at(0).second), 3.21e8);
  EXPECT_EQ(best.official, true);
  EXPECT_EQ(small.processes, 2);
  EXPECT_EQ(std::get<double>(small.values.at(0).second), 1e8);
  EXPECT_EQ(large.processes, 8);
  EXPECT_EQ(large.official, false);
  EXPECT_NE(large.not_official_because.at(0).find("NOT reached"), std::string::npos);
  EXPECT_EQ(record::number_of(record::find(large.classic, "scheduled_s")), 1800.0);
}

TEST(b_eff_io, the_machine_is_told_whatever_the_verdict) {
  for (const char* verdict : {"", ", NOT VALID (see above)", ", with 3 ERRORS --!--!--!--"})
    EXPECT_EQ(only_run(three_partitions(verdict)).head.machine.json()["hostname"], record::Json("n1"))
        << verdict;
}

TEST(b_eff_io, what_is_not_valid_is_a_warning) {
  const auto run = only_run(b_eff_io);
  EXPECT_TRUE(has_event(run, "import_warning"));
  EXPECT_EQ(run.summaries.at(0).flags, std::vector<std::string>{"warned_by_program"});
  EXPECT_FALSE(has_event(only_run(with(b_eff_io, ", NOT VALID (see above)", "")), "import_warning"));
}

TEST(b_eff_io, a_warning_of_no_partition_is_told_with_the_figure) {
  const auto warned = [](const record::Run& run) {
    return run.summaries.at(0).flags == std::vector<std::string>{"warned_by_program"};
  };
  const auto text = three_partitions("");
  EXPECT_FALSE(warned(only_run(text)));
  const auto run = only_run(with(text, "Date of", "CAUTION: the disk is nearly full\nDate of"));
  EXPECT_TRUE(warned(run));
  EXPECT_TRUE(has_event(run, "import_warning"));
}

TEST(b_eff_io, an_unfinished_measurement_has_no_value_and_no_errors) {
  const auto run = only_run(with(b_eff_io, "321.000", "      -"));
  const auto& summary = run.summaries.at(0);
  EXPECT_TRUE(std::holds_alternative<std::nullptr_t>(summary.values.at(0).second));
  EXPECT_FALSE(summary.verified.has_value());
  EXPECT_TRUE(has_event(run, "import_truncated"));
  EXPECT_FALSE(run.end.has_value());
  EXPECT_EQ(only_run(with(b_eff_io, "321.000", "-999.999")).summaries.at(0).verified, false);
}

TEST(b_eff, what_its_program_says_of_the_figure_is_told) {
  const auto wrong = only_run(with(b_eff, "b_eff =", "b_effINVALID ="));
  EXPECT_EQ(wrong.summaries.at(0).official, false);
  EXPECT_EQ(wrong.summaries.at(0).verified, false);
  EXPECT_TRUE(has_event(wrong, "import_warning"));
  const auto careful = only_run(with(b_eff_protocol, "SECTION-VALUES-END",
                                     "SECTION-VALUES-END\nCAUTION: a difference is larger than 5 %."));
  EXPECT_EQ(careful.summaries.at(0).flags, std::vector<std::string>{"warned_by_program"});
  EXPECT_FALSE(has_flag(&careful.points.at(0), "warned_by_program"));
  EXPECT_FALSE(has_event(only_run(b_eff_protocol), "import_warning"));
}

TEST(b_eff, the_last_line_is_the_figure) {
  const auto run = only_run(b_eff);
  ASSERT_EQ(run.summaries.size(), 1U);
  EXPECT_EQ(std::get<double>(run.summaries[0].values[0].second), 9.709549e9);
  EXPECT_EQ(run.summaries[0].processes, 256);
  EXPECT_EQ(*record::find(run.summaries[0].classic, "memory_per_process_byte"),
            record::Value(std::int64_t{128} << 20));
  const auto brief = only_run(with(b_eff, "9709.549", "9709.549SHORT"));
  EXPECT_EQ(brief.summaries[0].official, false);
  EXPECT_EQ(brief.summaries[0].not_official_because, std::vector<std::string>{"SHORT"});
}

TEST(b_eff_io, the_reason_for_not_being_valid_is_kept) {
  const auto run = only_run(b_eff_io);
  ASSERT_EQ(run.summaries.size(), 1U);
  EXPECT_EQ(std::get<double>(run.summaries[0].values[0].second), 3.21e8);
  EXPECT_EQ(run.summaries[0].official, false);
  EXPECT_NE(run.summaries[0].not_official_because.at(0).find("see above"), std::string::npos);
}

TEST(b_eff_io, blanks_before_the_sign_are_as_many_as_they_like) {
  const auto run = only_run(with(b_eff_io, "b_eff_io =", "b_eff_io  ="));
  EXPECT_EQ(std::get<double>(run.summaries.at(0).values.at(0).second), 3.21e8);
}

}  // namespace
}  // namespace steelyard::foreign::test
