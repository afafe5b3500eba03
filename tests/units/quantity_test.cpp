// SPDX-License-Identifier: Apache-2.0
#include "units/quantity.hpp"

#include <gtest/gtest.h>

#include <concepts>
#include <type_traits>

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
