// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <locale>
#include <regex>
#include <sstream>

#include "formats/live/table.hpp"
#include "imb_points.hpp"
#include "record/json.hpp"

namespace steelyard::formats {
namespace {

using record::Statistics;
using record::Status;

struct Row {
  std::int64_t byte = 0;
  double median = 0, low = 0, high = 0, p99 = 0;
  std::int64_t batches = 0, operations = 0;
  std::optional<double> bandwidth;
};

record::PointRecord allreduce(const Row& row) {
  record::PointRecord point;
  point.suite = "imb-mpi1";
  point.benchmark = "Allreduce";
  point.processes = 4;
  point.params = {{"message_byte", row.byte}, {"op", "MPI_SUM"}, {"type", "MPI_FLOAT"}};
  Statistics time;
  time.over_ranks = "max";
  time.n = row.batches;
  time.median = row.median;
  time.ci = {row.low, row.high};
  time.p99 = row.p99;
  point.metrics = {{"time_s", time}};
  if (row.bandwidth) {
    Statistics bandwidth;
    bandwidth.median = *row.bandwidth;
    point.metrics.emplace_back("bandwidth_byte_s", bandwidth);
  }
  point.primary = "time_s";
  point.schedule = record::Schedule{};
  point.schedule->ops_per_batch = row.operations;
  return point;
}

const Row smallest{0, 0.41e-6, 0.41e-6, 0.42e-6, 0.55e-6, 32, 640, std::nullopt};
const Row middle{4096, 6.23e-6, 6.19e-6, 6.31e-6, 9.80e-6, 41, 128, 4096 / 6.23e-6};
const Row largest{1048576, 811e-6, 806e-6, 818e-6, 1.02e-3, 128, 4, 1048576 / 811e-6};

std::string table(const std::vector<record::PointRecord>& points, TableStyle style = {}) {
  std::ostringstream out;
  const auto writer = live_table(out, style);
  writer->run({});
  for (const auto& point : points) writer->point(point);
  writer->end({});
  return out.str();
}

std::string last_line(const std::string& text) {
  return text.substr(text.rfind('\n', text.size() - 2) + 1);
}

TEST(live_table, looks_as_the_interface_shows_it) {
  auto cut = allreduce(largest);
  cut.status = Status::partial;
  cut.reason = because(record::ReasonCode::time, "point budget");
  EXPECT_EQ(table({allreduce(smallest), allreduce(middle), cut}),
            "imb-mpi1/Allreduce   4 processes   MPI_FLOAT, MPI_SUM                        time per "
            "operation, max over ranks\n"
            "     bytes      median        95 % interval         p99    batches  ops/batch    MB/s\n"
            "         0     0.41 us     0.41 ..   0.42 us     0.55 us        32        640       -\n"
            "      4096     6.23 us     6.19 ..   6.31 us     9.80 us        41        128    657.5\n"
            "   1048576     811  us     806  ..   818  us     1.02 ms       128          4   1293    partial "
            "(point budget)\n");
}

TEST(live_table, new_table_for_another_benchmark_or_process_number) {
  auto other = allreduce(smallest);
  other.processes = 1;
  const std::string text = table({allreduce(smallest), allreduce(middle), other});
  EXPECT_NE(text.find("657.5\n\nimb-mpi1/Allreduce   1 process   MPI_FLOAT"), std::string::npos);
}

record::PointRecord without_values(Status status, const std::string& why) {
  auto point = allreduce(largest);
  point.metrics.clear();
  point.status = status;
  point.reason = because(record::ReasonCode::memory, why);
  return point;
}

TEST(live_table, failed_rows_have_a_verdict_only) {
  const auto failed = without_values(Status::failed, "MPI_ERR_TRUNCATE");
  EXPECT_EQ(last_line(table({failed})), "   1048576" + std::string(78, ' ') + "failed (MPI_ERR_TRUNCATE)\n");
}

TEST(live_table, sizes_that_were_left_out_are_one_line_beneath_their_table) {
  const auto skipped = without_values(Status::skipped, "needs 3 GiB,\nhas 2 GiB");
  auto other = allreduce(smallest);
  other.processes = 2;
  const std::string text = table({skipped, allreduce(middle), skipped, other});
  EXPECT_NE(
      text.find("657.5\n  2 sizes not measured: needs 3 GiB, has 2 GiB\n\nimb-mpi1/Allreduce   2 processes"),
      std::string::npos)
      << text;
}

TEST(live_table, reasons_of_one_table_share_its_line) {
  const auto large = without_values(Status::skipped, "needs 3 GiB"),
             late = without_values(Status::skipped, "time");
  EXPECT_EQ(last_line(table({allreduce(smallest), large, late, large})),
            "  3 sizes not measured: needs 3 GiB (2); time (1)\n");
  const auto third = without_values(Status::skipped, "c"), fourth = without_values(Status::skipped, "d");
  EXPECT_EQ(last_line(table({third, fourth, late, late, late, large, large})),
            "  7 sizes not measured: time (3); needs 3 GiB (2); other reasons (2)\n");
}

TEST(live_table, table_without_any_row_has_its_title_and_what_was_left_out) {
  EXPECT_EQ(table({without_values(Status::skipped, "needs 3 GiB")}),
            "imb-mpi1/Allreduce   4 processes   MPI_FLOAT, MPI_SUM\n  1 size not measured: needs 3 GiB\n");
}

TEST(live_table, tests_of_hpcc_that_were_left_out_are_named_in_one_line) {
  auto ptrans = without_values(Status::skipped, "takes too long");
  ptrans.suite = "hpcc";
  ptrans.benchmark = "PTRANS";
  auto fft = ptrans;
  fft.benchmark = "MPIFFT";
  EXPECT_EQ(table({ptrans, fft}),
            "hpcc   4 processes\n  2 tests not measured: PTRANS, MPIFFT: takes too long\n");
}

TEST(live_table, what_the_benchmark_is_about_stands_behind_its_numbers_without_colour) {
  const auto row_of = [](std::vector<std::pair<std::string, record::Metric>> metrics) {
    auto point = allreduce(middle);
    std::ranges::move(metrics, std::back_inserter(point.metrics));
    return last_line(table({point}, {.colour = true}));
  };
  const std::string plain = row_of({});
  const auto figure = [&](std::vector<std::pair<std::string, record::Metric>> metrics) {
    const std::string line = row_of(std::move(metrics));
    EXPECT_EQ(line.substr(0, plain.size() - 1), plain.substr(0, plain.size() - 1))
        << "columns keep their places";
    return line.substr(line.find_first_not_of(' ', plain.size() - 1));
  };
  EXPECT_EQ(figure({{"overlap_percent", 62.97}}), "overlap 63 %\n");
  EXPECT_EQ(figure({{"saving_percent", 16.0}, {"break_even", 52.0}}), "saves 16 %, pays after 52\n");
  EXPECT_EQ(figure({{"saving_percent", -4.0}, {"break_even", nullptr}}), "saves -4 %, never pays\n");
  EXPECT_EQ(figure({{"ratio_to_p2p", 1.05}}), "1.05 of messages\n");
  EXPECT_EQ(figure({{"x_passive_progress", 0.5}}), "passive 0.50\n");
}

TEST(live_table, doubt_stands_in_the_row_that_it_is_about) {
  auto wide = allreduce({4096, 6e-6, 5e-6, 30e-6, 9.80e-6, 41, 128, std::nullopt});
  wide.flags = {"noisy"};
  EXPECT_TRUE(last_line(table({wide})).ends_with("  +-208 %, noisy\n"));
  EXPECT_TRUE(table({wide}, {.colour = true}).ends_with("\033[35m+-208 %, noisy\033[0m\n"));
}

TEST(live_table, wrong_data_is_marked_and_the_values_stay) {
  auto wrong = allreduce(middle);
  wrong.verified = false;
  EXPECT_EQ(
      last_line(table({wrong})),
      "      4096     6.23 us     6.19 ..   6.31 us     9.80 us        41        128    657.5  UNVERIFIED\n");
  wrong.status = Status::partial;
  EXPECT_TRUE(last_line(table({wrong})).ends_with("657.5  UNVERIFIED, partial\n"));
}

TEST(live_table, unchecked_and_correct_data_have_no_mark) {
  auto good = allreduce(middle);
  good.verified = true;
  EXPECT_TRUE(last_line(table({good})).ends_with("657.5\n"));
}

TEST(live_table, colour_only_on_request_and_only_on_verdicts) {
  auto point = allreduce(middle);
  EXPECT_EQ(table({point}, {.colour = true}), table({point}));
  point.status = Status::partial;
  EXPECT_TRUE(table({point}, {.colour = true}).ends_with("\033[35mpartial\033[0m\n"));
  point.verified = false;
  EXPECT_TRUE(table({point}, {.colour = true}).ends_with("\033[1;31mUNVERIFIED, partial\033[0m\n"));
  EXPECT_EQ(table({point}).find('\033'), std::string::npos);
}

TEST(live_table, utf8_changes_the_unit_but_no_column) {
  const std::string ascii = last_line(table({allreduce(middle)}));
  const std::string utf8 = last_line(table({allreduce(middle)}, {.utf8 = true}));
  EXPECT_NE(utf8.find("6.23 µs"), std::string::npos);
  EXPECT_EQ(std::regex_replace(utf8, std::regex("µ"), "u"), ascii);
}

TEST(live_table, point_without_size_interval_and_schedule) {
  record::PointRecord point;
  point.suite = "imb-mpi1";
  point.benchmark = "Barrier";
  point.processes = 2;
  point.primary = "time_s";
  Statistics time;
  time.over_ranks = "one";
  time.median = 91.2e-9;
  point.metrics = {{"time_s", time}};
  const std::string text = table({point});
  EXPECT_TRUE(text.starts_with("imb-mpi1/Barrier   2 processes "));
  EXPECT_NE(text.find("time per operation, on one rank\n"), std::string::npos);
  EXPECT_EQ(last_line(text),
            "         -     91.2 ns           -                -              -          -       -\n");
}

TEST(live_table, tests_of_hpcc_have_a_line_each_with_the_unit_of_their_rate) {
  record::PointRecord dgemm;
  dgemm.suite = "hpcc";
  dgemm.benchmark = "StarDGEMM";
  dgemm.processes = 8;
  dgemm.threads = 2;
  dgemm.params = {{"order", std::int64_t{1436}}};
  dgemm.primary = "flop_rate_flop_s";
  Statistics time;
  time.median = 0.4799;
  dgemm.metrics = {{"flop_rate_flop_s", 12.34e9}, {"time_s", time}};
  auto updates = dgemm;
  updates.benchmark = "MPIRandomAccess";
  updates.params = {{"table_words", std::int64_t{4194304}}};
  updates.primary = "update_rate_update_s";
  updates.metrics = {{"update_rate_update_s", 0.0258e9}};
  auto messages = dgemm;
  messages.benchmark = "LatencyBandwidth";
  messages.params = {{"message_byte", std::int64_t{8}}};
  messages.primary = "random_ring_latency_s";
  messages.metrics = {
      {"pingpong_max_latency_s", 0.5e-6}, {"natural_ring_latency_s", 1e-6}, {"random_ring_latency_s", 2e-6}};
  auto failed = dgemm;
  failed.status = Status::failed;
  failed.metrics.clear();
  failed.reason = because(record::ReasonCode::memory, "no memory");
  EXPECT_EQ(table({dgemm, updates, messages, failed}),
            "hpcc   8 processes with 2 threads\n"
            "test                    size                                 result               time\n"
            "StarDGEMM               N 1436                                12.34 Gflop/s     480 ms\n"
            "MPIRandomAccess         4194304 words                         25.80 Mupdate/s\n"
            "LatencyBandwidth        8 byte                                2.000 us         "
            "ping-pong 0.5000 us, natural ring 1.000 us\n"
            "StarDGEMM               N 1436                                                          failed "
            "(no memory)\n");
}

/// `time_s` is of the machine state with most executions, the rate of all of them.
TEST(live_table, time_of_a_test_of_hpcc_is_of_the_executions_that_its_rate_is_of) {
  record::PointRecord dgemm;
  dgemm.suite = "hpcc";
  dgemm.benchmark = "SingleDGEMM";
  dgemm.primary = "flop_rate_flop_s";
  Statistics of_a_state;
  of_a_state.median = 0.25;
  dgemm.metrics = {{"flop_rate_flop_s", 12.34e9}, {"time_s", of_a_state}};
  dgemm.classic = {{"passes_s", std::vector<double>{0.5, 0.2, 0.3}}};
  EXPECT_NE(table({dgemm}).find("12.34 Gflop/s     300 ms\n"), std::string::npos) << table({dgemm});
}

TEST(live_table, plain_number_is_a_median) {
  auto point = allreduce(middle);
  point.metrics = {{"time_s", 2e-6}};
  EXPECT_TRUE(last_line(table({point})).starts_with("      4096     2.00 us           -  "));
  point.metrics = {{"time_s", nullptr}};
  EXPECT_TRUE(last_line(table({point})).starts_with("      4096      -  "));
}

record::PointRecord loop_of_beff() {
  record::PointRecord point;
  point.suite = "b-eff";
  point.benchmark = "b_eff";
  point.processes = 4;
  point.params = {{"message_byte", std::int64_t{64}}, {"method", "Sndrcv"}, {"pattern", std::int64_t{7}}};
  point.classic = {{"pattern_name", "random-cyc-1dim"}};
  point.verified = true;
  return point;
}

TEST(live_table, experiment_shows_what_went_wrong_and_a_few_of_it_only) {
  auto wrong = loop_of_beff();
  wrong.verified = false;
  wrong.check = record::Check{};
  wrong.check->first = record::Json{{"rank", 1}, {"text", "rank 1, byte 0: found 2, expected 1"}};
  auto failed = loop_of_beff();
  failed.status = Status::failed;
  failed.reason = because(record::ReasonCode::memory, "no memory");
  EXPECT_EQ(table({loop_of_beff(), wrong, failed}),
            "b-eff/b_eff  pattern 7 random-cyc-1dim, Sndrcv, 64 byte: UNVERIFIED: rank 1, byte 0: found 2, "
            "expected 1\n"
            "b-eff/b_eff  pattern 7 random-cyc-1dim, Sndrcv, 64 byte: failed (no memory)\n");
  const std::string many = table(std::vector<record::PointRecord>(100, failed));
  EXPECT_EQ(std::ranges::count(many, '\n'), 8);
}

TEST(live_table, experiment_counts_its_doubtful_loops) {
  auto noisy = loop_of_beff();
  noisy.flags = {"noisy"};
  record::SummaryRecord summary;
  summary.name = "b_eff";
  std::ostringstream out;
  const auto writer = live_table(out);
  writer->point(noisy);
  writer->point(loop_of_beff());
  writer->summary(summary);
  EXPECT_NE(out.str().find("doubts                              of 2 loops: 1 noisy\n"), std::string::npos)
      << out.str();
}

TEST(live_table, summary_of_an_experiment_ends_it) {
  record::SummaryRecord summary;
  summary.name = "b_eff";
  summary.suite = "b-eff";
  summary.processes = 4;
  summary.params = {{"lmax_byte", std::int64_t{8388608}}, {"memory_per_process_byte", std::int64_t{1} << 30}};
  summary.values = {{"b_eff_byte_s", 4e9}, {"latency_s", 1.25e-6}, {"b_eff_at_lmax_byte_s", nullptr}};
  summary.verified = false;
  summary.official = false;
  summary.not_official_because = {"2 repetitions instead of 3", "a message check failed"};
  std::ostringstream out;
  const auto writer = live_table(out);
  writer->summary(summary);
  const std::string text = out.str();
  EXPECT_TRUE(
      text.starts_with("b-eff/b_eff   4 processes   L_max 8388608 byte   memory 1024 MiB per process"));
  for (const char* part :
       {"    4000.000 MB/s    1000.000 MB/s per process\n", "       1.250 us\n", "           - MB/s",
        "WRONG DATA", "no: 2 repetitions instead of 3\n", "    a message check failed\n"})
    EXPECT_NE(text.find(part), std::string::npos) << part << '\n' << text;
  EXPECT_EQ(text.find("balance factor"), std::string::npos);
  summary.values.emplace_back("balance_factor", 0.25);
  summary.not_official_because.clear();
  summary.official = summary.verified = true;
  writer->summary(summary);
  EXPECT_NE(out.str().find("0.250000 byte/flop"), std::string::npos);
  EXPECT_NE(out.str().find("all messages right"), std::string::npos);
}

TEST(live_table, groups_and_their_rows) {
  auto first = allreduce(smallest), second = allreduce(smallest);
  first.groups = second.groups = 2;
  first.processes = second.processes = 2;
  first.params["group"] = std::int64_t{0};
  second.params["group"] = std::int64_t{1};
  second.status = Status::partial;
  const std::string text = table({first, second});
  EXPECT_TRUE(text.starts_with("imb-mpi1/Allreduce   2 groups of 2 processes   MPI_FLOAT, MPI_SUM   "));
  EXPECT_NE(text.find("       -   group 0\n"), std::string::npos);
  EXPECT_TRUE(text.ends_with("       -   group 1  partial\n"));
}

TEST(live_subject, parameters_that_hold_for_the_whole_table) {
  record::PointRecord point;
  point.suite = "imb-mpi1";
  point.benchmark = "Reduce";
  point.params = {{"message_byte", std::int64_t{8}},
                  {"count_byte", std::int64_t{16}},
                  {"root", "shift"},
                  {"sync", true},
                  {"window", std::int64_t{64}},
                  {"type", "MPI_INT"},
                  {"factor", 0.5},
                  {"list", std::vector<double>{1, 2}}};
  EXPECT_EQ(
      live_subject(point),
      "imb-mpi1/Reduce   1 process   MPI_INT, factor 0.5000, list 2 values, root shift, sync on, window 64");
}

TEST(live_rate, points_stand_below_one_another) {
  EXPECT_EQ(live_rate(657.46e6), "   657.5");
  EXPECT_EQ(live_rate(1293e6), "  1293");
  EXPECT_EQ(live_rate(12.345e6), "    12.35");
  EXPECT_EQ(live_rate(1.2344e6), "     1.234");
  EXPECT_EQ(live_rate(0.0123e6), "     0.012");
  EXPECT_EQ(live_rate(1234567e6), "1234567");
  EXPECT_EQ(live_rate(499.9), "     0.0005");
  EXPECT_EQ(live_rate(0.0), "     0");
  EXPECT_EQ(live_rate(std::nullopt), "      -");
}

TEST(live_interval, both_ends_in_the_unit_of_the_upper) {
  EXPECT_EQ(live_interval(std::pair{990e-6, 1.02e-3}, true, false), "0.99 ..   1.02 ms");
  EXPECT_EQ(live_interval(std::pair{99.6e-6, 1.02e-3}, true, false), "0.10 ..   1.02 ms");
  EXPECT_EQ(live_interval(std::nullopt, true, false), "      -          ");
}

TEST(live_interval, a_lower_end_that_would_lose_its_digits_has_its_own_unit) {
  EXPECT_EQ(live_interval(std::pair{1.6156875e-6, 0.0140101}, true, false), "1.62us .. 14.0 ms");
  EXPECT_EQ(live_interval(std::pair{22.035e-6, 0.0796569}, true, false), "22.0us .. 79.7 ms");
  EXPECT_EQ(live_interval(std::pair{90e-6, 1.02e-3}, true, true), "90.0µs .. 1.02 ms");
  EXPECT_EQ(live_interval(std::pair{0.0, 1.02e-3}, true, false), "0.00 ..   1.02 ms");
  EXPECT_EQ(live_interval(std::pair{2e6, 3e9}, false, false), "2.00M  .. 3.00 G ");
}

TEST(live_table, locale_with_commas_changes_no_byte) {
  const std::string plain = table({allreduce(middle)});
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Commas));
  const std::string german = table({allreduce(middle)});
  std::locale::global(before);
  EXPECT_EQ(german, plain);
}

}  // namespace
}  // namespace steelyard::formats
