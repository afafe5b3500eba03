// SPDX-License-Identifier: Apache-2.0
// How much memory long texts take, in the size of their file.
#include <gtest/gtest.h>

#include <cstdio>

#include "foreign/readers.hpp"
#include "tests/counted_memory.hpp"
#include "vectors.hpp"

namespace steelyard::foreign::test {
namespace {

constexpr std::size_t long_text = std::size_t{1} << 20;

/// Tables of one collective, each of more processes than the one before.
std::string many_tables() {
  std::string text = imb.substr(0, imb.find("# Benchmarking"));
  for (int processes = 2; text.size() < long_text; ++processes) {
    text += "\n#-----\n# Benchmarking Allreduce\n# #processes = " + std::to_string(processes) +
            "\n#-----\n       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n";
    for (int size = 0; size < 24; ++size) {
      char row[80];
      std::snprintf(row, sizeof row, "%13d %12d %12.2f %12.2f %12.2f\n", size == 0 ? 0 : 1 << (size - 1),
                    1000, 1.0 + size, 2.0 + size, 1.5 + size);
      text += row;
    }
  }
  return text + "\n# All processes entering MPI_Finalize\n";
}

/// A loop over one program: each turn is a launch.
std::string many_outputs() {
  std::string text;
  while (text.size() < long_text) {
    text += "# OSU MPI Latency Test v5.6.2\n# Size          Latency (us)\n";
    for (int size = 0; size < 23; ++size) {
      char row[80];
      std::snprintf(row, sizeof row, "%-10d%20.2f\n", size == 0 ? 0 : 1 << (size - 1), 1.0 + size);
      text += row;
    }
  }
  return text;
}

std::string one_table() {
  std::string text = "# OSU MPI Latency Test v5.6.2\n# Size          Latency (us)\n";
  for (int size = 1; text.size() < long_text; ++size) {
    char row[80];
    std::snprintf(row, sizeof row, "%-10d%20.2f\n", size, 1.0 + 0.01 * size);
    text += row;
  }
  return text;
}

/// The most that is held while a text is read, in its size.
double most_held(const std::string& text) {
  steelyard::test::begin_counting_memory();
  const auto reading = read_text(text);
  EXPECT_FALSE(reading.runs.empty());
  return static_cast<double>(steelyard::test::most_memory_byte()) / static_cast<double>(text.size());
}

TEST(memory, a_long_text_is_held_a_few_times) {
  EXPECT_LT(most_held(many_tables()), 62);    // rows of 66 byte
  EXPECT_LT(most_held(many_outputs()), 108);  // rows of 31 byte
  EXPECT_LT(most_held(one_table()), 112);
}

// Tables that are long: what is done for a row may not grow with the rows above it.

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
