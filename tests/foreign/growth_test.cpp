// SPDX-License-Identifier: Apache-2.0
// Tables that are long: what is done for a row may not grow with the rows above it.
#include <gtest/gtest.h>

#include "foreign/readers.hpp"
#include "vectors.hpp"

namespace steelyard::foreign::test {
namespace {

constexpr int rows = 5000;

std::string long_imb() {
  std::string text = imb.substr(0, imb.find("            0 "));
  for (int i = 1; i <= rows; ++i)
    text += ' ' + std::to_string(i) + "  1000  " + std::to_string(i) + ".21  1.00\n";
  return text + "\n# All processes entering MPI_Finalize\n";
}

std::string long_osu() {
  std::string text = "# OSU MPI Latency Test v5.6.2\n# Size          Latency (us)\n";
  for (int i = 1; i <= rows; ++i) text += std::to_string(i) + "   1." + std::to_string(i) + '\n';
  return text;
}

std::size_t comparisons(const std::string& words, void (*reader)(const Block&, const Description&, Pieces&)) {
  Text text(words);
  Pieces pieces;
  for (const Block& block : blocks_of(text.lines())) reader(block, {}, pieces);
  EXPECT_EQ(pieces.at(0).points.size(), static_cast<std::size_t>(rows));
  return pieces.at(0).comparisons + pieces.at(0).index.comparisons();
}

TEST(growth, a_row_is_not_compared_with_those_above_it) {
  EXPECT_LT(comparisons(long_imb(), read_imb), static_cast<std::size_t>(rows));
  EXPECT_LT(comparisons(long_osu(), read_osu), static_cast<std::size_t>(rows));
}

TEST(growth, a_row_that_is_there_already_is_found) {
  const auto twice = only_run(with(long_imb(), " 77  1000  77.21  1.00\n", " 76  1000  77.21  1.00\n"));
  EXPECT_EQ(twice.points.size(), static_cast<std::size_t>(rows - 1));
  EXPECT_TRUE(has_event(twice, "import_row"));
}

}  // namespace
}  // namespace steelyard::foreign::test
