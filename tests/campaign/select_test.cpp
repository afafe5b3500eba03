// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "campaign/plan.hpp"
#include "fake_suite.hpp"

namespace steelyard::campaign {
namespace {

using testing::benchmark;
using ::testing::ElementsAre;
using testing::FakeSuite;
using Words = std::vector<std::string>;

class select_benchmarks : public ::testing::Test {
 protected:
  FakeSuite imb_{
      "imb-mpi1",
      {benchmark("PingPong"), benchmark("Allreduce"), benchmark("Alltoall"), benchmark("Uniband", false)}};
  FakeSuite hpcc_{"hpcc", {benchmark("HPL"), benchmark("PTRANS")}};
  std::vector<const suites::Suite*> suites_{&imb_, &hpcc_};

  Words names(const Words& patterns, const Words& exclude = {}) {
    Words names;
    for (const Selected& one : select(patterns, exclude, suites_))
      names.push_back(std::string(one.suite->name()) + "/" + one.benchmark);
    return names;
  }
  std::string error(const Words& patterns, const Words& exclude = {}) {
    try {
      static_cast<void>(names(patterns, exclude));
    } catch (const UsageError& e) {
      return e.what();
    }
    return "no error";
  }
};

TEST(glob, characters_sets_and_stars_match_the_whole_text) {
  EXPECT_TRUE(glob_matches("All*", "Allreduce"));
  EXPECT_TRUE(glob_matches("*", ""));
  EXPECT_TRUE(glob_matches("P?ng[PQ]ong", "PingPong"));
  EXPECT_TRUE(glob_matches("[!a-c]x", "dx"));
  EXPECT_TRUE(glob_matches("a*b*c", "axxbyyc"));
  EXPECT_FALSE(glob_matches("[!a-c]x", "bx"));
  EXPECT_FALSE(glob_matches("All", "Allreduce"));
  EXPECT_FALSE(glob_matches("?", ""));
  EXPECT_TRUE(glob_matches("[x", "[x"));
}

TEST_F(select_benchmarks, bare_suite_selects_its_default_set) {
  EXPECT_THAT(names({"imb-mpi1"}),
              ElementsAre("imb-mpi1/PingPong", "imb-mpi1/Allreduce", "imb-mpi1/Alltoall"));
}

TEST_F(select_benchmarks, star_after_the_slash_selects_everything) {
  EXPECT_THAT(names({"imb-mpi1/*"}), ::testing::SizeIs(4));
}

TEST_F(select_benchmarks, benchmark_part_matches_in_any_case) {
  EXPECT_THAT(names({"imb-mpi1/pingPONG"}), ElementsAre("imb-mpi1/PingPong"));
  EXPECT_THAT(names({"imb-mpi1/all*"}), ElementsAre("imb-mpi1/Allreduce", "imb-mpi1/Alltoall"));
}

TEST_F(select_benchmarks, order_is_that_of_the_patterns_without_duplicates) {
  EXPECT_THAT(names({"hpcc/HPL", "imb-mpi1/Alltoall", "imb-mpi1/All*"}),
              ElementsAre("hpcc/HPL", "imb-mpi1/Alltoall", "imb-mpi1/Allreduce"));
}

TEST_F(select_benchmarks, exclusion_takes_away) {
  EXPECT_THAT(names({"imb-mpi1", "hpcc"}, {"hpcc/*", "*/All*"}), ElementsAre("imb-mpi1/PingPong"));
}

TEST_F(select_benchmarks, exclusion_of_everything_is_refused) {
  EXPECT_THAT(names({"hpcc"}, {"hpcc"}), ::testing::IsEmpty());
}

TEST_F(select_benchmarks, unknown_word_is_told_with_the_nearest) {
  EXPECT_EQ(error({"imb-mpi1/PingPongg"}),
            "no benchmark matches 'imb-mpi1/PingPongg'; did you mean 'imb-mpi1/PingPong'? ('steelyard list' "
            "shows all)");
}

TEST_F(select_benchmarks, all_unknown_words_are_told_together) {
  EXPECT_EQ(
      error({"hpc", "imb-mpi1/PingPong", "nonsense/everywhere"}, {"hpcc/HPLL"}),
      "no benchmark matches 'hpc', 'nonsense/everywhere', 'hpcc/HPLL'; did you mean 'hpcc', 'hpcc/HPL'? "
      "('steelyard list' shows all)");
}

TEST_F(select_benchmarks, benchmark_without_its_suite_is_told_the_full_name) {
  EXPECT_EQ(
      error({"pingpong"}),
      "no benchmark matches 'pingpong'; did you mean 'imb-mpi1/PingPong'? ('steelyard list' shows all)");
  EXPECT_EQ(error({"HPL"}),
            "no benchmark matches 'HPL'; did you mean 'hpcc/HPL'? ('steelyard list' shows all)");
}

TEST_F(select_benchmarks, end_of_a_name_is_told_the_full_name) {
  for (const char* word : {"Pong", "imb-mpi1/Pong"})
    EXPECT_EQ(error({word}), "no benchmark matches '" + std::string(word) +
                                 "'; did you mean 'imb-mpi1/PingPong'? ('steelyard list' shows all)");
  EXPECT_EQ(error({"hpcc/Pong"}), "no benchmark matches 'hpcc/Pong' ('steelyard list' shows all)");
}

}  // namespace
}  // namespace steelyard::campaign
