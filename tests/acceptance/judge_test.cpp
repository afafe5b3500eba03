// SPDX-License-Identifier: Apache-2.0
#include "analysis/acceptance/judge.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <set>

#include "acceptance/criteria_file.hpp"
#include "acceptance/forms.hpp"
#include "analysis/balance/measured.hpp"
#include "formats/tables/tables.hpp"
#include "process/errors.hpp"
#include "record/json.hpp"
#include "record/whereabouts.hpp"

namespace steelyard::acceptance {
namespace {

using balance::Quantity;
using testing::HasSubstr;
using testing::Not;

constexpr double tera = 1e12, us = 1e-6;

Launch launch(double hpl_tflop_s, const std::string& machine = "lion") {
  Launch one;
  one.source = "run-" + std::to_string(hpl_tflop_s);
  one.run.id = one.source;
  one.run.head.name = machine;
  one.run.head.nodes = 16;
  one.run.head.processes = 64;
  one.system.name = machine;
  one.system.inputs.set(Quantity::processes, 64);
  one.system.inputs.set(Quantity::hpl_flop_s, hpl_tflop_s * tera);
  return one;
}

std::vector<Launch> launches(std::initializer_list<double> list) {
  std::vector<Launch> all;
  for (const double value : list) all.push_back(launch(value));
  return all;
}

record::PointRecord ping_pong(std::int64_t length, double time) {
  record::PointRecord point;
  point.suite = "imb-mpi1";
  point.benchmark = "PingPong";
  point.processes = 2;
  point.params["message_byte"] = length;
  point.key = record::make_key(point.suite, point.benchmark, 2, 1, 1, point.params);
  point.primary = "time_s";
  point.verified = true;
  record::Statistics held;
  held.median = time;
  held.p99 = 3 * time;
  point.metrics = {{"time_s", held}};
  point.classic = {{"t_max_s", record::Value(2 * time)}};
  return point;
}

Criteria criteria(const std::string& words, const std::string& before = "") {
  return cli::parse_criteria("format = 1\n" + before + "\n[[criterion]]\nid = \"A\"\n" + words, "c.toml");
}

Judgement judged(const std::string& words, const std::vector<Launch>& list, const Named& references = {},
                 const std::string& before = "") {
  return judge(criteria(words, before), list, references, {}).list.back();
}

std::string hpl(const std::string& words) {
  return "figure = \"hpl\"\n" + words;
}

const auto six = launches({2.52, 2.54, 2.55, 2.56, 2.57, 2.58});

TEST(Accept, SixLaunchesPassByTheirOrderStatistics) {
  const auto one = judged(hpl("at_least = \"2.5 Tflop/s\""), six);
  EXPECT_EQ(one.verdict, Verdict::pass);
  EXPECT_NEAR(*one.margin, 0.022, 5e-5);
  EXPECT_DOUBLE_EQ(*one.value, 2.555 * tera);
  EXPECT_DOUBLE_EQ(*one.low, 2.52 * tera);
  EXPECT_DOUBLE_EQ(*one.high, 2.58 * tera);
  EXPECT_EQ(one.launches, 6U);
}

TEST(Accept, TheLimitInsideTheIntervalIsUndecidedAndBeyondItFails) {
  EXPECT_EQ(judged(hpl("at_least = \"2.53 Tflop/s\""), six).verdict, Verdict::undecided);
  EXPECT_EQ(judged(hpl("at_least = \"2.6 Tflop/s\""), six).verdict, Verdict::fail);
  EXPECT_EQ(judged(hpl("at_least = \"2.53 Tflop/s\"\nrule = \"value\""), six).verdict, Verdict::pass);
}

TEST(Accept, EveryLaunchCountsWhereThatIsAsked) {
  const auto one = judged(hpl("combine = \"every\"\nat_least = \"2.53 Tflop/s\""), six);
  EXPECT_EQ(one.verdict, Verdict::fail);
  EXPECT_THAT(one.reason, HasSubstr("launch 1"));
}

TEST(Accept, EveryLaunchIsLookedAtFromTheSideOfTheLimit) {
  const std::string every = "combine = \"every\"\n";
  EXPECT_EQ(judged(hpl(every + "at_most = \"2.57 Tflop/s\""), six).verdict, Verdict::fail);
  EXPECT_EQ(judged(hpl(every + "at_most = \"2.58 Tflop/s\""), six).verdict, Verdict::pass);
  const std::string committed = "[committed]\nA = \"2.5 Tflop/s\"";
  const auto within = [&](const std::string& share) {
    return judged(hpl(every + "within = \"" + share + " of committed\""), six, {}, committed);
  };
  EXPECT_EQ(within("3%").verdict, Verdict::fail);
  EXPECT_THAT(within("3%").reason, HasSubstr("launch 6"));
  EXPECT_EQ(within("4%").verdict, Verdict::pass);
}

TEST(Accept, LaunchesThatAreTooFewForTheConfidenceHaveTheSpreadThatIsAssumed) {
  const auto alike = launches({2.5, 2.5, 2.5, 2.5, 2.5, 2.5});
  const auto one = judged(hpl("at_least = \"2.49 Tflop/s\""), alike, {}, "confidence = \"99%\"");
  EXPECT_EQ(one.verdict, Verdict::undecided);
  EXPECT_NEAR(std::log(*one.high / *one.low) / 2, 2.58 * 0.02 * std::sqrt(std::numbers::pi / 2 / 6.0), 1e-9);
}

TEST(Accept, FewLaunchesHaveStudentsTOfTheirPool) {
  const auto half = [](const Judgement& one) { return std::log(*one.high / *one.value); };
  const std::string words = hpl("at_least = \"1 Tflop/s\"");
  const double by = 0.1;  // ln between the two
  const auto two = judged(words, launches({2.5, 2.5 * std::exp(by)}));
  EXPECT_NEAR(half(two), 12.706 * by / 2 + std::log(two.value.value() / (2.5e12 * std::exp(by / 2))), 3e-3);
  // Two points of its suite that do not change: two degrees of freedom more, but no less than its own spread.
  auto pooled = launches({2.5, 2.5 * std::exp(by)});
  for (Launch& one : pooled) {
    for (const std::int64_t length : {8, 16}) {
      one.run.points.push_back(ping_pong(length, 1.5 * us));
      one.run.points.back().suite = "hpcc";
    }
  }
  EXPECT_LT(half(judged(words, pooled)), half(two) / 2);
  // The mean of three scatters less than their median.
  const auto three = launches({2.4, 2.5, 2.6});
  const auto median = judged(words, three), mean = judged(words + "\ncombine = \"mean\"", three);
  EXPECT_NEAR(half(median) / half(mean), std::sqrt(std::numbers::pi / 2), 1e-9);
}

TEST(Accept, TheIntervalOfALaunchIsWiderAtAHigherConfidence) {
  Launch one = launch(1);
  one.system.inputs.set_half_width(Quantity::hpl_flop_s, 0.1);
  const auto found = judged(hpl("at_least = \"1 Tflop/s\""), {one}, {}, "confidence = \"99%\"");
  EXPECT_NEAR(*found.low / tera, 0.862, 1e-3);
  EXPECT_NEAR(*found.high / tera, 1.145, 1e-3);
}

TEST(Accept, ARatioToAReferenceHasTheConfidenceOfTheFile) {
  const Named references{{"r", launches({2.45, 2.48, 2.50, 2.53, 2.55})}};
  const auto now = launches({2.60, 2.62, 2.64, 2.66, 2.68});
  const std::string words = hpl("at_least = \"100% of reference:r\"");
  const auto at95 = judged(words, now, references);
  const auto at99 = judged(words, now, references, "confidence = \"99%\"");
  EXPECT_LT(*at99.low, *at95.low);
  EXPECT_GT(*at99.high, *at95.high);
  EXPECT_EQ(at99.verdict, Verdict::pass);
  // Five launches a side cannot have 99.9 % by their ranks: the intervals of both are joined.
  const auto at999 = judged(words, now, references, "confidence = \"99.9%\"");
  EXPECT_LT(*at999.low, *at99.low);
  EXPECT_EQ(at999.verdict, Verdict::undecided);
}

TEST(Accept, OneLaunchHasAnIntervalOfItsOwnAndOfTheSpreadThatIsAssumed) {
  const auto one = judged(hpl("at_least = \"1 Tflop/s\""), launches({1.02}));
  EXPECT_EQ(one.verdict, Verdict::undecided);
  EXPECT_THAT(one.reason, HasSubstr("single launch"));
  EXPECT_NEAR(std::log(*one.high / *one.low) / 2, 1.96 * 0.02, 1e-9);
  EXPECT_EQ(one.launches_needed, 17);
}

/// A launch whose value lies near the lower end of its interval.
Launch lopsided() {
  Launch one = launch(1.02);
  one.system.inputs.set_half_width(Quantity::hpl_flop_s, 0.1);
  one.system.inputs.set_interval(Quantity::hpl_flop_s, {-0.01, 0.19});
  return one;
}

TEST(Accept, OneLaunchHasBothEndsOfItsInterval) {
  const auto one = judged(hpl("at_least = \"1 Tflop/s\""), {lopsided()});
  EXPECT_NEAR(std::log(*one.value / *one.low), std::hypot(std::log(0.99), 1.96 * 0.02), 1e-6);
  EXPECT_NEAR(std::log(*one.high / *one.value), std::hypot(std::log(1.19), 1.96 * 0.02), 1e-6);
  EXPECT_EQ(judged(hpl("at_least = \"0.97 Tflop/s\""), {lopsided()}).verdict, Verdict::pass);
  EXPECT_EQ(judged(hpl("at_most = \"1.13 Tflop/s\""), {lopsided()}).verdict, Verdict::undecided);
}

TEST(Accept, AnIntervalDownToZeroAndBelowIsNoNarrowOne) {
  Launch one = launch(1.02);
  one.system.inputs.set_half_width(Quantity::hpl_flop_s, 1.2);
  const auto found = judged(hpl("at_least = \"0.9 Tflop/s\""), {one});
  EXPECT_EQ(found.verdict, Verdict::undecided);
  EXPECT_LT(*found.low, 1.02e12 / 2);
}

TEST(Accept, AReferenceTurnsTheEndsOfItsInterval) {
  const Named against{{"old", {lopsided()}}};
  const auto one = judged(hpl("at_least = \"0.5 of reference:old\""), launches({1.02}), against);
  EXPECT_GT(std::log(*one.value / *one.low), std::log(1.19));
  EXPECT_LT(std::log(*one.high / *one.value), std::log(1.07));
}

TEST(Accept, AMeanKeepsBothEnds) {
  const std::string words =
      hpl("at_least = \"90% of committed\"") + "\n[[mean]]\nid = \"M\"\nof = [\"A\"]\nat_least = 0.9\n";
  const auto one = judged(words, {lopsided()}, {}, "[committed]\nhpl = \"1 Tflop/s\"");
  EXPECT_LT(std::log(*one.value / *one.low), 0.05);
  EXPECT_GT(std::log(*one.high / *one.value), std::log(1.19));
}

TEST(Accept, HowManyLaunchesWouldDecide) {
  const auto needed = [](double value, double limit) {
    return judged(hpl("at_least = \"" + std::to_string(limit) + " Tflop/s\""), launches({value}))
        .launches_needed;
  };
  EXPECT_EQ(needed(2.5625, 2.5), 12);
  EXPECT_EQ(needed(2.55, 2.5), 17);
  EXPECT_EQ(needed(2.5375, 2.5), 25);
  EXPECT_EQ(needed(2.525, 2.5), 56);
  const auto at_limit = judged(hpl("at_least = \"2.5 Tflop/s\""), launches({2.51}));
  EXPECT_FALSE(at_limit.launches_needed);
  EXPECT_THAT(at_limit.reason, HasSubstr("will hardly decide"));
}

TEST(Accept, SoManyLaunchesDecideInEightCasesOfTen) {
  std::mt19937_64 draw(11);
  std::normal_distribution<double> scatter(0, 0.02);
  const auto criterion = criteria(hpl("at_least = \"1 Tflop/s\""));
  for (const auto& [margin, launches_of_it] : {std::pair(0.025, 12), std::pair(0.015, 25)}) {
    int passed = 0;
    constexpr int series = 400;
    for (int k = 0; k < series; ++k) {
      std::vector<Launch> list;
      for (int i = 0; i < launches_of_it; ++i) list.push_back(launch((1 + margin) * std::exp(scatter(draw))));
      passed += judge(criterion, list, {}, {}).list.back().verdict == Verdict::pass ? 1 : 0;
    }
    EXPECT_GT(passed, 0.74 * series) << margin;  // four deviations below 80 %, and they are a little better
    EXPECT_LT(passed, 0.95 * series) << margin;
  }
}

TEST(Accept, IntervalsOfFewLaunchesHoldTheTruth) {
  std::mt19937_64 draw(7);
  std::normal_distribution<double> scatter(0, 0.05);
  const auto criterion = criteria(hpl("at_least = \"1 Tflop/s\""));
  for (const std::size_t few : {2U, 3U, 4U, 5U}) {
    int inside = 0;
    constexpr int series = 400;
    for (int k = 0; k < series; ++k) {
      std::vector<Launch> list;
      for (std::size_t i = 0; i < few; ++i) list.push_back(launch(std::exp(scatter(draw))));
      const auto one = judge(criterion, list, {}, {}).list.back();
      inside += *one.low <= tera && tera <= *one.high ? 1 : 0;
    }
    EXPECT_GT(inside, 0.90 * series) << few;
  }
}

TEST(Accept, AReferenceOfFewLaunchesIsWhatHinders) {
  const Named one_launch{{"r", launches({2.5})}};
  auto now = launches({2.44, 2.45, 2.45, 2.45, 2.46});
  const auto one = judged(hpl("at_least = \"95% of reference:r\""), now, one_launch);
  EXPECT_EQ(one.verdict, Verdict::undecided);
  EXPECT_FALSE(one.launches_needed);
  EXPECT_THAT(one.reason, HasSubstr("more launches of the reference are needed"));
}

TEST(Accept, FewerLaunchesThanAskedForAreUndecidedUnlessTheyFail) {
  const auto few = launches({2.6, 2.61});
  EXPECT_EQ(judged(hpl("min_launches = 5\nat_least = \"2 Tflop/s\""), few).verdict, Verdict::undecided);
  EXPECT_EQ(judged(hpl("min_launches = 5\nat_least = \"3 Tflop/s\""), few).verdict, Verdict::fail);
  EXPECT_EQ(judged(hpl("min_launches = 5\nundecided = \"fail\"\nat_least = \"2 Tflop/s\""), few).verdict,
            Verdict::fail);
  EXPECT_EQ(judged(hpl("min_launches = 5\nundecided = \"pass\"\nat_least = \"2 Tflop/s\""), few).verdict,
            Verdict::pass);
}

TEST(Accept, WrongDataFailWhateverTheNumber) {
  auto list = six;
  list[2].system.doubts.failed.insert(Quantity::hpl_flop_s);
  const auto one = judged(hpl("at_least = \"1 Tflop/s\""), list);
  EXPECT_EQ(one.verdict, Verdict::fail);
  EXPECT_EQ(one.reason, "wrong data");  // once, though the figure's doubts tell it too
}

TEST(Accept, FiguresThatWereNotVerifiedAreTold) {
  const std::string latency = "figure = \"imb_latency\"\nat_most = \"1 ms\"\n";
  auto list = launches({2.5});
  list[0].run.points = {ping_pong(0, 1e-6)};
  EXPECT_EQ(judged(latency + "verified = true\nrule = \"value\"", list).verdict, Verdict::pass);
  list[0].run.points[0].verified = std::nullopt;
  EXPECT_THAT(judged(latency + "verified = true", list).reason, HasSubstr("not verified"));
  list[0].run.points[0].verified = false;
  EXPECT_THAT(judged(latency, list).reason, HasSubstr("wrong data"));
  list = launches({2.5});
  list[0].system.doubts.unverified.insert(Quantity::hpl_flop_s);
  EXPECT_THAT(judged(hpl("at_least = \"1 Tflop/s\"\nverified = true"), list).reason,
              HasSubstr("not verified"));
}

TEST(Accept, RatiosAreOfTheSuitesOfTheirQuantities) {
  auto list = launches({2.5});
  list[0].system.inputs.set(Quantity::b_eff_byte_s, 1e11);
  record::SummaryRecord of_hpcc, of_beff;
  of_hpcc.name = of_hpcc.suite = "hpcc", of_hpcc.official = true;
  of_beff.name = "b_eff", of_beff.suite = "b-eff", of_beff.official = true;
  list[0].run.summaries = {of_hpcc, of_beff};
  const auto ratio = [&](const std::string& words) {
    return judged(
        "figure = \"b_eff_balance_byte_kflop\"\nat_least = \"1 byte/kflop\"\nrule = \"value\"\n" + words,
        list);
  };
  EXPECT_EQ(ratio("official = true\ncomplete = true").verdict, Verdict::pass);
  for (const auto other : {std::optional(false), std::optional<bool>()}) {
    list[0].run.summaries[1].official = other;
    EXPECT_THAT(ratio("official = true").reason, HasSubstr("not official"));
  }
  auto missing = ping_pong(8, 1e-6);
  missing.suite = "b-eff", missing.benchmark = "b_eff", missing.status = record::Status::failed;
  list[0].run.points = {missing};
  EXPECT_THAT(ratio("complete = true").reason, HasSubstr("1 point of it skipped"));
}

TEST(Accept, WaivedIsShownAndDoesNotCount) {
  const auto sheet = judge(criteria(hpl("waived = \"ticket 12\"\nat_least = \"9 Tflop/s\"")), six, {}, {});
  EXPECT_EQ(sheet.list.front().verdict, Verdict::waived);
  EXPECT_THAT(sheet.list.front().reason, HasSubstr("would be: fail"));
  EXPECT_TRUE(sheet.accepted());
}

TEST(Accept, SharesOfWhatWasCommittedAndOfAPeak) {
  EXPECT_DOUBLE_EQ(
      *judged(hpl("at_least = \"95% of committed\""), six, {}, "[committed]\nhpl = \"2.6 Tflop/s\"").limit,
      0.95 * 2.6 * tera);
  const auto unknown = judged(hpl("at_least = \"95% of committed\""), six);
  EXPECT_EQ(unknown.verdict, Verdict::missing);
  EXPECT_THAT(unknown.reason, HasSubstr("[committed]"));
  EXPECT_EQ(judged(hpl("at_least = \"70% of peak:flop\""), six, {}, "[peak]\nflop = \"3.5 Tflop/s\"").verdict,
            Verdict::pass);
  EXPECT_EQ(judged(hpl("at_least = \"70% of peak:flop\""), six).verdict, Verdict::missing);
}

TEST(Accept, AReferenceHasASpreadOfItsOwn) {
  const Named references{{"first", launches({2.50, 2.53, 2.55, 2.56, 2.58, 2.60})}};
  const auto one = judged(hpl("at_least = \"95% of reference:first\""), six, references);
  EXPECT_EQ(one.verdict, Verdict::pass);
  EXPECT_GT(*one.high - *one.low, 0.06 * tera);  // wider than that of the launches alone
  EXPECT_EQ(judged(hpl("at_least = \"100% of reference:first\""), six, references).verdict,
            Verdict::undecided);
  const Named elsewhere{{"first", {launch(2.5, "hare")}}};
  const auto sheet = judge(criteria(hpl("at_least = \"90% of reference:first\"")), six, elsewhere, {});
  ASSERT_EQ(sheet.notes.size(), 1U);
  EXPECT_THAT(sheet.notes.front(), HasSubstr("another machine: hare"));
}

TEST(Accept, AReferenceInAnotherLayoutIsRefused) {
  auto other = launches({2.5});
  other[0].run.head.nodes = 8;
  EXPECT_THROW(judged(hpl("at_least = \"90% of reference:first\""), six, {{"first", other}}), BadCriteria);
  EXPECT_THROW(judged(hpl("at_least = \"90% of reference:frist\""), six, {{"first", six}}), BadCriteria);
}

TEST(Accept, WithinIsBothSides) {
  const Named references{{"r", launches({2.5, 2.5, 2.5, 2.5, 2.5, 2.5})}};
  EXPECT_EQ(judged(hpl("within = \"10% of reference:r\""), six, references).verdict, Verdict::pass);
  const auto fast = launches({2.9, 2.9, 2.9, 2.9, 2.9, 2.9});
  const auto one = judged(hpl("within = \"10% of reference:r\""), fast, references);
  EXPECT_EQ(one.verdict, Verdict::fail);
  EXPECT_TRUE(one.at_most);
}

TEST(Accept, SpreadOfLaunches) {
  const auto one = judged(hpl("spread_at_most = \"5%\""), six);
  EXPECT_EQ(one.verdict, Verdict::pass);
  EXPECT_NEAR(*one.value, 0.06 / 2.555, 1e-12);
  EXPECT_EQ(judged(hpl("spread_at_most = \"2%\""), six).verdict, Verdict::fail);
  EXPECT_EQ(judged(hpl("spread_at_most = \"2%\""), launches({2.5})).verdict, Verdict::undecided);
}

TEST(Accept, SpreadIsShownInPercentAsTheCriterionSaysIt) {
  const auto sheet = judge(criteria(hpl("spread_at_most = \"5%\"")), six, {}, {});
  const auto shown = formats::tables_text(tables(sheet), 120);
  EXPECT_THAT(shown, HasSubstr("2.35 %"));
  EXPECT_THAT(shown, HasSubstr("<= 5.00 %"));
}

std::vector<Launch> with_points(std::initializer_list<std::int64_t> lengths, double time = 1.5 * us) {
  auto list = six;
  for (Launch& one : list)
    for (const std::int64_t length : lengths) one.run.points.push_back(ping_pong(length, time));
  return list;
}

TEST(Accept, PointsAreFoundByBenchmarkAndParameters) {
  const auto list = with_points({8, 16, 1024});
  const std::string select = "select = \"imb-mpi1/PingPong;message_byte=8\"\n";
  EXPECT_EQ(judged(select + "at_most = \"1.6 us\"", list).verdict, Verdict::pass);
  EXPECT_DOUBLE_EQ(*judged(select + "at_most = \"1600 ns\"", list).limit, 1.6 * us);
  EXPECT_EQ(judged("select = \"imb-mpi1/PingPong;message_byte=1Ki\"\nat_most = \"1.6 us\"", list).verdict,
            Verdict::pass);
  EXPECT_EQ(judged(select + "statistic = \"p99\"\nat_most = \"1.6 us\"", list).verdict, Verdict::fail);
  EXPECT_EQ(
      judged(select + "statistic = \"classic.t_max_s\"\nat_most = \"3 us\"\nrule = \"value\"", list).verdict,
      Verdict::pass);
  EXPECT_EQ(judged("select = \"imb-mpi1/PingPong;message_byte=77\"\nat_most = \"1.6 us\"", list).verdict,
            Verdict::missing);
}

std::string refusal(const std::string& words, const std::vector<Launch>& list) {
  try {
    (void)judged(words, list);
  } catch (const BadCriteria& bad) {
    return bad.what();
  }
  return "accepted";
}

TEST(Accept, WhatNamesNothingIsRefusedWithTheNearest) {
  const auto list = with_points({8, 16, 32, 64});
  EXPECT_THAT(refusal("select = \"imb-mpi1/PingPong\"\nat_most = \"1 us\"", list),
              HasSubstr("4 points (imb-mpi1/PingPong;message_byte=8"));
  EXPECT_THAT(refusal("select = \"imb-mpi1/PingPong;mesage_byte=8\"\nat_most = \"1 us\"", list),
              HasSubstr("did you mean message_byte?"));
  EXPECT_THAT(
      refusal("select = \"imb-mpi1/PingPong;message_byte=8\"\nmetric = \"tim_s\"\nat_most = \"1 us\"", list),
      HasSubstr("did you mean time_s?"));
  EXPECT_THAT(refusal("select = \"imb-mpi1/PingPong;message_byte=8\"\nat_most = \"1 GB/s\"", list),
              HasSubstr("is in byte/s"));
}

TEST(Accept, EveryPointHoldsOrSoManyMayNot) {
  auto list = with_points({8, 16});
  for (Launch& one : list) one.run.points.push_back(ping_pong(32, 9 * us));
  const std::string words = "select = \"imb-mpi1/PingPong\"\nevery = \"point\"\nat_most = \"2 us\"\n";
  const auto one = judged(words, list);
  EXPECT_EQ(one.verdict, Verdict::fail);
  ASSERT_EQ(one.failures.size(), 1U);
  EXPECT_THAT(one.failures.front(), HasSubstr("message_byte=32"));
  EXPECT_THAT(one.reason, HasSubstr("1 of 3 fail"));
  EXPECT_EQ(judged(words + "allowed = 1", list).verdict, Verdict::pass);
  EXPECT_EQ(judged(words + "allowed = 0.2", list).verdict, Verdict::fail);
}

TEST(Accept, EachPointHasItsSpread) {
  auto list = with_points({8, 16});
  for (std::size_t i = 0; i < list.size(); ++i)
    list[i].run.points.push_back(ping_pong(32, (1 + 0.02 * static_cast<double>(i)) * us));
  list[0].run.points.back().flags = {"noisy"};
  const std::string words = "select = \"imb-mpi1/PingPong\"\nevery = \"point\"\nspread_at_most = \"5%\"\n";
  const auto one = judged(words, list);
  EXPECT_EQ(one.verdict, Verdict::fail);
  EXPECT_NEAR(*one.value, 0.1 / 1.05, 1e-9);
  EXPECT_THAT(one.reason, HasSubstr("worst: imb-mpi1/PingPong;message_byte=32"));
  EXPECT_THAT(one.reason, HasSubstr("noisy"));
  EXPECT_THAT(one.reason, HasSubstr("1 of 3 fail"));
  ASSERT_EQ(one.failures.size(), 1U);
  EXPECT_THAT(one.failures.front(), HasSubstr("message_byte=32;processes=2 0.09524"));
  EXPECT_EQ(judged(words + "allowed = 1", list).verdict, Verdict::pass);
  EXPECT_THAT(judged(words + "allowed = 12", list).reason, HasSubstr("1 of 3 fail, 12 allowed"));
}

TEST(Accept, ALaunchWithoutAValueIsTold) {
  auto list = with_points({8});
  record::PointRecord& lost = list[2].run.points.back();
  lost.status = record::Status::failed;
  lost.metrics.clear();
  lost.verified.reset();
  lost.reason.emplace();
  lost.reason->text = "MPI_ERR_OTHER";
  const std::string words = "select = \"imb-mpi1/PingPong\"\nat_most = \"2 us\"\n";
  const auto one = judged(words, list);
  EXPECT_EQ(one.verdict, Verdict::pass);
  EXPECT_EQ(one.launches, 5U);
  EXPECT_THAT(one.reason, HasSubstr("no value in 1 of 6 launches: MPI_ERR_OTHER"));
  EXPECT_EQ(judged(words + "combine = \"every\"", list).verdict, Verdict::undecided);
  EXPECT_THAT(judged(words + "every = \"point\"", list).reason,
              HasSubstr("no value in 1 of 6 launches of imb-mpi1/PingPong;message_byte=8"));
  EXPECT_THAT(judged(words, with_points({8})).reason, Not(HasSubstr("no value")));
}

TEST(Accept, AWithheldFigureOfALaunchIsTold) {
  auto list = launches({2.5, 2.51, 2.52});
  list[1].system.inputs.erase(Quantity::hpl_flop_s);
  list[1].system.doubts.withheld[Quantity::hpl_flop_s] = {2.5e12, "order 3328 is too small", {}};
  const auto one = judged(hpl("at_least = \"1 Tflop/s\""), list);
  EXPECT_EQ(one.launches, 2U);
  EXPECT_THAT(one.reason, HasSubstr("no value in 1 of 3 launches: order 3328 is too small"));
  list[1].system.doubts.withheld.clear();  // a launch of other suites
  EXPECT_THAT(judged(hpl("at_least = \"1 Tflop/s\""), list).reason, Not(HasSubstr("no value")));
}

TEST(Accept, TheWorstPointIsThatOfTheGravestVerdict) {
  auto list = launches({2.5});
  auto wide = ping_pong(8, 2.6 * us), narrow = ping_pong(16, 2.5 * us);
  std::get<record::Statistics>(wide.metrics[0].second).ci = {1.5 * us, 4 * us};
  list[0].run.points = {wide, narrow};
  const std::string words = "select = \"imb-mpi1/PingPong\"\nevery = \"point\"\nat_most = \"2 us\"\n";
  const auto one = judged(words, list);
  EXPECT_EQ(one.verdict, Verdict::fail);
  EXPECT_DOUBLE_EQ(*one.value, 2.5 * us);  // the other is further off, and not decided
  EXPECT_THAT(one.reason, HasSubstr("worst: imb-mpi1/PingPong;message_byte=16"));
}

TEST(Accept, EachPointNeedsItsLaunches) {
  auto list = with_points({8});
  list.front().run.points.push_back(ping_pong(16, 0.5 * us));
  const std::string words = "select = \"imb-mpi1/PingPong\"\nevery = \"point\"\nmin_launches = 6\n";
  const auto one = judged(words + "at_most = \"2 us\"", list);
  EXPECT_EQ(one.verdict, Verdict::undecided);
  EXPECT_THAT(one.reason, HasSubstr("fewer than 6 launches of imb-mpi1/PingPong;message_byte=16"));
  EXPECT_EQ(judged(words + "at_most = \"1 us\"", list).verdict, Verdict::fail);
  EXPECT_EQ(judged(words + "at_most = \"2 us\"", with_points({8, 16})).verdict, Verdict::pass);
}

TEST(Accept, NodesOfATableAgainstTheirMedian) {
  auto list = launches({2.5});
  record::TableRecord table{"screen_nodes", "screen", "", 1, 1, {}};
  record::Json hosts = record::Json::array(), names = record::Json::array(), values = record::Json::array();
  for (int node = 0; node < 8; ++node)
    for (const double visit : {0.999, 1.0, 1.001}) {
      hosts.push_back("node" + std::to_string(node));
      names.push_back("triad");
      values.push_back(1e11 * visit * (node == 5 ? 0.8 : 1));
    }
  record::Json verified = record::Json::array();
  for (std::size_t row = 0; row < names.size(); ++row) verified.push_back(true);
  table.columns =
      record::Json{{"host", hosts}, {"benchmark", names}, {"value", values}, {"verified", verified}};
  list[0].run.tables.push_back(table);
  const std::string words =
      "table = \"screen_nodes.triad\"\nevery = \"node\"\nrule = \"value\"\nat_least = \"96% of median\"\n";
  const auto one = judged(words, list);
  EXPECT_EQ(one.verdict, Verdict::fail);
  EXPECT_THAT(one.reason, HasSubstr("worst: node5"));
  EXPECT_EQ(judged(words + "allowed = 1", list).verdict, Verdict::pass);
  auto other = list;
  verified[4] = false;
  other[0].run.tables[0].columns =
      record::Json{{"host", hosts}, {"benchmark", names}, {"value", values}, {"verified", verified}};
  EXPECT_THAT(judged(words + "allowed = 1", other).reason, HasSubstr("wrong data"));
  other[0].run.tables[0].columns = record::Json{{"host", hosts}, {"benchmark", names}, {"value", values}};
  EXPECT_EQ(judged(words + "allowed = 1", other).verdict, Verdict::pass);
  EXPECT_THAT(judged(words + "allowed = 1\nverified = true", other).reason, HasSubstr("not verified"));
  EXPECT_EQ(
      judged("table = \"screen_nodes.triad\"\nspread_at_most = \"5%\"\nover = \"nodes\"\nevery = \"node\"",
             list)
          .verdict,
      Verdict::fail);
}

/// A launch with the triad of so many nodes; the values of some are not known.
Launch screened(std::size_t nodes, const std::set<std::size_t>& without_value = {}) {
  Launch one = launch(2.5);
  record::Json hosts = record::Json::array(), names = hosts, values = hosts, verified = hosts;
  for (std::size_t node = 0; node < nodes; ++node) {
    hosts.push_back("node" + std::to_string(node));
    names.push_back("triad");
    values.push_back(without_value.contains(node) ? record::Json() : record::Json(1e11));
    verified.push_back(true);
  }
  record::TableRecord table{"screen_nodes", "screen", "", 1, 1, {}};
  table.columns =
      record::Json{{"host", hosts}, {"benchmark", names}, {"value", values}, {"verified", verified}};
  one.run.tables.push_back(table);
  return one;
}

/// The columns of a table with other values.
record::Json scaled(record::Json columns, double factor) {
  for (record::Json& value : columns["value"]) value = value.get<double>() * factor;
  return columns;
}

TEST(Accept, ANodeWithoutAValueDoesNotHold) {
  const std::string words = "table = \"screen_nodes.triad\"\nrule = \"value\"\nat_least = \"1 GB/s\"\n";
  const std::string every = words + "every = \"node\"\n";
  EXPECT_EQ(judged(every + "complete = true", {screened(8)}).verdict, Verdict::pass);
  const auto one = judged(every, {screened(8, {5})});
  EXPECT_EQ(one.verdict, Verdict::fail);
  EXPECT_EQ(one.failures, std::vector<std::string>{"node5 no value"});
  EXPECT_THAT(one.reason, HasSubstr("1 of 8 fail; no value: node5"));
  EXPECT_EQ(judged(every + "allowed = 1", {screened(8, {5})}).verdict, Verdict::pass);
  EXPECT_EQ(judged(every + "allowed = 0.125", {screened(8, {5})}).verdict, Verdict::pass);
  const auto incomplete = judged(every + "allowed = 1\ncomplete = true", {screened(8, {5})});
  EXPECT_EQ(incomplete.verdict, Verdict::fail);
  EXPECT_THAT(incomplete.reason, HasSubstr("values of it missing: 1"));
  EXPECT_EQ(judged(words, {screened(8, {5})}).verdict, Verdict::fail);
  EXPECT_EQ(judged(every, {screened(8, {5}), screened(8)}).verdict, Verdict::pass);  // one launch has it
  EXPECT_EQ(judged(every + "complete = true", {screened(8, {5}), screened(8)}).verdict, Verdict::fail);
  EXPECT_EQ(judged(every, {screened(2, {0, 1})}).verdict, Verdict::missing);
  const std::string spread =
      "table = \"screen_nodes.triad\"\nspread_at_most = \"5%\"\nover = \"nodes\"\nevery = \"node\"";
  EXPECT_EQ(judged(spread, {screened(8)}).verdict, Verdict::pass);
  EXPECT_EQ(judged(spread, {screened(8, {5})}).verdict, Verdict::fail);
  EXPECT_EQ(judged(spread, {screened(2, {0, 1})}).verdict, Verdict::missing);
}

TEST(Accept, DoubtsOfAScreeningStandBesideItsNodes) {
  Launch one = screened(8);
  record::PointRecord point;
  point.suite = "screen", point.benchmark = "triad", point.primary = "bandwidth_byte_s";
  point.metrics = {{"bandwidth_byte_s", 1e11}};
  point.flags = {"not_representative"};
  one.run.points.push_back(point);
  const std::string words =
      "table = \"screen_nodes.triad\"\nevery = \"node\"\nat_least = \"1 GB/s\"\nrule = \"value\"\n";
  EXPECT_THAT(judged(words, {one}).reason, HasSubstr("too small to stand for this machine"));
  one.run.points.back().benchmark = "dgemm";
  EXPECT_THAT(judged(words, {one}).reason, Not(HasSubstr("too small")));
}

TEST(Accept, WrongDataOfATableAreNamed) {
  Launch one = screened(8);
  record::Json columns = one.run.tables[0].columns.json();
  columns["verified"][5] = false;
  columns["value"][5] = 3e11;  // the worst value is another node's
  one.run.tables[0].columns = columns;
  const auto found = judged(
      "table = \"screen_nodes.triad\"\nevery = \"node\"\nrule = \"value\"\nat_least = \"1 GB/s\"", {one});
  EXPECT_EQ(found.verdict, Verdict::fail);
  EXPECT_EQ(found.failures, std::vector<std::string>{"node5 wrong data"});
  EXPECT_THAT(found.reason, HasSubstr("wrong data at node5"));
}

TEST(Accept, LinksAreNamedByTheirRanksAndHosts) {
  Launch one = launch(2.5);
  one.run.head.layout = record::Json{{"hosts", {"lion1", "lion2"}}, {"ranks", {{0, 32}, {1, 32}}}};
  record::TableRecord table{"pingpong_pairs", "screen", "", 1, 1, {}};
  table.columns = record::Json{{"from_rank", {0}}, {"to_rank", {32}}, {"bandwidth_byte_s", {1e9}}};
  one.run.tables.push_back(table);
  const auto found = judged(
      "table = \"pingpong_pairs.bandwidth\"\nevery = \"link\"\nrule = \"value\"\nat_least = \"2 GB/s\"",
      {one});
  ASSERT_EQ(found.failures.size(), 1U);
  EXPECT_THAT(found.failures.front(), HasSubstr("0 - 32 (lion1 - lion2)"));
}

TEST(Accept, NodesAndLinksAreThoseOfTheSessionThatMeasuredThem) {
  Launch one = screened(2);
  one.run.head.layout = record::Json{{"hosts", {"lion1", "lion2"}}, {"ranks", {{0, 32}, {1, 32}}}};
  record::Json columns = one.run.tables[0].columns.json();
  columns["host"] = record::Json::array({0, 1});
  one.run.tables[0].columns = columns;
  record::TableRecord table{"pingpong_pairs", "screen", "", 1, 1, {}};
  table.columns = record::Json{{"from_rank", {0}}, {"to_rank", {32}}, {"bandwidth_byte_s", {1e9}}};
  one.run.tables.push_back(table);
  one.run.table_sessions = {1, 2};
  one.run.head_session = 1;
  record::RunRecord later = one.run.head;
  later.layout.json()["hosts"] = {"puma1", "puma2"};
  record::begin_session(one.run, later, 2);
  const auto node = judged(
      "table = \"screen_nodes.triad\"\nevery = \"node\"\nrule = \"value\"\nat_least = \"200 GB/s\"", {one});
  ASSERT_EQ(node.failures.size(), 2U);
  EXPECT_THAT(node.failures.front(), HasSubstr("lion1"));
  const auto link = judged(
      "table = \"pingpong_pairs.bandwidth\"\nevery = \"link\"\nrule = \"value\"\nat_least = \"2 GB/s\"",
      {one});
  ASSERT_EQ(link.failures.size(), 1U);
  EXPECT_THAT(link.failures.front(), HasSubstr("0 - 32 (puma1 - puma2)"));
}

TEST(Accept, NodesOfATableArePooledWithOneAnother) {
  std::vector<Launch> list;
  for (const double visit : {0.99, 1.0, 1.01}) {
    Launch one = screened(8);
    // HPL scatters: it is no node of the table.
    one.system.inputs.set(Quantity::hpl_flop_s, 2.5 * tera * (visit < 1 ? 0.5 : 1));
    one.run.tables[0].columns = scaled(one.run.tables[0].columns.json(), visit);
    list.push_back(std::move(one));
  }
  const auto one =
      judged("table = \"screen_nodes.triad\"\nevery = \"node\"\nat_least = \"96% of median\"", list);
  EXPECT_EQ(one.verdict, Verdict::pass) << one.reason;
  EXPECT_LT(std::log(*one.high / *one.value), 0.04);
}

TEST(Accept, RequirementsAndSelectionOfInputs) {
  const auto sheet = judge(criteria(hpl("at_least = \"1 Tflop/s\""), "[require]\nnodes = 8\n"), six, {}, {});
  EXPECT_EQ(sheet.list.front().verdict, Verdict::wrong_input);
  EXPECT_FALSE(sheet.accepted());
  // What does not hold is told with what is there, once for all launches of a name; what holds is not.
  auto one_file = six;
  for (auto& launch : one_file) launch.source = "results/x";
  const auto told = judge(
      criteria(hpl("at_least = \"1 Tflop/s\""), "[require]\nnodes = 8\nmachine = \"*\"\n"), one_file, {}, {});
  EXPECT_EQ(told.list.front().reason, "results/x has nodes 16 instead of 8");
  EXPECT_EQ(judged(hpl("where = \"nodes=8\"\nat_least = \"1 Tflop/s\""), six).verdict, Verdict::missing);
  EXPECT_EQ(judged(hpl("where = \"nodes=1? machine=l*\"\nat_least = \"1 Tflop/s\""), six).verdict,
            Verdict::pass);
}

TEST(Accept, GeometricMeanOverCriteria) {
  const std::string words =
      hpl("at_least = \"90% of committed\"") + "\n[[mean]]\nid = \"M\"\nof = [\"A\"]\nat_least = 0.9\n";
  const auto one = judged(words, six, {}, "[committed]\nhpl = \"2.6 Tflop/s\"");
  EXPECT_EQ(one.id, "M");
  EXPECT_NEAR(*one.value, 2.555 / 2.6, 1e-12);
  EXPECT_EQ(one.verdict, Verdict::pass);
}

TEST(Accept, AMeanIsNotOfWrongDataOrOfWhatHasNoVerdict) {
  const std::string mean = "\n[[mean]]\nid = \"M\"\nof = [\"A\"]\nat_least = 0.9\n";
  const std::string committed = "[committed]\nhpl = \"2.6 Tflop/s\"";
  auto list = six;
  list[2].system.doubts.failed.insert(Quantity::hpl_flop_s);
  const auto words = hpl("waived = \"ticket 12\"\nat_least = \"90% of committed\"") + mean;
  const auto sheet = judge(criteria(words, committed), list, {}, {});
  EXPECT_EQ(sheet.list.back().verdict, Verdict::fail);
  EXPECT_EQ(sheet.list.back().reason, "A has wrong data");
  EXPECT_FALSE(sheet.accepted());
  // Node 1 is not in the reference: the criterion is missing, whatever node 0 was found to be.
  const Named against{{"first", {screened(1)}}};
  const auto none = judged("table = \"screen_nodes.triad\"\nat_least = \"90% of reference:first\"" + mean,
                           {screened(2)}, against);
  EXPECT_EQ(none.verdict, Verdict::missing);
}

TEST(Accept, FormsHoldTheSameNumbers) {
  const auto sheet = judge(criteria(hpl("at_least = \"2.5 Tflop/s\"")), six, {}, {});
  EXPECT_THAT(formats::tables_text(tables(sheet), 120), HasSubstr("2.555 Tflop/s"));
  EXPECT_THAT(cli::sheet_in_form(sheet, "markdown"), HasSubstr("2.520 .. 2.580"));
  EXPECT_THAT(cli::sheet_in_form(sheet, "text"), HasSubstr("Accepted: 1 passed"));
  const auto json = record::Json::parse(cli::sheet_in_form(sheet, "json"));
  EXPECT_EQ(json["criteria"][0]["value"].get<double>(), *sheet.list[0].value);
  EXPECT_EQ(json["inputs"].size(), 6U);
  EXPECT_THAT(cli::sheet_in_form(sheet, "prometheus"), HasSubstr("verdict=\"pass\"} 1"));
  EXPECT_THAT(cli::sheet_in_form(sheet, "junit"), HasSubstr("tests=\"1\" failures=\"0\""));
}

TEST(Accept, ATextLiesWithinItsLastDigit) {
  auto list = launches({2.5});
  auto point = ping_pong(8, 1.6e-6);
  point.verified.reset();
  point.metrics = {{"time_s", 1.6e-6}};
  point.schedule.emplace().rule = "imported";
  point.imported = record::Json{{"step", 1e-7}, {"over_time", "mean"}, {"over_ranks", "one"}};
  list[0].run.points = {point};
  const auto one = judged("select = \"imb-mpi1/PingPong;message_byte=8\"\nat_most = \"2 us\"", list);
  EXPECT_EQ(one.verdict, Verdict::pass);
  EXPECT_NEAR(std::log(*one.high / *one.low) / 2, std::hypot(std::log1p(0.05 / 1.6), 1.96 * 0.02), 1e-9);
  EXPECT_THAT(one.reason, HasSubstr("imported: mean"));
}

TEST(Accept, ALimitThatIsTheValueHolds) {
  auto list = launches({2.5});
  list[0].run.points = {ping_pong(8, 1.21e-6)};
  const std::string select = "select = \"imb-mpi1/PingPong;message_byte=8\"\nrule = \"value\"\n";
  EXPECT_EQ(judged(select + "at_most = \"1.21 us\"", list).verdict, Verdict::pass);
  EXPECT_EQ(judged(select + "at_least = \"1.21 us\"", list).verdict, Verdict::pass);
  EXPECT_EQ(judged(select + "at_most = \"1.2099 us\"", list).verdict, Verdict::fail);
}

TEST(Accept, AStatisticThatAMetricLacksIsTheReason) {
  auto list = launches({2.5});
  auto point = ping_pong(8, 1.2e-6);
  point.metrics.emplace_back("bandwidth_byte_s", 6e6);
  list[0].run.points = {point};
  const auto found = judged(
      "select = \"imb-mpi1/PingPong;message_byte=8\"\nmetric = \"bandwidth_byte_s\"\nstatistic = "
      "\"p99\"\nat_least = \"1 MB/s\"",
      list);
  EXPECT_EQ(found.verdict, Verdict::missing);
  EXPECT_EQ(found.reason, "not measured: bandwidth_byte_s has no p99");
}

TEST(Accept, AFigureOfATextIsJudgedAndToldToBeAMean) {
  auto list = launches({2.5});
  auto point = ping_pong(8, 1.21e-6);
  point.metrics = {{"time_s", 1.21e-6}};
  point.schedule.emplace().rule = "imported";
  point.imported = record::Json{{"step", 1e-8}, {"over_time", "mean"}, {"over_ranks", "one"}};
  list[0].run.points = {point};
  list[0].foreign = true;
  const auto found = judged("figure = \"imb_latency\"\nat_most = \"1.6 us\"", list);
  EXPECT_EQ(found.verdict, Verdict::pass);
  EXPECT_DOUBLE_EQ(*found.value, 1.21e-6);
  EXPECT_THAT(found.reason, HasSubstr("imported: mean"));
}

TEST(Accept, PointsAreOfficialWhereTheirSummaryIs) {
  auto list = launches({2.5});
  auto point = ping_pong(8, 1.6e-6);
  point.suite = "b-eff", point.benchmark = "b_eff";
  point.key = record::make_key(point.suite, point.benchmark, 2, 1, 1, point.params);
  list[0].run.points = {point};
  record::SummaryRecord summary;
  summary.name = "b_eff", summary.suite = "b-eff", summary.official = true;
  list[0].run.summaries = {summary};
  const std::string words = "select = \"b-eff/b_eff;message_byte=8\"\nat_most = \"2 us\"\nofficial = true";
  EXPECT_EQ(judged(words, list).verdict, Verdict::pass);
  list[0].run.summaries[0].official = false;
  EXPECT_EQ(judged(words, list).verdict, Verdict::fail);
}

TEST(Accept, WhatIsNotKnownToBeOfficialIsNot) {
  record::SummaryRecord summary;
  summary.name = summary.suite = "hpcc", summary.official = true;
  auto list = launches({2.5, 2.5});
  for (Launch& one : list) one.run.summaries = {summary};
  const std::string words = hpl("at_least = \"2 Tflop/s\"\nofficial = true");
  EXPECT_EQ(judged(words, list).verdict, Verdict::pass);
  list[1].run.summaries[0].official.reset();  // a text does not tell
  EXPECT_THAT(judged(words, list).reason, HasSubstr("not official"));
  auto points = with_points({8});
  summary.name = summary.suite = "imb-mpi1";
  for (Launch& one : points) one.run.summaries = {summary};
  const std::string select = "select = \"imb-mpi1/PingPong\"\nat_most = \"2 us\"\nofficial = true";
  EXPECT_EQ(judged(select, points).verdict, Verdict::pass);
  points[3].run.summaries.clear();
  EXPECT_THAT(judged(select, points).reason, HasSubstr("not official"));
  EXPECT_THAT(
      judged("table = \"screen_nodes.triad\"\nat_least = \"1 GB/s\"\nofficial = true", {screened(4)}).reason,
      HasSubstr("not official"));
}

TEST(Accept, SuitesOfTextsAloneCanBeSelected) {
  auto list = launches({2.5});
  auto point = ping_pong(8, 1.6e-6);
  point.suite = "osu", point.benchmark = "latency";
  point.key = record::make_key(point.suite, point.benchmark, 2, 1, 1, point.params);
  list[0].run.points = {point};
  EXPECT_EQ(judged("select = \"osu/latency;message_byte=8\"\nat_most = \"2 us\"", list).verdict,
            Verdict::pass);
  EXPECT_THROW((void)criteria("select = \"oso/latency\"\nat_most = \"2 us\""), cli::UsageError);
}

TEST(Accept, BarsAreTheDistanceFromTheLimit) {
  const auto drawn = bars(judge(criteria(hpl("at_least = \"2.5 Tflop/s\"")), six, {}, {}));
  ASSERT_EQ(drawn.size(), 1U);
  EXPECT_NEAR(drawn[0]["margin"].get<double>(), 2.555 / 2.5 - 1, 1e-12);
  EXPECT_NEAR(drawn[0]["low"].get<double>(), 2.52 / 2.5 - 1, 1e-12);
  EXPECT_NEAR(drawn[0]["high"].get<double>(), 2.58 / 2.5 - 1, 1e-12);
  auto list = launches({2.5});
  list[0].run.points = {ping_pong(8, 1.6e-6)};
  const auto times = bars(
      judge(criteria("select = \"imb-mpi1/PingPong;message_byte=8\"\nat_most = \"2 us\""), list, {}, {}));
  EXPECT_NEAR(times[0]["margin"].get<double>(), 0.25, 1e-12);
  EXPECT_LT(times[0]["low"].get<double>(), times[0]["high"].get<double>());
}

TEST(Accept, KeysOfTheSummaryAreInBaseUnits) {
  const std::pair<const char*, const char*> units[] = {
      {"hpcc.HPL_Tflops", "flop/s"},         {"hpcc.HPL_time", "s"},
      {"hpcc.MaxPingPongLatency_usec", "s"}, {"hpcc.HPL_N", ""},
      {"hpcc.STREAM_VectorSize", ""},        {"hpcc.MemProc", "byte"}};
  for (const auto& [name, unit] : units) {
    const auto kind = figure_kind(name);
    ASSERT_TRUE(kind) << name;
    EXPECT_EQ(kind->unit, unit) << name;
    EXPECT_EQ(kind->lower_is_better, std::string_view(unit) == "s") << name;
  }
  EXPECT_FALSE(figure_kind("hpcc.HPL_Gflops"));
  Launch launch;
  launch.run.summaries.emplace_back();
  launch.run.summaries.back().name = launch.run.summaries.back().suite = "hpcc";
  launch.run.summaries.back().classic = {{"HPL_time", 7.5}, {"MemProc", std::int64_t{2}}};
  EXPECT_EQ(figure_of(launch, *figure_kind("hpcc.HPL_time"))->value, 7.5);
  EXPECT_EQ(figure_of(launch, *figure_kind("hpcc.MemProc"))->value, 2097152);
}

TEST(Accept, ValuesOfASummaryAreOfItsSuite) {
  EXPECT_EQ(figure_kind("b_eff.b_eff_byte_s")->suite, "b-eff");
  EXPECT_EQ(figure_kind("b_eff_io.b_eff_io_byte_s")->suite, "b-eff-io");
  EXPECT_EQ(figure_kind("ftio.io_fraction")->suite, "ftio");
}

/// A launch that is the Summary of another program.
Launch foreign_summary(std::int64_t success, const record::Members& more = {}) {
  Launch one;
  one.foreign = true;
  record::SummaryRecord summary;
  summary.name = summary.suite = "hpcc";
  summary.verified = success == 1;
  summary.classic = {{"CommWorldProcs", std::int64_t{4}},
                     {"HPL_Tflops", 2.0},
                     {"MaxPingPongLatency_usec", 2.0},
                     {"MPIRandomAccess_GUPs", 0.1},
                     {"Success", success}};
  summary.classic.insert(summary.classic.end(), more.begin(), more.end());
  balance::take_hpcc_summary(one.system, summary.classic);
  balance::take_hpcc_success(one.system, summary.classic);
  one.run.summaries = {summary};
  return one;
}

/// Own records: two points of a benchmark whose names do not begin its keys, one verified, one not.
Launch own_messages() {
  Launch one;
  record::SummaryRecord summary;
  summary.name = summary.suite = "hpcc";
  summary.classic = {{"MaxPingPongLatency_usec", 2.0},
                     {"RandomlyOrderedRingBandwidth_GBytes", 1.0},
                     {"MPIRandomAccess_GUPs", 0.1}};
  one.run.summaries = {summary};
  const auto add = [&](const char* benchmark, const char* key, std::optional<bool> verified) {
    auto point = ping_pong(8, 2 * us);
    point.suite = "hpcc", point.benchmark = benchmark, point.verified = verified;
    point.classic = {{key, 1.0}};
    one.run.points.push_back(point);
  };
  add("LatencyBandwidth", "MaxPingPongLatency_usec", false);
  add("LatencyBandwidth", "RandomlyOrderedRingBandwidth_GBytes", std::nullopt);
  add("MPIRandomAccess", "MPIRandomAccess_GUPs", true);
  add("MPIRandomAccess_LCG", "MPIRandomAccess_LCG_GUPs", false);
  return one;
}

std::string hpcc_verdict(const std::string& key, const Launch& one) {
  const auto unit = std::string(figure_kind(key)->unit);
  const auto found =
      judged("figure = \"" + key + "\"\nat_most = \"1e20 " + unit + "\"\nverified = true\nrule = \"value\"\n",
             {one});
  for (const char* words : {"wrong data", "not verified"})
    if (found.reason.find(words) != std::string::npos) return words;
  return std::string(text(found.verdict));
}

TEST(Accept, KeysOfASummaryFailWithTheirTest) {
  for (const char* key :
       {"hpl", "hpcc.HPL_Tflops", "hpcc.MaxPingPongLatency_usec", "hpcc.MPIRandomAccess_GUPs"}) {
    EXPECT_EQ(hpcc_verdict(key, foreign_summary(1)), "pass") << key;
    EXPECT_EQ(hpcc_verdict(key, foreign_summary(0)), "wrong data") << key;
  }
  const Launch pinned = foreign_summary(0, {{"MPIRandomAccess_ErrorsFraction", 0.5}});
  EXPECT_EQ(hpcc_verdict("hpcc.MPIRandomAccess_GUPs", pinned), "wrong data");
  EXPECT_EQ(hpcc_verdict("hpcc.HPL_Tflops", pinned), "pass");
  EXPECT_EQ(hpcc_verdict("hpl", pinned), "pass");
}

TEST(Accept, DoubtsStandBesideKeysOfASummary) {
  Launch one = own_messages();
  one.run.points[0].flags = {"noisy"};
  one.run.points[2].flags = {"not_representative"};
  const auto reason = [&](const std::string& key) {
    const std::string unit(figure_kind(key)->unit);
    return judged("figure = \"" + key + "\"\nat_most = \"1e20 " + unit + "\"\n", {one}).reason;
  };
  EXPECT_THAT(reason("hpcc.MaxPingPongLatency_usec"), HasSubstr("noisy"));
  EXPECT_THAT(reason("hpcc.RandomlyOrderedRingBandwidth_GBytes"), Not(HasSubstr("noisy")));
  EXPECT_THAT(reason("hpcc.MPIRandomAccess_GUPs"), HasSubstr("too small to stand for this machine"));
}

TEST(Accept, KeysOfOwnRecordsFailWithThePointsThatHaveThem) {
  const Launch one = own_messages();
  EXPECT_EQ(hpcc_verdict("hpcc.MaxPingPongLatency_usec", one), "wrong data");
  EXPECT_EQ(hpcc_verdict("hpcc.RandomlyOrderedRingBandwidth_GBytes", one), "not verified");
  EXPECT_EQ(hpcc_verdict("hpcc.MPIRandomAccess_GUPs", one), "pass");
}

TEST(Accept, AProposalTellsWhatIsInDoubt) {
  auto list = with_points({8});
  EXPECT_THAT(proposal(list, {}), Not(HasSubstr("in doubt")));
  for (Launch& one : list) one.system.doubts.remarks[Quantity::hpl_flop_s] = {"processors taken away"};
  EXPECT_THAT(proposal(list, {}), HasSubstr("# in doubt: processors taken away\n"));
}

TEST(Accept, AProposalTellsTheSpreadThatWasMeasured) {
  auto list = with_points({8});
  list.resize(5);
  double factor = 0.996;
  for (Launch& one : list) one.system.inputs.set(Quantity::hpl_flop_s, (factor += 0.001) * tera);
  const std::string text = proposal(list, {});
  EXPECT_THAT(text, HasSubstr("5 launches, spread of launches 0.16 %\n"));
  EXPECT_THAT(text, HasSubstr("at_least = \"950 Gflop/s\""));  // 5 % below the median, 999 Gflop/s
  EXPECT_THAT(proposal(std::span(list).first(1), {}), HasSubstr("single launch, spread of 2 % assumed"));
}

TEST(Accept, AProposalIsPassedByItsOwnReference) {
  auto list = with_points({8});
  const std::string text = proposal(list, {"imb-mpi1/PingPong;message_byte=8"});
  const auto sheet = judge(cli::parse_criteria(text, "proposed.toml"), list, {}, {});
  EXPECT_EQ(sheet.list.size(), 3U);  // HPL, the shortest message, the point
  EXPECT_TRUE(sheet.accepted()) << text << cli::sheet_in_form(sheet, "text");
  const std::vector<Launch> uneven{lopsided()};
  EXPECT_TRUE(judge(cli::parse_criteria(proposal(uneven, {}), "proposed.toml"), uneven, {}, {}).accepted());
  for (Launch& one : list) one.system.inputs.set(Quantity::hpl_flop_s, 2.2 * tera);
  EXPECT_FALSE(judge(cli::parse_criteria(text, "proposed.toml"), list, {}, {}).accepted());
}

TEST(Accept, AnUnchangedMachineMeetsWhatWasProposed) {
  std::mt19937_64 draw(5);
  std::normal_distribution<double> scatter(0, 0.02);
  const auto measured = [&](int count) {
    std::vector<Launch> list;
    for (int i = 0; i < count; ++i) list.push_back(launch(2.5 * std::exp(scatter(draw))));
    return list;
  };
  constexpr int series = 100;
  int passed = 0;
  for (int k = 0; k < series; ++k) {
    const auto proposed = cli::parse_criteria(proposal(measured(1), {}), "proposed.toml");
    passed += judge(proposed, measured(1), {}, {}).accepted() ? 1 : 0;
  }
  EXPECT_GE(passed, 90);
}

}  // namespace
}  // namespace steelyard::acceptance
