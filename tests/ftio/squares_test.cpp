// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <limits>

#include "ftio_bench.hpp"
#include "suites/ftio/run.hpp"

namespace steelyard::ftio {
namespace {

using test::world;

double number_of(const Shape& shape, std::int64_t column, std::int64_t row) {
  return static_cast<double>(row * shape.order() + column);
}

/// A matrix whose elements are their numbers, on disk.
class Numbered {
 public:
  Numbered(const test::Place& place, std::int64_t parameter, FileAccess access)
      : plan_(test::plan_in(place, parameter)), memory_(plan_.shape, 3), other_(plan_.shape, 3) {
    test::set_access(plan_, access, PageCache::keep);
    file_ = open_columns(plan_.files);
    meter_.begin(sums_);
    each([&](std::int64_t row, std::int64_t k) { memory_.data()[k] = number_of(shape(), first() + k, row); },
         [&](const Pieces& pieces) { meter_.write(*file_, pieces, memory_.data()); });
  }
  void expect_transposed(std::int64_t exchange_rows, std::int64_t longest = std::numeric_limits<int>::max()) {
    sums_ = {};
    SquareWork work{shape(), *file_, meter_, effort_};
    work.longest = longest;
    transpose_squares(work, memory_.data(), other_.data());
    const Traffic squares = sums_.traffic;
    exchange_squares(work, world(), exchange_rows, memory_.data());
    EXPECT_FALSE(effort_.failed());
    EXPECT_EQ(squares, traffic(shape(), Phase::transpose));
    Traffic both = squares;
    both += traffic(shape(), Phase::exchange, {1, exchange_rows});
    EXPECT_EQ(sums_.traffic, both);
    for (std::int64_t row = 0; row < shape().order(); ++row) {
      meter_.read(*file_, section(row), memory_.data());
      for (std::int64_t k = 0; k < shape().band(); ++k)
        ASSERT_EQ(memory_.data()[k], Complex(number_of(shape(), row, first() + k)))
            << row << ' ' << first() + k;
    }
  }

 private:
  [[nodiscard]] const Shape& shape() const { return plan_.shape; }
  [[nodiscard]] std::int64_t first() const { return world().rank() * shape().band(); }
  [[nodiscard]] Pieces section(std::int64_t row) const {
    return {.offset = row * shape().section().count(), .bytes = shape().section().count()};
  }
  template <class Fill, class Move>
  void each(Fill fill, Move move) {
    for (std::int64_t row = 0; row < shape().order(); ++row) {
      for (std::int64_t k = 0; k < shape().band(); ++k) fill(row, k);
      move(section(row));
    }
  }

  RunPlan plan_;
  WorkRows memory_, other_;
  std::unique_ptr<ColumnFile> file_;
  Meter meter_;
  PhaseSums sums_;
  Effort effort_;
};

}  // namespace

TEST(squares, are_turned_and_exchanged_to_the_transposed_matrix) {
  const test::Place place;
  for (const auto parameter : valid_parameters(world().size(), 2, 3))
    for (const std::int64_t rows : {1, 3})
      Numbered(place, parameter, FileAccess::posix).expect_transposed(rows);
  Numbered(place, test::parameter_from(4), FileAccess::shared).expect_transposed(1);
  Numbered(place, test::parameter_from(4), FileAccess::posix).expect_transposed(3, 5);
  EXPECT_TRUE(place.files().empty());
}

TEST(squares, of_any_width_are_turned_in_memory) {
  for (const std::int64_t width : {1, 2, 7, 8, 9, 16, 25}) {
    std::vector<Complex> square;
    for (std::int64_t k = 0; k < width * width; ++k) square.emplace_back(static_cast<double>(k), 1);
    transpose_in_place(square.data(), width);
    for (std::int64_t row = 0; row < width; ++row)
      for (std::int64_t column = 0; column < width; ++column)
        EXPECT_EQ(square[static_cast<std::size_t>(row * width + column)],
                  Complex(static_cast<double>(column * width + row), 1));
  }
}

}  // namespace steelyard::ftio
