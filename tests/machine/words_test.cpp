// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "machine/text.hpp"

namespace {

using namespace steelyard::machine;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(cpu_list, ranges_and_single_numbers_are_read) {
  EXPECT_THAT(parse_cpu_list("0-2,8,10-11\n"), ElementsAre(0, 1, 2, 8, 10, 11));
}

TEST(cpu_list, nonsense_is_left_out) {
  EXPECT_THAT(parse_cpu_list(""), IsEmpty());
  EXPECT_THAT(parse_cpu_list("a,3-,-1,7-5,4,99999999999-3"), ElementsAre(4));
}

TEST(cpu_list, is_written_as_it_is_read) {
  for (const auto* text : {"0", "0-1", "0-2,8,10-11", "3,5,7"})
    EXPECT_EQ(format_cpu_list(parse_cpu_list(text)), text);
  EXPECT_EQ(format_cpu_list({}), "");
}

TEST(words, numbers_must_be_the_whole_text) {
  EXPECT_EQ(whole("42"), 42);
  EXPECT_EQ(whole("-1"), -1);
  EXPECT_EQ(whole("42k"), std::nullopt);
  EXPECT_EQ(whole(""), std::nullopt);
  EXPECT_EQ(decimal("2.5"), 2.5);
  EXPECT_EQ(decimal("nan"), std::nullopt);
  EXPECT_EQ(decimal("inf"), std::nullopt);
}

TEST(words, fields_are_found_by_their_whole_name) {
  const std::string_view text = "MemTotalX: 1 kB\nMemTotal:  65536 kB\nempty:\n";
  EXPECT_EQ(bytes_of_kilobytes(text, "MemTotal"), 65536 * 1024);
  EXPECT_EQ(bytes_of_kilobytes(text, "empty"), std::nullopt);
  EXPECT_EQ(bytes_of_kilobytes(text, "Mem"), std::nullopt);
  EXPECT_EQ(counter("file 5\ninactive_file 7\n", "inactive_file"), 7);
}

TEST(words, cache_sizes_have_the_kernel_s_units) {
  EXPECT_EQ(cache_bytes("48K"), 48 * 1024);
  EXPECT_EQ(cache_bytes("1024 KB"), 1024 * 1024);
  EXPECT_EQ(cache_bytes("2M"), 2 * 1024 * 1024);
  EXPECT_EQ(cache_bytes("64"), 64);
  EXPECT_EQ(cache_bytes("64Q"), std::nullopt);
  EXPECT_EQ(cache_bytes(""), std::nullopt);
}

TEST(words, the_chosen_word_stands_in_brackets) {
  EXPECT_EQ(chosen("always [madvise] never"), "madvise");
  EXPECT_EQ(chosen("always madvise"), std::nullopt);
  EXPECT_EQ(chosen(""), std::nullopt);
}

}  // namespace
