// SPDX-License-Identifier: Apache-2.0
// Rows and lines that are not plain results.
#include <gtest/gtest.h>

#include <clocale>
#include <locale>
#include <string>

#include "imb_points.hpp"

namespace steelyard::formats {
namespace {

using record::ReasonCode;
using record::Status;

std::string after_head(const ImbRun& run, const std::vector<record::PointRecord>& points,
                       const std::optional<record::EndRecord>& end = std::nullopt) {
  const std::string head = imb_output(run_record(run), {});
  return imb_output(run_record(run), points, end).substr(head.size());
}

std::string row_of(const ImbRun& run, const record::PointRecord& point) {
  const std::string text = after_head(run, {point});
  return text.substr(text.rfind('\n', text.size() - 2) + 1);
}

TEST(imb_rows, too_few_processes_is_a_line_without_table) {
  const auto point = no_result({.processes = 1, .byte = std::nullopt}, Status::skipped,
                               because(ReasonCode::processes, "PingPong cannot run with 1 process"));
  EXPECT_EQ(after_head({.world = 1}, {point}), "\n# !! Benchmark PingPong invalid for 1 processes !! \n\n");
}

TEST(imb_rows, out_of_memory_names_the_need) {
  record::Reason reason = because(ReasonCode::memory, "needs more");
  reason.needed_byte = std::int64_t{3} << 30;
  const auto point = no_result({.byte = 4194304}, Status::skipped, reason);
  EXPECT_EQ(row_of({}, point), "      4194304 out-of-mem.; needed X=   3.001 GB; use flag \"-mem X\"\n");
}

TEST(imb_rows, out_of_memory_ends_only_its_row) {
  record::Reason reason = because(ReasonCode::memory);
  reason.needed_byte = 1;
  const std::string text =
      after_head({}, {no_result({}, Status::skipped, reason), point_record({.byte = 1, .t_max_us = 0.5})});
  EXPECT_TRUE(
      text.ends_with("            0 out-of-mem.; needed X=   0.001 GB; use flag \"-mem X\"\n"
                     "            1         1000         0.50         0.00\n"));
}

TEST(imb_rows, what_no_group_was_measured_for_has_a_row_for_each) {
  record::Reason reason = because(ReasonCode::memory);
  reason.needed_byte = 1;
  auto point =
      no_result({.benchmark = "Sendrecv", .groups = 2, .byte = 8, .group = 0}, Status::skipped, reason);
  const ImbRun run{.multi = 1, .world = 4};
  const std::string first =
      "\n            0            8 out-of-mem.; needed X=   0.001 GB; use flag \"-mem X\"\n";
  const std::string second =
      "            1            8 out-of-mem.; needed X=   0.001 GB; use flag \"-mem X\"\n";
  EXPECT_TRUE(after_head(run, {point}).ends_with(first + second));
  auto other =
      no_result({.benchmark = "Sendrecv", .groups = 2, .byte = 8, .group = 1}, Status::skipped, reason);
  point.imported.json()["line"] = 1;
  other.imported.json()["line"] = 2;
  EXPECT_TRUE(after_head(run, {point, other}).ends_with(first + second))
      << "a text has a record for each row";
}

TEST(imb_rows, time_out_ends_the_table_with_one_row) {
  const std::string row =
      "         1024 time-out.; Time limit (secs_per_sample * msg_sizes_list_len) is over; use \"-time X\"\n";
  EXPECT_EQ(row_of({}, out_of_time({.byte = 1024})), row);
  const std::string text =
      after_head({}, {point_record({.byte = 512}), out_of_time({.byte = 1024}), out_of_time({.byte = 2048})});
  EXPECT_TRUE(text.ends_with(row));
  const std::string two = after_head({}, {point_record({.byte = 512}), out_of_time({.byte = 1024}),
                                          point_record({.benchmark = "PingPing", .byte = 512}),
                                          out_of_time({.benchmark = "PingPing", .byte = 1024})});
  EXPECT_TRUE(two.ends_with(row)) << "each table ends with one of its own";
}

TEST(imb_rows, sizes_that_a_plan_left_out_are_named_behind_the_table_with_the_option_that_measures_them) {
  const auto left_out = [](std::int64_t byte, const std::string& why) {
    return no_result({.byte = byte}, Status::skipped, because(ReasonCode::time, why));
  };
  const std::string text =
      after_head({}, {point_record({.byte = 512}), left_out(1024, "to fit 1 min"),
                      point_record({.byte = 2048, .t_max_us = 0.5}), left_out(4096, "to fit 1 min"),
                      left_out(8192, "takes too long"), point_record({.benchmark = "PingPing"})});
  EXPECT_EQ(text.find("time-out"), std::string::npos);
  EXPECT_NE(text.find("         2048         1000         0.50         0.00\n"
                      "\n# Not measured: 1024, 4096 (to fit 1 min); a longer --budget of run measures more.\n"
                      "\n# Not measured: 8192 (takes too long); a longer --budget of run measures more.\n"
                      "\n#---"),
            std::string::npos)
      << text;
}

TEST(imb_rows, failed_point_shows_class_and_text_on_one_line) {
  record::Reason reason = because(ReasonCode::mpi_error, "count is\ntoo large");
  reason.mpi_class = "MPI_ERR_COUNT";
  EXPECT_EQ(row_of({}, no_result({.byte = 64}, Status::failed, reason)),
            "           64 failed; MPI_ERR_COUNT: count is too large\n");
  EXPECT_EQ(row_of({}, no_result({.byte = 64}, Status::failed,
                                 because(record::ReasonCode::mpi_error, "cannot allocate"))),
            "           64 failed; cannot allocate\n");
}

TEST(imb_rows, point_skipped_for_another_reason_says_so) {
  const auto point = no_result({.byte = 8}, Status::skipped, because(ReasonCode::unsupported, "too many"));
  EXPECT_EQ(row_of({}, point), "            8 skipped; too many\n");
}

TEST(imb_rows, failure_without_size_keeps_the_column) {
  const auto point = no_result({.benchmark = "Barrier", .byte = std::nullopt}, Status::failed,
                               because(record::ReasonCode::mpi_error, "lost"));
  EXPECT_EQ(row_of({}, point), "              failed; lost\n");
}

TEST(imb_rows, group_stands_before_the_size_here_too) {
  const ImbRun run{.multi = 1, .world = 4};
  EXPECT_TRUE(row_of(run, out_of_time({.groups = 2, .byte = 8, .group = 1}))
                  .starts_with("            1            8 time-out.;"));
}

TEST(imb_rows, partial_points_are_rows_and_named_behind_the_table) {
  const auto cut = [](const ImbPoint& sized, const std::string& why) {
    auto point = point_record(sized);
    point.status = Status::partial;
    point.reason = because(ReasonCode::time, why);
    return point;
  };
  const ImbPoint first{.byte = 8, .t_max_us = 1.5, .bandwidth_byte_s = 8 / 1.5e-6};
  const std::string row = "            8         1000         1.50         5.09\n";
  const std::string text = after_head(
      {}, {cut(first, "point budget"), point_record({.byte = 16}), cut({.byte = 32}, "point budget"),
           cut({.byte = 64}, "stopped"), point_record({.benchmark = "PingPing"})});
  EXPECT_NE(text.find(row), std::string::npos) << text;
  EXPECT_NE(text.find("\n# Cut short: 8, 32 (point budget)\n\n# Cut short: 64 (stopped)\n\n#---"),
            std::string::npos)
      << text;
  EXPECT_EQ(after_head({}, {point_record(first)}).find("Cut short"), std::string::npos);
}

TEST(imb_rows, partial_points_of_groups_are_named_with_their_group) {
  auto point = point_record({.groups = 2, .byte = 8, .group = 1});
  point.status = Status::partial;
  point.reason = because(ReasonCode::time, "point budget");
  const std::string text = after_head(
      {.multi = 1, .world = 4}, {point, point_record({.benchmark = "PingPing", .groups = 2, .group = 0})});
  EXPECT_NE(text.find("\n# Cut short: 8 of group 1 (point budget)\n"), std::string::npos) << text;
}

TEST(imb_rows, numbers_of_13_characters_keep_a_blank) {
  EXPECT_EQ(row_of({}, point_record({.byte = 8, .t_max_us = 123456789.12})),
            "            8         1000 123456789.12         0.00\n");
  EXPECT_EQ(row_of({}, point_record({.byte = 8, .t_max_us = 1234567890.12})),
            "            8         1000 1234567890.12         0.00\n");
  EXPECT_EQ(row_of({}, point_record({.byte = 8, .t_max_us = 98765432109876.5})),
            "            8         1000 98765432109876.50         0.00\n");
  EXPECT_EQ(row_of({}, point_record({.byte = 1099511627776, .t_max_us = 1})),
            " 1099511627776         1000         1.00         0.00\n");
}

TEST(imb_rows, no_exponent_for_small_and_large) {
  EXPECT_EQ(row_of({}, point_record({.byte = 8, .t_max_us = 1e-9, .bandwidth_byte_s = 1e18})),
            "            8         1000         0.00 953674316406.25\n");
}

TEST(imb_rows, absent_number_is_a_dash) {
  auto point = point_record({.benchmark = "Bcast"});
  std::erase_if(point.classic, [](const auto& member) { return member.first == "t_avg_s"; });
  EXPECT_EQ(row_of({}, point), "            0         1000         1.00         3.00            -\n");
}

TEST(imb_rows, locale_with_commas_changes_no_byte) {
  const std::vector<record::PointRecord> points{
      point_record({.byte = 65536, .t_max_us = 1234.5, .bandwidth_byte_s = 5e9, .tail_us = {1000.5}})};
  const ImbRun run{.show_tail = true, .off_cache_byte = 3 << 20, .off_cache_line_byte = 64, .world = 2000};
  const std::string plain = imb_output(run_record(run), points, end_record());
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Commas));
  const std::string german = imb_output(run_record(run), points, end_record());
  std::locale::global(before);
  EXPECT_EQ(german, plain);
}

TEST(imb_rows, defects_below_a_hundredth_are_not_hidden) {
  const auto row = [](double defects) {
    return row_of({.check = true}, point_record({.byte = 8, .t_max_us = 1, .defects = defects}));
  };
  EXPECT_EQ(row(0), "            8         1000         1.00         0.00         0.00\n");
  EXPECT_TRUE(after_head({.check = true}, {point_record({.byte = 8, .t_max_us = 1, .defects = 1e-9})})
                  .find("            8         1000         1.00         0.00         0.01\n") !=
              std::string::npos);
}

TEST(imb_rows, defects_are_named_after_the_table) {
  const std::string text = after_head(
      {.check = true}, {point_record({.byte = 8, .defects = 0.5}), point_record({.byte = 16, .defects = 0}),
                        point_record({.benchmark = "Bcast", .defects = 0})});
  EXPECT_NE(text.find("0.00\n\n# Benchmark unsuccessful: PingPong\n\n#---"), std::string::npos);
  EXPECT_EQ(text.find("unsuccessful: Bcast"), std::string::npos);
}

TEST(imb_rows, defects_of_the_last_table_are_named_before_the_end) {
  const std::string text =
      after_head({.check = true}, {point_record({.byte = 8, .defects = 1})}, end_record());
  EXPECT_NE(text.find("\n\n# Benchmark unsuccessful: PingPong\n\n\n# "), std::string::npos);
}

TEST(imb_rows, end_of_a_good_run) {
  EXPECT_TRUE(after_head({}, {point_record()}, end_record())
                  .ends_with("0.00\n\n\n# All processes entering MPI_Finalize\n\n"));
}

TEST(imb_rows, end_after_a_failure_is_another_line) {
  EXPECT_TRUE(after_head({}, {point_record()}, end_record(1)).ends_with("0.00\n\n\n# Ended with failures\n"));
  auto unverified = end_record();
  unverified.points.unverified = 1;
  EXPECT_TRUE(after_head({}, {point_record()}, unverified).ends_with("\n# Ended with failures\n"));
  EXPECT_TRUE(
      after_head({}, {point_record()}, end_record(0, "interrupted")).ends_with("\n# Ended with failures\n"));
}

TEST(imb_rows, a_spent_budget_is_no_failure) {
  auto spent = end_record(0, "interrupted");
  spent.cause = "budget";
  EXPECT_TRUE(
      after_head({}, {point_record()}, spent).ends_with("\n# Ended by its budget before all was measured\n"));
  spent.points.failed = 1;
  EXPECT_TRUE(after_head({}, {point_record()}, spent).ends_with("\n# Ended with failures\n"));
}

TEST(imb_rows, a_stop_in_order_is_no_failure) {
  auto stopped = end_record(0, "interrupted");
  for (const auto& [cause, words] :
       {std::pair{"signal", "a signal"}, {"deadline", "its deadline"}, {"stop_file", "the file STOP"}}) {
    stopped.cause = cause;
    EXPECT_TRUE(after_head({}, {point_record()}, stopped)
                    .ends_with("\n\n# Ended by " + std::string(words) + " before all was measured\n"));
  }
  stopped.points.unverified = 1;
  EXPECT_TRUE(after_head({}, {point_record()}, stopped).ends_with("\n# Ended with failures\n"));
  auto lost = end_record(0, "failed");
  lost.cause = "error";
  EXPECT_TRUE(after_head({}, {point_record()}, lost).ends_with("\n# Ended with failures\n"));
}

std::vector<double> thousand() {
  return {1, 101, 251, 501, 751, 901, 951, 991, 996, 1000, 1000, 1000};
}

TEST(imb_rows, tail_follows_its_row_on_request) {
  const auto point = point_record({.byte = 8, .t_max_us = 2, .tail_us = thousand()});
  const std::string wanted =
      "         2.00         0.00\n"
      "[ 1.00, 101.00, 251.00, 501.00, 751.00, 901.00, 951.00, 991.00, 996.00, 1000.00, 1000.00, 1000.00 ]\n";
  EXPECT_TRUE(after_head({.show_tail = true}, {point}).ends_with(wanted));
  EXPECT_TRUE(imb_output(run_record(), {point}, {}, {.show_tail = true}).ends_with(wanted));
  EXPECT_FALSE(after_head({}, {point}).ends_with("]\n"));
  EXPECT_TRUE(after_head({.show_tail = true}, {point_record({.byte = 8})}).ends_with("0.00\n"));
}

TEST(imb_dump, has_size_and_microseconds_of_each_repetition) {
  auto message = point_record({.byte = 8});
  auto chunk = point_record({.benchmark = "P_Write_Expl", .byte = {}, .suite = "imb-io"});
  chunk.params["chunk_byte"] = std::int64_t{1000};
  for (auto* point : {&message, &chunk})
    point->classic.emplace_back("single_times_s", std::vector<double>{1e-6, 2.5e-6});
  auto out = std::make_unique<std::ostringstream>();
  const auto& text = *out;
  const auto dump = imb_dump(std::move(out));
  for (const auto& point : {message, chunk, point_record({.byte = 16})}) dump->point(point);
  dump->end(end_record());
  EXPECT_EQ(text.str(), "8 1.000\n8 2.500\n1000 1.000\n1000 2.500\n");
}

}  // namespace
}  // namespace steelyard::formats
