// SPDX-License-Identifier: Apache-2.0
#include "formats/monitoring.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <regex>
#include <sstream>

namespace steelyard::formats {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

const std::string ugly = "a \"b\" \\ c\nd";

std::vector<SampleFamily> families() {
  return {{"steelyard_figure_seconds",
           "Figures\nin seconds.",
           "seconds",
           {{{{"name", ugly}}, 2e-6, 20.0}, {{{"name", ugly}}, 1e-6, 10.0}}},
          {"steelyard_points", "Points.", "", {{{{"status", "ok"}}, 7, 10.0}}},
          {"steelyard_empty", "Nothing.", "", {}}};
}

/// Name, labels, value, time of a sample line, by the grammar of the format.
const std::regex sample(
    R"re(^([a-zA-Z_:][a-zA-Z0-9_:]*)(\{[a-z]+="((?:[^"\\\n]|\\["\\n])*)"\})? (\S+)( \d+\.\d{3})?$)re");

TEST(Monitoring, EverySampleFollowsTheGrammar) {
  for (const std::string& text : {prometheus_text(families()), open_metrics_text(families())}) {
    std::istringstream lines(text);
    int samples = 0;
    for (std::string line; std::getline(lines, line);) {
      std::smatch parts;
      if (line.starts_with('#')) continue;
      ++samples;
      EXPECT_TRUE(std::regex_match(line, parts, sample)) << line;
    }
    EXPECT_EQ(samples, 3);
  }
}

TEST(Monitoring, LabelsCanBeReadBack) {
  std::string back;
  const std::string text = label_text(ugly);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      back += text[i];
      continue;
    }
    ++i;
    back += text[i] == 'n' ? '\n' : text[i];
  }
  EXPECT_EQ(back, ugly);
}

TEST(Monitoring, ControlCharactersAreEscaped) {
  EXPECT_EQ(label_text("a\x1b[31m\n\t\\"), "a\\\\x1b[31m\\n\\\\t\\\\");
}

TEST(Monitoring, TimesUnitsAndTheEndBelongToOpenMetrics) {
  const std::string plain = prometheus_text(families()), open = open_metrics_text(families());
  EXPECT_THAT(
      plain,
      HasSubstr(
          "# HELP steelyard_figure_seconds Figures\\nin seconds.\n# TYPE steelyard_figure_seconds gauge\n"));
  EXPECT_THAT(plain, testing::Not(HasSubstr(" 10.000")));
  EXPECT_THAT(plain, testing::Not(HasSubstr("steelyard_empty")));
  EXPECT_THAT(open, HasSubstr("# UNIT steelyard_figure_seconds seconds\n"));
  EXPECT_THAT(open, EndsWith("# EOF\n"));
  EXPECT_LT(open.find(" 1e-06 10.000"), open.find(" 2e-06 20.000"));  // ascending in time
}

TEST(Monitoring, SeriesHasOneValueAtATimeTheLastOne) {
  SampleFamily family{"steelyard_figure_seconds", "Figures.", "seconds", {}};
  const auto add = [&](const char* name, double value, std::optional<double> at_s) {
    family.samples.push_back({{{"name", name}}, value, at_s});
  };
  add("a", 1, 10.0);
  add("b", 2, 10.0);
  add("a", 3, 10.0001);  // the same when it is printed
  add("a", 4, 11.0);
  add("c", 5, std::nullopt);
  add("c", 6, std::nullopt);
  const std::array all{family};
  const std::string text = open_metrics_text(all);
  EXPECT_THAT(text, HasSubstr("{name=\"a\"} 3 10.000\n"));
  EXPECT_THAT(text, testing::Not(HasSubstr("{name=\"a\"} 1 ")));
  EXPECT_THAT(text, HasSubstr("{name=\"a\"} 4 11.000\n"));
  EXPECT_THAT(text, HasSubstr("{name=\"b\"} 2 10.000\n"));
  EXPECT_THAT(text, HasSubstr("{name=\"c\"} 6\n"));
  EXPECT_THAT(text, testing::Not(HasSubstr("} 5\n")));
}

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t found = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
  return found;
}

TEST(Junit, TextsBecomeAttributes) {
  EXPECT_EQ(xml_text("<a&b>\"\n\t\x01"), "&lt;a&amp;b&gt;&quot;&#10;&#9;\\x01");
  EXPECT_EQ(xml_text("\xef\xbf\xbf"), "\xef\xbf\xbd");
}

TEST(Junit, CasesAndCountsAgree) {
  std::array suites{TestSuite{"one", "2026-01-01T00:00:00Z", 1.5, {}}};
  suites[0].cases = {{"g", "a", CaseResult::passed, {}, {}},
                     {"g", "b", CaseResult::failed, "fail", "b fail: 1 < 2"},
                     {"g", "c", CaseResult::skipped, "undecided", "c"},
                     {"g", "d", CaseResult::error, "missing", "d"}};
  const std::string text = junit(suites);
  EXPECT_THAT(
      text,
      HasSubstr(
          "tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\" time=\"1.500\" timestamp=\"2026-01-01T00:00:00Z\""));
  EXPECT_THAT(text, HasSubstr("<failure message=\"b fail: 1 &lt; 2\" type=\"fail\"/>"));
  EXPECT_EQ(count(text, "<testcase"), 4U);
}

TEST(Junit, ManyCasesThatPassAreFolded) {
  std::array suites{TestSuite{"many", {}, 0, {}}};
  for (int i = 0; i < 6000; ++i)
    suites[0].cases.push_back({i % 2 == 0 ? "even" : "odd",
                               std::to_string(i),
                               i == 7 ? CaseResult::failed : CaseResult::passed,
                               {},
                               {}});
  const std::string text = junit(suites);
  EXPECT_EQ(count(text, "<testcase"), 3U);
  EXPECT_THAT(text, HasSubstr("tests=\"3\" failures=\"1\""));
  EXPECT_THAT(text, HasSubstr("name=\"3000 that passed\""));
  EXPECT_THAT(text, HasSubstr("name=\"2999 that passed\""));
}

}  // namespace
}  // namespace steelyard::formats
