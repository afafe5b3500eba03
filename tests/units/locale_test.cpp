// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <clocale>
#include <locale>
#include <sstream>
#include <string>

#include "units/text.hpp"

namespace steelyard::units {
namespace {

struct Commas : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

/// The process locale writes 1.234,5 while the test runs: C++ by a facet of ours, C by whatever the machine
/// has.
class locale_with_commas : public testing::Test {
 protected:
  locale_with_commas()
      : c_before_(std::setlocale(LC_ALL, nullptr)),
        before_(std::locale::global(std::locale(std::locale::classic(), new Commas))) {
    for (const auto name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"}) {
      if (std::setlocale(LC_NUMERIC, name) != nullptr) break;
    }
  }
  ~locale_with_commas() override {
    std::locale::global(before_);
    std::setlocale(LC_ALL, c_before_.c_str());
  }

 private:
  std::string c_before_;
  std::locale before_;
};

TEST_F(locale_with_commas, is_in_force) {
  std::ostringstream out;
  out << 1234.5;
  EXPECT_EQ(out.str(), "1.234,5");
}

TEST_F(locale_with_commas, printing_keeps_the_point) {
  EXPECT_EQ(format_fixed(1234567.891, 2), "1234567.89");
  EXPECT_EQ(format_significant(1234.5678, 6), "1234.57");
  EXPECT_EQ(format_time(Seconds{1.02e-3}), "1.02 ms");
  EXPECT_EQ(format_size(Bytes{1234567}), "1234567 B");
}

TEST_F(locale_with_commas, reading_keeps_the_point) {
  EXPECT_EQ(parse_size("1.5Gi").count(), 1610612736);
  EXPECT_DOUBLE_EQ(parse_duration("1.5m").value(), 90);
  EXPECT_DOUBLE_EQ(parse_ratio("0.05"), 0.05);
  EXPECT_DOUBLE_EQ(parse_number("0.25"), 0.25);
  EXPECT_THROW(static_cast<void>(parse_number("0,25")), ParseError);
}

TEST_F(locale_with_commas, messages_are_the_same) {
  try {
    static_cast<void>(parse_count("x", 1, 1000000));
    FAIL();
  } catch (const ParseError& error) {
    EXPECT_STREQ(error.what(), "must be a whole number from 1 to 1000000, got 'x'");
  }
}

}  // namespace
}  // namespace steelyard::units
