// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "formats/imb/head.hpp"
#include "imb_points.hpp"
#include "record/json.hpp"

namespace steelyard::formats {
namespace {

std::string lines_of(const ImbRun& run) {
  return imb_output(run_record(run), {});
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(imb_head, every_byte_under_the_rules_of_3_1) {
  EXPECT_EQ(lines_of({}), visible_blanks("#----------------------------------------------------------------\n"
                                         "#    steelyard 1.0.0, MPI-1 part (IMB 3.1 rules)\n"
                                         "#----------------------------------------------------------------\n"
                                         "# Date                  : Fri Nov 20 08:36:21 2026\n"
                                         "# Machine               : x86_64\n"
                                         "# System                : Linux\n"
                                         "# Release               : 6.1.0\n"
                                         "# Version               : #1 SMP PREEMPT_DYNAMIC\n"
                                         "# MPI Version           : 3.1\n"
                                         "# MPI Thread Environment: MPI_THREAD_SINGLE\n"
                                         "\n"
                                         "\n"
                                         "# Calling sequence was:~\n"
                                         "\n"
                                         "# imb-mpi1 PingPong Allreduce~\n"
                                         "\n"
                                         "# Minimum message length in bytes:   0\n"
                                         "# Maximum message length in bytes:   4194304\n"
                                         "#\n"
                                         "# MPI_Datatype                   :   MPI_BYTE~\n"
                                         "# MPI_Datatype for reductions    :   MPI_FLOAT~\n"
                                         "# MPI_Op                         :   MPI_SUM ~\n"
                                         "#~\n"
                                         "#~\n"
                                         "# Throughput in Mbytes/sec: 1 Mbyte = 1048576 bytes\n"
                                         "\n"
                                         "# List of Benchmarks to run:\n"
                                         "\n"
                                         "# PingPong\n"
                                         "# Allreduce\n"));
}

TEST(imb_head, control_characters_are_escaped) {
  auto run = run_record();
  run.machine = record::Json{{"uname", record::Json{{"sysname", "Lin\x1b[31mux"}}}};
  EXPECT_TRUE(holds(imb_output(run, {}), "# System                : Lin\\x1b[31mux\n"));
}

TEST(imb_head, every_part_names_itself) {
  EXPECT_TRUE(holds(lines_of({.suite = "imb-nbc", .benchmarks = {"Ibcast"}}),
                    "#    steelyard 1.0.0, MPI-NBC part (IMB 3.1 rules)\n"));
}

TEST(imb_head, other_parts_end_their_lines_without_blanks) {
  const std::string text = lines_of({.suite = "imb-ext", .benchmarks = {"Window"}});
  EXPECT_TRUE(holds(text, "#    steelyard 1.0.0, MPI-2 part (IMB 3.1 rules)\n"));
  EXPECT_TRUE(holds(text, "# Calling sequence was: \n\n# imb-ext Window\n\n"));
  EXPECT_TRUE(holds(text,
                    "# MPI_Datatype                   :   MPI_BYTE \n"
                    "# MPI_Datatype for reductions    :   MPI_FLOAT\n"
                    "# MPI_Op                         :   MPI_SUM  \n"
                    "#\n#\n"));
}

TEST(imb_head, passive_targets_have_blanks_but_behind_the_type) {
  const std::string text = lines_of({.suite = "imb-rma", .benchmarks = {"Unidir_put"}});
  EXPECT_TRUE(holds(text, "#    steelyard 1.0.0, MPI-RMA part (IMB 3.1 rules)\n"));
  EXPECT_TRUE(holds(text, "# Calling sequence was: \n\n# imb-rma Unidir_put \n\n"));
  EXPECT_TRUE(holds(text,
                    "# MPI_Datatype                   :   MPI_BYTE \n"
                    "# MPI_Datatype for reductions    :   MPI_FLOAT\n"
                    "# MPI_Op                         :   MPI_SUM  \n"
                    "# \n# \n"));
}

TEST(imb_head, persistent_collectives_have_the_blanks_of_passive_targets) {
  const std::string text = lines_of({.suite = "imb-mpi4", .benchmarks = {"Bcast_persist"}});
  EXPECT_TRUE(holds(text, visible_blanks("# Calling sequence was:~\n"
                                         "\n"
                                         "# imb-mpi4 Bcast_persist~\n"
                                         "\n"
                                         "# Minimum message length in bytes:   0\n"
                                         "# Maximum message length in bytes:   4194304\n"
                                         "#\n"
                                         "# MPI_Datatype                   :   MPI_BYTE~\n"
                                         "# MPI_Datatype for reductions    :   MPI_FLOAT\n"
                                         "# MPI_Op                         :   MPI_SUM ~\n"
                                         "#~\n"
                                         "#~\n")))
      << text;
}

TEST(imb_head, benchmarks_that_need_it_have_remarks_below_their_names) {
  const std::string text =
      lines_of({.suite = "imb-rma", .benchmarks = {"Compare_and_swap", "Truly_passive_put", "Unidir_put"}});
  EXPECT_TRUE(
      text.ends_with("# Compare_and_swap\n"
                     "#     The element is an MPI_INT\n"
                     "# Truly_passive_put\n"
                     "#     Time of a put in two cases, with a barrier behind each put:\n"
                     "#     t_pure: the target waits in MPI_Barrier\n"
                     "#     t_ovrl: the target computes before it enters MPI_Barrier\n"
                     "# Unidir_put\n"))
      << text;
}

TEST(imb_list, has_title_suite_and_sorted_names_with_marks_and_remarks) {
  EXPECT_EQ(imb_list(imb::rma(), imb::Version::v2021, "1.2.3"),
            "steelyard 1.2.3, MPI-RMA part (IMB 2021 rules)\n"
            "List of benchmarks:\n"
            "IMB-RMA:\n"
            "    Accumulate\n"
            "    All_get_all\n"
            "    All_put_all\n"
            "    Bidir_get\n"
            "    Bidir_put\n"
            "    Compare_and_swap\n"
            "        The element is an MPI_INT\n"
            "    Exchange_get\n"
            "    Exchange_put\n"
            "    Fetch_and_op\n"
            "    Get_accumulate\n"
            "    Get_all_local (non-default)\n"
            "    Get_local (non-default)\n"
            "    One_get_all\n"
            "    One_put_all\n"
            "    Put_all_local\n"
            "    Put_local\n"
            "    Truly_passive_put\n"
            "        Time of a put in two cases, with a barrier behind each put:\n"
            "        t_pure: the target waits in MPI_Barrier\n"
            "        t_ovrl: the target computes before it enters MPI_Barrier\n"
            "    Unidir_get\n"
            "    Unidir_put\n");
}

TEST(imb_list, depends_on_the_rules) {
  EXPECT_TRUE(holds(imb_list(imb::mpi1(), imb::Version::v31, "1"), "    Reduce_local (non-default)\n"));
  EXPECT_TRUE(holds(imb_list(imb::mpi1(), imb::Version::v2021, "1"), "    Reduce_local\n"));
}

TEST(imb_head, version_2021_changes_title_and_megabyte) {
  const std::string text = lines_of({.version = "2021"});
  EXPECT_TRUE(holds(text, "#    steelyard 1.0.0, MPI-1 part (IMB 2021 rules)\n"));
  EXPECT_TRUE(holds(text, "# Throughput in Mbytes/sec: 1 Mbyte = 1000000 bytes\n"));
}

TEST(imb_head, multi_marks_the_list_under_3_1_only) {
  EXPECT_TRUE(holds(lines_of({.multi = 0}), "# (Multi-)PingPong\n# (Multi-)Allreduce\n"));
  EXPECT_TRUE(holds(lines_of({.version = "2021", .multi = 1}), "# PingPong\n# Allreduce\n"));
}

TEST(imb_head, sizes_of_the_user_replace_both_lengths) {
  const std::string text = lines_of({.user_sizes = true});
  EXPECT_TRUE(holds(text, "\n\n# Message lengths were user defined\n#\n# MPI_Datatype"));
  EXPECT_FALSE(holds(text, "Minimum message length"));
}

TEST(imb_head, lengths_are_those_of_the_configuration) {
  const std::string text = lines_of({.min_byte = 16, .max_byte = 8589934592});
  EXPECT_TRUE(holds(text,
                    "# Minimum message length in bytes:   16\n"
                    "# Maximum message length in bytes:   8589934592\n"));
}

TEST(imb_head, own_lines_follow_the_types) {
  const std::string text =
      lines_of({.check = true,
                .off_cache_byte = 8 << 20,
                .off_cache_line_byte = 64,
                .remarks = "-sync on instead of off\n-iter 10,40,100 instead of 1000,40,100"});
  EXPECT_TRUE(holds(text,
                    "# \n# \n"
                    "# Throughput in Mbytes/sec: 1 Mbyte = 1048576 bytes\n"
                    "# Cache avoided: 8.000000 MB, 64 byte a line\n"
                    "# -sync on instead of off\n"
                    "# -iter 10,40,100 instead of 1000,40,100\n"
                    "# Results checking is on: times are not valid\n"
                    "\n"
                    "# List of Benchmarks to run:\n"));
}

TEST(imb_head, remarks_may_be_a_list) {
  auto run = run_record();
  run.config.json()["imb-mpi1"]["remarks"] = {"one", "two"};
  EXPECT_TRUE(holds(imb_output(run, {}), "bytes\n# one\n# two\n\n# List"));
}

TEST(imb_head, other_suites_of_the_plan_are_not_listed) {
  auto run = run_record();
  run.plan_sequence = {"b-eff/ring", "imb-mpi1/Bcast", "hpcc/HPL"};
  const std::string text = imb_output(run, {});
  EXPECT_TRUE(text.ends_with("# List of Benchmarks to run:\n\n# Bcast\n"));
}

TEST(imb_head, of_a_selection_only_its_benchmarks_are_listed) {
  auto run = run_record();
  run.plan_sequence = {"imb-mpi1/Bcast", "imb-mpi1/Allreduce"};
  const std::string text = imb_output(run, {}, {}, {.names = {{"imb-mpi1/Bcast"}}});
  EXPECT_TRUE(text.ends_with("# List of Benchmarks to run:\n\n# Bcast\n"));
}

TEST(imb_head, record_without_details_leaves_blanks) {
  record::RunRecord run;
  run.started_utc = "unknown";
  const std::string text = imb_output(run, {});
  EXPECT_TRUE(holds(text, "# Date                  : unknown\n# Machine               : \n"));
  EXPECT_TRUE(holds(text, "# MPI Thread Environment: \n"));
}

TEST(imb_head, line_end_in_a_word_of_the_command_does_not_break_the_line) {
  auto run = run_record();
  run.command = {"imb-mpi1", "a\nb"};
  EXPECT_TRUE(holds(imb_output(run, {}), "\n# imb-mpi1 a b \n"));
}

TEST(asctime_form, pads_the_day_and_knows_the_weekday) {
  EXPECT_EQ(asctime_form("2007-07-12T16:54:11Z"), "Thu Jul 12 16:54:11 2007");
  EXPECT_EQ(asctime_form("2024-02-29T00:00:00.123Z"), "Thu Feb 29 00:00:00 2024");
  EXPECT_EQ(asctime_form("2026-03-01T09:05:00Z"), "Sun Mar  1 09:05:00 2026");
}

TEST(asctime_form, leaves_what_is_no_time) {
  EXPECT_EQ(asctime_form(""), "");
  EXPECT_EQ(asctime_form("2026-02-30T00:00:00Z"), "2026-02-30T00:00:00Z");
  EXPECT_EQ(asctime_form("2026-xx-30T00:00:00Z"), "2026-xx-30T00:00:00Z");
}

}  // namespace
}  // namespace steelyard::formats
