// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <climits>
#include <stdexcept>
#include <string>

#include "mpi/communicator.hpp"
#include "mpi/handle.hpp"

namespace steelyard::mpi {
namespace {

constexpr std::int64_t two_31 = std::int64_t{1} << 31;

/// Bytes that one call with this transfer moves, as MPI sees it.
std::int64_t moved(const Transfer& transfer) {
  MPI_Count size = 0;
  MPI_Type_size_x(transfer.type(), &size);
  return static_cast<std::int64_t>(size) * transfer.count();
}

/// Distance between the first and the last byte, which shows misplaced blocks.
std::int64_t extent(const Transfer& transfer) {
  MPI_Count lower = 0;
  MPI_Count bytes = 0;
  MPI_Type_get_extent_x(transfer.type(), &lower, &bytes);
  EXPECT_EQ(lower, 0);
  return static_cast<std::int64_t>(bytes) * transfer.count();
}

TEST(transfer, up_to_the_largest_int_it_is_the_plain_count_and_type) {
  for (const std::int64_t elements : {std::int64_t{0}, std::int64_t{1}, two_31 - 1}) {
    const Transfer transfer(elements, MPI_DOUBLE);
    EXPECT_FALSE(transfer.derived());
    EXPECT_EQ(transfer.count(), elements);
    EXPECT_EQ(transfer.type(), MPI_DOUBLE);
  }
}

TEST(transfer, beyond_the_largest_int_one_element_holds_exactly_the_bytes) {
  for (const std::int64_t elements : {two_31, two_31 + 1, 3 * two_31 + 12345, std::int64_t{1} << 40}) {
    const Transfer bytes(elements, MPI_BYTE);
    EXPECT_TRUE(bytes.derived());
    EXPECT_EQ(bytes.count(), 1);
    EXPECT_EQ(moved(bytes), elements);
    EXPECT_EQ(extent(bytes), elements);
    const Transfer doubles(elements, MPI_DOUBLE);
    EXPECT_EQ(moved(doubles), 8 * elements);
    EXPECT_EQ(extent(doubles), 8 * elements);
  }
}

TEST(transfer, beyond_a_planted_limit_is_made_in_the_same_way) {
  for (const std::int64_t elements : {8, 14, 15, 500}) {
    const Transfer doubles(elements, MPI_DOUBLE, 7);
    EXPECT_EQ(doubles.count(), 1);
    EXPECT_EQ(moved(doubles), 8 * elements);
    EXPECT_EQ(extent(doubles), 8 * elements);
  }
  EXPECT_FALSE(Transfer(7, MPI_DOUBLE, 7).derived());
}

TEST(transfer, more_blocks_than_an_int_are_refused) {
  EXPECT_THROW(Transfer((std::int64_t{1} << 51), MPI_BYTE), std::overflow_error);
}

TEST(to_int, narrows_what_fits_and_names_both_numbers_of_what_does_not) {
  EXPECT_EQ(to_int(0), 0);
  EXPECT_EQ(to_int(INT_MAX), INT_MAX);
  EXPECT_THROW(static_cast<void>(to_int(-1)), std::overflow_error);
  try {
    static_cast<void>(to_int(two_31));
    FAIL() << "2^31 was taken for an int";
  } catch (const std::overflow_error& error) {
    const std::string words = error.what();
    EXPECT_NE(words.find("2147483648"), std::string::npos);
    EXPECT_NE(words.find("2147483647"), std::string::npos);
  }
}

}  // namespace
}  // namespace steelyard::mpi
