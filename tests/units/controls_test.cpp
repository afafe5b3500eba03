// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "units/text.hpp"

using steelyard::units::controls_escaped;

TEST(controls, are_escaped_as_in_a_string_of_c) {
  EXPECT_EQ(controls_escaped("a\x1b[31m\n\t\r\x7f"), "a\\x1b[31m\\n\\t\\x0d\\x7f");
  EXPECT_EQ(controls_escaped(std::string_view("\0", 1)), "\\x00");
  EXPECT_EQ(controls_escaped("\xc2\x9b"
                             "31m"),
            "\\u009b31m");
}

TEST(controls, alone_are_escaped) {
  for (const char* text : {"", "a\\b", "\u00b5s", "\u00a0", "\xc2", "\x9b"})
    EXPECT_EQ(controls_escaped(text), text);
  EXPECT_EQ(controls_escaped("\n\x1b", "\n"), "\n\\x1b");
}
