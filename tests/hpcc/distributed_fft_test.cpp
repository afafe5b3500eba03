// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/fft/distributed_fft.hpp"

#include <gtest/gtest.h>

#include "suites/hpcc/fft/data.hpp"
#include "suites/hpcc/fft/plain_transform.hpp"
#include "suites/hpcc/sizes.hpp"
#include "world.hpp"

using namespace steelyard;
using namespace steelyard::hpcc;

namespace {

/// Lengths that the number of processes divides twice, smooth ones.
std::vector<std::int64_t> lengths() {
  const std::int64_t square = std::int64_t{world().size()} * world().size();
  return {square, 4 * square, 60 * square, 1024 * square,
          96 * 128 * square};  // the last one: in several parts
}

std::vector<Complex> own_part(const std::vector<Complex>& all) {
  const auto part = static_cast<std::ptrdiff_t>(all.size()) / world().size();
  return {all.begin() + world().rank() * part, all.begin() + (world().rank() + 1) * part};
}

std::vector<Complex> serial(std::int64_t n) {
  std::vector<Complex> all(static_cast<std::size_t>(n));
  fill_fft_data(all, 0);
  plain_forward(all, all.size());
  return all;
}

}  // namespace

struct Kind {
  Form form;
  Way way;
};

class DistributedFftOf : public testing::TestWithParam<Kind> {
 protected:
  static DistributedFft make(std::int64_t n) {
    DistributedFft fft(world(), n, GetParam().form);
    fft.prepare(GetParam().way);
    return fft;
  }
};

TEST_P(DistributedFftOf, equals_the_serial_transform_in_natural_order) {
  for (const auto n : lengths()) {
    auto fft = make(n);
    for (int run = 0; run < 2; ++run) ASSERT_EQ(fft.run(), MPI_SUCCESS);
    const auto expected = own_part(serial(n));
    ASSERT_EQ(fft.result().size(), expected.size());
    for (std::size_t k = 0; k < expected.size(); ++k)
      ASSERT_LT(std::abs(fft.result()[k] - expected[k]), 1e-9) << n << " " << k;
  }
}

TEST_P(DistributedFftOf, passes_its_check) {
  for (const auto n : lengths()) {
    auto fft = make(n);
    ASSERT_EQ(fft.run(), MPI_SUCCESS);
    const auto found = fft.verify();
    EXPECT_EQ(found.errors, 0) << n << ": " << found.first;
    EXPECT_LT(found.worst, 4) << n;
  }
}

TEST_P(DistributedFftOf, one_wrong_element_fails_somewhere) {
  auto fft = make(lengths().back());
  ASSERT_EQ(fft.run(), MPI_SUCCESS);
  if (world().is_root()) fft.result()[1] += 1e-6;
  EXPECT_GT(world().sum(fft.verify().errors), 0);
}

TEST_P(DistributedFftOf, exchanged_parts_fail) {
  auto fft = make(lengths().back());
  ASSERT_EQ(fft.run(), MPI_SUCCESS);
  if (world().is_root()) std::swap(fft.result().front(), fft.result().back());
  EXPECT_GT(world().sum(fft.verify().errors), 0);
}

TEST_P(DistributedFftOf, length_that_the_processes_do_not_divide_is_refused) {
  if (world().size() < 2) return;
  EXPECT_THROW(make(world().size()), std::invalid_argument);
}

TEST_P(DistributedFftOf, messages_longer_than_a_count_arrive_whole) {
  constexpr std::int64_t longest = 11;
  const auto n = lengths().back();
  DistributedFft fft(world(), n, GetParam().form, longest);
  fft.prepare(GetParam().way);
  ASSERT_EQ(fft.run(), MPI_SUCCESS);
  const auto expected = own_part(serial(n));
  for (std::size_t k = 0; k < expected.size(); ++k)
    ASSERT_LT(std::abs(fft.result()[k] - expected[k]), 1e-9) << k;
  EXPECT_EQ(fft.verify().errors, 0);
}

INSTANTIATE_TEST_SUITE_P(forms, DistributedFftOf,
                         testing::Values(Kind{Form::base, Way::messages},
                                         Kind{Form::optimized, Way::messages},
                                         Kind{Form::optimized, Way::shared_memory}));

TEST(distributed_fft, without_a_wish_one_of_both_ways_is_chosen_by_all) {
  DistributedFft fft(world(), lengths().back(), Form::optimized);
  fft.prepare();
  EXPECT_FALSE(world().any(fft.way() == Way::messages) && world().any(fft.way() == Way::shared_memory));
  ASSERT_EQ(fft.run(), MPI_SUCCESS);
  EXPECT_EQ(fft.verify().errors, 0);
}
