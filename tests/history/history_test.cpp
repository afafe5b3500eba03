// SPDX-License-Identifier: Apache-2.0
#include "analysis/history/history.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <random>

namespace steelyard::history {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

/// Runs a day apart, each with one value of every key.
class Runs {
 public:
  Runs(std::size_t count, std::vector<std::string> names, std::uint64_t seed = 1)
      : names_(std::move(names)), dice_(seed) {
    for (std::size_t i = 0; i < count; ++i) {
      RunColumns run;
      run.id = "r" + std::to_string(100 + i);
      run.source = run.id;
      run.head.name = "lion";
      run.head.processes = 2;
      const auto day = std::to_string(1 + i % 28), month = std::to_string(1 + i / 28);
      run.head.started_utc = "2026-" + std::string(month.size() < 2 ? "0" : "") + month + '-' +
                             std::string(day.size() < 2 ? "0" : "") + day + "T10:00:00Z";
      run.head.mpi = record::Json{{"library", "Open MPI v4"}};
      run.head.machine = record::Json{{"uname", record::Json{{"release", "6.1"}}}};
      for (const std::string& name : names_)
        run.columns.push_back({keys.number(name), Ends{-0.01F, 0.01F},
                               1e-6 * std::exp(0.02 * std::normal_distribution<double>()(dice_)),
                               ValueState::good, true});
      runs.push_back(std::move(run));
    }
  }
  void step(std::size_t from, double factor, std::size_t column = 0) {
    for (std::size_t i = from; i < runs.size(); ++i) runs[i].columns[column].value *= factor;
  }
  History analyse(Options options = {}) const {
    if (options.levels == std::set{Level::figures, Level::curves}) options.levels = {Level::points};
    return history::analyse(runs, keys, options);
  }

  Keys keys;
  std::vector<RunColumns> runs;

 private:
  std::vector<std::string> names_;
  std::mt19937_64 dice_;
};

const std::string point = "imb-mpi1/PingPong;message_byte=8;processes=2 time_s";

/// More series than are gathered at once; every third run has them the other way round, every fifth lacks one.
TEST(History, ValuesGoToTheirSeriesWhateverTheirOrder) {
  std::vector<std::string> names;
  for (int size = 1; size <= 600; ++size)
    names.push_back("imb-mpi1/PingPong;message_byte=" + std::to_string(size) + ";processes=2 time_s");
  Runs made(20, names);
  for (std::size_t i = 0; i < made.runs.size(); ++i) {
    auto& columns = made.runs[i].columns;
    for (Column& column : columns) column.value = 1000.0 * static_cast<double>(i + 1) + column.key;
    if (i % 3 == 0) std::ranges::reverse(columns);
    if (i % 5 == 0) std::erase_if(columns, [](const Column& column) { return column.key == 7; });
  }
  const auto history = made.analyse();
  ASSERT_EQ(history.series.size(), names.size());
  for (const auto& one : history.series) {
    const auto key = made.keys.number(one.name);
    EXPECT_EQ(one.values.size(), key == 7 ? 16U : 20U) << one.name;
    for (const auto& [entry, value] : one.values)
      ASSERT_EQ(value, 1000.0 * static_cast<double>(entry + 1) + key) << one.name;
  }
}

TEST(History, AStepIsARegressionWithWhatChanged) {
  Runs made(30, {point});
  made.step(20, 1.12);
  for (std::size_t i = 20; i < 30; ++i) made.runs[i].head.mpi = record::Json{{"library", "Open MPI v5"}};
  for (const std::size_t i : {5U, 20U, 21U})
    made.runs[i].head.machine = record::Json{{"uname", record::Json{{"release", "6.2"}}}};
  const auto history = made.analyse();
  ASSERT_EQ(history.series.size(), 1U);
  const auto& one = history.series[0];
  EXPECT_EQ(one.verdict, Verdict::regressed);
  EXPECT_NEAR(*one.ratio, 1.12, 0.03);
  ASSERT_EQ(one.causes.size(), 1U);
  EXPECT_EQ(one.causes[0], "MPI library Open MPI v4 -> Open MPI v5");
  ASSERT_LE(one.also.size(), 1U);
  EXPECT_THAT(finding(one, history), HasSubstr("with it changed: MPI library"));
  EXPECT_THAT(rows_csv(history), HasSubstr(",regressed,2\n"));
}

/// A screening of four nodes on that day, and whom it has named.
RunColumns screening_of(const std::string& day, std::vector<NamedNode> named, bool anonymous = false) {
  RunColumns run{"s" + day, day, {}, {}, std::move(named)};
  run.head.name = "lion";
  run.head.started_utc = "2026-01-" + day + "T10:00:00Z";
  run.head.layout = record::Json{{"hosts", {"n1", "n2", "n3", "n4"}}};
  if (anonymous) run.head.config = record::Json{{"anonymous", true}};
  return run;
}

TEST(History, NodesAreInTheScreeningsOfTheHostsThatWereScreened) {
  auto resumed = screening_of("02", {});
  resumed.screened_hosts = {"n1", "n2"};
  resumed.head.layout.json()["hosts"] = {"n3", "n4"};
  const NamedNode slow{"n2", "", "triad", "slow", -18};
  const std::vector<RunColumns> runs{screening_of("01", {slow}), resumed, screening_of("03", {slow})};
  EXPECT_EQ(node_histories(runs).nodes.at(0).screened, 3U);
  EXPECT_EQ(node_histories(runs).nodes.at(0).in_a_row, 1U);
}

TEST(History, NodesThatScreeningsNameAgainAndAgainAreCounted) {
  const NamedNode slow{"n2", "", "triad", "slow", -18}, wrong{"n2", "", "chase", "wrong", 0},
      link{"n1", "n3", "bandwidth", "slow", -50}, fast{"n4", "", "fma", "fast", 12},
      once{"n3", "", "dgemm", "unstable", -7};
  auto elsewhere = screening_of("06", {slow});
  elsewhere.head.name = "puma";
  auto without = screening_of("07", {});
  without.head.layout.json()["hosts"] = record::Json{"n1", "n4"};  // says nothing of n2
  const std::vector<RunColumns> runs{screening_of("01", {slow, fast}),
                                     screening_of("02", {once}),
                                     screening_of("03", {slow, wrong, link}),
                                     screening_of("04", {{"n2", "", "triad", "slow", -21}}),
                                     elsewhere,
                                     without,
                                     screening_of("08", {{"node1", "", "fma", "slow", -9}}, true)};
  const auto found = node_histories(runs);
  EXPECT_EQ(found.screenings, 7U);
  EXPECT_EQ(found.nameless, 1U);
  ASSERT_EQ(found.nodes.size(), 4U);  // n2, n1 - n3 and n3 of lion, n2 of puma
  const NodeHistory& worst = found.nodes.front();
  EXPECT_EQ(worst.who, "n2");
  EXPECT_EQ(worst.machine, "lion");
  EXPECT_EQ(worst.named, 3U);
  EXPECT_EQ(worst.screened, 4U);
  EXPECT_EQ(worst.in_a_row, 2U);
  EXPECT_EQ(worst.verdict, "wrong");
  EXPECT_EQ(worst.worst_percent, -21);
  EXPECT_EQ(worst.quantities.at("triad"), 3U);
  EXPECT_EQ(worst.first, "2026-01-01");
  EXPECT_EQ(worst.last, "2026-01-04");
  const auto named_once = [&](const std::string& who, const std::string& machine) {
    return std::ranges::any_of(found.nodes, [&](const NodeHistory& one) {
      return one.who == who && one.machine == machine && one.named == 1;
    });
  };
  EXPECT_TRUE(named_once("n1 - n3", "lion"));
  EXPECT_TRUE(named_once("n3", "lion"));
  EXPECT_TRUE(named_once("n2", "puma"));
}

TEST(History, TheOtherDirectionIsAnImprovement) {
  Runs made(30, {point});
  made.step(20, 0.85);
  EXPECT_EQ(made.analyse().series[0].verdict, Verdict::improved);
  for (auto& run : made.runs) run.columns[0].lower_is_better = false;
  EXPECT_EQ(made.analyse().series[0].verdict, Verdict::regressed);
}

TEST(History, WhatComesBackHasRecovered) {
  Runs made(60, {point});
  made.step(20, 1.2);
  made.step(40, 1 / 1.2);
  EXPECT_EQ(made.analyse().series[0].verdict, Verdict::recovered);
}

TEST(History, NothingIsStableAndLittleIsTooFew) {
  EXPECT_EQ(Runs(30, {point}).analyse().series[0].verdict, Verdict::stable);
  EXPECT_EQ(Runs(7, {point}).analyse().series[0].verdict, Verdict::too_few);
}

TEST(History, RatesThatTheUserSaidAreToldWithAllTheirDigits) {
  Options options;
  options.method.alpha = 0.015;
  options.method.threshold = 0.025;
  const auto head = tables(Runs(30, {point}).analyse(options)).front().text.front();
  EXPECT_THAT(head, HasSubstr("at most 1.5 % of what is called"));
  EXPECT_THAT(head, HasSubstr("changes below 2.5 % are none."));
}

TEST(History, LaunchesOfASeriesAreOneEntry) {
  Runs made(30, {point});
  for (std::size_t i = 0; i < 30; ++i) made.runs[i].head.series = "s" + std::to_string(i / 3);
  const auto history = made.analyse();
  EXPECT_EQ(history.entries.size(), 10U);
  EXPECT_EQ(history.series[0].values.size(), 10U);
}

TEST(History, OtherLayoutsAreOtherSeries) {
  Runs made(30, {point});
  for (std::size_t i = 15; i < 30; ++i) made.runs[i].head.nodes = 4;
  EXPECT_EQ(made.analyse().series.size(), 2U);
}

TEST(History, AFindingOfOneOfSeveralMachinesNamesIt) {
  Runs made(56, {point});
  for (std::size_t i = 0; i < made.runs.size(); ++i) {
    if (i % 2 == 1) made.runs[i].head.name = "puma";
    if (i % 2 == 1 && i >= 36) made.runs[i].columns[0].value *= 1.2;
  }
  const auto findings = [](const History& history) {
    for (const auto& section : tables(history))
      if (section.id == "series") return section.table;
    throw std::logic_error("no findings");
  };
  const auto both = findings(made.analyse());
  ASSERT_EQ(both.rows.size(), 1U);
  EXPECT_EQ(both.columns[2].title, "of");
  EXPECT_EQ(std::get<std::string>(both.rows[0][2].value), "puma");
  for (RunColumns& run : made.runs) run.head.name = "puma";
  const auto alone = findings(made.analyse());
  EXPECT_NE(alone.columns[2].key, "of");
}

TEST(History, ACurveMovesAsOne) {
  std::vector<std::string> names;
  for (int size = 1; size <= 32; size *= 2)
    names.push_back("imb-mpi1/Bcast;message_byte=" + std::to_string(size) + ";processes=2 time_s");
  Runs made(30, names);
  for (std::size_t column = 0; column < names.size(); ++column) made.step(22, 1.08, column);
  Options options;
  options.levels = {Level::curves};
  const auto history = history::analyse(made.runs, made.keys, options);
  ASSERT_EQ(history.series.size(), 1U);
  EXPECT_EQ(history.series[0].verdict, Verdict::regressed);
  EXPECT_NEAR(*history.series[0].ratio, 1.08, 0.01);
  EXPECT_EQ(history.series[0].name, "imb-mpi1/Bcast;processes=2 time_s");
}

TEST(History, ThePointsThatCarryACurveAreNamed) {
  std::vector<std::string> names;
  for (int size = 1; size <= 32; size *= 2)
    names.push_back("imb-mpi1/Bcast;message_byte=" + std::to_string(size) + ";processes=2 time_s");
  Runs made(30, names);
  made.step(22, 1.3, 1);
  made.step(22, 1.6, 4);
  Options options;
  options.levels = {Level::curves};
  const auto history = history::analyse(made.runs, made.keys, options);
  ASSERT_EQ(history.series.size(), 1U);
  EXPECT_EQ(history.series[0].verdict, Verdict::regressed);
  EXPECT_THAT(history.series[0].remark,
              testing::MatchesRegex("carried by message_byte=16 \\+[56].*, message_byte=2 \\+[23].* %"));
  EXPECT_THAT(finding(history.series[0], history), HasSubstr("carried by message_byte=16"));
}

TEST(History, WhatGotBetterLatelyIsToldAndNotCounted) {
  Runs made(30, {point});
  made.step(28, 0.7);
  const auto history = made.analyse();
  EXPECT_EQ(history.series[0].verdict, Verdict::stable);
  EXPECT_THAT(history.series[0].remark, HasSubstr("newest 2 entries -"));
  EXPECT_THAT(tables(history).back().notes.front(), HasSubstr("1 series is better lately: " + point));
  EXPECT_TRUE(tables(Runs(30, {point}).analyse()).back().notes.front().starts_with("1 series: 1 stable"));
}

TEST(History, WhatCoincidesIsSaidOfFindingsOnly) {
  const auto last_note = [](const Runs& runs) { return tables(runs.analyse()).back().notes.back(); };
  Runs made(30, {point});
  EXPECT_EQ(last_note(made), "1 series: 1 stable");
  made.step(20, 1.12);
  EXPECT_EQ(last_note(made), "1 series: 1 regressed");  // nothing changed with it
  for (std::size_t i = 20; i < 30; ++i) made.runs[i].head.mpi = record::Json{{"library", "Open MPI v5"}};
  EXPECT_THAT(last_note(made), HasSubstr("what changed with a finding coincides with it"));
}

TEST(History, WhatIsCountedHasAName) {
  const auto note_of = [](std::size_t entries) {
    return tables(Runs(entries, {point, "imb-mpi1/PingPong;message_byte=16;processes=2 time_s"}).analyse())
        .back()
        .notes.front();
  };
  EXPECT_EQ(note_of(7), "2 series: 2 of fewer than 8 entries");
  EXPECT_EQ(note_of(8), "2 series: 2 stable");
}

TEST(History, FailingAndMissingAreTold) {
  Runs made(10, {point, "imb-mpi1/PingPong;message_byte=16;processes=2 time_s"});
  made.runs[9].columns[0].state = ValueState::wrong;
  made.runs[9].columns.pop_back();
  const auto history = made.analyse();
  EXPECT_EQ(history.count(Verdict::failing), 1U);
  EXPECT_EQ(history.count(Verdict::missing), 1U);
}

TEST(History, ACurveThatEndsWhileItsBenchmarkGoesOnIsMissing) {
  std::vector<std::string> names;
  for (const char* type : {"MPI_FLOAT", "MPI_INT"})
    for (const char* size : {"8", "16", "32"})
      names.push_back(std::string("imb-mpi1/Bcast;message_byte=") + size + ";type=" + type + " time_s");
  Runs made(10, names);
  made.runs[9].columns.resize(3);
  Options options;
  options.levels = {Level::curves};
  const auto history = history::analyse(made.runs, made.keys, options);
  ASSERT_EQ(history.count(Verdict::missing), 1U);
  EXPECT_THAT(history.series[0].name, HasSubstr("MPI_INT"));
}

TEST(History, AcceptedChangesAreKnown) {
  Runs made(30, {point});
  made.step(20, 1.15);  // 2026-01-21
  Options options;
  options.known.push_back({"imb-mpi1/*", {}, "2026-01-20", "", "ticket 4711"});
  EXPECT_EQ(made.analyse(options).series[0].verdict, Verdict::known);
  options.known[0].after = "2026-03-20";
  EXPECT_EQ(made.analyse(options).series[0].verdict, Verdict::regressed);
  options.known[0].after = "2026-01-20";
  options.known[0].until = "2026-01-25";
  EXPECT_EQ(made.analyse(options).series[0].verdict, Verdict::regressed);
}

TEST(History, ASuspicionSaysWhatItLacks) {
  for (const auto& [fresh, words] :
       {std::pair<std::size_t, const char*>{1, "3 more runs like these would confirm it"},
        {3, "1 more run like these would confirm it"}}) {
    Runs made(30, {point});
    made.step(30 - fresh, 1.3);
    const auto history = made.analyse();
    ASSERT_EQ(history.series[0].verdict, Verdict::suspect) << fresh;
    EXPECT_EQ(history.series[0].remark, words);
  }
}

/// Points of which the first takes 10 % longer in the newest runs, with a spread of 1 %.
Runs slower_lately(std::size_t points, std::size_t before, std::size_t after) {
  std::vector<std::string> names;
  for (std::size_t size = 1; size <= points; ++size)
    names.push_back("imb-mpi1/PingPong;message_byte=" + std::to_string(size) + ";processes=2 time_s");
  Runs made(before + after, names);
  for (RunColumns& run : made.runs)
    for (Column& column : run.columns) column.value = 1e-6 * std::sqrt(column.value / 1e-6);
  made.step(before, 1.1);
  return made;
}

/// The worst finding is a suspicion until it is proven, and comes true by the number of runs that it asked for.
TEST(History, ASuspicionStaysUntilTheRunsThatItLacksHaveConfirmedIt) {
  for (const auto& [points, before, proven] :
       {std::tuple<std::size_t, std::size_t, std::size_t>{1, 12, 6}, {24, 26, 6}, {24, 12, 10}})
    for (std::size_t after = 3; after <= proven; ++after) {
      const auto history = slower_lately(points, before, after).analyse();
      const auto& worst = history.series.front();
      EXPECT_EQ(worst.verdict, after < proven ? Verdict::suspect : Verdict::regressed)
          << points << " points, " << after << " runs";
      if (after < proven) {
        EXPECT_THAT(worst.remark, testing::StartsWith(std::to_string(proven - after) + " more run"));
        EXPECT_EQ(worst.after, after);
      }
    }
}

TEST(History, AChangeCountsSinceTheRunThatProvesIt) {
  Options options;
  options.since = "last";
  for (const auto& [after, counts] : {std::pair<std::size_t, bool>{5, false}, {6, true}, {7, false}})
    EXPECT_EQ(slower_lately(1, 12, after).analyse(options).series.front().counts, counts) << after;
}

TEST(History, WhereNeighboursResembleEachOtherEnoughRunsAreNoProof) {
  Runs made(30, {point});
  for (std::size_t i = 0; i < 26; ++i)
    made.runs[i].columns[0].value = 1e-6 * (1 + 0.005 * static_cast<double>(i / 4 % 3));
  for (std::size_t i = 26; i < 30; ++i) made.runs[i].columns[0].value = 1.3e-6;
  const auto history = made.analyse();
  ASSERT_EQ(history.series[0].verdict, Verdict::suspect);
  EXPECT_EQ(history.series[0].remark, "no proof: neighbouring runs resemble each other");
}

TEST(History, AStepThatIsNoProofIsToldInItsPlaceWithWhatChanged) {
  constexpr int thousandths[] = {-2,  9,  -6, 19, 7,  0,  10, 3,   -13, -16, -3,  13,  8,   -5,  -1,
                                 -13, -5, -2, -8, 17, 18, 3,  174, 184, 169, 175, 200, 190, 190, 190};
  Runs made(30, {point});
  for (std::size_t i = 0; i < 30; ++i)
    made.runs[i].columns[0].value = 1e-6 * std::exp(thousandths[i] / 1000.0);
  for (std::size_t i = 22; i < 30; ++i) made.runs[i].head.mpi = record::Json{{"library", "MPICH"}};
  const auto history = made.analyse();
  const auto& one = history.series[0];
  EXPECT_EQ(one.verdict, Verdict::suspect);
  EXPECT_EQ(one.before, 22U);
  EXPECT_EQ(one.after, 8U);
  EXPECT_EQ(one.remark, "no proof: neighbouring runs resemble each other");
  EXPECT_EQ(one.causes, std::vector<std::string>{"MPI library Open MPI v4 -> MPICH"});
}

TEST(History, SlowCreepingIsADrift) {
  Runs made(40, {point});
  for (std::size_t i = 0; i < made.runs.size(); ++i) {
    const double wobble = 0.03 * static_cast<double>(i % 2);
    made.runs[i].columns[0].value = 1e-6 * (1 + 0.0022 * static_cast<double>(i) + wobble);
  }
  const auto history = made.analyse();
  EXPECT_EQ(history.series[0].verdict, Verdict::drifts);
  EXPECT_GT(*history.series[0].ratio, 1.05);
  for (auto& run : made.runs) run.columns[0].lower_is_better = false;
  EXPECT_EQ(made.analyse().series[0].verdict, Verdict::stable);
}

TEST(History, RowsHaveWhatADatabaseAsksFor) {
  Runs made(3, {point, "figure hpl"});
  Options options;
  options.levels = {Level::figures, Level::points};
  const auto history = made.analyse(options);
  const std::string rows = rows_csv(history);
  EXPECT_EQ(
      rows.substr(0, rows.find('\n')),
      "run,date,machine,nodes,processes,mpi,version,level,suite,benchmark,key,metric,context,unit,value,low,high,"
      "launches,verdict,stretch");
  EXPECT_THAT(rows,
              HasSubstr(",points,imb-mpi1,PingPong,imb-mpi1/PingPong;message_byte=8;processes=2,time_s,"));
  EXPECT_THAT(rows, HasSubstr(",figures,,,hpl,,"));
  const auto row = record::Json::parse(rows_jsonl(history).substr(0, rows_jsonl(history).find('\n')));
  EXPECT_EQ(row["mpi"], "Open MPI v4");
  EXPECT_EQ(row["launches"], 1);
  EXPECT_NEAR(row["high"].get<double>() / row["value"].get<double>(), 1.01, 1e-6);
}

TEST(History, LaunchesOfARowAreThoseThatGaveItsValue) {
  const std::string other = "imb-mpi1/PingPong;message_byte=16;processes=2 time_s";
  Runs made(5, {point, other});
  for (std::size_t i = 0; i < 3; ++i) made.runs[i].head.series = "launched together";
  made.runs[0].columns[0].state = ValueState::partial;
  made.runs[1].columns[0].value = 2;
  made.runs[2].columns[0].value = 4;
  Options options;
  options.levels = {Level::points, Level::curves};
  const auto history = made.analyse(options);
  const auto of = [&](const std::string& name) -> const SeriesFinding& {
    return *std::ranges::find(history.series, name, &SeriesFinding::name);
  };
  EXPECT_EQ(of(point).values.front().second, 3);
  EXPECT_EQ(of(point).launches, (std::vector<std::uint32_t>{2, 1, 1}));
  EXPECT_EQ(of(other).launches, (std::vector<std::uint32_t>{3, 1, 1}));
  const auto curve = std::ranges::find(history.series, Level::curves, &SeriesFinding::level);
  ASSERT_NE(curve, history.series.end());
  EXPECT_EQ(curve->launches, (std::vector<std::uint32_t>{2, 1, 1}));
  EXPECT_THAT(rows_csv(history), ContainsRegex(",s,3(.0)?,,,2,"));
}

TEST(History, IntervalsAreToldAsTheyWereRecorded) {
  Runs made(3, {point});
  for (auto& run : made.runs) {
    run.columns[0].value = 1.005e-6;
    run.columns[0].ends = ends_of({0.99e-6, 1.9e-6}, 1.005e-6);
  }
  const auto history = made.analyse();
  EXPECT_THAT(rows_csv(history), HasSubstr(",1.005e-06,9.9e-07,1.9e-06,"));
  EXPECT_THAT(rows_jsonl(history), HasSubstr(R"("low":9.9e-07,"high":1.9e-06,)"));
  const auto chart = charts(history)["charts"][0];
  EXPECT_EQ(chart["lows"][2].get<double>(), 0.99e-6);
  EXPECT_EQ(chart["highs"][2].get<double>(), 1.9e-6);
}

TEST(History, OnlyWhatLiesBehindCounts) {
  Runs made(30, {point});
  made.step(15, 1.15);
  Options options;
  for (const auto& [since, counts] : {std::pair{"2026-01-10", true},
                                      {"2026-02-01", false},
                                      {"r105", true},
                                      {"r125", false},
                                      {"last", false}}) {
    options.since = since;
    EXPECT_EQ(made.analyse(options).series[0].counts, counts) << since;
  }
  options.since = "nothing";
  EXPECT_THROW((void)made.analyse(options), UnknownSince);
}

/// 28 runs of three points, two of which end at the twelfth: one is wrong since, one missing.
Runs ended_at_the_twelfth() {
  Runs made(28, {point, "imb-mpi1/PingPong;message_byte=16;processes=2 time_s",
                 "imb-mpi1/PingPong;message_byte=32;processes=2 time_s"});
  for (std::size_t i = 11; i < 28; ++i) {
    made.runs[i].columns[1].state = ValueState::wrong;
    made.runs[i].columns.pop_back();
  }
  return made;
}

TEST(History, WhatFailsOrIsMissingForLongDoesNotCountAgain) {
  const auto made = ended_at_the_twelfth();
  Options options;
  for (const auto& [since, counts] : {std::pair{"", true},
                                      {"2026-01-12", true},
                                      {"r111", true},
                                      {"2026-01-13", false},
                                      {"r112", false},
                                      {"last", false}}) {
    options.since = since;
    const auto history = made.analyse(options);
    ASSERT_EQ(history.count(Verdict::failing), 1U);
    ASSERT_EQ(history.count(Verdict::missing), 1U);
    for (const auto& one : history.series)
      if (one.verdict == Verdict::failing || one.verdict == Verdict::missing) {
        EXPECT_EQ(one.began, std::size_t{11}) << one.name;
        EXPECT_EQ(one.counts, counts) << one.name << ' ' << since;
      }
  }
}

TEST(History, ACurveThatIsMissingForLongDoesNotCountAgain) {
  std::vector<std::string> names;
  for (const char* type : {"MPI_FLOAT", "MPI_INT"})
    for (const char* size : {"8", "16", "32"})
      names.push_back(std::string("imb-mpi1/Bcast;message_byte=") + size + ";type=" + type + " time_s");
  Runs made(20, names);
  for (std::size_t i = 10; i < 20; ++i) made.runs[i].columns.resize(3);
  Options options;
  options.levels = {Level::curves};
  for (const auto& [since, counts] :
       {std::pair{"last", false}, {"2026-01-15", false}, {"2026-01-11", true}}) {
    options.since = since;
    const auto history = history::analyse(made.runs, made.keys, options);
    ASSERT_EQ(history.series[0].verdict, Verdict::missing);
    EXPECT_EQ(history.series[0].counts, counts) << since;
  }
}

TEST(History, WhatTheNewestRunHasLostCounts) {
  Runs made(10, {point, "imb-mpi1/PingPong;message_byte=16;processes=2 time_s"});
  made.runs[9].columns[0].state = ValueState::wrong;
  made.runs[9].columns.pop_back();
  Options options;
  options.since = "last";
  const auto history = made.analyse(options);
  ASSERT_EQ(history.count(Verdict::failing) + history.count(Verdict::missing), 2U);
  for (const auto& one : history.series) EXPECT_TRUE(one.counts) << one.name;
}

TEST(History, FailsOnlyWhatWasGoodThreeTimesDirectlyBefore) {
  Runs made(28, {point});
  made.runs[25].columns[0].state = made.runs[27].columns[0].state = ValueState::wrong;
  EXPECT_EQ(made.analyse().count(Verdict::failing), 0U);
  made.runs[25].columns[0].state = ValueState::good;
  EXPECT_EQ(made.analyse().count(Verdict::failing), 1U);
  made.runs[26].columns[0].state = ValueState::failed;  // it has failed twice by now
  EXPECT_EQ(made.analyse().series[0].began, std::size_t{26});
}

/// Runs with an old step at the 21st and a fresh one in the newest two.
Runs stepped_twice(double old_step) {
  Runs made(52, {point});
  made.step(20, old_step);
  made.step(50, 1.6 / 1.3);
  return made;
}

TEST(History, AnAcceptedChangeHidesNothingFresh) {
  const auto made = stepped_twice(1.3);
  Options options;
  auto history = made.analyse(options);
  EXPECT_EQ(history.series[0].verdict, Verdict::regressed);
  EXPECT_THAT(history.series[0].remark, HasSubstr("newest 2 entries +2"));
  options.known.push_back({"imb-mpi1/*", {}, "2026-01-21", "", "ticket 4711"});
  history = made.analyse(options);
  const auto& one = history.series[0];
  EXPECT_EQ(one.verdict, Verdict::suspect);
  EXPECT_NEAR(*one.ratio, 1.6 / 1.3, 0.05);
  EXPECT_TRUE(one.counts);
  EXPECT_FALSE(one.interval);
  EXPECT_EQ(one.accepted, "ticket 4711");
  EXPECT_EQ(charts(history)["charts"][0]["known"], "ticket 4711");
}

TEST(History, ARegressionFromBeforeHidesNothingFresh) {
  const auto made = stepped_twice(1.3);
  Options options;
  options.since = "r150";
  const auto history = made.analyse(options);
  EXPECT_EQ(history.series[0].verdict, Verdict::suspect);
  EXPECT_TRUE(history.series[0].counts);
  options.since = "2026-01-10";
  EXPECT_EQ(made.analyse(options).series[0].verdict, Verdict::regressed);
}

TEST(History, ASuspicionIsBesideTheStretchSinceTheLastChange) {
  auto made = stepped_twice(0.7);
  for (std::size_t i = 50; i < 52; ++i) made.runs[i].head.mpi = record::Json{{"library", "Open MPI v5"}};
  const auto history = made.analyse();
  const auto& one = history.series[0];
  ASSERT_EQ(one.verdict, Verdict::suspect);
  EXPECT_EQ(one.before, 30U);
  EXPECT_EQ(one.after, 2U);
  EXPECT_EQ(one.causes, std::vector<std::string>{"MPI library Open MPI v4 -> Open MPI v5"});
}

TEST(History, TheCarriersOfASuspicionAreBesideTheStretchSinceTheLastChange) {
  std::vector<std::string> names;
  for (int size = 1; size <= 32; size *= 2)
    names.push_back("imb-mpi1/Bcast;message_byte=" + std::to_string(size) + ";processes=2 time_s");
  Runs made(52, names);
  made.step(30, 0.1, 4);
  made.step(51, 2.6, 4);
  Options options;
  options.levels = {Level::curves};
  const auto history = history::analyse(made.runs, made.keys, options);
  ASSERT_EQ(history.series[0].verdict, Verdict::suspect);
  // The place of so small a step is known no better.
  EXPECT_NEAR(static_cast<double>(history.series[0].before), 21, 2);
  EXPECT_THAT(history.series[0].remark, testing::ContainsRegex("carried by message_byte=16 \\+1[4-7]"));
}

TEST(History, WrongClocksAndRepeatedRunsAreSetAside) {
  Runs made(12, {point});
  made.runs[3].head.started_utc = "1970-01-01T00:00:00Z";
  made.runs.push_back(made.runs[5]);  // the same: once
  made.runs.push_back(made.runs[6]);
  made.runs.back().columns[0].value *= 2;  // another content: both refused
  const auto history = made.analyse();
  EXPECT_EQ(history.undated, 1U);
  EXPECT_EQ(history.conflicts, std::vector<std::string>{"r106"});
  EXPECT_EQ(history.runs, 10U);
}

TEST(History, FalseDiscoveriesAreFew) {
  std::size_t found = 0, wrong = 0;
  for (std::uint64_t repetition = 0; repetition < 10; ++repetition) {
    std::vector<std::string> names;
    for (int i = 0; i < 200; ++i) names.push_back("imb-mpi1/B" + std::to_string(i) + ";processes=2 time_s");
    Runs made(40, names, repetition + 1);
    for (std::size_t column = 0; column < 10; ++column) made.step(30, 1.1, column);
    for (const auto& one : made.analyse().series) {
      if (one.verdict != Verdict::regressed && one.verdict != Verdict::improved) continue;
      ++found;
      wrong += one.name.size() > std::string("imb-mpi1/B9;processes=2 time_s").size() ? 1U : 0U;
    }
  }
  std::cout << "discoveries " << found << ", false " << wrong << '\n';
  EXPECT_GE(found, 90U);
  EXPECT_LE(20 * wrong, found);
}

TEST(Scanned, VerdictsNameTheHostsOfTheSessionThatScreened) {
  const std::string file = testing::TempDir() + "steelyard_resumed_screening.jsonl";
  record::RunRecord first, second;
  first.layout = record::Json{{"hosts", {"n1", "n2"}}};
  second.layout = record::Json{{"hosts", {"n3", "n4"}}};
  const record::TableRecord verdicts{
      "screen_verdicts", "screen", "", 1, 1, record::Json::parse(R"({"host":[1],
    "other":[null],"quantity":["triad"],"verdict":["slow"],"percent":[-18]})")};
  std::ofstream(file) << record::to_line({{"r1", 1, 0, 0}, first}) << '\n'
                      << record::to_line({{"r1", 1, 1, 0}, verdicts}) << '\n'
                      << record::to_line({{"r1", 2, 2, 0}, second}) << '\n';
  Keys keys;
  const auto runs = read_columns(file, keys).runs;
  std::remove(file.c_str());
  ASSERT_EQ(runs.at(0).named->size(), 1U);
  EXPECT_EQ(runs[0].named->front().host, "n2");
  EXPECT_EQ(runs[0].screened_hosts, (std::vector<std::string>{"n1", "n2"}));
}

/// The value of a point whose metric has these members, as it is scanned.
Column scanned_point(const std::string& statistics) {
  const std::string file = testing::TempDir() + "steelyard_scanned.jsonl";
  const std::string start =
      R"({"format":"steelyard.result","format_version":1,"type":"point","run":"r1","session":1,"seq":1,"at_s":1,)";
  std::ofstream(file) << record::to_line({{"r1", 1, 0, 0}, record::RunRecord{}}) << '\n'
                      << start
                      << R"("key":"imb-mpi1/Bcast","suite":"imb-mpi1","benchmark":"Bcast","status":"ok",)"
                      << R"("metrics":{"time_s":{)" << statistics
                      << R"(}},"primary":"time_s","better":"lower"})" << '\n';
  Keys keys;
  auto runs = read_columns(file, keys).runs;
  std::remove(file.c_str());
  return runs.at(0).columns.at(0);
}

TEST(Scanned, AValueIsThatOfTheHeadline) {
  EXPECT_EQ(scanned_point(R"("median":2.0,"min":1.0)").value, 2);
  EXPECT_EQ(scanned_point(R"("median":2.0,"min":1.0,"headline":"min")").value, 1);
  EXPECT_EQ(scanned_point(R"("headline":"min","median":2.0,"min":1.0)").value, 1);
  EXPECT_EQ(scanned_point(R"("median":2.0,"headline":"min")").state, ValueState::failed);
}

TEST(Scanned, AnIntervalKeepsBothOfItsEnds) {
  for (const auto& [words, low, high] :
       {std::tuple{R"("median":1.005e-6,"ci":[0.99e-6, 1.9e-6])", 0.99e-6, 1.9e-6},
        {R"("median":2.0,"ci":[1.9,2.1])", 1.9, 2.1},
        {R"("median":123456789012.5,"ci":[123456000000,123456789013])", 123456000000, 123456789013},
        {R"("median":2.0,"ci":[0,2.0])", 0, 2}}) {
    const Column column = scanned_point(words);
    const auto interval = interval_of(column.ends, column.value);
    ASSERT_TRUE(interval) << words;
    EXPECT_EQ(interval->low, low) << words;
    EXPECT_EQ(interval->high, high) << words;
  }
  const Column long_digits =
      scanned_point(R"("median":1.0123456789e-6,"ci":[9.8765432109876e-7,1.1111111111e-6])");
  EXPECT_NEAR(interval_of(long_digits.ends, long_digits.value)->low / 9.8765432109876e-7, 1, 1e-8);
  EXPECT_FALSE(interval_of(scanned_point(R"("median":2.0)").ends, 2));
  EXPECT_FALSE(interval_of(scanned_point(R"("median":2.0,"ci":null)").ends, 2));
}

/// The keys and values of a run whose point has two metrics and a rate, when this is followed.
std::string followed(std::string_view words) {
  const std::string file = testing::TempDir() + "steelyard_followed.jsonl";
  record::PointRecord point;
  point.key = "imb-mpi1/Bcast";
  point.suite = "imb-mpi1";
  point.benchmark = "Bcast";
  point.status = record::Status::ok;
  point.primary = "time_s";
  record::Statistics time;
  time.median = 2.0;
  time.p99 = 3.0;
  point.metrics = {{"time_s", time}, {"bandwidth_byte_s", 5.0}};
  std::ofstream(file) << record::to_line({{"r1", 1, 0, 0}, record::RunRecord{}}) << '\n'
                      << record::to_line({{"r1", 1, 1, 0}, point}) << '\n';
  Keys keys;
  const auto runs = read_columns(file, keys, Followed::of(words)).runs;
  std::remove(file.c_str());
  record::Run whole;
  whole.id = "r1";
  whole.points.push_back(point);
  const auto same = columns_of(whole, file, keys, Followed::of(words));
  std::string told;
  for (const Column& column : runs.at(0).columns)
    told += keys.text(column.key) + '=' + std::to_string(static_cast<int>(column.value)) +
            (column.lower_is_better ? " lower" : " higher");
  EXPECT_EQ(runs[0].columns.size(), same.columns.size()) << words;
  for (std::size_t i = 0; i < same.columns.size(); ++i) {
    EXPECT_EQ(same.columns[i].key, runs[0].columns[i].key);
    EXPECT_EQ(same.columns[i].value, runs[0].columns[i].value);
  }
  return told;
}

TEST(Scanned, AMetricIsFollowedByItsName) {
  EXPECT_EQ(followed(""), "imb-mpi1/Bcast time_s=2 lower");
  EXPECT_EQ(followed("time_s"), "imb-mpi1/Bcast time_s=2 lower");
  EXPECT_EQ(followed("time_s.p99"), "imb-mpi1/Bcast time_s.p99=3 lower");
  EXPECT_EQ(followed("bandwidth_byte_s"), "imb-mpi1/Bcast bandwidth_byte_s=5 higher");
  EXPECT_EQ(followed("overlap_percent"), "");
}

/// Summary of b_eff_io as a session makes it of the partition that it found to be the best.
record::SummaryRecord beffio_of(int processes, std::optional<double> value) {
  record::SummaryRecord summary;
  summary.name = "b_eff_io";
  summary.suite = "b-eff-io";
  summary.processes = processes;
  record::put(summary, "b_eff_io_byte_s", value);
  return summary;
}

TEST(Scanned, ASummaryOfALaterSessionReplacesThatOfAnotherNumberOfProcesses) {
  const std::string file = testing::TempDir() + "steelyard_resumed.jsonl";
  std::ofstream(file) << record::to_line({{"r1", 1, 0, 0}, record::RunRecord{}}) << '\n'
                      << record::to_line({{"r1", 1, 1, 0}, beffio_of(2, 3e8)}) << '\n'
                      << record::to_line({{"r1", 2, 2, 0}, record::RunRecord{}}) << '\n'
                      << record::to_line({{"r1", 2, 3, 0}, beffio_of(4, std::nullopt)}) << '\n';
  Keys keys;
  const auto runs = read_columns(file, keys).runs;
  std::remove(file.c_str());
  for (const Column& column : runs.at(0).columns)
    EXPECT_NE(column.value, 3e8) << "the stale one gave " << keys.text(column.key);
}

/// A run of another program's text with one value, long before the first of ours.
RunColumns imported_run(Keys& keys, std::string_view key, double value, Statistic statistic) {
  RunColumns run{"t1", "old.txt", {}, {}};
  run.head.name = "IMB 2019";
  run.head.processes = 2;
  run.head.started_utc = "2020-01-01T00:00:00Z";
  run.head.imported = record::Json{{"started_from", "text"}};
  run.columns.push_back({keys.number(key), Ends(), value, ValueState::good, true, statistic});
  return run;
}

TEST(Continued, SeriesBeginWithATextInItsDefinition) {
  Runs made(30, {point});
  for (auto& run : made.runs) run.columns[0].slowest_mean = 1.25F;
  made.runs.push_back(imported_run(made.keys, "imb-mpi1/PingPong;message_byte=8;processes=2;sync=? time_s",
                                   2e-6, Statistic::slowest_mean));
  const auto history = made.analyse();
  ASSERT_EQ(history.series.size(), 1U);
  const auto& one = history.series[0];
  ASSERT_EQ(one.values.size(), 31U);
  EXPECT_EQ(one.statistic, Statistic::slowest_mean);
  EXPECT_DOUBLE_EQ(one.values[0].second, 2e-6);
  EXPECT_NEAR(one.values[1].second, 1.25 * made.runs[0].columns[0].value, 1e-13);
  EXPECT_THAT(history.entries[0].context, HasSubstr("lion"));
}

TEST(Continued, WhatATextDoesNotTellDidNotChange) {
  Runs made(30, {point});
  for (auto& run : made.runs) run.columns[0].slowest_mean = 1;
  made.step(20, 1.12);
  for (std::size_t i = 20; i < 30; ++i) made.runs[i].head.mpi = record::Json{{"library", "Open MPI v5"}};
  made.runs.push_back(imported_run(made.keys, point, 1e-6, Statistic::slowest_mean));
  const auto history = made.analyse();
  ASSERT_EQ(history.series.size(), 1U);
  EXPECT_EQ(history.series[0].causes, std::vector<std::string>{"MPI library Open MPI v4 -> Open MPI v5"});
  EXPECT_TRUE(history.series[0].also.empty());
  EXPECT_EQ(charts(history)["charts"][0]["marks"].size(), 1U);
}

TEST(Continued, WhatHasNoSuchNumberIsLeftOut) {
  Runs made(30, {point});
  made.runs.push_back(imported_run(made.keys, point, 2e-6, Statistic::slowest_mean));
  const auto history = made.analyse();
  ASSERT_EQ(history.series.size(), 1U);
  EXPECT_EQ(history.series[0].values.size(), 1U);
  EXPECT_EQ(history.series[0].left_out, 30U);
}

TEST(Continued, ADateOfTheFileIsNone) {
  Runs made(30, {point});
  made.runs.push_back(imported_run(made.keys, point, 2e-6, Statistic::slowest_mean));
  made.runs.back().head.imported = record::Json{{"started_from", "file_time"}};
  const auto history = made.analyse();
  EXPECT_EQ(history.undated, 1U);
  EXPECT_EQ(history.series[0].values.size(), 30U);
}

TEST(Continued, TwoContextsThatFitAreNone) {
  Runs made(30, {point});
  for (std::size_t i = 15; i < 30; ++i) made.runs[i].head.name = "tiger";
  made.runs.push_back(imported_run(made.keys, point, 2e-6, Statistic::slowest_mean));
  auto history = made.analyse();
  EXPECT_EQ(history.series.size(), 3U);
  ASSERT_EQ(history.notes.size(), 1U);
  EXPECT_THAT(history.notes[0], HasSubstr("old.txt fits 2 machines"));
  made.runs.back().head.imported =
      record::Json{{"started_from", "text"}, {"told", record::Json{{"machine", "tiger"}}}};
  EXPECT_EQ(made.analyse().series.size(), 2U);
}

TEST(Charts, HaveStepsBandsAndMarks) {
  Runs made(30, {point});
  made.step(20, 1.12);
  for (std::size_t i = 20; i < 30; ++i) made.runs[i].head.mpi = record::Json{{"library", "Open MPI v5"}};
  const auto drawn = charts(made.analyse());
  ASSERT_EQ(drawn["charts"].size(), 1U);
  const auto& chart = drawn["charts"][0];
  EXPECT_EQ(chart["values"].size(), 30U);
  ASSERT_EQ(chart["steps"].size(), 2U);
  EXPECT_NEAR(chart["steps"][1]["median"].get<double>() / chart["steps"][0]["median"].get<double>(), 1.12,
              0.03);
  ASSERT_EQ(chart["changes"].size(), 1U);
  EXPECT_LE(chart["changes"][0]["first"].get<int>(), 20);
  EXPECT_GE(chart["changes"][0]["last"].get<int>(), 20);
  ASSERT_EQ(chart["marks"].size(), 1U);
  EXPECT_EQ(chart["marks"][0]["at"].get<int>(), 20);
  EXPECT_NEAR(chart["lows"][0].get<double>() / chart["values"][0].get<double>(), 0.99, 1e-6);
  EXPECT_NEAR(chart["highs"][0].get<double>() / chart["values"][0].get<double>(), 1.01, 1e-6);
}

TEST(Charts, AreTheWorstOfMany) {
  std::vector<std::string> names;
  for (int i = 0; i < 60; ++i) names.push_back("imb-mpi1/B" + std::to_string(i) + ";processes=2 time_s");
  Runs made(30, names);
  made.step(20, 1.3, 7);
  const auto drawn = charts(made.analyse());
  EXPECT_EQ(drawn["charts"].size(), 50U);
  EXPECT_EQ(drawn["drawable"].get<int>(), 60);
  EXPECT_EQ(drawn["charts"][0]["name"].get<std::string>(), names[7]);
}

}  // namespace
}  // namespace steelyard::history
