// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "suites/imb/sides.hpp"

namespace steelyard::imb {
namespace {

std::vector<std::byte> bytes(int rank, std::uint64_t repetition, std::int64_t first, std::size_t count) {
  std::vector<std::byte> out(count);
  fill_bytes(rank, repetition, first, out);
  return out;
}

std::size_t equal_bytes(const std::vector<std::byte>& a, const std::vector<std::byte>& b) {
  std::size_t equal = 0;
  for (std::size_t i = 0; i < a.size(); ++i) equal += a[i] == b[i] ? 1U : 0U;
  return equal;
}

TEST(check_bytes, differ_between_ranks_repetitions_and_positions) {
  const auto base = bytes(0, 0, 0, 4096);
  EXPECT_LT(equal_bytes(base, bytes(1, 0, 0, 4096)), 60U);
  EXPECT_LT(equal_bytes(base, bytes(0, 1, 0, 4096)), 60U);
  EXPECT_LT(equal_bytes(base, bytes(0, 0, 1, 4096)), 60U);
  EXPECT_LT(equal_bytes(base, bytes(0, 0, 8, 4096)), 60U);
}

TEST(check_bytes, do_not_depend_on_how_they_are_asked_for) {
  const auto whole = bytes(3, 2, 0, 100);
  for (int from = 0; from < 20; ++from) {
    const auto part = bytes(3, 2, from, 30);
    EXPECT_TRUE(std::equal(part.begin(), part.end(), whole.begin() + from));
  }
}

TEST(check_bytes, never_look_like_a_place_where_nothing_arrived) {
  const auto many = bytes(7, 3, 0, 100000);
  EXPECT_EQ(std::ranges::count(many, untouched), 0);
}

template <class T>
std::vector<T> elements(const Summands& summands, std::uint64_t repetition, std::int64_t first,
                        std::size_t count) {
  std::vector<T> values(count);
  summands.fill(repetition, first, std::as_writable_bytes(std::span(values)));
  return values;
}

template <class T>
void expect_sum_of_parts(DataType type, int processes) {
  const Summands all(type, processes, 0, processes);
  for (const std::uint64_t repetition : {0U, 1U, 3U}) {
    std::vector<T> sum(1500);
    for (int rank = 0; rank < processes; ++rank) {
      const auto part = elements<T>(Summands(type, processes, rank, 1), repetition, 5, sum.size());
      for (std::size_t k = 0; k < sum.size(); ++k) sum[k] = static_cast<T>(sum[k] + part[k]);
    }
    EXPECT_EQ(sum, elements<T>(all, repetition, 5, sum.size())) << processes;
  }
}

TEST(check_sums, are_the_sums_of_what_the_ranks_send) {
  for (const int processes : {1, 2, 3, 8, 100, 1000}) {
    expect_sum_of_parts<float>(DataType::single, processes);
    expect_sum_of_parts<double>(DataType::real, processes);
    expect_sum_of_parts<int>(DataType::integer, processes);
    expect_sum_of_parts<std::int8_t>(DataType::character, processes);
  }
}

TEST(check_sums, do_not_depend_on_how_they_are_asked_for) {
  for (const int processes : {2, 1000, 1'000'000}) {
    const Summands sums(DataType::single, processes, 0, processes);
    const auto whole = elements<float>(sums, 2, 7, 5000);
    for (std::size_t from = 0; from < whole.size(); from += 311)
      EXPECT_EQ(whole[from], elements<float>(sums, 2, 7 + static_cast<std::int64_t>(from), 1).front());
  }
}

TEST(file_elements, count_on_from_ten_million_for_each_rank) {
  constexpr std::int64_t period = 10'000'000, elements = 64;
  for (const int rank : {0, 1, 429, 500})
    for (const std::int64_t first : {std::int64_t{0}, std::int64_t{3}, 4 * period - 101, 12 * period - 128}) {
      std::vector<std::byte> out(4 * elements + 3);
      fill_elements(rank, first, out);
      for (std::size_t i = 0; i < out.size(); ++i) {
        const auto at = first + static_cast<std::int64_t>(i);
        const auto element = static_cast<std::uint32_t>(period * (1 + rank) + at / 4 % period);
        std::byte wanted{};
        std::memcpy(&wanted, reinterpret_cast<const std::byte*>(&element) + at % 4, 1);
        ASSERT_EQ(out[i], wanted) << rank << " " << at;
      }
    }
}

TEST(check_sums, stay_exact_in_single_precision_for_very_many_ranks) {
  for (const int processes : {16383, 16384, 20000, 100000, 1000000}) {
    const auto sums = elements<float>(Summands(DataType::single, processes, 0, processes), 1, 0, 2000);
    EXPECT_LE(*std::ranges::max_element(sums), 16777216.0F) << processes;
  }
}

template <class T>
int equal_neighbours(DataType type, int processes) {
  const Summands all(type, processes, 0, processes);
  const auto first = elements<T>(all, 0, 0, 1000);
  const auto second = elements<T>(all, 1, 0, 1000);
  int equal = 0;
  for (std::size_t e = 1; e < first.size(); ++e)
    equal += first[e] == first[e - 1] || first[e] == second[e] ? 1 : 0;
  return equal;
}

TEST(check_sums, depend_on_element_and_repetition_for_every_number_of_ranks) {
  for (const int processes : {1, 2, 3, 7, 14, 16, 255, 256, 1024, 2048, 16384, 100000, 1000000}) {
    EXPECT_EQ(equal_neighbours<float>(DataType::single, processes), 0) << processes;
    EXPECT_EQ(equal_neighbours<int>(DataType::integer, processes), 0) << processes;
    EXPECT_LT(equal_neighbours<std::int8_t>(DataType::character, processes), 300) << processes;
  }
}

TEST(check_sums, of_8_bit_never_overflow) {
  for (int processes = 1; processes < 3000; processes += 7) {
    const auto sums =
        elements<std::int8_t>(Summands(DataType::character, processes, 0, processes), 2, 0, 300);
    EXPECT_GE(*std::ranges::min_element(sums), 0) << processes;
    EXPECT_GT(*std::ranges::max_element(sums), 0) << processes;
  }
}

TEST(check_sums, first_elements_follow_the_formula) {
  const auto values = elements<float>(Summands(DataType::single, 4, 2, 1), 3, 0, 200);
  for (int e = 0; e < 200; ++e)
    EXPECT_EQ(values[static_cast<std::size_t>(e)], static_cast<float>((7 * 2 + 13 * e + 29 * 3) % 1024));
}

TEST(check_sums, deviation_is_relative_to_what_was_expected) {
  const float found = 90;
  const float expected = 100;
  EXPECT_NEAR(deviation(DataType::single, reinterpret_cast<const std::byte*>(&found),
                        reinterpret_cast<const std::byte*>(&expected)),
              0.1, 1e-12);
}

TEST(contents, are_floats_that_depend_on_the_rank) {
  std::vector<float> values(10);
  const Area area{reinterpret_cast<std::byte*>(values.data()), {38, {.offset = 40, .slots = 1, .bytes = 38}}};
  fill_send(area, 2);
  EXPECT_EQ(values[0], 0.1F * 3);
  EXPECT_EQ(values[8], 0.1F * 3 + 8);
  const float last = 0.1F * 3 + 9;
  EXPECT_EQ(std::memcmp(&values[9], &last, 2), 0) << "the first two bytes of the last element";
}

TEST(contents, are_the_same_in_every_slot) {
  std::vector<float> values(64);
  const Area area{reinterpret_cast<std::byte*>(values.data()),
                  {64, {.offset = 128, .slots = 2, .bytes = 256}}};
  fill_send(area, 0);
  EXPECT_EQ(values[1], 0.1F + 1);
  EXPECT_EQ(values[33], 0.1F + 1);
  EXPECT_EQ(values[16], 0) << "between slots nothing is written";
}

}  // namespace
}  // namespace steelyard::imb
