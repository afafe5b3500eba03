// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "suites/ftio/settings.hpp"

namespace steelyard::ftio {

TEST(ftio_volume, calls_of_the_timed_phases) {
  struct Row {
    int processes;
    std::int64_t parameter, calls;
  };
  constexpr Row rows[] = {{2, 4, 448}, {2, 8, 2816}, {2, 24, 62208}, {2, 64, 1097728}, {4, 24, 125568}};
  for (const Row& row : rows)
    EXPECT_EQ((timed_traffic({row.processes, row.parameter}).calls), row.calls) << row.processes;
}

TEST(ftio_volume, bytes_of_all_processes) {
  for (const Shape shape : {Shape{2, 4}, Shape{3, 6}, Shape{4, 24}, Shape{8, 8}}) {
    const Traffic one = timed_traffic(shape);
    const std::int64_t c = shape.processes, matrix = shape.matrix().count();
    EXPECT_EQ(c * (one.read_byte + one.written_byte), matrix * 7 + matrix * 2 * (c - 1) / c);
    EXPECT_EQ(traffic(shape, Phase::verify), (Traffic{matrix / c, 0, shape.order()}));
  }
}

TEST(ftio_volume, batches_save_calls_and_no_bytes) {
  constexpr Shape shape{3, 6};  // 108 rows, Squares of 36
  const Traffic single = timed_traffic(shape), batched = timed_traffic(shape, {5, 7});
  EXPECT_EQ(single.read_byte, batched.read_byte);
  EXPECT_EQ(traffic(shape, Phase::initialise, {5, 7}).calls, 22);
  EXPECT_EQ(traffic(shape, Phase::exchange, {5, 7}).calls, 2 * 2 * 6);
  EXPECT_EQ(traffic(shape, Phase::transpose, {5, 7}), traffic(shape, Phase::transpose));
}

TEST(ftio_volume, nominal_operations) {
  EXPECT_DOUBLE_EQ((flops(Shape{2, 8})), 10.0 * 128 * 128 * 7);
}

}  // namespace steelyard::ftio
