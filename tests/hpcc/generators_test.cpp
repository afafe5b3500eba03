// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "suites/hpcc/fft/data.hpp"
#include "suites/hpcc/ptrans/data.hpp"
#include "suites/hpcc/random_access/update_stream.hpp"

using namespace steelyard::hpcc;

namespace {

/// The updates one after the other, as the rule says them.
template <class Stream>
std::vector<std::uint64_t> updated_table(int bits) {
  std::vector<std::uint64_t> table(std::size_t{1} << bits);
  std::iota(table.begin(), table.end(), std::uint64_t{0});
  std::uint64_t x = 1;
  for (std::size_t i = 0; i < 4 * table.size(); ++i) {
    x = Stream::next(x);
    table[Stream::index(x, bits)] ^= x;
  }
  return table;
}

std::uint64_t checksum(const std::vector<std::uint64_t>& table) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < table.size(); ++i) sum += table[i] * (i + 1);
  return sum;
}

std::size_t untouched(const std::vector<std::uint64_t>& table) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < table.size(); ++i) count += table[i] == i ? 1U : 0U;
  return count;
}

}  // namespace

TEST(polynomial, states_are_the_published_ones) {
  EXPECT_EQ(Polynomial::at(0), 1U);
  EXPECT_EQ(Polynomial::at(1), 2U);
  EXPECT_EQ(Polynomial::at(63), 0x8000000000000000U);
  EXPECT_EQ(Polynomial::at(64), 7U);
  EXPECT_EQ(Polynomial::at(65), 0xeU);
  EXPECT_EQ(Polynomial::at(1000), 0xb6b6db0000000103U);
  EXPECT_EQ(Polynomial::at(std::int64_t{1} << 22), 0x100010013U);
  EXPECT_EQ(Polynomial::at(std::int64_t{1} << 30), 0x100010007U);
  EXPECT_EQ(Polynomial::at(std::int64_t{1} << 40), 0x100000116U);
  EXPECT_EQ(Polynomial::at(Polynomial::period - 1), 0x8000000000000003U);
  EXPECT_EQ(Polynomial::at(-1), 0x8000000000000003U);
  EXPECT_EQ(Polynomial::at(Polynomial::period), 1U);
}

template <class Stream>
void eight_on_is_eight_times_next() {
  for (const std::int64_t k : {0, 1, 57, 64, 1000, 123456789}) {
    auto x = Stream::at(k);
    Stream::eight_on(x);
    EXPECT_EQ(x, Stream::at(k + 8)) << k;
  }
}

TEST(updates, eight_steps_at_once_are_eight_steps) {
  eight_on_is_eight_times_next<Polynomial>();
  eight_on_is_eight_times_next<Congruential>();
}

TEST(congruential, states_are_the_published_ones) {
  EXPECT_EQ(Congruential::at(1), 0x5851f42d4c957f2eU);
  EXPECT_EQ(Congruential::at(2), 0xc0b18ccf4e252d17U);
  EXPECT_EQ(Congruential::at(64), 0xfa1179b4ada413c1U);
  EXPECT_EQ(Congruential::at(1000), 0x2d5aa01dbbf77019U);
  EXPECT_EQ(Congruential::at(std::int64_t{1} << 30), 0xfefd1533c0000001U);
  EXPECT_EQ(Congruential::at(std::int64_t{1} << 40), 0xf454cf0000000001U);
}

template <class Stream>
void jump_equals_stepping() {
  Random random(11);
  for (int round = 0; round < 20; ++round) {
    const auto far = static_cast<std::int64_t>(random.uniform() * 0x1p60);
    const int steps = random.below(500);
    auto x = Stream::at(far);
    for (int i = 0; i < steps; ++i) x = Stream::next(x);
    ASSERT_EQ(x, Stream::at(far + steps));
  }
}

TEST(polynomial, jump_equals_stepping) {
  jump_equals_stepping<Polynomial>();
}

TEST(congruential, jump_equals_stepping) {
  jump_equals_stepping<Congruential>();
}

TEST(update_stream, table_after_all_updates_has_the_published_checksum) {
  const auto poly = updated_table<Polynomial>(10), poly16 = updated_table<Polynomial>(16);
  EXPECT_EQ(checksum(poly), 0x3928e862eb42dc3aU);
  EXPECT_EQ(untouched(poly), 661U);
  EXPECT_EQ(checksum(poly16), 0x16eee14aa3f63d52U);
  EXPECT_EQ(untouched(poly16), 5934U);
  const auto lcg = updated_table<Congruential>(10), lcg16 = updated_table<Congruential>(16);
  EXPECT_EQ(checksum(lcg), 0x3e689faf4f8e1597U);
  EXPECT_EQ(untouched(lcg), 20U);
  EXPECT_EQ(checksum(lcg16), 0x25a0c157f18cafc3U);
  EXPECT_EQ(untouched(lcg16), 1190U);
}

TEST(table_parts, every_word_has_one_owner) {
  for (const int processes : {1, 2, 3, 4, 5, 7, 8, 16, 31}) {
    const TableParts parts(8, processes);
    std::int64_t index = 0;
    for (int rank = 0; rank < processes; ++rank) {
      EXPECT_EQ(parts.start(rank), index);
      for (const auto end = index + parts.length(rank); index < end; ++index)
        ASSERT_EQ(parts.owner(index), rank);
    }
    EXPECT_EQ(index, 256);
  }
  EXPECT_THROW(TableParts(2, 5), std::invalid_argument);
}

TEST(owner_finder, knows_the_owner_of_every_word_however_few_each_process_has) {
  for (int bits = 0; bits <= 9; ++bits)
    for (int processes = 1; processes <= 1 << bits; ++processes) {
      const TableParts parts(bits, processes);
      const OwnerFinder owner(parts);
      for (std::int64_t index = 0; index < parts.words(); ++index)
        ASSERT_EQ(owner(static_cast<std::size_t>(index)), parts.owner(index))
            << index << " of 2^" << bits << " on " << processes;
    }
}

TEST(solver_matrix, states_and_values_are_the_published_ones) {
  EXPECT_EQ(solver_state(1), 0x800361b1ea65ad95U);
  EXPECT_EQ(solver_state(2), 0x1da99375e8b56e32U);
  EXPECT_EQ(solver_state(3), 0x0e6abf45e4a92ccbU);
  EXPECT_EQ(solver_state(4), 0xf5e0f72b751c94b0U);
  EXPECT_EQ(solver_value(solver_state(1)), -5.159944193766641e-05);
  EXPECT_EQ(solver_value(solver_state(2)), 0.38413122531282284);
  EXPECT_EQ(solver_value(solver_state(3)), 0.4436836675989427);
  EXPECT_EQ(solver_value(solver_state(4)), -0.46046395121548966);
  EXPECT_EQ(solver_value(solver_state(1 + 0 + 3 * 3)), -0.3563056497366903);
}

TEST(affine, jump_equals_stepping) {
  std::uint64_t x = 5;
  for (std::uint64_t n = 0; n < 100; ++n, x = wide_step(x)) ASSERT_EQ(wide_step.times(n)(5), x);
}

TEST(ptrans_data, states_and_values_are_the_published_ones) {
  const PtransSequence a(Matrix::a, 10), c(Matrix::c, 10);
  const std::uint64_t states[] = {829870797, 1533044610, 1478614675, 1357823696};
  const double a_column[] = {0.22712259273976088, -0.42775905318558216, -0.37706722598522902,
                             -0.26457186043262482};
  const double c_row[] = {-0.5457433173432946, -0.5452100094407797, 0.8554941946640611, -0.1792224533855915};
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(a.state(i, 0), states[i]);
    EXPECT_DOUBLE_EQ(PtransSequence::value(a.state(i, 0)), a_column[i]);
    EXPECT_DOUBLE_EQ(PtransSequence::value(c.state(i, 0)), c_row[i]);
  }
  EXPECT_EQ(a.state(0, 1), a.state(10, 0));
  EXPECT_EQ(PtransSequence::next(a.state(3, 2)), a.state(4, 2));
}

TEST(ptrans_data, placement_is_a_permutation_that_follows_the_seed) {
  auto ranks = random_placement(20, 1);
  EXPECT_EQ(ranks, random_placement(20, 1));
  EXPECT_NE(ranks, random_placement(20, 2));
  std::ranges::sort(ranks);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(ranks[static_cast<std::size_t>(i)], i);
}

TEST(fft_data, states_and_values_are_the_published_ones) {
  EXPECT_EQ(fft_state(0), 4258649398211344);
  EXPECT_EQ(fft_state(1), 2138759898642167);
  EXPECT_EQ(fft_state(2), 906908310809773);
  EXPECT_EQ(fft_state(3), 121054228244396);
  EXPECT_EQ(fft_value(0), 0.76607357434316758);
  EXPECT_EQ(fft_value(1), 0.38473405228023527);
  EXPECT_EQ(fft_value(2), 0.16314057023697925);
  EXPECT_EQ(fft_value(3), 0.021776022548249192);
  EXPECT_EQ(fft_value(1'000'000), 0.3776155956478181);
}

TEST(fft_data, sums_over_two_to_the_sixteen_are_the_published_ones) {
  std::vector<std::complex<double>> z(1 << 16);
  fill_fft_data(z, 0);
  const auto sum = std::accumulate(z.begin(), z.end(), std::complex<double>{});
  EXPECT_NEAR(sum.real(), 32803.0932160852, 1e-8);
  EXPECT_NEAR(sum.imag(), 32785.2050335886, 1e-8);
  double squares = 0;
  for (const auto& value : z) squares += std::norm(value);
  EXPECT_NEAR(squares, 43754.2318137343, 1e-8);
}

TEST(fft_data, any_part_equals_the_whole) {
  std::vector<std::complex<double>> all(1000), part(300);
  fill_fft_data(all, 0);
  fill_fft_data(part, 555);
  EXPECT_TRUE(std::ranges::equal(part, std::span(all).subspan(555, 300)));
  for (const std::int64_t size : {1, 31, 32, 63, 64, 100, 1000, 4096, 10'007}) {
    all.resize(static_cast<std::size_t>(size));
    fill_fft_data(all, 7);
    for (std::int64_t j = 0; j < size; ++j)
      ASSERT_EQ(all[static_cast<std::size_t>(j)],
                (std::complex<double>{fft_value(2 * (j + 7)), fft_value(2 * (j + 7) + 1)}))
          << j << " of " << size;
  }
}
