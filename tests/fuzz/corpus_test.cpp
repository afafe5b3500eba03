// SPDX-License-Identifier: Apache-2.0
// Every text of the corpus through its reader, with any compiler: what was once found is not lost again.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <new>
#include <vector>

#include "targets.hpp"
#include "tests/counted_memory.hpp"

namespace {

using namespace steelyard::fuzz;

std::filesystem::path folder(const Target& target) {
  return std::filesystem::path(STEELYARD_CORPUS) / target.name;
}

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::filesystem::path> files_of(const Target& target) {
  std::vector<std::filesystem::path> files;
  if (!std::filesystem::is_directory(folder(target))) return files;
  for (const auto& entry : std::filesystem::directory_iterator(folder(target))) files.push_back(entry.path());
  return files;
}

class corpus : public testing::TestWithParam<Target> {};

TEST_P(corpus, every_text_is_read_or_refused_in_order) {
  const auto files = files_of(GetParam());
  EXPECT_FALSE(files.empty()) << folder(GetParam());
  for (const auto& file : files) {
    SCOPED_TRACE(file);
    EXPECT_NO_THROW(GetParam().run(text_of(file)));
  }
}

TEST_P(corpus, every_beginning_of_a_text_is_read_or_refused_in_order) {
  constexpr std::size_t steps = 40;
  for (const auto& file : files_of(GetParam())) {
    SCOPED_TRACE(file);
    const std::string text = text_of(file);
    for (std::size_t i = 0; i < steps; ++i)
      EXPECT_NO_THROW(GetParam().run(std::string_view(text).substr(0, text.size() * i / steps)));
  }
}

INSTANTIATE_TEST_SUITE_P(readers, corpus, testing::ValuesIn(targets().begin(), targets().end()),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(fuzz_targets, the_planted_error_is_told) {
  EXPECT_NO_THROW(read_planted("kg?"));
  EXPECT_THROW(read_planted("kg!"), Broken);
}

TEST(fuzz_targets, an_error_of_another_type_is_not_accepted) {
  const auto other = [] { throw std::length_error("x"); };
  EXPECT_THROW(accepts<std::invalid_argument>(other), std::length_error);
  EXPECT_FALSE(accepts<std::length_error>(other));
  EXPECT_TRUE(accepts<std::length_error>([] {}));
}

TEST(fuzz_targets, memory_is_counted_while_it_is_held) {
  constexpr std::int64_t some = 1 << 20;
  steelyard::test::begin_counting_memory();
  void* const first = ::operator new(some);  // by name: what a compiler may not leave out
  ::operator delete(::operator new(4 * some));
  ::operator delete(first);
  EXPECT_GE(steelyard::test::most_memory_byte(), 5 * some);
  EXPECT_LT(steelyard::test::most_memory_byte(), 6 * some);
}

TEST(fuzz_targets, a_line_has_a_number_from_1) {
  EXPECT_TRUE(names_line("file:12: x", "file:"));
  for (const char* text : {"file:0: x", "file:: x", "file:x", "other:1: x", "file:1"})
    EXPECT_FALSE(names_line(text, "file:")) << text;
}

TEST(fuzz_targets, a_text_file_holds_its_text_and_ends_with_its_object) {
  std::string path;
  {
    const TextFile file("a\nb");
    path = file.path();
    EXPECT_EQ(text_of(path), "a\nb");
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
