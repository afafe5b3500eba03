// SPDX-License-Identifier: Apache-2.0
#include "fourier/transforms.hpp"

#include <gtest/gtest.h>

#include <random>
#include <stdexcept>
#include <vector>

#include "fourier/radix_passes.hpp"

namespace steelyard::fourier {
namespace {

std::vector<Complex> random_values(std::int64_t n) {
  std::mt19937_64 next(3);
  std::uniform_real_distribution<double> value(-1, 1);
  std::vector<Complex> values(static_cast<std::size_t>(n));
  for (auto& one : values) one = {value(next), value(next)};
  return values;
}

/// Element k of the transform of the elements at `first`, `first` + stride, ...
Complex by_definition(const std::vector<Complex>& values, const TransformSet& set, std::int64_t first,
                      std::int64_t k) {
  Complex sum = 0;
  for (std::int64_t j = 0; j < set.n; ++j)
    sum += values[static_cast<std::size_t>(first + j * set.stride)] * root(j * k, set.n);
  return sum;
}

void expect_transforms(const TransformSet& set, Transforms::Manner manner) {
  const auto values = random_values(set.n * set.count);
  std::vector<Complex> in(values), out(values.size());
  std::vector<Complex> work(static_cast<std::size_t>(work_elements(set.n)));
  const Transforms transforms(set, manner, {in.data(), out.data()}, work);
  in = values;
  transforms.run(in.data(), out.data());
  for (std::int64_t t = 0; t < set.count; ++t)
    for (std::int64_t k = 0; k < set.n; ++k) {
      const auto at = static_cast<std::size_t>(t * set.distance + k * set.stride);
      ASSERT_LT(std::abs(out[at] - by_definition(values, set, t * set.distance, k)), 1e-12)
          << set.n << ' ' << k;
    }
  if (manner.input == Input::kept) {
    EXPECT_EQ(in, values);
  }
}

constexpr std::int64_t lengths[] = {1, 2, 3, 4, 5, 7, 8, 12, 16, 49, 60, 64, 77, 121, 196, 300};

}  // namespace

TEST(transforms, are_the_sum_of_the_definition_for_any_length) {
  for (const auto n : lengths) expect_transforms({.n = n}, {Planning::tried, Input::kept});
}

TEST(transforms, of_a_set_lie_side_by_side_or_one_after_the_other) {
  for (const auto n : lengths) {
    expect_transforms({n, 3, 1, n}, {Planning::guessed, Input::used_up});
    expect_transforms({n, 3, 3, 1}, {Planning::guessed, Input::used_up});
  }
}

TEST(radix_passes, radices_multiply_to_the_length) {
  for (const std::int64_t n : {1, 2, 4, 8, 16, 32, 64, 1024, 4096, 6, 45, 3000}) {
    std::int64_t product = 1;
    for (const int radix : radices(n, Lengths::smooth)) product *= radix;
    EXPECT_EQ(product, n);
  }
  EXPECT_EQ(radices(16, Lengths::smooth), (std::vector<int>{4, 4}));
  EXPECT_EQ(radices(1024, Lengths::smooth), (std::vector<int>{8, 8, 4, 4}));
}

TEST(radix_passes, large_factors_come_first_where_they_are_allowed) {
  EXPECT_EQ(radices(7 * 7 * 11 * 10, Lengths::all), (std::vector<int>{7, 7, 11, 5, 2}));
  EXPECT_EQ(radices(1'000'003, Lengths::all), (std::vector<int>{1'000'003}));
  EXPECT_THROW(static_cast<void>(radices(7, Lengths::smooth)), std::invalid_argument);
  for (const auto lengths : {Lengths::smooth, Lengths::all})
    EXPECT_THROW(static_cast<void>(radices(0, lengths)), std::invalid_argument);
}

TEST(radix_passes, hold_as_much_as_is_said) {
  for (const auto n : lengths) {
    std::size_t held = 0;
    for (const auto& pass : radix_passes(n, Lengths::all)) held += pass.twiddles.size() + pass.wheel.size();
    EXPECT_EQ(static_cast<std::int64_t>(held), table_elements(n)) << n;
  }
}

TEST(roots, are_reduced_before_they_are_rounded) {
  EXPECT_EQ(root(7 + 360 * std::int64_t{1'000'000'007}, 360), root(7, 360));
  EXPECT_EQ(root(0, 360), Complex(1, 0));
  const Roots roots(360);
  for (std::int64_t e = 0; e < 360; ++e) EXPECT_LT(std::abs(roots(e) - root(e, 360)), 1e-15) << e;
}

}  // namespace steelyard::fourier
