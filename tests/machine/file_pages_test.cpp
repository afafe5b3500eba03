// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "machine/directory.hpp"

namespace steelyard::machine {
namespace {

namespace fs = std::filesystem;

TEST(file_pages, what_was_written_is_in_memory_until_it_is_dropped) {
  const fs::path file = fs::current_path() / "file_pages_test.data";
  std::ofstream(file) << std::string(1 << 20, 'x');
  const auto written = residence(file);
  ASSERT_TRUE(written);
  EXPECT_EQ(written->size_byte, 1 << 20);
  EXPECT_GT(written->share(), 0.5);
  EXPECT_NO_THROW(drop_pages(file));
  Source source{Roots{}};
  if (medium(directory_facts(source, fs::current_path()).type) == Medium::local) {
    EXPECT_LT(residence(file)->share(), 0.5);
  }
  fs::remove(file);
}

TEST(file_pages, empty_files_are_nowhere_and_missing_ones_unknown) {
  const fs::path file = fs::current_path() / "file_pages_test.empty";
  std::ofstream(file).flush();
  EXPECT_EQ(residence(file)->share(), 0);
  fs::remove(file);
  EXPECT_FALSE(residence(file));
  EXPECT_THROW(drop_pages(file), fs::filesystem_error);
}

}  // namespace
}  // namespace steelyard::machine
