// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "refused.hpp"
#include "units/text.hpp"

namespace steelyard::units {
namespace {

constexpr std::array<std::string_view, 3> when{"auto", "always", "never"};

TEST(parse_word, any_case_gives_the_canonical_spelling) {
  EXPECT_EQ(parse_word("AUTO", when), "auto");
  constexpr std::array<std::string_view, 1> names{"PingPong"};
  EXPECT_EQ(parse_word("pingpong", names), "PingPong");
}

TEST(parse_word, refusal_lists_the_valid_ones) {
  EXPECT_EQ(refused([] { return parse_word("purpel", when); }), "'purpel' is not one of auto, always, never");
}

TEST(parse_word, refusal_suggests_a_near_one) {
  EXPECT_EQ(refused([] { return parse_word("nevre", when); }),
            "'nevre' is not one of auto, always, never; did you mean 'never'?");
}

TEST(parse_word, empty_word_and_beginnings_are_refused) {
  EXPECT_NE(refused([] { return parse_word("", when); }), "accepted");
  EXPECT_NE(refused([] { return parse_word("aut", when); }), "accepted");
}

const std::vector<std::string> benchmarks{"PingPong", "PingPing", "Allreduce", "Alltoall"};

TEST(nearest, insertion_change_and_case) {
  EXPECT_EQ(nearest("PingPongg", benchmarks), "PingPong");
  EXPECT_EQ(nearest("allredouce", benchmarks), "Allreduce");
  EXPECT_EQ(nearest("ALLTOALL", benchmarks), "Alltoall");
}

TEST(nearest, swap_of_neighbours_counts_once) {
  const std::vector<std::string> words{"abcdef", "abcxfe"};
  EXPECT_EQ(nearest("abcdfe", words), "abcdef");
}

TEST(nearest, first_of_equals_wins) {
  EXPECT_EQ(nearest("PingPxng", benchmarks), "PingPong");
}

TEST(nearest, limit_is_two_or_a_third_of_the_length) {
  const std::vector<std::string> words{"abcdefghi"};
  EXPECT_EQ(nearest("abcdefxyz", words), "abcdefghi");
  EXPECT_EQ(nearest("abcdexyzw", words), std::nullopt);
  const std::vector<std::string> shorts{"abcd"};
  EXPECT_EQ(nearest("abxy", shorts), "abcd");
  EXPECT_EQ(nearest("axyz", shorts), std::nullopt);
}

TEST(nearest, nothing_to_choose_from) {
  EXPECT_EQ(nearest("x", {}), std::nullopt);
}

TEST(did_you_mean, names_the_nearest_and_says_nothing_without_one) {
  EXPECT_EQ(did_you_mean("allredouce", benchmarks), "; did you mean Allreduce?");
  EXPECT_EQ(did_you_mean("mantissa", benchmarks), "");
}

TEST(joined_in_quotes, parts_words_by_commas_and_keeps_an_empty_one) {
  EXPECT_EQ(joined_in_quotes(std::vector<std::string>{"PingPong", "Bcast"}), "'PingPong', 'Bcast'");
  EXPECT_EQ(joined_in_quotes(std::vector<std::string>{"", "x"}), "'', 'x'");
  EXPECT_EQ(joined_in_quotes({}), "");
}

using Words = std::vector<std::string>;

TEST(words_of_shell, are_parted_by_blanks_that_nothing_keeps) {
  EXPECT_EQ(words_of_shell("  srun -n4\t--mpi=pmix \n"), (Words{"srun", "-n4", "--mpi=pmix"}));
  EXPECT_EQ(words_of_shell("sh '/my dir/run' x"), (Words{"sh", "/my dir/run", "x"}));
  EXPECT_EQ(words_of_shell("/my\\ dir/run --wrap=\"a 'b' \\\"c\\\" \\d\"e"),
            (Words{"/my dir/run", "--wrap=a 'b' \"c\" \\de"}));
  EXPECT_EQ(words_of_shell("a '' \"\""), (Words{"a", "", ""}));
  EXPECT_EQ(words_of_shell("'\\' \\' $HOME *"), (Words{"\\", "'", "$HOME", "*"}));
  EXPECT_EQ(words_of_shell(" "), Words{});
}

TEST(words_of_shell, are_those_that_were_written_for_one) {
  const Words words{"run", "it's", "", "my results", "a\\b", "\"$HOME\"", "\t"};
  EXPECT_EQ(words_of_shell(in_shell(words)), words);
}

TEST(words_of_shell, that_do_not_end_are_refused) {
  EXPECT_EQ(refused([] { return words_of_shell("sh -c 'exit 3"); }), "quotes are not closed: 'exit 3");
  EXPECT_EQ(refused([] { return words_of_shell("sh a\"b c"); }), "quotes are not closed: a\"b c");
  EXPECT_EQ(refused([] { return words_of_shell("sh x\\"); }), "a backslash at the end keeps nothing: x\\");
}

TEST(in_shell, only_what_a_shell_would_take_apart_is_quoted) {
  EXPECT_EQ(in_shell("results/a-b_c.1"), "results/a-b_c.1");
  EXPECT_EQ(in_shell("Größe"), "Größe");
  EXPECT_EQ(in_shell("my results"), "'my results'");
  EXPECT_EQ(in_shell("it's"), "'it'\\''s'");
  EXPECT_EQ(in_shell("$HOME;rm"), "'$HOME;rm'");
  EXPECT_EQ(in_shell(""), "''");
  EXPECT_EQ(in_shell(std::vector<std::string>{"run", "-o", "a b"}), "run -o 'a b'");
}

}  // namespace
}  // namespace steelyard::units
