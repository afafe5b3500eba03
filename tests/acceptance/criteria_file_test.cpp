// SPDX-License-Identifier: Apache-2.0
#include "acceptance/criteria_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <random>

#include "acceptance/forms.hpp"
#include "analysis/acceptance/figures.hpp"
#include "analysis/balance/ratios.hpp"
#include "campaign/plan.hpp"
#include "commands/program.hpp"
#include "input/text_file.hpp"
#include "options/resolve.hpp"
#include "process/errors.hpp"
#include "suites/screen/quantities.hpp"
#include "suites/suite_list.hpp"
#include "units/amount.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string refused(const std::string& text) {
  try {
    (void)parse_criteria(text, "c.toml");
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

std::string criterion(const std::string& words) {
  return refused("format = 1\n[[criterion]]\nid = \"A\"\n" + words);
}

TEST(CriteriaFile, EveryExampleIsReadAndSaysHowItIsMeasured) {
  for (const char* name : {"delivery.toml", "operation.toml", "this-machine.toml"}) {
    const std::string file = std::string(EXAMPLES_DIRECTORY) + '/' + name;
    const auto criteria = parse_criteria(text_of_file(file), file);
    EXPECT_GE(criteria.list.size(), 4U) << name;
    EXPECT_THAT(criteria_plan(criteria), HasSubstr("measured by: steelyard run")) << name;
  }
}

/// Words behind `run` that the plan of criteria says, as a shell takes them apart; nullopt where it says none.
std::optional<std::vector<std::string>> words_of_plan(const acceptance::Criteria& criteria) {
  const std::string plan = criteria_plan(criteria);
  constexpr std::string_view before = "measured by: steelyard run";
  const std::size_t at = plan.find(before);
  if (at == std::string::npos) return std::nullopt;
  const std::size_t end = plan.find('\n', at);
  return units::words_of_shell(plan.substr(at + before.size(), end - at - before.size()));
}

/// Words of the plan of `[[criterion]]` blocks, which come without their ids.
std::vector<std::string> planned(const std::vector<std::string>& blocks) {
  std::string text = "format = 1\n";
  for (std::size_t i = 0; i < blocks.size(); ++i)
    text += "[[criterion]]\nid = \"C" + std::to_string(i) + "\"\n" + blocks[i] + '\n';
  return words_of_plan(parse_criteria(text, "c.toml")).value_or(std::vector<std::string>{"nothing"});
}

TEST(CriteriaFile, ThePlanNamesWhatMeasuresEachKindOfCriterion) {
  using testing::ElementsAre;
  EXPECT_THAT(planned({R"(figure = "memory_balance_triad_byte_flop"
at_least = "0.1 byte/flop")"}),
              ElementsAre("hpcc/HPL", "hpcc/StarSTREAM"));
  EXPECT_THAT(planned({R"(figure = "hpl"
at_least = "1 Gflop/s")",
                       R"(figure = "hpl_over_dgemm"
at_least = 0.5)"}),
              ElementsAre("hpcc"));
  EXPECT_THAT(planned({R"(table = "screen_nodes.triad"
at_least = "95% of median")",
                       R"(table = "pingpong_pairs.latency"
at_most = "5 us")"}),
              ElementsAre("screen"));
  EXPECT_THAT(planned({R"(figure = "b_eff.b_eff_byte_s"
at_least = "1 GB/s")",
                       R"(figure = "b_eff_io.b_eff_io_byte_s"
at_least = "1 GB/s"
official = true
min_launches = 3)"}),
              ElementsAre("--preset", "official", "--launches", "3", "b-eff", "b-eff-io"));
  EXPECT_THAT(planned({R"(select = "imb-mpi1/*;message_byte=8"
at_most = "1 s"
every = "point")"}),
              ElementsAre("imb-mpi1/*"));
}

/// Words of which the `run` command takes each, and which select something.
bool are_words_of_run(const std::vector<std::string>& words) {
  const auto all = suites::definitions();
  const auto read = parse_words(*commands().find("run"), words);
  return read.bare.empty() || !campaign::select(read.bare, {}, suites::pointers(all)).empty();
}

TEST(CriteriaFile, ThePlanOfEveryFigureIsTakenByRun) {
  if (!commands().measures()) GTEST_SKIP() << "there is no run";
  std::vector<std::string> figures = acceptance::figure_names();
  figures.insert(figures.end(), {"b_eff.b_eff_byte_s", "b_eff_io.b_eff_io_byte_s", "ftio.io_fraction"});
  for (const std::string& figure : figures) {
    const auto kind = acceptance::figure_kind(figure);
    ASSERT_TRUE(kind) << figure;
    acceptance::Criteria criteria;
    criteria.list.emplace_back().figure = figure;
    criteria.list.back().official = true;
    const auto words = words_of_plan(criteria);
    if (!words) continue;  // of texts of other programs
    EXPECT_TRUE(are_words_of_run(*words)) << figure;
    const bool is_measured = !kind->suite.empty() || balance::ratio_named(figure) != nullptr;
    EXPECT_GE(words->size(), is_measured ? 3U : 2U) << figure;
  }
}

TEST(CriteriaFile, EveryTableOfAScreeningCanBeNamed) {
  for (const screen::Quantity& one : screen::quantities) {
    const std::string table =
        std::string(one.of_pairs ? screen::pair_table : screen::node_table) + '.' + std::string(one.name);
    const std::string limit = std::string("at_") + (one.lower_is_better ? "most" : "least") + " = \"1 " +
                              std::string(one.unit) + '"';
    EXPECT_EQ(criterion("table = \"" + table + "\"\n" + limit), "accepted") << table;
  }
}

TEST(CriteriaFile, UnknownWordsAreToldWithThePlaceAndTheNearest) {
  EXPECT_THAT(refused("format = 1\ntitel = \"x\"\n"),
              StartsWith("c.toml:2:1: unknown word 'titel'; did you mean title?"));
  EXPECT_THAT(criterion("figure = \"hpl\"\nat_lest = \"1 Gflop/s\""),
              HasSubstr("c.toml:5:1: A: unknown word 'at_lest'; did you mean at_least?"));
  EXPECT_THAT(criterion("figure = \"hlp\"\nat_least = \"1 Gflop/s\""),
              HasSubstr("there is no figure 'hlp'; did you mean hpl?"));
  EXPECT_THAT(criterion("select = \"imb-mpi1/PingPog\"\nat_most = \"1 us\""), HasSubstr("PingPong"));
  EXPECT_THAT(criterion("select = \"imb-mpi/PingPong\"\nat_most = \"1 us\""), HasSubstr("imb-mpi1"));
  EXPECT_THAT(criterion("table = \"screen_nodes.traid\"\nat_least = \"1 GB/s\""),
              HasSubstr("did you mean screen_nodes.triad?"));
  EXPECT_THAT(criterion("figure = \"hpl\"\nat_least = \"95% of comitted\""),
              HasSubstr("did you mean committed?"));
  EXPECT_THAT(criterion("figure = \"hpl\"\nat_least = \"1 Gflop/s\"\nwhere = \"nods=3\""),
              HasSubstr("did you mean nodes?"));
  EXPECT_THAT(criterion("figure = \"hpl\"\nat_least = \"1 Gflop/s\"\ncombine = \"medan\""),
              HasSubstr("median"));
}

TEST(CriteriaFile, ANearestWordIsNeverTheOneThatWasRefused) {
  const auto told = criterion("figure = \"hpcc.hpl_flop_s\"\nat_least = \"1 Gflop/s\"");
  EXPECT_THAT(told, HasSubstr("there is no figure 'hpcc.hpl_flop_s'"));
  EXPECT_THAT(told, Not(HasSubstr("did you mean hpcc.hpl_flop_s")));
  EXPECT_THAT(criterion("figure = \"hpcc.HPL_Tflop\"\nat_least = \"1 Gflop/s\""),
              HasSubstr("did you mean hpcc.HPL_Tflops?"));
}

TEST(CriteriaFile, MicroAndBitsAreNotTakenForWhatLooksAlike) {
  for (const char* micro : {"300 us", "300 \u00b5s", "300 \u03bcs"})
    EXPECT_DOUBLE_EQ(units::parse_amount(micro).value, 3e-4) << micro;
  for (const char* bits : {"100 Gbit/s", "100 Gb/s", "100 Gbps"})
    EXPECT_THAT(criterion("figure = \"imb_bandwidth\"\nat_least = \"" + std::string(bits) + '"'),
                HasSubstr("are bits, and rates are in byte/s"))
        << bits;
}

TEST(CriteriaFile, UnitsOfAnotherKindAndNoneAreRefused) {
  EXPECT_THAT(criterion("figure = \"hpl\"\nat_least = \"5 us\""),
              HasSubstr("'5 us' is in s; hpl is in flop/s"));
  EXPECT_THAT(criterion("figure = \"hpl\"\nat_least = \"2500\""),
              HasSubstr("is a pure number; hpl is in flop/s"));
  EXPECT_THAT(criterion("figure = \"hpl\"\nat_least = 2500"),
              HasSubstr("is a pure number; hpl is in flop/s"));
  EXPECT_THAT(criterion("figure = \"hpl\"\nat_least = \"2.5 Tflops\""), HasSubstr("is no unit"));
  EXPECT_THAT(criterion("figure = \"hpl\"\nat_least = \"x Tflop/s\""),
              HasSubstr("does not begin with a number"));
  EXPECT_EQ(criterion("figure = \"dgemm_efficiency\"\nat_least = 0.8"), "accepted");
  EXPECT_EQ(criterion("figure = \"memory_balance_triad_byte_flop\"\nat_least = \"0.3 byte/flop\""),
            "accepted");
}

TEST(CriteriaFile, WhatMakesNoSenseTogetherIsRefused) {
  EXPECT_THAT(criterion("figure = \"hpl\"\nselect = \"imb-mpi1/PingPong\"\nat_most = \"1 us\""),
              HasSubstr("more than one of figure"));
  EXPECT_THAT(criterion("at_most = \"1 us\""), HasSubstr("needs one of figure"));
  EXPECT_THAT(criterion("figure = \"hpl\""), HasSubstr("A: has no limit"));
  EXPECT_THAT(criterion("figure = \"hpl\"\nat_least = \"3 Tflop/s\"\nat_most = \"2 Tflop/s\""),
              HasSubstr("lies above at_most"));
  EXPECT_THAT(
      criterion(
          "figure = \"hpl\"\nat_least = \"1 Gflop/s\"\n[[criterion]]\nid = \"A\"\nfigure = \"fft\"\nat_least = \"1 Gflop/s\""),
      HasSubstr("the id 'A' is there twice"));
  EXPECT_THAT(criterion("table = \"screen_nodes.triad\"\nwithin = \"5% of committed\""),
              HasSubstr("median or of a reference"));
  EXPECT_THAT(criterion("figure = \"hpl\"\nwithin = \"5%\""), HasSubstr("needs what it is a share of"));
  EXPECT_THAT(
      criterion(
          "figure = \"hpl\"\nat_least = \"1 Gflop/s\"\n[[mean]]\nid = \"M\"\nof = [\"B\"]\nat_least = 1.0"),
      HasSubstr("there is no criterion 'B'"));
  EXPECT_THAT(criterion("figure = \"hpl\"\nat_least = \"1 Gflop/s\"\n[committed]\nhplx = \"1 Tflop/s\""),
              HasSubstr("did you mean hpl?"));
  EXPECT_THAT(refused("title = \"x\"\n"), HasSubstr("format = 1 is needed"));
  EXPECT_THAT(refused("format = 1\n"), HasSubstr("no [[criterion]]"));
  EXPECT_THAT(refused("format = 1\ncriterion = 3\n"), HasSubstr("write [[criterion]]"));
  EXPECT_THAT(refused("format = \n"), StartsWith("c.toml:1:"));
}

TEST(CriteriaFile, WhatMeansNothingIsRefusedBeforeThereAreData) {
  EXPECT_THAT(criterion("figure = \"hpl\"\nat_least = \"1 Gflop/s\"\nevery = \"node\""),
              HasSubstr("c.toml:6:9: A: every: belongs to select and table"));
  EXPECT_THAT(criterion("figure = \"hpl\"\nat_least = \"1 Gflop/s\"\nallowed = 2"),
              HasSubstr("allowed: belongs to every"));
  EXPECT_THAT(criterion("figure = \"hpl\"\nspread_at_most = \"5%\"\nover = \"nodes\""),
              HasSubstr("over: nodes are those of a table"));
  EXPECT_THAT(criterion("table = \"screen_nodes.triad\"\nat_least = \"95% of median\"\nevery = \"link\""),
              HasSubstr("every: 'link' is none of screen_nodes.triad; 'node' is"));
  EXPECT_THAT(criterion("select = \"imb-mpi1/PingPong\"\nat_most = \"1 us\"\nevery = \"node\""),
              HasSubstr("'point' is"));
  EXPECT_THAT(criterion("figure = \"hpl\"\nat_least = \"95% of committed\"\nat_most = \"90% of committed\""),
              HasSubstr("at_least 95% of committed lies above at_most 90% of committed"));
  EXPECT_EQ(
      criterion("figure = \"hpl\"\nat_least = \"95% of reference:a\"\nat_most = \"90% of reference:b\""),
      "accepted");
  EXPECT_THAT(criterion("table = \"screen_nodes.triad\"\nat_least = \"5 us\""),
              HasSubstr("'5 us' is in s; screen_nodes.triad is in byte/s"));
  EXPECT_THAT(criterion("table = \"pingpong_pairs.latency\"\nat_most = \"5 GB/s\""), HasSubstr("is in s"));
  EXPECT_THAT(criterion("select = \"imb-mpi1/PingPong\"\nmetric = \"time_s\"\nat_most = \"5 GB/s\""),
              HasSubstr("time_s is in s"));
  EXPECT_THAT(criterion("figure = \"b_eff.nosuch\"\nat_least = \"1 GB/s\""), HasSubstr("there is no figure"));
  EXPECT_THAT(criterion("figure = \"b_eff.b_eff_byte\"\nat_least = \"1 GB\""), HasSubstr("accepted"));
  EXPECT_THAT(criterion("figure = \"b_eff.balance_facto\"\nat_least = 1.0"),
              HasSubstr("did you mean b_eff.balance_factor?"));
}

TEST(CriteriaFile, ConfidenceIsFromAHalfTo999Thousandths) {
  const auto sheet_of = [](const std::string& confidence) {
    const auto criteria =
        parse_criteria("format = 1\nconfidence = " + confidence +
                           "\n[[criterion]]\nid = \"A\"\nfigure = \"hpl\"\nat_least = \"1 Gflop/s\"\n",
                       "c.toml");
    auto sheet = acceptance::judge(criteria, {}, {}, {});
    sheet.inputs.emplace_back();
    return acceptance::tables(sheet).front().text.front();
  };
  for (const char* word : {"\"99.9%\"", "0.999"})
    EXPECT_THAT(sheet_of(word), HasSubstr("at 99.9 % conf")) << word;
  EXPECT_THAT(sheet_of("\"99.5%\""), HasSubstr("intervals at 99.5 % confidence"));
  EXPECT_THAT(sheet_of("\"50%\""), HasSubstr("intervals at 50 % confidence"));
  for (const char* word : {"\"99.91%\"", "0.9991", "0.49"})
    EXPECT_THAT(refused(std::string("format = 1\nconfidence = ") + word + "\n"),
                HasSubstr("from 50% to 99.9%"))
        << word;
}

TEST(CriteriaFile, SpoiltTextsAreReadOrRefusedButNothingElse) {
  std::mt19937_64 dice(7);
  const auto below = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(dice);
  };
  std::size_t read = 0, refusals = 0;
  for (const char* name : {"delivery.toml", "operation.toml"}) {
    const std::string whole = text_of_file(std::string(EXAMPLES_DIRECTORY) + '/' + name);
    for (int i = 0; i < 1500; ++i) {
      std::string text = whole;
      for (std::size_t left = 1 + below(3); left > 0; --left) {
        const std::size_t at = below(text.size());
        if (below(3) == 0)
          text.erase(at, 1 + below(20));
        else
          text[at] = "\"'[]=.%#0aZ \n\\\xff"[below(16)];
      }
      refused(text) == "accepted" ? ++read : ++refusals;
    }
  }
  EXPECT_GT(read, 20U);
  EXPECT_GT(refusals, 1000U);
}

TEST(Amounts, UnitsOfTheSameSizeAreEqual) {
  const auto value = [](const char* words) { return units::parse_amount(words).value; };
  EXPECT_DOUBLE_EQ(value("2500 Gflop/s"), value("2.5 Tflop/s"));
  EXPECT_DOUBLE_EQ(value("1.6 us"), value("1600 ns"));
  EXPECT_DOUBLE_EQ(value("1 GiB/s"), 1073741824);
  EXPECT_DOUBLE_EQ(value("665.5 GB/s"), 665.5e9);
  EXPECT_DOUBLE_EQ(value("95%"), 0.95);
  EXPECT_DOUBLE_EQ(value("1.5e3 update/s"), 1500);
  EXPECT_EQ(units::format_amount(2.555e12, "flop/s"), "2.555 Tflop/s");
  EXPECT_EQ(units::format_amount(1.58e-6, "s", 3), "1.58 us");
  for (const char* bad : {"", "GB/s", "-1 us", "0 us", "1 parsec", "1e999 us", "nan us"})
    EXPECT_THROW((void)units::parse_amount(bad), units::ParseError) << bad;
}

}  // namespace
}  // namespace steelyard::cli
