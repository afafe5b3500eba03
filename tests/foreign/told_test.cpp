// SPDX-License-Identifier: Apache-2.0
// What users and names of files say of texts.
#include <gtest/gtest.h>

#include "vectors.hpp"

namespace steelyard::foreign::test {
namespace {

Description told(const char* name, record::Value value) {
  Description words;
  words.params[name] = std::move(value);
  return words;
}

TEST(told, a_name_that_means_nothing_is_told_with_those_that_would) {
  const auto bw =
      with(with(osu_latency, "Latency Test", "Bandwidth Test"), "Latency (us)", "Bandwidth (MB/s)");
  const auto wrong = read_text(bw, told("widow", std::int64_t{64}));
  EXPECT_EQ(wrong.unused, std::vector<std::string>{"widow"});
  EXPECT_NE(std::ranges::find(wrong.parameters, "window"), wrong.parameters.end());
  EXPECT_TRUE(read_text(bw, told("window", std::int64_t{64})).unused.empty());
  EXPECT_EQ(read_text(osu_latency, told("window", std::int64_t{64})).unused,
            std::vector<std::string>{"window"});
}

TEST(told, a_type_is_better_than_an_assumed_one) {
  const auto run = only_run(osu_latency, told("type", std::string("MPI_INT")));
  EXPECT_EQ(run.points.at(0).key, "osu/latency;message_byte=0;processes=2;type=MPI_INT");
  EXPECT_FALSE(run.head.imported.json()["assumed"].contains("type"));
}

TEST(told, another_benchmark_contradicts_the_text) {
  for (const char* name : {"latency", "osu_latency", "OSU-latency", "osu"})
    EXPECT_NO_THROW(static_cast<void>(read_text(osu_latency, told("benchmark", std::string(name))))) << name;
  EXPECT_THROW(static_cast<void>(read_text(osu_latency, told("benchmark", std::string("allreduce")))),
               Contradiction);
}

TEST(told, a_world_may_be_larger_than_the_grid_of_hpl) {
  Description words;
  words.processes = 6;
  EXPECT_EQ(only_run(hpl, words).head.processes, 6);
  words.processes = 2;
  EXPECT_THROW(static_cast<void>(read_text(hpl, words)), Contradiction);
}

TEST(names, of_files_of_hpcg_have_their_date) {
  for (const char* name :
       {"old/HPCG-Benchmark_3.1_2021-05-04_10-15-00.txt", "HPCG-Benchmark-3.0_2021.05.04.10.15.00.yaml"}) {
    const auto run = read({name, hpcg, "2020-01-02T03:04:05Z"}, {}).runs.at(0);
    EXPECT_EQ(run.head.started_utc, "2021-05-04T10:15:00Z") << name;
    EXPECT_EQ(run.head.imported.json()["started_from"].get<std::string>(), "path");
  }
  EXPECT_EQ(read({"HPCG-Benchmark_3.1_2021-15-04_10-15-00.txt", hpcg, "2020-01-02T03:04:05Z"}, {})
                .runs.at(0)
                .head.started_utc,
            "2020-01-02T03:04:05Z");
}

TEST(forms, that_are_not_read_say_what_to_do) {
  for (const auto& [text, word] :
       {std::pair{"Run status group 0 (all jobs):\n   READ: bw=1MiB/s\n", "--output-format=json"},
        {"3;fio-3.16;a;0;0;1;2\n", "--output-format=json"},
        {"IO500 version io500-sc20\n[RESULT] ior-easy-write 1.2 GiB/s\n", "IO500"}}) {
    EXPECT_TRUE(is_foreign(text));
    try {
      static_cast<void>(read_text(text));
      FAIL() << text;
    } catch (const Unreadable& error) {
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace steelyard::foreign::test
