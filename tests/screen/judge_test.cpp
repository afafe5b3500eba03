// SPDX-License-Identifier: Apache-2.0
// Made-up machines whose truth is known, judged by the rule of docs/screening.md.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <random>

#include "analysis/screening/screening.hpp"
#include "record/json.hpp"
#include "record/whereabouts.hpp"

namespace steelyard::screening {
namespace {

const std::vector<std::string> five_tests{"dgemm", "fma", "triad", "random_access", "chase"};

std::vector<std::string> numbered(std::size_t hosts) {
  std::vector<std::string> names;
  for (std::size_t host = 0; host < hosts; ++host) names.push_back("n" + std::to_string(host));
  return names;
}

/// Five tests of so many visits; a node keeps its own deviation over the visits, and each visit has one of its own.
Measured machine(std::size_t hosts, double node_sd, double visit_sd, std::uint64_t seed, int visits = 3) {
  std::mt19937_64 dice(seed);
  std::normal_distribution<double> normal(0, 1);
  Measured measured;
  measured.hosts = numbered(hosts);
  measured.visits = static_cast<std::size_t>(visits);
  for (const auto& name : five_tests) {
    NodeTest test{name, {}};
    for (std::size_t host = 0; host < hosts; ++host) {
      NodeValues node;
      node.took_part = true;
      node.processes = 2;
      const double own = node_sd * normal(dice);
      for (int visit = 0; visit < visits; ++visit)
        node.visits.push_back(1e9 * std::exp(own + visit_sd * normal(dice)));
      test.nodes.push_back(std::move(node));
    }
    measured.nodes.push_back(std::move(test));
  }
  return measured;
}

NodeValues& node_of(Measured& measured, const std::string& test, std::size_t host) {
  for (auto& one : measured.nodes)
    if (one.name == test) return one.nodes[host];
  throw std::logic_error(test);
}

void slow_down(Values& held, double factor) {
  for (double& value : held.visits) value *= factor;
}

/// All pairs once a visit.
void add_links(Measured& measured, double sd, std::uint64_t seed, int visits = 3) {
  std::mt19937_64 dice(seed + 1000);
  std::normal_distribution<double> normal(0, sd);
  LinkTest bandwidth{"bandwidth", {}}, latency{"latency", {}};
  for (std::size_t a = 0; a < measured.hosts.size(); ++a)
    for (std::size_t b = a + 1; b < measured.hosts.size(); ++b) {
      LinkValues link;
      link.a = a;
      link.b = b;
      for (int visit = 0; visit < visits; ++visit) link.visits.push_back(1e9 * std::exp(normal(dice)));
      bandwidth.links.push_back(link);
      for (double& value : link.visits) value = 1e-6 * std::exp(normal(dice));
      latency.links.push_back(link);
    }
  measured.links = {bandwidth, latency};
}

LinkValues& link_of(Measured& measured, std::size_t a, std::size_t b) {
  for (auto& link : measured.links.front().links)
    if (link.a == a && link.b == b) return link;
  throw std::logic_error("no such link");
}

std::vector<std::string> slow_nodes(const Screening& screening) {
  return screening.names({Verdict::slow});
}

TEST(ScreenRule, FindsOneSlowHostAndOneSlowLinkInTwentyOfTwentySeeds) {
  int exact = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    auto measured = machine(16, 0.01, 0.005, seed);
    add_links(measured, 0.02, seed);
    slow_down(node_of(measured, "triad", 5), 0.8);
    slow_down(link_of(measured, 3, 9), 0.5);
    const auto found = judge(measured);
    const bool host = slow_nodes(found) == std::vector<std::string>{"n5"};
    const bool link = found.links(Verdict::slow) == 1 && found.findings.size() == 2 &&
                      std::ranges::any_of(found.findings, [](const Finding& one) {
                        return one.host == 3 && one.other == 9 && one.note.starts_with("half rate");
                      });
    exact += host && link ? 1 : 0;
    if (!host || !link) std::cout << report(found);
  }
  EXPECT_EQ(exact, 20);
}

TEST(ScreenRule, OfAThousandNodesWithoutASlowOneRaisesFewAlarms) {
  constexpr int machines = 200;
  int alarms = 0, unstable = 0;
  for (std::uint64_t seed = 1; seed <= machines; ++seed) {
    const auto found = judge(machine(1000, 0.01, 0.005, seed));
    alarms += slow_nodes(found).empty() ? 0 : 1;
    unstable += found.names({Verdict::unstable}).empty() ? 0 : 1;
  }
  std::cout << alarms << " of " << machines << " machines with a slow node, " << unstable
            << " with an unstable one\n";
  EXPECT_LE(alarms, 7);  // 1 %, and what chance adds in 999 of 1000 cases
  EXPECT_LE(unstable, 7);
}

TEST(ScreenRule, OfAThousandNodesFindsThreeThatAreEightPercentSlower) {
  constexpr int machines = 100;
  int exact = 0;
  for (std::uint64_t seed = 1; seed <= machines; ++seed) {
    auto measured = machine(1000, 0.01, 0.002, seed);
    // The visits of a node agree more than nodes do: its own deviation is drawn with the others.
    for (const std::size_t host : {10U, 500U, 999U})
      for (double& value : node_of(measured, "dgemm", host).visits)
        value = 0.92e9 * (value > 1e9 ? 1.001 : 0.999);
    exact += slow_nodes(judge(measured)) == std::vector<std::string>{"n10", "n500", "n999"} ? 1 : 0;
  }
  EXPECT_GE(exact, 98);
}

TEST(ScreenRule, JudgesTenThousandNodes) {
  auto measured = machine(10'000, 0.01, 0.002, 4);
  slow_down(node_of(measured, "triad", 1234), 0.7);
  EXPECT_EQ(slow_nodes(judge(measured)), std::vector<std::string>{"n1234"});
}

TEST(ScreenRule, OfSixteenNodesFindsOneThatIsTenPercentSlowerMostly) {
  constexpr int machines = 1000;
  int found = 0, others = 0;
  for (std::uint64_t seed = 1; seed <= machines; ++seed) {
    auto measured = machine(16, 0.01, 0.002, seed);
    slow_down(node_of(measured, "dgemm", 3), 0.9);
    const auto names = slow_nodes(judge(measured));
    found += std::ranges::find(names, "n3") != names.end() ? 1 : 0;
    others += names.size() > 1 ? 1 : 0;
  }
  std::cout << "found in " << found << " of " << machines << ", with others in " << others << '\n';
  EXPECT_GE(found, 940);
  EXPECT_LE(others, 40);
}

/// Among few nodes the spread of a visit is small by chance more often than one takes it for.
TEST(ScreenRule, OfFewNodesWithoutASlowOneNamesOneNowAndThen) {
  constexpr int machines = 1000;
  for (const auto& [hosts, most_slow, most_unstable] :
       {std::tuple{5U, 35, 90}, {8U, 20, 45}, {16U, 10, 20}}) {
    int slow = 0, unstable = 0;
    for (std::uint64_t seed = 1; seed <= machines; ++seed) {
      const auto found = judge(machine(hosts, 0.03, 0.005, seed, 5));
      slow += slow_nodes(found).empty() ? 0 : 1;
      unstable += found.names({Verdict::unstable}).empty() ? 0 : 1;
    }
    std::cout << hosts << " nodes: a slow one in " << slow << ", an unstable one in " << unstable << " of "
              << machines << '\n';
    EXPECT_LE(slow, most_slow) << hosts;
    EXPECT_LE(unstable, most_unstable) << hosts;
  }
}

TEST(ScreenRule, TellsTwoGroupsAndNoSlowNode) {
  auto measured = machine(64, 0.01, 0.002, 2);
  for (std::size_t host = 0; host < 26; ++host) slow_down(node_of(measured, "dgemm", host), 0.9);
  const auto found = judge(measured);
  EXPECT_TRUE(slow_nodes(found).empty()) << report(found);
  const auto& overview = found.overviews.front();
  ASSERT_EQ(overview.groups.size(), 2U);
  EXPECT_EQ(overview.groups[0].first, 38U);
  EXPECT_EQ(overview.groups[1].first, 26U);
  EXPECT_EQ(events(found).front().code, "two_groups");
  EXPECT_TRUE(found.found().contains("groups"));
  EXPECT_FALSE(judge(machine(64, 0.01, 0.002, 2)).found().contains("groups"));
}

TEST(ScreenRule, JudgesNodesWithOtherNumbersOfProcessesApart) {
  auto measured = machine(16, 0.005, 0.002, 9);
  for (std::size_t host = 0; host < 8; ++host)
    for (auto& test : measured.nodes) {
      test.nodes[host].processes = 1;
      slow_down(test.nodes[host], 0.5);
    }
  EXPECT_TRUE(slow_nodes(judge(measured)).empty());
}

/// Every second host of another kind.
void tell_machines(Measured& measured, const char* even, const char* odd) {
  for (std::size_t host = 0; host < measured.hosts.size(); ++host)
    measured.machines.emplace_back(record::Json::parse(host % 2 == 0 ? even : odd));
}

TEST(ScreenRule, ComparesANodeWithItsOwnKindOfProcessor) {
  for (const double slow : {1.0, 0.8}) {
    auto measured = machine(24, 0.01, 0.002, 3);
    tell_machines(measured, R"({"processor":"Lion"})", R"({"processor":"Puma"})");
    for (std::size_t host = 1; host < 24; host += 2) slow_down(node_of(measured, "triad", host), 0.5);
    slow_down(node_of(measured, "triad", 7), slow);
    const auto found = judge(measured);
    EXPECT_EQ(slow_nodes(found), slow < 1 ? std::vector<std::string>{"n7"} : std::vector<std::string>{});
    const auto& triad = *std::ranges::find(found.overviews, "triad", &Overview::quantity);
    ASSERT_EQ(triad.kinds.size(), 2U);
    EXPECT_EQ(triad.kinds[1].processor, "Puma");
    EXPECT_NEAR(triad.kinds[1].median, 0.5e9, 0.02e9);
    EXPECT_TRUE(triad.groups.empty()) << report(found);
    EXPECT_NE(report(found).find("12 nodes of Puma"), std::string::npos) << report(found);
  }
}

TEST(ScreenRule, TellsTheLimitOfTheKindsThatAreJudged) {
  auto measured = machine(12, 0.005, 0.002, 3);
  for (std::size_t host = 0; host < 12; ++host)
    measured.machines.emplace_back(record::Json{{"processor", host < 10 ? "Lion" : "Puma"}});
  slow_down(node_of(measured, "triad", 10), 0.5);  // two nodes of a kind, which are not alike
  slow_down(node_of(measured, "triad", 11), 0.8);
  const auto found = judge(measured);
  const auto& triad = *std::ranges::find(found.overviews, "triad", &Overview::quantity);
  EXPECT_TRUE(triad.judged);
  EXPECT_GT(triad.limit_percent, 4);
  EXPECT_LT(triad.limit_percent, 10);
}

TEST(ScreenRule, SaysWhatElseTellsTwoGroupsApart) {
  auto measured = machine(24, 0.01, 0.002, 3);
  tell_machines(measured, R"({"processor":"Lion","cores":64,"sockets":2})",
                R"({"processor":"Lion","cores":48,"sockets":2})");
  for (std::size_t host = 1; host < 24; host += 2) slow_down(node_of(measured, "fma", host), 0.8);
  const auto found = judge(measured);
  const auto& fma = *std::ranges::find(found.overviews, "fma", &Overview::quantity);
  ASSERT_EQ(fma.groups.size(), 2U) << report(found);
  EXPECT_EQ(fma.groups_differ, "cores 64 / 48");
}

TEST(ScreenRule, AmongFewerThanFiveNodesSaysNothingButBesideAReference) {
  auto measured = machine(4, 0.005, 0.002, 5);
  add_links(measured, 0.01, 5);
  slow_down(node_of(measured, "triad", 2), 0.5);
  EXPECT_TRUE(judge(measured).findings.empty());
  Options options;
  options.reference["triad"] = {{1e9, 0.1}};
  const auto found = judge(measured, options);
  EXPECT_EQ(slow_nodes(found), std::vector<std::string>{"n2"});
  EXPECT_EQ(found.findings.front().note, "below the reference");
}

TEST(ScreenRule, TellsWhatIsFastUnstableWrongAndMissing) {
  auto measured = machine(16, 0.005, 0.002, 6);
  slow_down(node_of(measured, "triad", 1), 1.5);
  node_of(measured, "triad", 2).visits[0] *= 0.6;
  node_of(measured, "fma", 3).wrong = true;
  node_of(measured, "chase", 4).visits.assign(3, 0.0);
  slow_down(node_of(measured, "chase", 5), 1.5);  // seconds: more is worse
  const auto found = judge(measured);
  EXPECT_EQ(found.hosts[1], Verdict::fast);
  EXPECT_EQ(found.hosts[2], Verdict::unstable);
  EXPECT_EQ(found.hosts[3], Verdict::wrong);
  EXPECT_EQ(found.hosts[4], Verdict::missing);
  EXPECT_EQ(found.hosts[5], Verdict::slow);
  EXPECT_EQ(found.findings.size(), 5U) << report(found);
  EXPECT_EQ(found.findings.front().verdict, Verdict::wrong);
  EXPECT_GT(*found.findings[2].percent, 40);  // the time is longer
}

TEST(ScreenRule, TakesANodeForSlowThatIsSlowAgainThoughOthersScatterInItsVisits) {
  for (const double again : {0.4, 1.0}) {
    auto measured = machine(8, 0, 0.01, 3);
    auto& triad = *std::ranges::find(measured.nodes, "triad", &NodeTest::name);
    slow_down(triad.nodes[2], 0.4);
    for (std::size_t host = 0; host < 8; ++host)  // each of the others is disturbed in one of two visits
      if (host != 2) triad.nodes[host].visits[host % 2 == 1 ? 1 : 2] *= 0.5;
    triad.nodes[2].again.assign(3, again * 1e9);
    triad.nodes[0].again.assign(3, 1e9);
    triad.nodes[0].control = true;
    const auto found = judge(measured);
    const auto& one = *std::ranges::find(found.findings, std::size_t{2}, &Finding::host);
    EXPECT_EQ(one.verdict, again < 1 ? Verdict::slow : Verdict::unstable) << report(found);
  }
}

TEST(ScreenRule, SaysHowANodeWasWhenItWasMeasuredAlone) {
  auto measured = machine(16, 0.005, 0.002, 7);
  for (const std::size_t host : {4U, 5U}) slow_down(node_of(measured, "dgemm", host), 0.8);
  // Alone everything is a tenth faster, which the usual nodes show.
  for (const std::size_t host : {8U, 9U, 10U}) {
    auto& node = node_of(measured, "dgemm", host);
    node.control = true;
    for (const double value : node.visits) node.again.push_back(1.1 * value);
  }
  node_of(measured, "dgemm", 4).again.assign(3, 1.1 * 0.8e9);
  node_of(measured, "dgemm", 5).again.assign(3, 1.1 * 1e9);
  auto found = judge(measured);
  ASSERT_EQ(found.findings.size(), 2U);
  for (const auto& one : found.findings) {
    EXPECT_EQ(one.verdict, Verdict::slow);
    EXPECT_EQ(one.note, one.host == 4 ? "alone too" : "only under common load");
    EXPECT_NEAR(*one.again_percent, one.host == 4 ? -20 : 0, 2);
  }
  measured.alone = true;  // then there was no common load
  found = judge(measured);
  EXPECT_EQ(found.hosts[4], Verdict::slow);
  EXPECT_EQ(found.hosts[5], Verdict::unstable);
}

/// Node 7 with a slow adapter, one link at half, two classes; some pairs missing if asked.
Measured links_of_sixty_four(double missing) {
  Measured measured;
  measured.hosts = numbered(64);
  measured.visits = 3;
  add_links(measured, 0.01, 11);
  std::mt19937_64 dice(12);
  std::uniform_real_distribution<double> chance(0, 1);
  auto& links = measured.links.front().links;
  for (auto& link : links) {
    const bool far = link.a / 32 != link.b / 32;
    for (double& value : link.visits) {
      if (far) value *= 0.8;
      if (link.a == 7 || link.b == 7) value *= 0.7;
      if (link.a == 3 && link.b == 40) value *= 0.5;
    }
  }
  std::erase_if(links, [&](const LinkValues& link) {
    return !(link.a == 3 && link.b == 40) && chance(dice) < missing;
  });
  return measured;
}

TEST(ScreenLinks, NameTheNodeWithASlowAdapterAndTheLink) {
  Options options;
  for (int host = 0; host < 64; ++host)
    options.switch_of["n" + std::to_string(host)] = host < 32 ? "s1" : "s2";
  for (const double missing : {0.0, 0.1}) {
    const auto found = judge(links_of_sixty_four(missing), options);
    ASSERT_EQ(found.findings.size(), 2U) << report(found);
    const auto& link = found.findings[found.findings[0].other ? 0 : 1];
    const auto& node = found.findings[found.findings[0].other ? 1 : 0];
    EXPECT_EQ(link.host, 3U);
    EXPECT_EQ(link.other, 40U);
    EXPECT_TRUE(link.note.starts_with("half rate")) << link.note;
    EXPECT_EQ(node.host, 7U);
    EXPECT_NEAR(*node.percent, -30, 2);
  }
}

TEST(ScreenLinks, AreOfAClassForEveryLevelOfSwitches) {
  const machine::Switches switch_of{{"a", "core/i1/s1"}, {"b", "core/i1/s2"}, {"c", "s9"}};
  const std::vector<std::string> hosts{"a", "b.site", "c", "d"};
  EXPECT_EQ(machine::switches_of(hosts, switch_of),
            (std::vector<std::string>{"core/i1/s1", "core/i1/s2", "s9", ""}));
  EXPECT_EQ(machine::class_between("core/i1/s1", "core/i1/s1"), 0U);
  EXPECT_EQ(machine::class_between("core/i1/s1", "core/i1/s2"), 1U);
  EXPECT_EQ(machine::class_between("core/i1/s1", "core/i2/s1"), 2U);
  EXPECT_EQ(machine::class_between("s1", "s2"), 1U);
  EXPECT_EQ(machine::class_between("s1", ""), 1U);
  EXPECT_EQ(machine::class_between("", ""), 0U);
}

/// As a run with --topology records it: 32 hosts, eight at a switch, two switches in an island.
Measured links_of_two_islands() {
  Measured measured;
  measured.hosts = numbered(32);
  measured.visits = 3;
  add_links(measured, 0.01, 17);
  for (std::size_t host = 0; host < 32; ++host)
    measured.switches.push_back("core/i" + std::to_string(host / 16) + "/s" + std::to_string(host / 8));
  for (auto& link : measured.links.front().links)
    slow_down(link, link.a / 16 != link.b / 16 ? 0.5 : link.a / 8 != link.b / 8 ? 0.8 : 1);
  return measured;
}

TEST(ScreenLinks, AreComparedWithinTheirClassAsTheRunWasTold) {
  auto measured = links_of_two_islands();
  slow_down(link_of(measured, 1, 2), 0.5);  // as slow as links between islands are
  const auto found = judge(measured);
  ASSERT_EQ(found.findings.size(), 1U) << report(found);
  EXPECT_EQ(found.findings.front().host, 1U);
  EXPECT_EQ(found.findings.front().other, 2U);
  const auto& classes = found.overviews.front().classes;
  ASSERT_EQ(classes.size(), 3U);
  EXPECT_EQ(classes[0].count, 4U * 28);
  EXPECT_EQ(classes[2].count, 16U * 16);
  EXPECT_NEAR(classes[1].median, 0.8e9, 0.01e9);
  EXPECT_NE(report(found).find("within a switch 112 at"), std::string::npos) << report(found);
  for (auto& of : measured.switches) of.clear();
  EXPECT_EQ(judge(measured).links(Verdict::slow), 0U);
}

TEST(ScreenLinks, AreDrawnSwitchBySwitch) {
  auto measured = links_of_two_islands();
  measured.switches[0] = "core/i1/s3";
  slow_down(link_of(measured, 1, 30), 0.4);
  const auto map = link_map(judge(measured));
  EXPECT_LT(map.find("n1  at core/i0/s0"), map.find("n0  at core/i1/s3")) << map;
  EXPECT_LT(map.find("n23  at"), map.find("n31  at")) << map;
}

TEST(ScreenLinks, ThatAreSlowInSomeVisitsOnlyAreUnstable) {
  auto measured = machine(16, 0.01, 0.005, 21);
  add_links(measured, 0.02, 21, 5);
  link_of(measured, 2, 11).visits[3] *= 0.3;
  const auto found = judge(measured);
  ASSERT_EQ(found.findings.size(), 1U) << report(found);
  EXPECT_EQ(found.findings.front().verdict, Verdict::unstable);
  EXPECT_EQ(found.findings.front().note, "in 1 of 5 visits");
  EXPECT_EQ(found.links(Verdict::slow), 0U);
}

/// Each link is seen once, as in a sample.
Measured sampled(double again) {
  Measured measured;
  measured.hosts = numbered(16);
  measured.visits = 1;
  add_links(measured, 0.01, 5, 1);
  auto& link = link_of(measured, 3, 9);
  slow_down(link, 0.5);
  link.again.assign(3, again * 1e9);
  for (const std::size_t other : {5U, 6U, 7U}) {
    auto& usual = link_of(measured, 4, other);
    usual.control = true;
    usual.again = usual.visits;
  }
  return measured;
}

TEST(ScreenLinks, OfASampleThatAreWellWhenTheyAreMeasuredAgainAreNotSlow) {
  const auto slow = judge(sampled(0.5)), well = judge(sampled(1.0));
  EXPECT_EQ(slow.links(Verdict::slow), 1U) << report(slow);
  EXPECT_EQ(well.links(Verdict::slow), 0U) << report(well);
  EXPECT_EQ(well.links(Verdict::unstable), 1U) << report(well);
  auto never = sampled(0.5);
  link_of(never, 3, 9).again.clear();
  EXPECT_EQ(judge(never).links(Verdict::slow), 0U);
}

TEST(ScreenLinks, ThatASlowNodeHasNotHadBeforeTellWhetherItIsSlowAgain) {
  for (const double again : {0.6, 1.0}) {
    Measured measured;
    measured.hosts = numbered(16);
    measured.visits = 3;
    add_links(measured, 0.01, 6);
    auto& links = measured.links.front().links;
    for (auto& link : links)
      if (link.a == 7 || link.b == 7) slow_down(link, 0.6);
    // What was measured again are other links than the sample had.
    std::erase_if(links, [](const LinkValues& link) { return link.a == 7 && link.b > 11; });
    for (const std::size_t other : {12U, 13U, 14U}) {
      LinkValues link;
      link.a = 7;
      link.b = other;
      link.again.assign(3, again * 1e9);
      links.push_back(link);
    }
    const auto found = judge(measured);
    ASSERT_EQ(slow_nodes(found), std::vector<std::string>{"n7"}) << report(found);
    const auto& one = found.findings.front();
    EXPECT_NEAR(*one.again_percent, 100 * (again - 1), 2);
    EXPECT_EQ(one.note, again < 1 ? "all its links, alone too" : "all its links, only under common load");
  }
}

TEST(ScreenLinks, ThatWereTimedAloneAndAreWellLaterAreUnstable) {
  for (const bool alone : {true, false}) {
    Measured measured;
    measured.hosts = numbered(16);
    measured.visits = 3;
    measured.alone = measured.links_alone = alone;
    add_links(measured, 0.01, 6);
    auto& slow = link_of(measured, 2, 5);
    slow.again = slow.visits;
    slow_down(slow, 0.5);
    auto& usual = link_of(measured, 3, 9);
    usual.again = usual.visits;
    usual.control = true;
    const auto found = judge(measured);
    ASSERT_EQ(found.findings.size(), 1U) << report(found);
    EXPECT_EQ(found.findings.front().verdict, alone ? Verdict::unstable : Verdict::slow);
    EXPECT_EQ(found.findings.front().note,
              alone ? "half rate, well when measured again" : "half rate, only under common load");
  }
}

TEST(ScreenLinks, AreDrawnWhereOneStandsOut) {
  auto measured = machine(40, 0.01, 0.005, 8);
  add_links(measured, 0.02, 8);
  EXPECT_EQ(link_map(judge(measured)), "");
  slow_down(link_of(measured, 0, 39), 0.4);
  const auto map = link_map(judge(measured));
  EXPECT_NE(map.find("blocks of 2 hosts"), std::string::npos) << map;
  EXPECT_NE(map.find("    ...................#  n0\n"), std::string::npos) << map;
  EXPECT_EQ(std::ranges::count(map.substr(map.find('\n')), '#'), 2) << map;
}

TEST(ScreenLinks, OfAMachineWithoutASlowOneRaiseFewAlarms) {
  int alarms = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Measured measured;
    measured.hosts = numbered(seed % 2 == 0 ? 6 : 32);
    add_links(measured, 0.1, seed);  // far more noise than the tolerance hides
    const auto found = judge(measured);
    alarms += slow_nodes(found).empty() && found.links(Verdict::slow) == 0 ? 0 : 1;
  }
  std::cout << alarms << " of 100 machines with an alarm\n";
  EXPECT_LE(alarms, 12);
}

TEST(ScreenLinks, BelowTheReferenceAreToldByTheirDistanceFromIt) {
  Measured measured;
  measured.hosts = numbered(6);
  measured.visits = 3;
  add_links(measured, 0.005, 4);
  Options options;
  options.reference["bandwidth"] = {{2e9, 0.25}};
  const auto found = judge(measured, options);
  ASSERT_EQ(found.findings.size(), 15U) << report(found);
  for (const auto& one : found.findings) {
    EXPECT_EQ(one.verdict, Verdict::slow);
    EXPECT_EQ(one.note, "below the reference");
    EXPECT_NEAR(*one.percent, -50, 1);
    EXPECT_NEAR(one.limit_percent, 20, 1e-9);
  }
  EXPECT_NEAR(verdicts(found).columns.json()["percent"][0].get<double>(), -50, 1);
  EXPECT_NEAR(document(found)["findings"][0]["percent"].get<double>(), -50, 1);
  EXPECT_EQ(document(found)["link_counts"]["slow"], 15);
  EXPECT_EQ(document(found)["counts"]["slow"], 0);
  EXPECT_NE(events(found).front().text.find("-50."), std::string::npos) << events(found).front().text;
  const auto map = link_map(found);
  EXPECT_EQ(std::ranges::count(map.substr(map.find('\n')), 'o'), 30) << map;
}

/// Machine of 16 nodes; an adapter of the last six costs a link a third of its rate, from either end.
Measured links_of_two_adapters() {
  Measured measured;
  measured.hosts = numbered(16);
  measured.visits = 3;
  add_links(measured, 0.01, 13);
  for (auto& link : measured.links.front().links)
    for (const std::size_t end : {link.a, link.b})
      if (end >= 10) slow_down(link, 0.7);
  return measured;
}

/// Whether a text holds words.
bool tells(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

/// Words of all tables: sentences and cells of texts.
std::string told_in_tables(const Screening& found) {
  std::string all;
  for (const auto& section : tables(found)) {
    for (const auto& sentence : section.text) all += sentence + '\n';
    for (const auto& row : section.table.rows)
      for (const auto& cell : row)
        if (const auto* words = std::get_if<std::string>(&cell.value)) all += *words + '\n';
  }
  return all;
}

TEST(ScreenForms, SayOfTooFewNodesThatNoneWasCompared) {
  auto measured = machine(3, 0.01, 0.005, 3);
  slow_down(node_of(measured, "triad", 1), 0.5);
  const auto found = judge(measured);
  EXPECT_TRUE(found.findings.empty());
  EXPECT_EQ(found.not_compared(), 3U);
  EXPECT_TRUE(tells(report(found), "ok: 3, 3 of them not compared: too few of their kind")) << report(found);
  EXPECT_TRUE(tells(told_in_tables(found), "3 nodes are ok, 3 of them not compared"))
      << told_in_tables(found);
  EXPECT_EQ(document(found)["not_compared"], 3);
  EXPECT_EQ(std::get<std::string>(nodes_table(found, 10).table.rows[0][1].value), "not compared");
  const auto beside =
      judge(measured, {.tolerances = {}, .reference = {{"dgemm", {1e9, {}}}}, .switch_of = {}});
  EXPECT_EQ(beside.not_compared(), 0U);
  const auto five = judge(machine(5, 0.01, 0.005, 3));
  EXPECT_EQ(five.not_compared(), 0U);
  EXPECT_TRUE(tells(report(five), "ok: 5\n")) << report(five);
}

TEST(ScreenForms, SayOfAKindOfFewNodesThatTheyWereNotCompared) {
  auto measured = machine(12, 0.01, 0.005, 4);
  for (std::size_t host = 0; host < 12; ++host)
    measured.machines.emplace_back(record::Json{{"processor", host < 10 ? "A" : "B"}});
  slow_down(node_of(measured, "triad", 11), 0.5);
  const auto found = judge(measured);
  EXPECT_EQ(found.not_compared(), 2U);
  EXPECT_TRUE(tells(report(found), "2 nodes of B at ")) << report(found);
  EXPECT_TRUE(tells(report(found), ", too few to compare")) << report(found);
  EXPECT_TRUE(tells(report(found), "ok: 12, 2 of them not compared")) << report(found);
}

TEST(ScreenForms, NameTheNodesOfTheWorseGroup) {
  auto measured = machine(20, 0.01, 0.005, 5);
  for (const std::size_t host : {3U, 4U, 5U, 6U, 11U, 12U, 13U, 17U})
    slow_down(node_of(measured, "triad", host), 0.7);
  const auto found = judge(measured);
  const std::string worse = "n[3-6,11-13,17]";
  EXPECT_TRUE(tells(report(found), "; the worse: " + worse)) << report(found);
  EXPECT_TRUE(tells(report(found), "ok: 20, in two groups by triad")) << report(found);
  EXPECT_TRUE(tells(told_in_tables(found), "the worse: " + worse));
  EXPECT_EQ(document(found)["tests"][2]["worse_group"], worse);
  EXPECT_EQ(document(found)["tests"][0]["worse_group"], "");
  EXPECT_TRUE(tells(events(found).front().text, worse)) << events(found).front().text;
}

TEST(ScreenLinks, TellTwoGroupsOfAdapters) {
  auto measured = links_of_two_adapters();
  for (std::size_t host = 0; host < 16; ++host)
    measured.machines.emplace_back(record::Json{{"adapters", host < 10 ? 2 : 1}});
  const auto found = judge(measured);
  EXPECT_TRUE(found.findings.empty()) << report(found);
  const auto& bandwidth = *std::ranges::find(found.overviews, "bandwidth", &Overview::quantity);
  ASSERT_EQ(bandwidth.groups.size(), 2U) << report(found);
  EXPECT_EQ(bandwidth.groups[0].first, 10U);
  EXPECT_EQ(bandwidth.groups[1].first, 6U);
  EXPECT_NEAR(bandwidth.groups[0].second, 1e9, 1e7);
  EXPECT_NEAR(bandwidth.groups[1].second, 0.49e9, 1e7);
  EXPECT_EQ(bandwidth.groups_differ, "adapters 2 / 1");
  EXPECT_EQ(document(found)["tests"][0]["worse_group"], "n[10-15]");
  EXPECT_EQ(found.not_compared(), 0U);
  EXPECT_NE(report(found).find("nodes of two groups: 10 with links of "), std::string::npos) << report(found);
  EXPECT_EQ(document(found)["tests"][0]["groups"].size(), 2U);
  ASSERT_EQ(events(found).size(), 1U);
  EXPECT_EQ(events(found).front().code, "two_groups");
  EXPECT_TRUE(std::ranges::find(found.overviews, "latency", &Overview::quantity)->groups.empty());
}

/// A link is as fast as the slower of its adapters: the first `fast` nodes have 1e9 among themselves, half to others.
Measured links_of_the_slower_adapter(std::size_t nodes, std::size_t fast) {
  Measured measured;
  measured.hosts = numbered(nodes);
  measured.visits = 3;
  add_links(measured, 0.01, 21);
  for (auto& link : measured.links.front().links)
    if (link.a >= fast || link.b >= fast) slow_down(link, 0.5);
  return measured;
}

TEST(ScreenLinks, TellAdaptersOfHalfTheRateThatHalfOfTheNodesHave) {
  for (const std::size_t fast : {5U, 8U, 9U}) {
    const auto found = judge(links_of_the_slower_adapter(16, fast));
    EXPECT_TRUE(found.findings.empty()) << report(found);
    const auto& groups = found.overviews.front().groups;
    ASSERT_EQ(groups.size(), 2U) << report(found);
    EXPECT_EQ(groups[0].first, fast);
    EXPECT_NEAR(groups[0].second, 1e9, 1e7);
    EXPECT_NEAR(groups[1].second, 0.5e9, 1e7);
    EXPECT_TRUE(found.overviews.front().link_groups.empty());
  }
}

TEST(ScreenLinks, OfASampleOfTwoKindsOfAdaptersNameNobody) {
  auto measured = links_of_the_slower_adapter(64, 32);
  std::mt19937_64 dice(5);
  std::uniform_real_distribution<double> chance(0, 1);
  for (auto& test : measured.links)
    std::erase_if(test.links, [&](const LinkValues&) { return chance(dice) < 0.6; });
  const auto found = judge(measured);
  EXPECT_TRUE(found.findings.empty()) << report(found);
  ASSERT_EQ(found.overviews.front().groups.size(), 2U);
  EXPECT_EQ(found.overviews.front().groups[0].first, 32U);
}

TEST(ScreenLinks, OfTwoGroupsThatNoNodesExplainAreTold) {
  auto measured = links_of_two_islands();
  for (auto& of : measured.switches) of.clear();
  const auto found = judge(measured);
  EXPECT_TRUE(found.findings.empty()) << report(found);
  const auto& bandwidth = found.overviews.front();
  EXPECT_TRUE(bandwidth.groups.empty());
  ASSERT_EQ(bandwidth.link_groups.size(), 2U);
  EXPECT_EQ(bandwidth.link_groups[0].first + bandwidth.link_groups[1].first, 32U * 31 / 2);
  EXPECT_GT(bandwidth.link_groups[0].second, 1.2 * bandwidth.link_groups[1].second);
  EXPECT_NE(report(found).find("; links of two groups: "), std::string::npos) << report(found);
  EXPECT_FALSE(found.found().contains("groups")) << "no nodes explain it";
  EXPECT_EQ(document(found)["tests"][0]["link_groups"].size(), 2U);
  ASSERT_EQ(events(found).size(), 1U);
  EXPECT_EQ(events(found).front().code, "two_groups");
  EXPECT_TRUE(judge(links_of_two_islands()).overviews.front().link_groups.empty()) << "classes explain them";
}

TEST(ScreenLinks, WithoutAValueAreMissing) {
  auto measured = machine(16, 0.005, 0.002, 6);
  add_links(measured, 0.01, 6);
  link_of(measured, 3, 4).visits.assign(3, 0.0);
  link_of(measured, 5, 6).again.assign(3, 1e9);
  link_of(measured, 5, 6).visits.clear();  // met for the first time when it was measured again
  const auto found = judge(measured);
  ASSERT_EQ(found.findings.size(), 1U) << report(found);
  EXPECT_EQ(found.findings.front().verdict, Verdict::missing);
  EXPECT_EQ(who(found.findings.front(), found), "n3 - n4");
  EXPECT_EQ(found.count(Verdict::ok), 16U);
}

TEST(ScreenLinks, AloneAreTheSubjectOfTheHead) {
  EXPECT_EQ(
      report(judge(links_of_the_slower_adapter(16, 16))).find("Screening: 16 nodes, their links, 3 visits"),
      0U);
}

TEST(ScreenRule, TellsANodeThatHasNoValueInSomeVisits) {
  for (const std::size_t hosts : {2U, 16U}) {
    auto measured = machine(hosts, 0.005, 0.002, 6);
    node_of(measured, "triad", 1).visits = {0, 1e9, 0};
    const auto found = judge(measured);
    ASSERT_EQ(found.findings.size(), 1U) << report(found);
    EXPECT_EQ(found.findings.front().host, 1U);
    EXPECT_EQ(found.findings.front().verdict, Verdict::unstable);
    EXPECT_EQ(found.findings.front().note, "no value in 2 of 3 visits");
  }
}

TEST(ScreenLinks, OfALatencyBeyondItsLimitAreDrawnSo) {
  Measured measured;
  measured.hosts = numbered(8);
  measured.visits = 3;
  add_links(measured, 0.001, 8);
  for (auto& link : measured.links.back().links)
    if (link.a == 2 && link.b == 5) slow_down(link, 1.23);
  const auto found = judge(measured);
  ASSERT_EQ(found.links(Verdict::slow), 1U) << report(found);
  auto map = link_map(found);
  EXPECT_EQ(std::ranges::count(map.substr(map.find('\n')), 'o'), 2) << map;
}

TEST(Hostlist, IsThatOfSlurm) {
  EXPECT_EQ(hostlist({"lion912", "lion017", "lion913", "lion915", "lion914"}), "lion[017,912-915]");
  EXPECT_EQ(hostlist({"n9", "n10", "n11", "puma"}), "puma,n[9-11]");
  EXPECT_EQ(hostlist({"one7"}), "one7");
  EXPECT_EQ(hostlist({}), "");
}

TEST(Hostlist, HasNothingBehindABracket) {
  EXPECT_EQ(hostlist({"a3.site", "a4.site", "a3.site"}), "a3.site,a4.site");
  EXPECT_EQ(hostlist({"n1-ib", "n2-ib", "n3"}), "n1-ib,n2-ib,n3");
  EXPECT_EQ(hostlist({"10.0.0.1", "10.0.0.2"}), "10.0.0.1,10.0.0.2");
}

TEST(NodeNames, AreWithoutDomainsWhereTheyDiffer) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(node_names({"a3.lion.example", "a4.lion.example", "puma"}), (Names{"a3", "a4", "puma"}));
  EXPECT_EQ(node_names({"a3.lion", "a3.puma"}), (Names{"a3.lion", "a3.puma"}));
  EXPECT_EQ(node_names({"10.0.0.1"}), Names{"10.0.0.1"});
}

/// A run as the suite records it.
record::Run run_of(const char* verified) {
  record::Run run;
  run.id = "20260914T080000Z-00000000";
  run.head.processes = 6;
  run.head.layout = record::Json::parse(
      R"({"hosts":["a1","a2","a3","a4","a5","a6"],"ranks":[[0,1],[1,1],[2,1],[3,1],[4,1],[5,1]]})");
  run.tables.push_back({"screen_nodes", "screen", "screen", 1, 1,
                        record::Json::parse(std::string(R"({"host":[0,1,2,3,4,5],
    "benchmark":["triad","triad","triad","triad","triad","triad"],"visit":[1,1,1,1,1,1],
    "value":[1e10,1.01e10,5e9,1e10,0.99e10,null],"verified":[true,true,true,)") +
                                            verified + R"(,true,true],"processes":[1,1,1,1,1,1]})")});
  return run;
}

TEST(ScreenRecords, TellWhichDomainMakesANodeSlow) {
  auto run = run_of("true");
  auto columns = run.tables.front().columns.json();
  for (auto& name : columns["benchmark"]) name = "numa_triad";
  columns["domain"] = record::Json::array({0, 1, 1, 0, 0, 0});
  run.tables.front().columns = columns;
  const auto found = judged(run);
  EXPECT_EQ(slow_nodes(found), std::vector<std::string>{"a3"});
  EXPECT_NE(report(found).find("NUMA domain 1, not measured again"), std::string::npos) << report(found);
}

TEST(ScreenRecords, AreJudgedAgain) {
  const auto found = judged(run_of("false"));
  EXPECT_EQ(slow_nodes(found), std::vector<std::string>{"a3"});
  EXPECT_EQ(found.names({Verdict::wrong}), std::vector<std::string>{"a4"});
  EXPECT_EQ(found.names({Verdict::missing}), std::vector<std::string>{"a6"});
  const auto text = report(found);
  EXPECT_NE(text.find("Slow: a3"), std::string::npos) << text;
  EXPECT_NE(text.find("nodename=a[3-4,6] state=drain"), std::string::npos) << text;
  EXPECT_EQ(verdicts(found).columns.json()["host"].size(), 3U);
  EXPECT_EQ(events(found).size(), 2U);
  EXPECT_EQ(document(found)["hostlist"], record::Json("a[3-4,6]"));
}

TEST(ScreenRecords, OfHostsInADomainNameNodesForSlurm) {
  auto run = run_of("false");
  auto layout = run.head.layout.json();
  for (auto& host : layout["hosts"]) host = host.get<std::string>() + ".lion.example";
  run.head.layout = layout;
  const auto found = judged(run);
  EXPECT_EQ(nodes_to_drain(found), "a[3-4,6]");
  EXPECT_NE(report(found).find("nodename=a[3-4,6] state=drain"), std::string::npos) << report(found);
  EXPECT_EQ(document(found)["hostlist"], record::Json("a[3-4,6]"));
  EXPECT_EQ(who(found.findings.front(), found), "a4.lion.example");
}

TEST(ScreenRecords, OfARunThatDiedAreJudgedWithADoubt) {
  auto run = run_of("true");
  EXPECT_EQ(judged(run).measured.doubts.size(), 1U);
  EXPECT_NE(report(judged(run)).find("has no end"), std::string::npos);
  run.end.emplace();
  EXPECT_TRUE(judged(run).measured.doubts.empty());
}

TEST(ScreenRecords, TellTheKindsOfNodes) {
  auto run = run_of("true");
  run.head.layout.json()["kinds"] = record::Json::parse(R"([{"processor":"Lion"},{"processor":"Puma"}])");
  run.head.layout.json()["kind_of"] = record::Json::parse("[0,1,0,1,0,9]");
  run.head.machine = record::Json::parse(R"({"processor":"Lion","cores":4,"hugepages":7})");
  const auto all = measured(std::span(&run, 1));
  ASSERT_EQ(all.machines.size(), 6U);
  EXPECT_EQ(all.machines[1].json(), record::Json::parse(R"({"processor":"Puma"})"));
  EXPECT_EQ(all.machines[5].json(), record::Json::parse(R"({"processor":"Lion","cores":4})"));
}

TEST(ScreenRecords, TellTheSwitchesOfNodes) {
  auto run = run_of("true");
  run.head.layout.json()["switches"] = record::Json::parse(R"(["s1","s2"])");
  run.head.layout.json()["switch_of"] = record::Json::parse(R"([0,1,null,1,9,"x"])");
  EXPECT_EQ(measured(std::span(&run, 1)).switches, (std::vector<std::string>{"s1", "s2", "", "s2", "", ""}));
}

TEST(ScreenRecords, NameTheHostsOfTheSessionThatScreened) {
  auto run = run_of("true");
  run.head_session = 1;
  run.table_sessions = {1};
  record::RunRecord later = run.head;
  later.layout.json()["hosts"] = {"b1", "b2", "b3", "b4", "b5", "b6"};
  record::begin_session(run, later, 2);
  const auto elsewhere = judged(run);
  EXPECT_EQ(slow_nodes(elsewhere), std::vector<std::string>{"a3"});
  EXPECT_EQ(elsewhere.names({Verdict::missing}), std::vector<std::string>{"a6"});
  EXPECT_EQ(elsewhere.measured.hosts.size(), 6U) << "the others were not screened";
  // The same hosts in another order, of which the second session measured links.
  run.head.layout.json()["hosts"] = {"a6", "a5", "a4", "a3", "a2", "a1"};
  run.tables.push_back({"pingpong_pairs", "screen", "screen", 1, 1, record::Json::parse(R"({"from_rank":[0],
    "to_rank":[1],"latency_s":[1e-6],"bandwidth_byte_s":[1e9]})")});
  run.table_sessions.push_back(2);
  const auto all = measured(std::span(&run, 1));
  ASSERT_EQ(all.hosts.size(), 6U);
  ASSERT_EQ(all.links.size(), 2U);
  EXPECT_EQ(all.hosts[all.links[0].links.front().a], "a6");
  EXPECT_EQ(all.hosts[all.links[0].links.front().b], "a5");
  EXPECT_EQ(slow_nodes(judged(run)), std::vector<std::string>{"a3"});
}

TEST(ScreenRecords, HoldTheReferenceThatTheyWereStartedWith) {
  Reference reference;
  reference.expected["triad"].of_processor = {{"Model A", {2e10, 0.1}}, {"Model B/7", {3e10, std::nullopt}}};
  static_cast<Reach&>(reference.expected["random_access"]) = {1e8, 0.3};
  reference.machines = {"hare"};
  auto run = run_of("true");
  run.head.name = "lion";
  run.head.config = record::Json{{"screen", members_of(reference)}};
  const auto again = reference_in(run.head);
  EXPECT_EQ(again.machines, reference.machines);
  ASSERT_EQ(again.expected.size(), 2U);
  EXPECT_EQ(again.expected.at("triad").of_processor.at("Model A").tolerance, 0.1);
  EXPECT_EQ(again.expected.at("triad").of_processor.at("Model B/7").value, 3e10);
  EXPECT_EQ(again.expected.at("random_access").tolerance, 0.3);
  run.head.machine = record::Json{{"processor", "Model A"}};
  const auto found = judged(run);
  EXPECT_EQ(found.names({Verdict::slow}).size(), 5U) << report(found);
  EXPECT_NE(report(found).find("of another machine: hare"), std::string::npos) << report(found);
  // What is expected does not part runs that were measured alike.
  auto other = run_of("true");
  other.id += "-other";
  other.head.config = record::Json{{"screen", record::Json::object()}};
  const std::vector<record::Run> both{run, other};
  EXPECT_NO_THROW((void)measured(both));
  const std::vector<record::Run> twice{run, run};
  EXPECT_THROW((void)measured(twice), Unjudgeable);
}

/// A screening of so many nodes, one after the other.
record::Run alone_run_of(int nodes, const std::string& name) {
  auto run = run_of("true");
  run.id += name;
  auto hosts = record::Json::array();
  for (int node = 0; node < nodes; ++node) hosts.push_back(name + std::to_string(node));
  run.head.layout.json()["hosts"] = hosts;
  record::PointRecord point;
  point.suite = "screen";
  point.params["alone"] = true;
  run.points.push_back(point);
  return run;
}

TEST(ScreenRecords, TellByTheirOwnNodesWhetherLinksWereTimedAlone) {
  const std::vector<record::Run> few{alone_run_of(20, "a"), alone_run_of(20, "b")};
  EXPECT_EQ(measured(few).hosts.size(), 40U);
  EXPECT_TRUE(measured(few).links_alone);
  const auto many = alone_run_of(33, "a");
  EXPECT_TRUE(measured(std::span(&many, 1)).alone);
  EXPECT_FALSE(measured(std::span(&many, 1)).links_alone);
}

TEST(ScreenRecords, WithoutAScreeningOrOfOtherSettingsAreRefused) {
  const record::Run none;
  EXPECT_THROW((void)measured(std::span(&none, 1)), Unjudgeable);
  std::vector<record::Run> runs{run_of("true"), run_of("true")};
  runs[1].id += "-other";
  runs[1].head.config = record::Json::parse(R"({"screen":{"visits":9}})");
  EXPECT_THROW((void)measured(runs), Unjudgeable);
}

TEST(ScreenRecords, ThatAreDamagedAreNoValues) {
  auto run = run_of("true");
  run.tables.front().columns =
      record::Json::parse(R"({"host":[0,1],"benchmark":["triad"],"visit":[1,1],"value":[1,1],
    "processes":[1,1]})");
  EXPECT_THROW((void)measured(std::span(&run, 1)), Unjudgeable);
  run.tables.front().columns =
      record::Json::parse(R"({"host":[77,-1,"a",0],"benchmark":["triad","triad","triad",7],
    "visit":[1,1,1,1],"value":["x",1,1,1],"processes":[1,1,1,1]})");
  EXPECT_THROW((void)measured(std::span(&run, 1)), Unjudgeable);
}

TEST(charts, nodes_stand_by_their_values_with_what_stands_out) {
  auto measured = machine(64, 0.01, 0.002, 5);
  slow_down(node_of(measured, "triad", 17), 0.8);
  slow_down(node_of(measured, "chase", 9), 1.4);
  node_of(measured, "triad", 3).visits.clear();
  const auto screening = judge(measured);
  const auto drawn = charts(screening);
  ASSERT_EQ(drawn.size(), five_tests.size());
  const auto& triad = drawn[2];
  EXPECT_EQ(triad["quantity"], "triad");
  EXPECT_EQ(triad["hosts"][0], "n17");
  EXPECT_EQ(triad["values"].size(), 63U);
  EXPECT_TRUE(std::ranges::is_sorted(triad["values"].get<std::vector<double>>()));
  ASSERT_EQ(triad["flagged"].size(), 1U);
  EXPECT_EQ(triad["flagged"][0]["at"], 0);
  EXPECT_EQ(triad["flagged"][0]["verdict"], "slow");
  EXPECT_EQ(triad["without"], record::Json::array({"n3"}));
  EXPECT_NEAR(triad["medians"][0]["value"].get<double>(), 1e9, 1e7);
  EXPECT_GT(triad["limit_percent"].get<double>(), 3);
  EXPECT_EQ(drawn[4]["hosts"][0], "n9") << "the longest time is the worst";
}

TEST(charts, a_table_has_every_node_and_those_that_stand_out_first) {
  auto measured = machine(64, 0.01, 0.002, 5);
  slow_down(node_of(measured, "triad", 17), 0.8);
  const auto table = nodes_table(judge(measured), 10);
  ASSERT_EQ(table.table.rows.size(), 10U);
  EXPECT_EQ(std::get<std::string>(table.table.rows[0][0].value), "n17");
  EXPECT_NEAR(std::get<double>(table.table.rows[0][4].value), -20, 3);
  ASSERT_EQ(table.notes.size(), 1U);
  EXPECT_EQ(table.notes[0], "10 of 64 nodes, those that stand out first");
}

}  // namespace
}  // namespace steelyard::screening
