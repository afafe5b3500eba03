// SPDX-License-Identifier: Apache-2.0
#include "ftio/options.hpp"

#include <gtest/gtest.h>

#include "process/errors.hpp"
#include "words.hpp"

namespace steelyard::cli {
namespace {

TEST(ftio_words, memory_that_a_matrix_is_compared_with_is_that_of_all_nodes) {
  Place place{
      4, (16 * gibi).count(), {}, (64 * gibi).count() / 3};  // three processes on one node, one on another
  place.nodes_memory_byte = (128 * gibi).count();
  const auto beyond = ftio_settings(test::invoke("ftio", {"-size", "cache"}).values, place);
  EXPECT_EQ(beyond.memory_byte, place.nodes_memory_byte);
  EXPECT_GE((ftio::Shape{4, beyond.parameters.at(0)}.matrix()), 256 * gibi);
}

TEST(ftio_words, parts_of_blocks_are_refused_past_the_page_cache) {
  const Place two{2, 0, {}};
  const auto settings = [&](const test::Strings& words) {
    return ftio_settings(test::invoke("ftio", words).values, two);
  };
  EXPECT_EQ(settings({"32", "-cache", "direct"}).parameters.at(0), 32);
  EXPECT_THROW(static_cast<void>(settings({"-cache", "direct"})), UsageError);
}

}  // namespace
}  // namespace steelyard::cli
