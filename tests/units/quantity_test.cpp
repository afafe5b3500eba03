// SPDX-License-Identifier: Apache-2.0
#include "units/quantity.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <concepts>
#include <type_traits>

#include "refused.hpp"
#include "units/text.hpp"

namespace steelyard {
namespace {

template <class A, class B>
concept Addable = requires(A a, B b) {
  a + b;
};
template <class A, class B>
concept Subtractable = requires(A a, B b) {
  a - b;
};
template <class A, class B>
concept Multipliable = requires(A a, B b) {
  a* b;
};
template <class A, class B>
concept Divisible = requires(A a, B b) {
  a / b;
};
template <class A, class B>
concept Comparable = requires(A a, B b) {
  a < b;
};
template <class A, class B>
concept Equatable = requires(A a, B b) {
  a == b;
};

template <class A, class B>
constexpr bool mixes() {
  return Addable<A, B> || Addable<B, A> || Subtractable<A, B> || Subtractable<B, A> || Comparable<A, B> ||
         Comparable<B, A> || Equatable<A, B> || Equatable<B, A> || std::is_convertible_v<A, B> ||
         std::is_convertible_v<B, A> || std::is_constructible_v<A, B> || std::is_assignable_v<A&, B>;
}

// No sum, difference, comparison or conversion between two different quantities.
static_assert(!mixes<Bytes, Seconds>());
static_assert(!mixes<Bytes, Rate>());
static_assert(!mixes<Seconds, Rate>());

// A bare number is not a quantity, and a quantity is not a bare number.
template <class Quantity, class Number>
constexpr bool leaks() {
  return std::is_convertible_v<Quantity, Number> || std::is_convertible_v<Number, Quantity> ||
         Addable<Quantity, Number> || Addable<Number, Quantity> || Comparable<Quantity, Number> ||
         std::is_assignable_v<Quantity&, Number>;
}
static_assert(!leaks<Bytes, int>());
static_assert(!leaks<Bytes, std::int64_t>());
static_assert(!leaks<Seconds, double>());
static_assert(!leaks<Seconds, int>());
static_assert(!leaks<Rate, double>());

// Products and quotients without a meaning.
static_assert(!Multipliable<Bytes, Bytes>);
static_assert(!Multipliable<Seconds, Seconds>);
static_assert(!Multipliable<Bytes, Seconds>);
static_assert(!Multipliable<Rate, Rate>);
static_assert(!Divisible<Seconds, Bytes>);
static_assert(!Divisible<Rate, Bytes>);
static_assert(!Divisible<Rate, Seconds>);
static_assert(!Divisible<double, Seconds>);

// The concepts above do see what is allowed, so none of the refusals is empty.
static_assert(Addable<Bytes, Bytes> && Subtractable<Bytes, Bytes> && Comparable<Bytes, Bytes>);
static_assert(Addable<Seconds, Seconds> && Comparable<Seconds, Seconds> && Equatable<Rate, Rate>);
static_assert(Multipliable<std::int64_t, Bytes> && Multipliable<double, Seconds>);
static_assert(std::same_as<decltype(Bytes{1} / Seconds{1}), Rate>);
static_assert(std::same_as<decltype(Bytes{1} / Bytes{1}), std::int64_t>);
static_assert(std::same_as<decltype(Seconds{1} / Seconds{1}), double>);
static_assert(std::same_as<decltype(Seconds{1} / 2.0), Seconds>);

TEST(quantity, rate_is_bytes_by_seconds) {
  EXPECT_EQ((Bytes{4096} / Seconds{0.5}).value(), 8192.0);
}

TEST(quantity, bytes_by_bytes_is_a_whole_number) {
  EXPECT_EQ(Bytes{100} / Bytes{33}, 3);
}

TEST(quantity, sums_keep_their_kind) {
  EXPECT_EQ(kibi + mebi, Bytes{1024 + 1048576});
  EXPECT_EQ(3 * kibi - kibi, Bytes{2048});
  EXPECT_DOUBLE_EQ((2.0 * Seconds{1.5} + Seconds{1} - Seconds{0.5}).value(), 3.5);
}

TEST(quantity, order_is_that_of_the_numbers) {
  EXPECT_LT(kibi, mebi);
  EXPECT_LT(mebi, gibi);
  EXPECT_GT(Seconds{2}, Seconds{1});
  EXPECT_LT(Rate{1}, Rate{2});
}

}  // namespace
}  // namespace steelyard

namespace steelyard::units {
namespace {

using testing::ElementsAre;

std::vector<std::int64_t> sizes(std::string_view words) {
  std::vector<std::int64_t> counts;
  for (const Bytes size : parse_sizes(words)) counts.push_back(size.count());
  return counts;
}

TEST(parse_size, examples_of_the_guide) {
  EXPECT_EQ(parse_size("4096").count(), 4096);
  EXPECT_EQ(parse_size("64K").count(), 65536);
  EXPECT_EQ(parse_size("64Ki").count(), 65536);
  EXPECT_EQ(parse_size("1.5GiB").count(), 1610612736);
  EXPECT_EQ(parse_size("1.5Gi").count(), 1610612736);
  EXPECT_EQ(parse_size("2GB").count(), 2000000000);
}

TEST(parse_size, every_suffix) {
  EXPECT_EQ(parse_size("1k").count(), 1024);
  EXPECT_EQ(parse_size("1m").count(), 1048576);
  EXPECT_EQ(parse_size("1G").count(), 1073741824);
  EXPECT_EQ(parse_size("1Ti").count(), 1099511627776);
  EXPECT_EQ(parse_size("1PiB").count(), 1125899906842624);
  EXPECT_EQ(parse_size("1kB").count(), 1000);
  EXPECT_EQ(parse_size("1MB").count(), 1000000);
  EXPECT_EQ(parse_size("1TB").count(), 1000000000000);
  EXPECT_EQ(parse_size("1PB").count(), 1000000000000000);
}

TEST(parse_size, fractions_are_exact) {
  EXPECT_EQ(parse_size("0.5K").count(), 512);
  EXPECT_EQ(parse_size("0.001kB").count(), 1);
  EXPECT_EQ(parse_size("0.0009765625K").count(), 1);
  EXPECT_EQ(parse_size("2.00").count(), 2);
  EXPECT_EQ(parse_size("1.10MB").count(), 1100000);
}

TEST(parse_size, largest_is_just_below_two_to_the_63) {
  EXPECT_EQ(parse_size("9223372036854775807").count(), 9223372036854775807);
  EXPECT_EQ(parse_size("8191Pi").count(), 8191 * (std::int64_t{1} << 50));
}

TEST(parse_size, refusal_shows_the_word_and_examples) {
  EXPECT_EQ(refused([] { return parse_size("64Q"); }),
            "'64Q' is not a size (examples: 4096, 64K, 1.5Gi, 2GB)");
}

TEST(parse_size, refuses_what_the_grammar_does_not_have) {
  for (const auto word : {"",      "K",   "-1",  "+1",    "1e3", "1.",   ".5K", "1,5K", " 1",
                          "1 K",   "1 ",  "64B", "1Kib2", "1BK", "0x10", "1.5", "0.3K", "9223372036854775808",
                          "8192P", "8Ei", "inf", "nan"}) {
    EXPECT_NE(refused([&] { return parse_size(word); }), "accepted") << word;
  }
}

TEST(parse_sizes, examples_of_the_guide) {
  EXPECT_EQ(sizes("0,1..4Mi").size(), 24u);
  EXPECT_THAT(sizes("1Ki..1Mi*4"), ElementsAre(1024, 4096, 16384, 65536, 262144, 1048576));
  EXPECT_THAT(sizes("100..1000+100"), ElementsAre(100, 200, 300, 400, 500, 600, 700, 800, 900, 1000));
}

TEST(parse_sizes, sorts_and_drops_duplicates) {
  EXPECT_THAT(sizes("8,1..8,0,3"), ElementsAre(0, 1, 2, 3, 4, 8));
}

TEST(parse_sizes, end_between_two_steps_is_left_out) {
  EXPECT_THAT(sizes("3..20"), ElementsAre(3, 6, 12));
  EXPECT_THAT(sizes("1..10+4"), ElementsAre(1, 5, 9));
}

TEST(parse_sizes, range_of_one_value) {
  EXPECT_THAT(sizes("7..7"), ElementsAre(7));
}

TEST(parse_sizes, range_up_to_the_largest_number_ends) {
  EXPECT_EQ(sizes("1..9223372036854775807").size(), 63u);
  EXPECT_THAT(sizes("9223372036854775806..9223372036854775807+1"),
              ElementsAre(9223372036854775806, 9223372036854775807));
}

TEST(parse_sizes, refusals) {
  EXPECT_EQ(refused([] { return parse_sizes("8..4"); }), "range '8..4' runs backwards");
  EXPECT_EQ(refused([] { return parse_sizes("1,64Q"); }),
            "'64Q' is not a size (examples: 4096, 64K, 1.5Gi, 2GB)");
  EXPECT_EQ(refused([] { return parse_sizes("0..8"); }),
            "range '0..8' begins with 0, which must stand by itself (as in 0,1..8)");
  EXPECT_EQ(refused([] { return parse_sizes("1..8*1"); }),
            "range '1..8*1' needs a whole factor of at least 2");
  EXPECT_EQ(refused([] { return parse_sizes("1..8*1.5"); }),
            "range '1..8*1.5' needs a whole factor of at least 2");
  EXPECT_EQ(refused([] { return parse_sizes("1..8+0"); }), "range '1..8+0' has a step of 0");
  EXPECT_EQ(refused([] { return parse_sizes("8,1.."); }), "range '1..' lacks its end");
  EXPECT_EQ(refused([] { return parse_sizes("1..*4"); }), "range '1..*4' lacks its end");
  EXPECT_EQ(refused([] { return parse_sizes("..1"); }), "range '..1' lacks its begin");
  EXPECT_EQ(refused([] { return parse_sizes("1..4G+1"); }), "range '1..4G+1' gives more than 1000000 values");
  for (const auto words : {"", ",", "1,", ",1", "1..", "..1", "1...4", "1..4*", "1..4+", "1..2..4"}) {
    EXPECT_NE(refused([&] { return parse_sizes(words); }), "accepted") << words;
  }
}

TEST(parse_counts, list_range_and_words) {
  EXPECT_THAT(parse_counts("2,4,8").values, ElementsAre(2, 4, 8));
  EXPECT_THAT(parse_counts("2..16*2").values, ElementsAre(2, 4, 8, 16));
  EXPECT_THAT(parse_counts("2..16").values, ElementsAre(2, 4, 8, 16));
  EXPECT_THAT(parse_counts("8,2..4+1").values, ElementsAre(2, 3, 4, 8));
  EXPECT_EQ(parse_counts("pow2").kind, Counts::Kind::pow2);
  EXPECT_EQ(parse_counts("ALL").kind, Counts::Kind::all);
  EXPECT_EQ(parse_counts("3").kind, Counts::Kind::list);
}

TEST(parse_counts, refusals) {
  EXPECT_EQ(refused([] { return parse_counts("2,x"); }),
            "must be a whole number from 1 to 2147483647, got 'x'");
  EXPECT_EQ(refused([] { return parse_counts("0"); }),
            "must be a whole number from 1 to 2147483647, got '0'");
  EXPECT_EQ(refused([] { return parse_counts("8..2"); }), "range '8..2' runs backwards");
  EXPECT_NE(refused([] { return parse_counts("2147483648"); }), "accepted");
  EXPECT_NE(refused([] { return parse_counts("pow2,3"); }), "accepted");
  EXPECT_NE(refused([] { return parse_counts("1.5"); }), "accepted");
}

}  // namespace
}  // namespace steelyard::units
