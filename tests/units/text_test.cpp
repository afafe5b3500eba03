// SPDX-License-Identifier: Apache-2.0
#include "units/text.hpp"

#include <gtest/gtest.h>

#include <array>
#include <clocale>
#include <cmath>
#include <iomanip>
#include <locale>
#include <sstream>
#include <string>
#include <vector>

#include "refused.hpp"

namespace steelyard::units {
namespace {

TEST(parse_duration, examples_of_the_guide) {
  EXPECT_DOUBLE_EQ(parse_duration("90").value(), 90);
  EXPECT_DOUBLE_EQ(parse_duration("1.5m").value(), 90);
  EXPECT_DOUBLE_EQ(parse_duration("1h30m").value(), 5400);
  EXPECT_DOUBLE_EQ(parse_duration("250ms").value(), 0.25);
  EXPECT_DOUBLE_EQ(parse_duration("2min30s").value(), 150);
}

TEST(parse_duration, every_unit_joined) {
  EXPECT_DOUBLE_EQ(parse_duration("1d2h3m4s5ms").value(), 86400 + 7200 + 180 + 4 + 0.005);
  EXPECT_DOUBLE_EQ(parse_duration("0").value(), 0);
}

TEST(parse_duration, refusal_shows_the_word_and_examples) {
  EXPECT_EQ(refused([] { return parse_duration("5 parsecs"); }),
            "'5 parsecs' is not a duration (examples: 90, 250ms, 1h30m)");
}

TEST(parse_duration, refuses_what_the_grammar_does_not_have) {
  for (const auto word : {"", "-1", "1h30", "30m1h", "1m2m", "1m2min", "s", "1.5.2s", "1e3", "1 h", "1H",
                          "1us", "inf", "1h "}) {
    EXPECT_NE(refused([&] { return parse_duration(word); }), "accepted") << word;
  }
}

TEST(parse_duration, refuses_an_endless_one) {
  EXPECT_NE(refused([] { return parse_duration(std::string(400, '9')); }), "accepted");
  EXPECT_NE(refused([] { return parse_duration(std::string(308, '9') + "d"); }), "accepted");
}

TEST(parse_ratio, number_or_percentage) {
  EXPECT_DOUBLE_EQ(parse_ratio("0.05"), 0.05);
  EXPECT_DOUBLE_EQ(parse_ratio("5%"), 0.05);
  EXPECT_DOUBLE_EQ(parse_ratio("100%"), 1);
  EXPECT_DOUBLE_EQ(parse_ratio("0"), 0);
  EXPECT_DOUBLE_EQ(parse_ratio("1"), 1);
}

TEST(parse_ratio, percentage_is_the_number_that_the_same_decimal_is) {
  EXPECT_EQ(parse_ratio("99.9%"), 0.999);
  EXPECT_EQ(parse_ratio("0.7%"), 0.007);
  EXPECT_EQ(parse_ratio("7%"), 0.07);
}

TEST(percent, has_the_digits_of_the_share_or_those_that_are_asked_for) {
  EXPECT_EQ(percent(0.05), "5 %");
  EXPECT_EQ(percent(0.025), "2.5 %");
  EXPECT_EQ(percent(0.995), "99.5 %");
  EXPECT_EQ(percent(0.999), "99.9 %");
  EXPECT_EQ(percent(1), "100 %");
  EXPECT_EQ(percent(0), "0 %");
  EXPECT_EQ(percent(0.00001), "0.001 %");
  EXPECT_EQ(percent(parse_ratio("0.15%")), "0.15 %");
  EXPECT_EQ(percent(0.634, 0), "63 %");
}

TEST(parse_ratio, refusals) {
  EXPECT_EQ(refused([] { return parse_ratio("7"); }), "must be between 0 and 1 (or 0% and 100%), got '7'");
  for (const auto word : {"", "%", "101%", "1.01", "-0.1", "5 %", "1e-2", "nan", "5%%"}) {
    EXPECT_NE(refused([&] { return parse_ratio(word); }), "accepted") << word;
  }
}

TEST(parse_count, limits_belong_to_it) {
  EXPECT_EQ(parse_count("1", 1, 1000000), 1);
  EXPECT_EQ(parse_count("1000000", 1, 1000000), 1000000);
  EXPECT_EQ(parse_count("-3", -5, 5), -3);
}

TEST(parse_count, refusals_name_the_limits) {
  EXPECT_EQ(refused([] { return parse_count("x", 1, 1000000); }),
            "must be a whole number from 1 to 1000000, got 'x'");
  for (const auto word :
       {"", "0", "1000001", "1.0", "1e3", "+1", " 1", "1 ", "--1", "99999999999999999999"}) {
    EXPECT_NE(refused([&] { return parse_count(word, 1, 1000000); }), "accepted") << word;
  }
}

TEST(parse_number, decimal_with_sign_and_exponent) {
  EXPECT_DOUBLE_EQ(parse_number("-1.5"), -1.5);
  EXPECT_DOUBLE_EQ(parse_number("2e-3"), 0.002);
}

TEST(parse_number, refusals) {
  EXPECT_EQ(refused([] { return parse_number("x"); }), "must be a number, got 'x'");
  for (const auto word : {"", "inf", "nan", "1,5", "1x", "1e999"}) {
    EXPECT_NE(refused([&] { return parse_number(word); }), "accepted") << word;
  }
}

TEST(parse_bool, words_in_any_case) {
  for (const auto word : {"true", "On", "YES", "1", "enable"}) EXPECT_TRUE(parse_bool(word)) << word;
  for (const auto word : {"false", "Off", "NO", "0", "disable"}) EXPECT_FALSE(parse_bool(word)) << word;
}

TEST(parse_bool, refusal) {
  EXPECT_EQ(refused([] { return parse_bool("maybe"); }), "must be on or off, got 'maybe'");
  EXPECT_NE(refused([] { return parse_bool(""); }), "accepted");
}

TEST(format_rounded_size, three_digits_of_the_prefix_that_fits) {
  EXPECT_EQ(format_rounded_size(Bytes{0}), "0 B");
  EXPECT_EQ(format_rounded_size(Bytes{1000}), "1000 B");
  EXPECT_EQ(format_rounded_size(Bytes{24683620LL * 1024}), "23.5 GiB");
  EXPECT_EQ(format_rounded_size(Bytes{64 << 20}), "64.0 MiB");
  EXPECT_EQ(format_rounded_size(1.5e15), "1.33 PiB");
}

TEST(format_unlike_sizes, exact_where_rounded_ones_would_look_alike) {
  EXPECT_EQ(format_unlike_sizes(Bytes{8388608}, Bytes{8388600}),
            (std::pair<std::string, std::string>{"8 MiB", "8388600 B"}));
  EXPECT_EQ(format_unlike_sizes(gibi, Bytes{8388600}),
            (std::pair<std::string, std::string>{"1.00 GiB", "8.00 MiB"}));
}

TEST(format_size, prefix_only_if_the_number_stays_whole) {
  EXPECT_EQ(format_size(Bytes{0}), "0 B");
  EXPECT_EQ(format_size(Bytes{1000}), "1000 B");
  EXPECT_EQ(format_size(Bytes{1024}), "1 KiB");
  EXPECT_EQ(format_size(Bytes{1536}), "1536 B");
  EXPECT_EQ(format_size(Bytes{65536}), "64 KiB");
  EXPECT_EQ(format_size(Bytes{1536 * 1024}), "1536 KiB");
  EXPECT_EQ(format_size(gibi), "1 GiB");
  EXPECT_EQ(format_size(Bytes{std::int64_t{1} << 62}), "4 EiB");
}

TEST(format_size, is_read_back) {
  for (const std::int64_t n : {1, 1000, 1024, 1536, 65536, 1 << 30}) {
    std::string text = format_size(Bytes{n});
    text.erase(text.find(' '), 1);
    if (text.ends_with("B") && !text.ends_with("iB")) text.pop_back();
    EXPECT_EQ(parse_size(text).count(), n) << text;
  }
}

TEST(format_time, examples) {
  EXPECT_EQ(format_time(Seconds{0.41e-6}), "0.41 us");
  EXPECT_EQ(format_time(Seconds{6.234e-6}), "6.23 us");
  EXPECT_EQ(format_time(Seconds{811e-6}), "811 us");
  EXPECT_EQ(format_time(Seconds{1.02e-3}), "1.02 ms");
  EXPECT_EQ(format_time(Seconds{12.34}), "12.3 s");
}

TEST(format_short, rounds_before_it_counts_digits) {
  EXPECT_EQ(format_short(9.9949), "9.99");
  EXPECT_EQ(format_short(9.995), "9.99");  // the double lies below
  EXPECT_EQ(format_short(9.9951), "10.0");
  EXPECT_EQ(format_short(99.949), "99.9");
  EXPECT_EQ(format_short(99.95), "100");  // the double lies above
  EXPECT_EQ(format_short(-9.995), "-9.99");
}

TEST(format_time, limits_between_units) {
  EXPECT_EQ(format_time(Seconds{0}), "0.00 us");
  EXPECT_EQ(format_time(Seconds{91.2e-9}), "91.2 ns");
  EXPECT_EQ(format_time(Seconds{0.1e-6}), "0.10 us");
  EXPECT_EQ(format_time(Seconds{9.996e-6}), "10.0 us");
  EXPECT_EQ(format_time(Seconds{99.96e-6}), "100 us");
  EXPECT_EQ(format_time(Seconds{999.4e-6}), "999 us");
  EXPECT_EQ(format_time(Seconds{999.6e-6}), "1.00 ms");
  EXPECT_EQ(format_time(Seconds{0.9996}), "1.00 s");
  EXPECT_EQ(format_time(Seconds{1800}), "1800 s");
}

TEST(format_clock, minutes_and_hours) {
  EXPECT_EQ(format_clock(Seconds{42.1}), "0:42");
  EXPECT_EQ(format_clock(Seconds{70}), "1:10");
  EXPECT_EQ(format_clock(Seconds{7387}), "2:03:07");
  EXPECT_EQ(format_clock(Seconds{59.6}), "1:00");
  EXPECT_EQ(format_clock(Seconds{-3}), "0:00");
}

TEST(counted, has_the_plural) {
  EXPECT_EQ(counted(1, "point"), "1 point");
  EXPECT_EQ(counted(0, "point"), "0 points");
  EXPECT_EQ(counted(2U, "process"), "2 processes");
  EXPECT_EQ(counted(std::int64_t{3}, "batch"), "3 batches");
  EXPECT_EQ(counted(2, "entry", "entries"), "2 entries");
}

TEST(format_fixed, never_an_exponent_and_no_negative_zero) {
  EXPECT_EQ(format_fixed(1234567890123.456, 2), "1234567890123.46");
  EXPECT_EQ(format_fixed(1e20, 0), "100000000000000000000");
  EXPECT_EQ(format_fixed(1e-9, 2), "0.00");
  EXPECT_EQ(format_fixed(-1e-9, 2), "0.00");
  EXPECT_EQ(format_fixed(-0.5, 1), "-0.5");
}

/// Rounds as streams, which are exact, where a number lies beside the middle of two that can be shown, and far from it.
TEST(format_fixed, rounds_the_number_itself) {
  for (const int decimals : {0, 1, 2, 3, 4})
    for (const double step : {1e-3, 5e-4, 0.05, 0.125, 0.5, 7.3, 1234.5678})
      for (int i = 0; i < 500; ++i)
        for (const double value : {i * step, std::nextafter(i * step, 1e9), std::nextafter(i * step, 0)}) {
          std::ostringstream printed;
          printed << std::fixed << std::setprecision(decimals) << value;
          ASSERT_EQ(format_fixed(value, decimals), printed.str());
        }
}

TEST(format_significant, digits_before_the_point_are_all_there) {
  EXPECT_EQ(format_significant(657.46, 4), "657.5");
  EXPECT_EQ(format_significant(1293.2, 4), "1293");
  EXPECT_EQ(format_significant(12934.2, 4), "12934");
  EXPECT_EQ(format_significant(0.0012345, 4), "0.001234");
  EXPECT_EQ(format_significant(99.996, 4), "100.0");
  EXPECT_EQ(format_significant(0, 4), "0");
}

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

std::int64_t seconds(std::string_view text) {
  const auto moment = utc_moment(text);
  return moment ? moment->time_since_epoch().count() : -1;
}

TEST(utc, moments_are_read_from_the_front_of_a_text) {
  EXPECT_EQ(seconds("1970-01-01T00:00:00Z"), 0);
  EXPECT_EQ(seconds("2026-11-20T08:36:21Z"), 1795163781);
  EXPECT_EQ(seconds("2026-11-20T08:36:21.75Z"), 1795163781);
  EXPECT_EQ(seconds("2026-11-20"), 1795132800);
  for (const char* bad :
       {"", "2026-11-2", "2026-13-01", "2026-02-30", "2026/11/20", "yesterday..", "2026-11-20Tnoon oclock",
        "-026-11-20", "2026-11-20Txx:36:21Z", "2026-11-20X08:36:21Z", "2026-11-20T08-36-21Z",
        "2026-11-20T24:00:00Z", "2026-11-20T08:60:21Z", "2026-11-20T08:36:61Z"})
    EXPECT_EQ(seconds(bad), -1) << bad;
}

struct Commas : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

/// The process locale writes 1.234,5 while the test runs: C++ by a facet of ours, C by whatever the machine
/// has.
class locale_with_commas : public testing::Test {
 protected:
  locale_with_commas()
      : c_before_(std::setlocale(LC_ALL, nullptr)),
        before_(std::locale::global(std::locale(std::locale::classic(), new Commas))) {
    for (const auto name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"}) {
      if (std::setlocale(LC_NUMERIC, name) != nullptr) break;
    }
  }
  ~locale_with_commas() override {
    std::locale::global(before_);
    std::setlocale(LC_ALL, c_before_.c_str());
  }

 private:
  std::string c_before_;
  std::locale before_;
};

TEST_F(locale_with_commas, is_in_force) {
  std::ostringstream out;
  out << 1234.5;
  EXPECT_EQ(out.str(), "1.234,5");
}

TEST_F(locale_with_commas, printing_keeps_the_point) {
  EXPECT_EQ(format_fixed(1234567.891, 2), "1234567.89");
  EXPECT_EQ(format_significant(1234.5678, 6), "1234.57");
  EXPECT_EQ(format_time(Seconds{1.02e-3}), "1.02 ms");
  EXPECT_EQ(format_size(Bytes{1234567}), "1234567 B");
}

TEST_F(locale_with_commas, reading_keeps_the_point) {
  EXPECT_EQ(parse_size("1.5Gi").count(), 1610612736);
  EXPECT_DOUBLE_EQ(parse_duration("1.5m").value(), 90);
  EXPECT_DOUBLE_EQ(parse_ratio("0.05"), 0.05);
  EXPECT_DOUBLE_EQ(parse_number("0.25"), 0.25);
  EXPECT_THROW(static_cast<void>(parse_number("0,25")), ParseError);
}

TEST_F(locale_with_commas, messages_are_the_same) {
  try {
    static_cast<void>(parse_count("x", 1, 1000000));
    FAIL();
  } catch (const ParseError& error) {
    EXPECT_STREQ(error.what(), "must be a whole number from 1 to 1000000, got 'x'");
  }
}

}  // namespace
}  // namespace steelyard::units
