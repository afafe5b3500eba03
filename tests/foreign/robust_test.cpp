// SPDX-License-Identifier: Apache-2.0
// What every reader owes to texts that were cut, joined, prefixed or mixed.
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "vectors.hpp"

namespace steelyard::foreign::test {
namespace {

Description told_for(const Vector& vector) {
  return vector.name == "osu_allreduce" ? told_16() : Description{};
}

std::set<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::set<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.insert(line);
  return lines;
}

class cut : public testing::TestWithParam<Vector> {};

TEST_P(cut, at_every_byte_gives_no_value_that_is_not_in_the_whole) {
  const auto& [name, text, has_end_mark] = GetParam();
  const auto whole = lines_of(all_points(read_text(*text, told_for(GetParam()))));
  for (std::size_t length = 0; length < text->size(); ++length) {
    try {
      const auto part = read_text(text->substr(0, length), told_for(GetParam()));
      if (name != "hpcc" && name != "ior")  // fewer repetitions have another mean
        for (const auto& line : lines_of(all_points(part)))
          EXPECT_TRUE(whole.contains(line) ||
                      line.find(' ') == std::string::npos)  // a failed point has no value
              << name << " cut after " << length << ": " << line;
      for (const auto& run : part.runs) {
        const auto format = format_named(run.head.imported.json()["format"].get<std::string>());
        const auto mark = name_of(*format).end_mark;
        if (has_end_mark && length < text->rfind(mark) + mark.size()) {
          EXPECT_TRUE(has_event(run, "import_truncated")) << name << " cut after " << length;
          EXPECT_FALSE(run.end.has_value()) << name << " cut after " << length;
        }
      }
    } catch (const Unreadable&) {
    }
  }
}

INSTANTIATE_TEST_SUITE_P(vectors, cut, testing::ValuesIn(vectors().begin(), vectors().end()),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(prefixes, of_launchers_terminals_and_comments_are_taken_away) {
  for (const Vector& vector : vectors()) {
    if (vector.text->starts_with("{")) continue;
    const auto plain = all_points(read_text(*vector.text, told_for(vector)));
    for (const std::string prefix : {"[1,0]<stdout>:", "1: ", "> ", "2023-05-04T10:00:00Z ", "00:55:22  "}) {
      std::string text;
      std::istringstream in(*vector.text);
      for (std::string line; std::getline(in, line);) text += line.empty() ? "\n" : prefix + line + "\n";
      EXPECT_EQ(all_points(read_text(text, told_for(vector))), plain) << vector.name << ' ' << prefix;
    }
  }
}

TEST(noise, of_other_systems_is_taken_away) {
  for (const Vector& vector : vectors()) {
    std::string crlf, coloured;
    for (const char c : *vector.text) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
    EXPECT_EQ(all_points(read_text("\xef\xbb\xbf" + crlf, told_for(vector))),
              all_points(read_text(*vector.text, told_for(vector))))
        << vector.name;
    coloured = "\x1b[0;32mLoading modules\x1b[0m\n" + *vector.text;
    EXPECT_EQ(all_points(read_text(coloured, told_for(vector))),
              all_points(read_text(*vector.text, told_for(vector))))
        << vector.name;
  }
}

TEST(texts, in_every_order_of_two_are_the_sum_of_both) {
  for (const Vector& a : vectors())
    for (const Vector& b : vectors()) {
      if (a.name == b.name || a.text == &hpcc || b.text == &hpcc) continue;
      const bool told = a.name == "osu_allreduce" || b.name == "osu_allreduce";
      if (told) continue;  // one number of processes cannot be told of two texts
      const auto both = lines_of(all_points(read_text(*a.text + *b.text)));
      auto expected = lines_of(all_points(read_text(*a.text)));
      expected.merge(lines_of(all_points(read_text(*b.text))));
      EXPECT_EQ(both, expected) << a.name << " and " << b.name;
    }
}

TEST(texts, of_two_programs_at_once_are_refused) {
  std::string mixed;
  std::istringstream a(imb), b(osu_latency);
  for (std::string one, other; std::getline(a, one);) {
    mixed += one + "\n";
    if (std::getline(b, other)) mixed += other + "\n";
  }
  try {
    const auto reading = read_text(mixed);
    EXPECT_FALSE(reading.refused.empty());
  } catch (const Unreadable& error) {
    EXPECT_NE(std::string(error.what()).find("mixed"), std::string::npos);
  }
}

TEST(texts, of_nothing_that_is_known_say_what_is_known) {
  try {
    static_cast<void>(read_text("# Size          Latency (us)\n8    1.0\n"));
    FAIL();
  } catch (const Unreadable& error) {
    EXPECT_NE(std::string(error.what()).find("heading of osu"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("graph500"), std::string::npos);
  }
}

TEST(texts, without_a_date_take_that_of_the_file_and_say_so) {
  const auto run = only_run(osu_latency);
  EXPECT_EQ(run.head.started_utc, "2020-01-02T03:04:05Z");
  EXPECT_EQ(run.head.imported.json()["started_from"].get<std::string>(), "file_time");
  EXPECT_TRUE(has_event(run, "import_date"));
  Description told;
  told.started_utc = "2019-01-01T00:00:00Z";
  EXPECT_EQ(only_run(osu_latency, told).head.started_utc, told.started_utc);
}

TEST(numbers, are_decimal_and_know_their_last_digit) {
  EXPECT_EQ(number("400.00", micro)->value, 4e-4);
  EXPECT_EQ(number("400.00", micro)->step, 1e-8);
  EXPECT_EQ(number("1.0668e+02", giga)->value, 1.0668e11);
  for (const char* word : {"", "nan", "inf", "-nan", "***", "-", "1,12", "0x10", "1e", "1.2.3", "1e999"})
    EXPECT_FALSE(number(word).has_value()) << word;
}

TEST(dates, of_several_spellings_are_one_moment) {
  for (const char* text : {"Thu Mar  3 10:15:00 2022", "2022-03-03T10:15:00", "03/03/2022 10:15:00",
                           "Thu Mar 3 10:15:00 UTC 2022"})
    EXPECT_EQ(date(text), "2022-03-03T10:15:00Z") << text;
  EXPECT_EQ(date("Thu Mar  3 10:15:00 2022", 120), "2022-03-03T08:15:00Z");
  EXPECT_FALSE(date("Thu Feb 31 10:15:00 2022").has_value());
  EXPECT_FALSE(date("soon").has_value());
}

TEST(dates, have_the_zone_that_they_name) {
  for (const char* text : {"2023-05-04T10:00:00+02:00", "2023-05-04T10:00:00+0200", "2023-05-04T10:00+02",
                           "2023-05-04 10:00:00 +0200", "Thu May 4 08:00:00 GMT 2023", "2023-05-04T08:00Z",
                           "Thursday, May 4 2023 08:00:00.250 UTC", "2023-05-04T03:30:00-04:30"})
    EXPECT_EQ(date(text, 60), "2023-05-04T08:00:00Z") << text;
  EXPECT_EQ(date("2023-05-04T10:00"), "2023-05-04T10:00:00Z");
  EXPECT_EQ(date("2023-05-04"), "2023-05-04T00:00:00Z");
}

TEST(dates, with_a_word_that_cannot_be_read_are_none) {
  for (const char* text :
       {"2023-05-04T10", "2023-05-04T25:00", "2023-05-04T10:00:61", "2023-05-04T10:00:00+15:00",
        "2023-05-04T10:00:00+2", "2023-05-04T10:00:00 CST", "2023-05-04T10:00:00 PM",
        "2023-05-04T10:00:00Z+02:00", "2023-05-04Z", "2023-05-04 2023-05-05", "2023-05-04T10:00:0",
        "2023-05-04T10:00:00.", "2023-05-04T", "2023-05-04 10:00 11:00"})
    EXPECT_FALSE(date(text).has_value()) << text;
  EXPECT_EQ(only_run(with(imb, "10:15:00 2022", "10:15:00 CST 2022")).head.started_utc,
            "2020-01-02T03:04:05Z");
}

}  // namespace
}  // namespace steelyard::foreign::test
