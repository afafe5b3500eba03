// SPDX-License-Identifier: Apache-2.0
#include "record/members.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "record/masks.hpp"

namespace steelyard::record {
namespace {

/// The members of a text as "name=value " each; "not an object" where it is none.
std::string members_of(std::string_view text) {
  ScannedLine line;
  std::string names;
  const bool whole = line.scan(text) && line.each_member(line.whole(), [&](auto name, const auto& value) {
    names += std::string(name) + '=' + std::string(value.text) + ' ';
    return true;
  });
  return whole ? names : "not an object";
}

TEST(Members, AreFoundWithoutATree) {
  EXPECT_EQ(members_of(R"({"a":1,"b \" }":{"x":[1,{"y":"]}"}]}, "c" : "t\\" })"),
            "a=1 b \\\" }={\"x\":[1,{\"y\":\"]}\"}]} c=\"t\\\\\" ");
  EXPECT_EQ(members_of(" { } "), "");
  for (const char* bad : {"", "{", "[1]", "{\"a\"}", "{\"a\":}", "{\"a\":1", "{\"a\":1}x", "{\"a\":\"x}",
                          "{a:1}", "{\"a\":[1}", "{\"a\":1,}", "{\"a\" 1}", "{\"a\":1 {\"b\":2}}",
                          "{\"a\":[1}]}", "{\"a\":{\"b\":1]}", "{\"a\":1}}", "{\"a\":[[1]}"})
    EXPECT_EQ(members_of(bad), "not an object") << bad;
}

/// Quotes and backslashes at every place of the blocks in which a line is looked at.
TEST(Members, AreTheSameWhereverTheyLie) {
  for (std::size_t shift = 0; shift < 130; ++shift) {
    const std::string padding(shift, 'x');
    EXPECT_EQ(members_of("{\"" + padding + R"(":"\\\"{,","b":[{"c":"}\\"},2],"d":3})"),
              padding + R"(="\\\"{," b=[{"c":"}\\"},2] d=3 )")
        << shift;
  }
}

TEST(Members, OfMembersAreFoundInPlace) {
  ScannedLine line;
  ASSERT_TRUE(line.scan(R"({"a":{"x":1},"b":{"y":{"z":[2,3]}, "u" : 4}})"));
  std::string found;
  EXPECT_TRUE(line.each_member(line.whole(), [&](auto name, const auto& value) {
    found += std::string(name) + '{';
    line.each_member(value, [&](auto inner, const auto& held) {
      found += std::string(inner) + '=' + std::string(held.text) + ' ';
      return true;
    });
    found += '}';
    return true;
  }));
  EXPECT_EQ(found, R"(a{x=1 }b{y={"z":[2,3]} u=4 })");
}

TEST(Members, AreWordsOfTwoToSixteenLetters) {
  EXPECT_TRUE(is_word("run", "run"));
  EXPECT_TRUE(is_word("verified", "verified"));
  EXPECT_TRUE(is_word("elapsed_or_not", "elapsed_or_not"));
  for (const char* other : {"ru", "runs", "ran", "rum", "Run", ""})
    EXPECT_FALSE(is_word(other, "run")) << other;
  for (const char* other : {"verifiee", "uerified", "veri", "verifield"})
    EXPECT_FALSE(is_word(other, "verified")) << other;
  EXPECT_FALSE(is_word("elapsed_Or_not", "elapsed_or_not"));
}

/// Each way against each character asked alone, in texts of the characters that matter and their neighbours.
TEST(Masks, AreTheSameInEveryWay) {
  const std::string_view signs = "{}[]:,\"\\ aZ;<z|^_@!+-\n\t\x1b\x5c\xdb\xfb";
  std::mt19937 dice(7);
  constexpr std::size_t blocks = 5;
  for (int round = 0; round < 200; ++round) {
    std::string text;
    while (text.size() < blocks * detail::block_size) text += signs[dice() % signs.size()];
    for (const auto find : detail::ways_to_find_masks()) {
      std::vector<detail::Masks> masks(blocks);
      find(text.data(), blocks, masks.data());
      for (std::size_t i = 0; i < text.size(); ++i) {
        const auto bit = [&](std::uint64_t detail::Masks::*mask) {
          return (masks[i / detail::block_size].*mask >> (i % detail::block_size) & 1U) != 0;
        };
        const char c = text[i];
        const bool bracket = c == '{' || c == '}' || c == '[' || c == ']';
        ASSERT_EQ(bit(&detail::Masks::quotes), c == '"') << c;
        ASSERT_EQ(bit(&detail::Masks::backslashes), c == '\\') << c;
        ASSERT_EQ(bit(&detail::Masks::brackets), bracket) << c;
        ASSERT_EQ(bit(&detail::Masks::signs), bracket || c == ':' || c == ',') << c;
      }
    }
  }
}

}  // namespace
}  // namespace steelyard::record
