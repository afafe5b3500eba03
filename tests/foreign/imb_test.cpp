// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <random>

#include "record/point_view.hpp"
#include "vectors.hpp"

namespace steelyard::foreign::test {
namespace {

const std::string big = "imb-mpi1/PingPong;message_byte=4194304;processes=2;type=MPI_BYTE";
const std::string empty = "imb-mpi1/PingPong;message_byte=0;processes=2;type=MPI_BYTE";

TEST(imb, a_table_becomes_points_with_the_digits_that_are_printed) {
  const auto run = only_run(imb);
  EXPECT_EQ(run.head.imported.json()["release"].get<std::string>(), "2021.3");
  EXPECT_EQ(run.head.started_utc, "2022-03-03T10:15:00Z");
  EXPECT_TRUE(run.head.imported.json()["assumed"].contains("zone"));
  EXPECT_EQ(run.head.processes, 4);
  EXPECT_EQ(run.head.nodes, 0);
  const auto* point = point_of(run, big);
  ASSERT_NE(point, nullptr);
  EXPECT_EQ(value(point, "time_s"), 4.0e-4);
  EXPECT_EQ(value(point, "bandwidth_byte_s"), 1.048576e10);
  EXPECT_EQ(point->schedule->ops, 10);
  EXPECT_EQ(point->imported.json()["step"].get<double>(), 1e-8);
  EXPECT_EQ(point->imported.json()["line"].get<int>(), 9);
  const auto* first = point_of(run, empty);
  EXPECT_EQ(value(first, "time_s"), 1.21e-6);
  EXPECT_EQ(value(first, "bandwidth_byte_s"), -1);
  EXPECT_FALSE(has_flag(first, "below_resolution"));  // nothing moves
  EXPECT_TRUE(run.end.has_value());
}

TEST(imb, rows_that_a_comment_names_as_cut_short_are_partial) {
  const std::string last = "      4194304           10       400.00     10485.76\n";
  const auto run = only_run(with(imb, last, last + "\n# Cut short: 4194304, 77 (point budget)\n"));
  const auto* point = point_of(run, big);
  ASSERT_NE(point, nullptr);
  EXPECT_EQ(point->status, record::Status::partial);
  ASSERT_TRUE(point->reason);
  EXPECT_EQ(point->reason->text, "point budget");
  EXPECT_EQ(value(point, "bandwidth_byte_s"), 1.048576e10);
  EXPECT_EQ(point_of(run, empty)->status, record::Status::ok);
  EXPECT_EQ(run.end->points.partial, 1);
}

TEST(imb, a_comment_about_rows_is_of_the_table_above_it) {
  const std::string other =
      "\n#---\n# Benchmarking PingPing\n# #processes = 2\n#---\n"
      "       #bytes #repetitions      t[usec]   Mbytes/sec\n"
      "      4194304           10       400.00     10485.76\n"
      "\n# Cut short: 4194304 (point budget)\n";
  const std::string last = "      4194304           10       400.00     10485.76\n";
  const auto run = only_run(with(imb, last, last + other));
  EXPECT_EQ(point_of(run, big)->status, record::Status::ok);
  const auto* below = point_of(run, "imb-mpi1/PingPing;message_byte=4194304;processes=2;type=MPI_BYTE");
  ASSERT_NE(below, nullptr);
  EXPECT_EQ(below->status, record::Status::partial);
}

TEST(imb, a_rate_of_something_that_is_printed_as_0_is_below_resolution) {
  const auto run = only_run(with(imb, "10485.76", "0.00"));
  EXPECT_EQ(value(point_of(run, big), "bandwidth_byte_s"), -1);
  EXPECT_TRUE(has_flag(point_of(run, big), "below_resolution"));
}

TEST(imb, the_unit_of_rates_follows_from_the_numbers) {
  const auto old =
      with(with(imb, "#    Intel(R) MPI Benchmarks 2021.3", "#    Intel (R) MPI Benchmarks 4.1 Update 1"),
           "10485.76", "10000.00");
  EXPECT_EQ(value(point_of(only_run(old), big), "bandwidth_byte_s"), 1.048576e10);
  EXPECT_FALSE(has_event(only_run(old), "import_unit"));
  const auto against = only_run(with(imb, "10485.76", "10000.00"));
  EXPECT_EQ(value(point_of(against, big), "bandwidth_byte_s"), 1.048576e10);
  EXPECT_TRUE(has_event(against, "import_unit"));
  const auto neither = only_run(with(imb, "10485.76", "7000.00"));
  EXPECT_EQ(value(point_of(neither, big), "time_s"), 4.0e-4);
  EXPECT_EQ(value(point_of(neither, big), "bandwidth_byte_s"), -1);
  EXPECT_TRUE(has_event(neither, "import_unit"));
}

TEST(imb, a_thousand_tables_of_random_times_show_their_unit) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> exponent(0, 4), size_exponent(0, 22);
  int counting = 0;
  for (int i = 0; i < 1000; ++i) {
    const bool binary = i % 2 == 0;
    const double time = std::pow(10, exponent(random));
    const auto bytes = static_cast<long long>(std::pow(2, size_exponent(random)));
    char row[120];
    const double rate = static_cast<double>(bytes) / time / (binary ? 1.048576 : 1);
    std::snprintf(row, sizeof row, "%13lld %12d %12.2f %12.2f\n", bytes, 10, time, rate);
    const auto text = with(with(imb, "      4194304           10       400.00     10485.76\n", row), "2021.3",
                           binary ? "2021.3" : "2021.4");
    const auto run = only_run(text);
    const auto key = "imb-mpi1/PingPong;message_byte=" + std::to_string(bytes) + ";processes=2;type=MPI_BYTE";
    if (rate < 1) continue;  // no row counts: the release decides
    ++counting;
    EXPECT_EQ(has_event(run, "import_unit"), binary) << row;
    const double read = value(point_of(run, key), "bandwidth_byte_s");
    EXPECT_NEAR(read / (static_cast<double>(bytes) / (time * 1e-6)), 1, 0.03) << row;
  }
  EXPECT_GT(counting, 500);
}

TEST(imb, a_text_that_is_cut_off_loses_its_last_row_and_its_end) {
  const auto run = only_run(imb.substr(0, imb.find("400.00") + 6));
  EXPECT_EQ(point_of(run, big), nullptr);
  EXPECT_NE(point_of(run, empty), nullptr);
  EXPECT_TRUE(has_event(run, "import_truncated"));
  EXPECT_FALSE(run.end.has_value());
}

TEST(imb, strange_lines_rows_without_result_and_no_numbers_are_told) {
  const auto strange = only_run(with(imb, "      4194304 ", "mpirun: warning: no route\n      4194304 "));
  EXPECT_EQ(value(point_of(strange, big), "time_s"), 4.0e-4);
  EXPECT_EQ(strange.head.imported.json()["strange_lines"].get<int>(), 1);
  const auto memory = only_run(with(imb, "      4194304           10       400.00     10485.76",
                                    " 4194304 out-of-mem.; needed X=   0.010 GB; use flag \"-mem X\""));
  ASSERT_NE(point_of(memory, big), nullptr);
  EXPECT_EQ(point_of(memory, big)->status, record::Status::skipped);
  EXPECT_EQ(point_of(memory, big)->reason->code, record::ReasonCode::memory);
  const auto bad = only_run(with(imb, "400.00", "nan"));
  EXPECT_EQ(point_of(bad, big)->status, record::Status::failed);
  EXPECT_EQ(point_of(bad, big)->reason->code, record::ReasonCode::unreadable);
  EXPECT_NE(point_of(bad, big)->reason->text.find("line 9"), std::string::npos);
}

TEST(imb, a_collective_has_the_slowest_rank_as_its_value_and_all_three_in_classic) {
  const std::string text = R"(#    Intel (R) MPI Benchmark Suite V3.2, MPI-1 part
# Benchmarking Allreduce
# #processes = 4
       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
            4         1000         3.00         5.00         4.00
# Benchmarking Barrier
# #processes = 4
 #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
         1000         2.66         2.81         2.74
# All processes entering MPI_Finalize
)";
  const auto run = only_run(text);
  const auto* point =
      point_of(run, "imb-mpi1/Allreduce;message_byte=4;op=MPI_SUM;processes=4;type=MPI_FLOAT");
  ASSERT_NE(point, nullptr) << all_points(read_text(text));
  EXPECT_EQ(value(point, "time_s"), 5e-6);
  EXPECT_EQ(classic(point, "t_min_s"), 3e-6);
  EXPECT_EQ(classic(point, "t_avg_s"), 4e-6);
  EXPECT_EQ(point->imported.json()["over_ranks"].get<std::string>(), "max");
  EXPECT_EQ(value(point_of(run, "imb-mpi1/Barrier;processes=4"), "time_s"), 2.81e-6);
}

TEST(imb, a_size_twice_and_a_row_of_other_columns_are_left_out) {
  const auto twice = only_run(with(
      imb, "            0         1000         1.21         0.00\n",
      "            0         1000         1.21         0.00\n            0         1000         9.99         0.00\n"));
  EXPECT_EQ(value(point_of(twice, empty), "time_s"), 1.21e-6);
  EXPECT_TRUE(has_event(twice, "import_row"));
  EXPECT_TRUE(has_event(only_run(with(imb, "1.21         0.00", "1.21")), "import_row"));
}

TEST(imb, texts_that_are_none_of_ours_are_refused_by_name) {
  EXPECT_FALSE(read_text(with(imb, "Intel(R) MPI Benchmarks 2021.3", "PALLAS MPI Benchmark Suite V2.2"))
                   .refused.empty());
  EXPECT_THROW(static_cast<void>(read_text("#    Another Benchmark, MPI-1 part\n")), Unreadable);
}

TEST(imb, a_table_of_odd_rows_alone_is_refused) {
  const auto reading =
      read_text(with(with(imb, "1.21         0.00", "1.21"), "400.00     10485.76", "400.00") + imb);
  ASSERT_EQ(reading.refused.size(), 1U);
  EXPECT_NE(reading.refused[0].what.find("PingPong"), std::string::npos);
}

TEST(imb, defects_make_the_time_doubtful) {
  const auto run =
      only_run(with(with(with(imb, "Mbytes/sec", "Mbytes/sec  defects"), "0.00\n", "0.00  0.00\n"),
                    "10485.76\n", "10485.76  3.00\n"));
  EXPECT_EQ(run.points.at(0).verified, true);
  EXPECT_FALSE(has_flag(&run.points.at(0), "warned_by_program"));
  EXPECT_EQ(run.points.at(1).verified, false);
  EXPECT_TRUE(has_flag(&run.points.at(1), "warned_by_program"));
}

/// Text of our own front-end, with these words behind the program's name and these tables.
std::string own_text(const std::string& part, const std::string& words, const std::string& tables) {
  return "#    steelyard 0.1.0, " + part +
         " (IMB 2021 rules)\n# Date                  : Thu Mar  3 10:15:00 2022\n" +
         "# Calling sequence was: \n\n# steelyard " + words + "\n\n" + tables +
         "# All processes entering MPI_Finalize\n";
}

const std::string one_allreduce = R"(# MPI_Datatype                   :   MPI_BYTE
# Benchmarking Allreduce
# #processes = 4
       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
            4         1000         3.00         5.00         4.00
)";

TEST(imb, a_text_of_our_own_that_was_stopped_in_order_is_not_cut_off) {
  const std::string whole = own_text("MPI-1 part", "imb-mpi1 Allreduce", one_allreduce);
  const std::string text = whole.substr(0, whole.rfind("# All processes"));
  EXPECT_TRUE(has_event(only_run(text), "import_truncated"));
  for (const char* by : {"its budget", "a signal", "its deadline", "the file STOP"})
    EXPECT_FALSE(
        has_event(only_run(text + "# Ended by " + by + " before all was measured\n"), "import_truncated"))
        << by;
}

TEST(imb, words_of_our_own_front_ends_leave_no_parameter_unknown) {
  const auto* point = "imb-mpi1/Allreduce;message_byte=4;op=MPI_SUM;processes=4;sync=on;type=MPI_FLOAT";
  for (const char* words : {"--out d --label site=A", "--out=d -n 4", "--imb-version 2021 --check --n-barr 3",
                            "--progress none -q --launcher mpirun", "-iter 20 -msglog 2:2"}) {
    const auto run =
        only_run(own_text("MPI-1 part", std::string("imb-mpi1 Allreduce ") + words, one_allreduce));
    ASSERT_NE(point_of(run, point), nullptr) << words << run.points.at(0).key;
    EXPECT_FALSE(point_of(run, point)->imported.json().contains("unknown_params")) << words;
  }
  const auto other = only_run(own_text("MPI-1 part", "imb-mpi1 Allreduce --of-tomorrow 3", one_allreduce));
  EXPECT_EQ(other.points.at(0).imported.json()["unknown_params"].size(), 5U);
}

TEST(imb, words_that_change_the_experiment_are_in_its_key) {
  const std::string rates = R"(# Benchmarking Uniband
# #processes = 2
       #bytes #repetitions   Mbytes/sec      Msg/sec
         1024         1000      1024.00      1000000
)";
  for (const auto& [words, window] : {std::pair{"", 256}, {"-window_size 64 ", 64}}) {
    const auto run =
        only_run(own_text("MPI-1 part", std::string("imb-mpi1 Uniband ") + words + "-iter 20", rates));
    EXPECT_EQ(run.points.at(0).key, "imb-mpi1/Uniband;message_byte=1024;processes=2;type=MPI_BYTE;window=" +
                                        std::to_string(window));
  }
  const auto run =
      only_run(own_text("MPI-1 part", "imb-mpi1 Allreduce -contig_type resize -sync off", one_allreduce));
  EXPECT_EQ(run.points.at(0).key,
            "imb-mpi1/Allreduce;contiguous_type=resize;message_byte=4;op=MPI_SUM;processes=4;type=MPI_FLOAT");
}

TEST(imb, an_element_of_its_own_is_that_of_the_benchmark) {
  const auto run = only_run(
      own_text("MPI-RMA part", "imb-rma Compare_and_swap", R"(# MPI_Datatype                   :   MPI_BYTE
# Benchmarking Compare_and_swap
# #processes = 2
#
#    MODE: AGGREGATE
#
       #bytes #repetitions      t[usec]   Mbytes/sec
            4         1000         0.50         8.00
)"));
  EXPECT_EQ(record::word_of(record::find(run.points.at(0).params, "type")), "MPI_INT")
      << run.points.at(0).key;
}

const std::string of_threads = R"(# Benchmarking PingPongMT
# #processes = 2 (threads: 2)
       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]   Mbytes/sec
            8         1000         1.95         2.00         1.98         4.00
           16         1000         1.96         2.00         1.98         8.00
# Benchmarking BiBandMT
# #processes = 4 (threads: 2)
# window_size = 32
       #bytes #repetitions  t_avg[usec]   Mbytes/sec      Msg/sec
           16         1000         1.20        25.60      3200000
# Benchmarking AllReduceMT
# #processes = 4 (threads: 2)
       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
            8         1000         3.00         5.00         4.00
)";

TEST(imb, rows_of_threads_have_the_keys_and_the_rates_of_ours) {
  const auto run = only_run(own_text("MT part", "imb-mt --threads 2 -count 1,2,4 --out d", of_threads));
  EXPECT_FALSE(has_event(run, "import_unit"));
  EXPECT_EQ(run.head.threads_per_process, 2);
  const auto* pair = point_of(run, "imb-mt/PingPongMT;message_byte=4;processes=2;threads=2;type=MPI_INT");
  ASSERT_NE(pair, nullptr) << all_points(read_text(own_text("MT part", "imb-mt --threads 2", of_threads)));
  EXPECT_EQ(value(pair, "time_s"), 2e-6);
  EXPECT_EQ(value(pair, "bandwidth_process_byte_s"), 4e6);
  EXPECT_EQ(value(pair, "bandwidth_byte_s"), -1);
  EXPECT_EQ(pair->imported.json()["over_ranks"].get<std::string>(), "max");
  const auto* band =
      point_of(run, "imb-mt/BiBandMT;message_byte=8;processes=4;threads=2;type=MPI_INT;window=32");
  ASSERT_NE(band, nullptr);
  EXPECT_EQ(value(band, "message_rate_total_op_s"), 3.2e6);
  EXPECT_EQ(value(band, "bandwidth_total_byte_s"), 2.56e7);
  EXPECT_EQ(value(band, "time_s"), 1.2e-6);
  EXPECT_NE(point_of(run, "imb-mt/AllReduceMT;message_byte=4;op=MPI_SUM;processes=4;threads=2;type=MPI_INT"),
            nullptr);
}

TEST(imb, words_of_threads_are_in_the_keys) {
  const auto run = only_run(
      own_text("MT part", "imb-mt --threads 2 -datatype char -stride 1 -barrier special -malloc_algo serial",
               of_threads));
  EXPECT_EQ(
      run.points.at(0).key,
      "imb-mt/PingPongMT;barrier=special;malloc_algo=serial;message_byte=4;processes=2;stride=1;threads=2;type=MPI_CHAR");
  EXPECT_EQ(
      run.points.at(3).key,
      "imb-mt/AllReduceMT;barrier=special;malloc_algo=serial;message_byte=4;op=MPI_SUM;processes=4;threads=2;"
      "type=MPI_SIGNED_CHAR");
}

TEST(imb, what_a_text_of_threads_without_head_cannot_tell_is_unknown) {
  const auto run = only_run(of_threads + "# All processes entering MPI_Finalize\n");
  EXPECT_EQ(run.points.at(0).imported.json()["unknown_params"],
            record::Json({"stride", "barrier", "malloc_algo"}));
  EXPECT_TRUE(run.head.imported.json()["assumed"].contains("type"));
  EXPECT_EQ(value(&run.points.at(2), "bandwidth_total_byte_s"), 2.56e7) << "these never counted 2^20 byte";
  // The published program has its buffers taken by the main thread where nobody says who takes them.
  const auto theirs =
      only_run(with(own_text("MT part", "imb-mt PingPongMT", of_threads),
                    "steelyard 0.1.0, MT part (IMB 2021 rules)", "Intel(R) MPI Benchmarks 2021.3, MT part"));
  EXPECT_EQ(theirs.points.at(0).imported.json()["unknown_params"], record::Json({"malloc_algo"}));
}

TEST(imb, bytes_that_threads_cannot_share_are_left_out) {
  const auto run = only_run(own_text("MT part", "imb-mt",
                                     with(of_threads, "            8         1000         1.95",
                                          "            9         1000         1.95")));
  EXPECT_TRUE(has_event(run, "import_row"));
  EXPECT_EQ(run.points.size(), 3U);
}

TEST(imb, times_of_patterns_are_means_and_their_message_rates_are_kept) {
  const auto run =
      only_run(own_text("IMB-P2P part", "imb-p2p PingPong -msglog 10 --out d", R"(# Benchmarking PingPong
# #processes = 4
       #bytes #repetitions      t[usec]   Mbytes/sec      Msg/sec
            0          100         1.50         0.00      1250000
         1024          100         2.00      1024.00      1000000
)"));
  EXPECT_FALSE(has_event(run, "import_unit")) << "the rates are of the slowest process, the time is a mean";
  const auto* point = point_of(run, "imb-p2p/PingPong;message_byte=1024;processes=4;type=MPI_BYTE");
  ASSERT_NE(point, nullptr) << run.points.at(0).key;
  EXPECT_EQ(point->primary, "time_s");
  EXPECT_EQ(point->imported.json()["over_ranks"].get<std::string>(), "mean");
  EXPECT_EQ(classic(point, "t_avg_s"), 2e-6);
  EXPECT_EQ(record::find(point->classic, "t_max_s"), nullptr);
  EXPECT_EQ(classic(point, "message_rate_op_s"), 1e6);
  EXPECT_EQ(value(point, "message_rate_op_s"), 1e6);
  EXPECT_EQ(value(point, "bandwidth_byte_s"), 1.024e9);
}

const std::string of_requests = R"(# MPI_Datatype                   :   MPI_BYTE
# Benchmarking PingPong_persist
# #processes = 2
       #bytes #repetitions      t[usec]   Mbytes/sec
         1024          100         2.00       512.00

# Benchmarking Bcast_init
# #processes = 2
       #bytes #repetitions t_init[usec] t_exec[usec] t_call[usec]   break_even
         1024          100        10.00         4.00         5.00           11
         2048          100        10.00         6.00         5.00            -

# Benchmarking Overlap_part
# #processes = 2
       #bytes       #parts #repetitions t_comp[usec] t_part[usec]  t_p2p[usec]     overhead perceiv_MB/s     early[%]
         4096            4          100         5.00         7.00         5.00         1.50      1000.00        20.00

# Benchmarking Neighbor_alltoall
# #processes = 6
# topology = 3 x 2, neighbours = 4
       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
         1024          100         1.00         3.00         2.00
)";

TEST(imb, our_own_part_of_MPI_4_is_not_that_of_IMB) {
  const auto run = only_run(own_text("MPI-4 part, steelyard's own", "mpi4", of_requests));
  const auto* message = point_of(run, "mpi4/PingPong_persist;message_byte=1024;processes=2;type=MPI_BYTE");
  ASSERT_NE(message, nullptr) << run.points.at(0).key;
  EXPECT_EQ(value(message, "bandwidth_byte_s"), 5.12e8);
  const auto* request =
      point_of(run, "mpi4/Bcast_init;message_byte=1024;processes=2;root=zero;sync=on;type=MPI_BYTE");
  ASSERT_NE(request, nullptr) << run.points.at(1).key;
  EXPECT_EQ(classic(request, "t_call_s"), 5e-6);
  EXPECT_EQ(classic(request, "break_even"), 11);
  EXPECT_EQ(record::find(run.points.at(2).classic, "break_even"), nullptr) << "it never pays";
  EXPECT_NE(
      point_of(run,
               "mpi4/Overlap_part;message_byte=4096;noise=0.04;noise_model=uniform;partitions=4;processes=2;"
               "type=MPI_BYTE"),
      nullptr)
      << run.points.at(3).key;
  EXPECT_EQ(classic(&run.points.at(3), "overhead"), 1.5);
  EXPECT_EQ(classic(&run.points.at(3), "perceived_bandwidth_byte_s"), 1e9);
  EXPECT_EQ(classic(&run.points.at(3), "early_percent"), 20);
  EXPECT_EQ(only_run(own_text("MPI-4 part", "imb-mpi4", of_requests)).points.at(0).suite, "imb-mpi4");
  const auto& of_neighbours = run.points.at(4);
  EXPECT_EQ(record::word_of(record::find(of_neighbours.params, "topology")), "3x2");
  EXPECT_EQ(record::whole_of(record::find(of_neighbours.params, "neighbours")), 4);
}

TEST(imb, words_of_parts_and_neighbours_are_in_the_keys) {
  const auto run = only_run(
      own_text("MPI-4 part, steelyard's own",
               "mpi4 -cart 3x2 -noise 5 -noise_model gauss -pready backward -pready_call range -partitions 4",
               of_requests));
  EXPECT_EQ(run.points.at(3).key,
            "mpi4/Overlap_part;message_byte=4096;noise=0.05;noise_model=gauss;partitions=4;pready=backward;"
            "pready_call=range;processes=2;type=MPI_BYTE");
  EXPECT_EQ(run.points.at(4).key,
            "mpi4/Neighbor_alltoall;cart=3x2;message_byte=1024;processes=6;sync=on;type=MPI_BYTE");
  for (const auto& point : run.points)
    EXPECT_FALSE(point.imported.json().contains("unknown_params")) << point.key;
  const auto threads =
      only_run(own_text("MPI-4 part, steelyard's own", "mpi4 -thread_level multiple", of_requests));
  EXPECT_EQ(
      threads.points.at(3).key,
      "mpi4/Overlap_part;message_byte=4096;noise=0.04;noise_model=uniform;partitions=4;pready_by=threads;"
      "processes=2;type=MPI_BYTE");
}

TEST(imb, the_rules_of_a_measurement_are_those_that_its_head_names) {
  const auto run = only_run(own_text(
      "MPI-1 part", "imb-mpi1 Allreduce",
      "# Measured by the rules of 3.1: of 2021 are this head and the unit of Mbytes/sec\n" + one_allreduce));
  EXPECT_EQ(run.points.at(0).key, "imb-mpi1/Allreduce;message_byte=4;op=MPI_SUM;processes=4;type=MPI_FLOAT");
}

TEST(imb, transfers_under_way_are_bounded_where_they_are_completed_together) {
  const std::string modes = R"(# MPI_Datatype                   :   MPI_BYTE
# Benchmarking Unidir_put
# #processes = 2
#
#    MODE: NON-AGGREGATE
#
       #bytes #repetitions      t[usec]   Mbytes/sec
         1024          100         2.00       512.00

# Benchmarking Unidir_put
# #processes = 2
#
#    MODE: AGGREGATE
#
       #bytes #repetitions      t[usec]   Mbytes/sec
         1024          100         2.00       512.00
)";
  const auto run = only_run(own_text("MPI-RMA part", "imb-rma Unidir_put --outstanding 3", modes));
  EXPECT_EQ(run.points.at(0).key,
            "imb-rma/Unidir_put;message_byte=1024;mode=non_aggregate;processes=2;type=MPI_BYTE");
  EXPECT_EQ(run.points.at(1).key,
            "imb-rma/Unidir_put;message_byte=1024;mode=aggregate;outstanding=3;processes=2;type=MPI_BYTE");
}

}  // namespace
}  // namespace steelyard::foreign::test
