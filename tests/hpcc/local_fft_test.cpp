// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/fft/local_fft.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "machine/pages.hpp"
#include "suites/hpcc/fft/data.hpp"
#include "suites/hpcc/fft/passes.hpp"
#include "suites/hpcc/fft/plain_transform.hpp"

using namespace steelyard::hpcc;

namespace {

std::vector<Complex> data(std::int64_t n) {
  std::vector<Complex> values(static_cast<std::size_t>(n));
  fill_fft_data(values, 0);
  return values;
}

std::vector<Complex> by_definition(const std::vector<Complex>& z) {
  const auto n = z.size();
  std::vector<Complex> result(n);
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t j = 0; j < n; ++j)
      result[k] += z[j] * std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(j * k % n) /
                                              static_cast<double>(n));
  return result;
}

void expect_near(std::span<const Complex> found, std::span<const Complex> expected, double tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) ASSERT_LT(std::abs(found[k] - expected[k]), tolerance) << k;
}

constexpr double tolerance = 1e-10;
constexpr std::int64_t lengths[] = {1, 2, 3, 4, 5, 6, 8, 15, 16, 32, 60, 90, 256, 360, 512};

}  // namespace

TEST(plain_transform, equals_the_sum_of_the_definition) {
  for (const auto n : lengths) {
    auto values = data(n), buffer = values;
    plain_forward(values, values.size());
    expect_near(values, by_definition(data(n)), tolerance);
    plain_inverse(values, buffer);
    expect_near(values, data(n), tolerance);
  }
}

TEST(plain_transform, of_many_rows_is_that_of_each) {
  for (const std::size_t rows : {2U, 7U, 8U, 19U})
    for (const std::size_t length : {5U, 16U, 60U}) {
      auto all = data(static_cast<std::int64_t>(rows * length)), each = all;
      plain_forward(all, length);
      for (std::size_t i = 0; i < rows; ++i)
        plain_forward(std::span(each).subspan(i * length, length), length);
      expect_near(all, each, tolerance);
    }
}

TEST(fft_deviation, is_the_largest_and_keeps_what_is_no_number) {
  auto values = data(10'000);
  EXPECT_EQ(fft_deviation(values, 0), 0);
  values[4567] += Complex(3e-9, 4e-9);
  EXPECT_NEAR(fft_deviation(values, 0), 5e-9, 1e-15);
  values[1234] = {0.5, std::numeric_limits<double>::quiet_NaN()};
  EXPECT_TRUE(std::isnan(fft_deviation(values, 0)));
  EXPECT_EQ(fft_judgement(fft_deviation(values, 0), 10'000, 16).errors, 1);
}

TEST(plain_transform, other_prime_factors_are_refused) {
  EXPECT_THROW(static_cast<void>(smooth_factors(14)), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(smooth_factors(0)), std::invalid_argument);
  EXPECT_EQ(smooth_factors(60), (std::vector<int>{5, 3, 2, 2}));
}

TEST(two_factors, are_near_the_square_root_and_multiples_of_the_processes) {
  EXPECT_EQ(two_factors(1 << 22), (Factors{2048, 2048}));
  EXPECT_EQ(two_factors(1 << 21), (Factors{1024, 2048}));
  EXPECT_EQ(two_factors(60), (Factors{6, 10}));
  EXPECT_EQ(two_factors(64, 4), (Factors{8, 8}));
  EXPECT_EQ(two_factors(16, 4), (Factors{4, 4}));
  EXPECT_EQ(two_factors(36 * 5, 6), (Factors{6, 30}));
  EXPECT_THROW(static_cast<void>(two_factors(8, 4)), std::invalid_argument);
}

TEST(largest_divisor, does_not_exceed_the_most) {
  EXPECT_EQ(largest_divisor(60, 16), 15);
  EXPECT_EQ(largest_divisor(2048, 16), 16);
  EXPECT_EQ(largest_divisor(7, 4), 1);
  EXPECT_EQ(largest_divisor(3, 16), 3);
}

TEST(lane_transforms, equal_the_sum_of_the_definition_in_every_lane) {
  for (const std::int64_t n : {1, 2, 3, 4, 5, 8, 16, 30, 32, 64, 120, 128, 450, 512}) {
    const LaneTransforms transforms(n);
    steelyard::machine::HugeArray<LaneCell> cells(transforms.cells());
    std::vector<std::vector<Complex>> columns;
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      columns.emplace_back(static_cast<std::size_t>(n));
      fill_fft_data(columns.back(), lane * n);
      LaneTransforms::Entry entry(transforms, 0);
      for (const auto z : columns.back()) {
        auto& cell = cells[static_cast<std::size_t>(entry.cell())];
        cell.re[lane] = z.real();
        cell.im[lane] = z.imag();
        entry.next();
      }
    }
    transforms.run(cells.data());
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      std::vector<Complex> found;
      LaneTransforms::Exit exit(transforms, 0);
      for (std::int64_t k = 0; k < n; ++k, exit.next()) {
        const auto& cell = cells[static_cast<std::size_t>(exit.cell())];
        found.emplace_back(cell.re[lane], cell.im[lane]);
      }
      expect_near(found, by_definition(columns[static_cast<std::size_t>(lane)]), tolerance);
    }
  }
}

TEST(lane_transforms, begin_anywhere_in_the_order_of_their_elements) {
  const LaneTransforms transforms(30);
  LaneTransforms::Entry entry(transforms, 0);
  LaneTransforms::Exit exit(transforms, 0);
  for (std::int64_t at = 0; at < 30; ++at, entry.next(), exit.next()) {
    EXPECT_EQ(LaneTransforms::Entry(transforms, at).cell(), entry.cell());
    EXPECT_EQ(LaneTransforms::Exit(transforms, at).cell(), exit.cell());
  }
}

class LocalFftOf : public testing::TestWithParam<Form> {};

TEST_P(LocalFftOf, equals_the_sum_of_the_definition) {
  for (const auto n : lengths) {
    LocalFft fft(n, GetParam());
    fft.run();
    expect_near(fft.result(), by_definition(data(n)), tolerance);
  }
}

TEST_P(LocalFftOf, shares_its_passes_among_threads) {
  for (const int threads : {2, 3}) {
    LocalFft fft(1 << 12, GetParam(), threads);
    fft.run();
    const auto found = fft.verify();
    EXPECT_EQ(found.errors, 0) << found.first;
  }
}

TEST_P(LocalFftOf, passes_its_check_at_larger_lengths) {
  for (const std::int64_t n : {1 << 13, 1 << 14, 3000}) {
    LocalFft fft(n, GetParam());
    fft.run();
    fft.run();
    const auto found = fft.verify();
    EXPECT_EQ(found.errors, 0) << n << ": " << found.first;
    EXPECT_LT(found.worst, 3) << n;
    EXPECT_GT(found.worst, 0) << n;
  }
}

TEST_P(LocalFftOf, sums_are_the_published_ones) {
  LocalFft fft(1 << 16, GetParam());
  fft.run();
  EXPECT_NEAR(fft.result()[0].real(), 32803.0932160852, 1e-7);
  EXPECT_NEAR(fft.result()[0].imag(), 32785.2050335886, 1e-7);
  double squares = 0;
  for (const auto& z : fft.result()) squares += std::norm(z);
  EXPECT_NEAR(squares / (1 << 16), 43754.2318137343, 1e-6);
}

TEST_P(LocalFftOf, one_wrong_element_fails) {
  LocalFft fft(1 << 12, GetParam());
  fft.run();
  fft.result()[1234] += 1e-8;
  const auto found = fft.verify();
  EXPECT_EQ(found.errors, 1);
}

TEST_P(LocalFftOf, two_exchanged_elements_fail) {
  LocalFft fft(1 << 12, GetParam());
  fft.run();
  std::swap(fft.result()[17], fft.result()[18]);
  EXPECT_EQ(fft.verify().errors, 1);
}

INSTANTIATE_TEST_SUITE_P(forms, LocalFftOf, testing::Values(Form::base, Form::optimized));
