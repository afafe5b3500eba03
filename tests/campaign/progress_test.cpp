// SPDX-License-Identifier: Apache-2.0
#include "campaign/progress.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>

namespace steelyard::campaign {
namespace {

ProgressState at(std::size_t done, double elapsed_s) {
  ProgressState state;
  state.done = done;
  state.total = 412;
  state.share = static_cast<double>(done) / 412;
  state.benchmark = "imb-mpi1/Allreduce";
  state.point = "np=4 64 KiB   12.3 us +-0.4%";
  state.elapsed_s = elapsed_s;
  state.left_s = 70.4;
  return state;
}

TEST(progress_bar, is_drawn_in_one_line) {
  std::ostringstream out;
  make_progress(ProgressMode::bar, out, 200, false)->show(at(153, 42.1));
  EXPECT_EQ(out.str(),
            "\r37% [##########..................]  imb-mpi1/Allreduce np=4 64 KiB   12.3 us +-0.4%   "
            "0:42 elapsed, 1:10 left");
}

TEST(progress_bar, is_drawn_at_most_five_times_a_second_and_always_at_the_end) {
  std::ostringstream out;
  const auto bar = make_progress(ProgressMode::bar, out, 80, false);
  for (int i = 0; i < 100; ++i) bar->show(at(1, i * 0.01));
  const std::string drawn = out.str();
  EXPECT_EQ(std::count(drawn.begin(), drawn.end(), '\r'), 5);
  bar->show(at(412, 0.991));
  EXPECT_NE(out.str().find("\r100% [####"), std::string::npos);
}

TEST(progress_bar, gives_way_to_the_times_where_the_terminal_is_narrow) {
  std::ostringstream out;
  for (const int columns : {92, 80, 61})
    make_progress(ProgressMode::bar, out, columns, false)->show(at(153, 42.1));
  EXPECT_EQ(out.str(),
            "\r37% [###.......]  imb-mpi1/Allreduce np=4 64 KiB   12.3 us +-0.4%   0:42 elapsed, 1:10 left"
            "\r37% [#####..........]  imb-mpi1/Allreduce np=4 64 KiB   0:42 elapsed, 1:10 left"
            "\r37% [##......]  imb-mpi1/Allreduce   0:42 elapsed, 1:10 left");
}

TEST(progress_bar, is_cut_to_the_terminal_and_cleared_with_blanks) {
  std::ostringstream out;
  const auto bar = make_progress(ProgressMode::bar, out, 30, false);
  bar->show(at(153, 1));
  EXPECT_EQ(out.str(), "\r37% [##......]     0:01 elaps");
  bar->clear();
  EXPECT_EQ(out.str(), "\r37% [##......]     0:01 elaps\r" + std::string(29, ' ') + "\r");
  bar->clear();
  EXPECT_EQ(out.str().size(), 30u + 1 + 29 + 1 - 0) << "nothing is left to clear";
}

TEST(progress_bar, shorter_text_hides_the_longer_one) {
  std::ostringstream out;
  const auto bar = make_progress(ProgressMode::bar, out, 200, false);
  bar->show(at(153, 1));
  const auto first = out.str().size();
  ProgressState shorter = at(153, 2);
  shorter.point.clear();
  bar->show(shorter);
  EXPECT_EQ(out.str().size(), 2 * first);
}

TEST(progress_bar, says_over_plan_instead_of_a_negative_rest) {
  std::ostringstream out;
  ProgressState late = at(153, 42);
  late.over_plan = true;
  make_progress(ProgressMode::bar, out, 200, false)->show(late);
  EXPECT_THAT(out.str(), ::testing::EndsWith("0:42 elapsed, over plan"));
}

TEST(progress_lines, one_when_the_benchmark_changes_and_one_every_ten_seconds) {
  std::ostringstream out;
  const auto lines = make_progress(ProgressMode::lines, out, 80, false);
  for (int second = 0; second < 25; ++second) lines->show(at(153, second));
  ProgressState other = at(154, 25);
  other.benchmark = "imb-mpi1/Bcast";
  other.left_s.reset();
  lines->show(other);
  const std::string same = "37%  imb-mpi1/Allreduce np=4 64 KiB   12.3 us +-0.4%   ";
  EXPECT_EQ(out.str(), same + "0:00 elapsed, 1:10 left\n" + same + "0:10 elapsed, 1:10 left\n" + same +
                           "0:20 elapsed, 1:10 left\n" +
                           "37%  imb-mpi1/Bcast np=4 64 KiB   12.3 us +-0.4%   0:25 elapsed\n");
}

TEST(progress_json, one_object_per_line) {
  std::ostringstream out;
  const auto json = make_progress(ProgressMode::json, out, 80, false);
  json->show(at(153, 42.1));
  ProgressState unknown = at(154, 43);
  unknown.left_s.reset();
  unknown.point = "\"x\\";
  json->show(unknown);
  EXPECT_EQ(out.str(),
            "{\"event\":\"progress\",\"done\":153,\"total\":412,\"elapsed_s\":42.1,\"left_s\":70.4,"
            "\"point\":\"imb-mpi1/Allreduce np=4 64 KiB   12.3 us +-0.4%\"}\n"
            "{\"event\":\"progress\",\"done\":154,\"total\":412,\"elapsed_s\":43.0,\"left_s\":null,"
            "\"point\":\"imb-mpi1/Allreduce \\\"x\\\\\"}\n");
}

TEST(progress_of_a_series, tells_the_launch) {
  const LaunchNumber second{.number = 2, .of = 5};
  for (const auto mode : {ProgressMode::bar, ProgressMode::lines}) {
    std::ostringstream out;
    make_progress(mode, out, 200, false, second)->show(at(153, 42.1));
    EXPECT_NE(out.str().find("launch 2 of 5  37%"), std::string::npos) << out.str();
  }
  std::ostringstream json, alone;
  make_progress(ProgressMode::json, json, 80, false, second)->show(at(153, 42.1));
  EXPECT_TRUE(json.str().starts_with(R"({"event":"progress","launch":2,"launches":5,"done":153,)"))
      << json.str();
  make_progress(ProgressMode::lines, alone, 80, false, {.number = 1, .of = 1})->show(at(153, 42.1));
  EXPECT_EQ(alone.str().find("launch"), std::string::npos);
}

TEST(progress_none, writes_nothing) {
  std::ostringstream out;
  const auto none = make_progress(ProgressMode::none, out, 80, true);
  none->show(at(1, 1));
  none->clear();
  EXPECT_EQ(out.str(), "");
}

TEST(progress_text, result_shows_median_and_half_width) {
  record::PointRecord record;
  EXPECT_EQ(describe_result(record), "");
  record::Statistics time;
  time.median = 12.3e-6;
  record.metrics.emplace_back("time_s", time);
  EXPECT_EQ(describe_result(record), "   12.3 us");
  time.ci = {12.2508e-6, 12.3492e-6};
  record.metrics.front().second = time;
  EXPECT_EQ(describe_result(record), "   12.3 us +-0.4%");
}

TEST(terminal, launching_parent_decides) {
  setenv("STEELYARD_TTY", "1", 1);
  setenv("COLUMNS", "132", 1);
  EXPECT_EQ(find_terminal(true).mode, ProgressMode::bar);
  EXPECT_EQ(find_terminal(true).columns, 132);
  setenv("STEELYARD_TTY", "0", 1);
  EXPECT_EQ(find_terminal(true).mode, ProgressMode::lines);
  unsetenv("STEELYARD_TTY");
  unsetenv("COLUMNS");
}

TEST(watchdog, tells_what_takes_too_long_and_nothing_else) {
  std::ostringstream out;
  {
    Watchdog dog(out, {1.0, 0.02, 0.005});
    dog.watch("imb-mpi1/Bcast", 0.001);
    dog.rest();
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
  }
  EXPECT_EQ(out.str(), "");
  {
    Watchdog dog(out, {1.0, 0.02, 0.005});
    dog.watch("imb-mpi1/Bcast", 0.001);
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
  EXPECT_THAT(out.str(), ::testing::StartsWith("\nsteelyard: imb-mpi1/Bcast has been running for 0:00\n"));
}

TEST(watchdog, gives_up_once_what_takes_so_much_longer_than_its_estimate) {
  std::ostringstream out;
  std::vector<std::string> given_up;
  const auto keep = [&given_up](const std::string& why) { given_up.push_back(why); };
  {
    Watchdog dog(out, {1.0, 60, 0.005, 0.02}, keep);
    dog.watch("imb-mpi1/Bcast", 3600);
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
  }
  EXPECT_THAT(given_up, ::testing::IsEmpty());
  {
    Watchdog dog(out, {1.0, 60, 0.005, 0.02}, keep);
    dog.watch("imb-mpi1/Bcast", 0.001);
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
  }
  EXPECT_THAT(given_up, ::testing::ElementsAre(
                            "imb-mpi1/Bcast is given up after 0:00: a process or a host may be lost"));
  EXPECT_EQ(out.str(), "\nsteelyard: error: " + given_up.front() + "\n");
}

}  // namespace
}  // namespace steelyard::campaign
