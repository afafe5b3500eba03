// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "suites/screen/definition.hpp"

namespace steelyard::screen {
namespace {

using Met = std::pair<int, int>;

/// Every pair of the rounds; fails where a node plays twice in a round, with itself, or alone.
std::multiset<Met> played(const PairSchedule& schedule, int nodes) {
  std::multiset<Met> met;
  for (int round = 0; round < schedule.rounds(); ++round)
    for (int node = 0; node < nodes; ++node) {
      const Turn turn = schedule.turn(round, node);
      EXPECT_EQ(turn.to, turn.from);
      if (!turn.to) continue;
      EXPECT_NE(*turn.to, node);
      EXPECT_EQ(schedule.turn(round, *turn.to).to, node) << "round " << round << ", node " << node;
      if (node < *turn.to) met.insert({node, *turn.to});
    }
  return met;
}

TEST(Tournament, EveryPairMeetsOnceAndNobodyPlaysTwiceInARound) {
  std::vector<int> sizes(64);
  std::iota(sizes.begin(), sizes.end(), 2);
  sizes.push_back(1000);
  for (const int nodes : sizes) {
    const PairSchedule schedule(PairKind::all, nodes, 0, 7, 1);
    EXPECT_EQ(schedule.rounds(), nodes % 2 == 0 ? nodes - 1 : nodes);
    const auto met = played(schedule, nodes);
    EXPECT_EQ(met.size(), static_cast<std::size_t>(nodes) * static_cast<std::size_t>(nodes - 1) / 2);
    EXPECT_EQ(std::set<Met>(met.begin(), met.end()).size(), met.size()) << nodes;
  }
}

TEST(Tournament, OfAnOddNumberEachWaitsOnce) {
  const PairSchedule schedule(PairKind::all, 7, 0, 1, 1);
  for (int node = 0; node < 7; ++node) {
    int waited = 0;
    for (int round = 0; round < schedule.rounds(); ++round) waited += schedule.turn(round, node).to ? 0 : 1;
    EXPECT_EQ(waited, 1) << node;
  }
}

TEST(Sample, OfTenThousandNodesHasNoPairTwiceAndEveryNodeInEveryRound) {
  constexpr int nodes = 10'000;
  EXPECT_EQ(usual_rounds(nodes), 27);
  const PairSchedule schedule(PairKind::sample, nodes, usual_rounds(nodes), 3, 2);
  ASSERT_EQ(schedule.rounds(), 27);
  const auto met = played(schedule, nodes);
  EXPECT_EQ(met.size(), 27U * nodes / 2);  // everybody plays in every round
  EXPECT_EQ(std::set<Met>(met.begin(), met.end()).size(), met.size());
}

TEST(Sample, HasTheUsualNumberOfRounds) {
  EXPECT_EQ(usual_rounds(1), 8);
  EXPECT_EQ(usual_rounds(16), 8);
  EXPECT_EQ(usual_rounds(64), 12);
  EXPECT_EQ(usual_rounds(1024), 20);
  EXPECT_EQ(usual_pairs(1024), PairKind::all);
  EXPECT_EQ(usual_pairs(1025), PairKind::sample);
  EXPECT_EQ(PairSchedule(PairKind::sample, 5, 8, 1, 1).rounds(), 5);  // a tournament has no more
}

TEST(Shift, EveryNodeSendsToEveryOtherOnceAndReceivesFromWhoSends) {
  for (const int nodes : {2, 3, 4, 7, 16}) {
    const PairSchedule schedule(PairKind::shift, nodes, 0, 5, 1);
    EXPECT_EQ(schedule.rounds(), nodes - 1);
    std::set<Met> sent;
    for (int round = 0; round < schedule.rounds(); ++round)
      for (int node = 0; node < nodes; ++node) {
        const Turn turn = schedule.turn(round, node);
        ASSERT_TRUE(turn.to && turn.from);
        EXPECT_EQ(schedule.turn(round, *turn.to).from, node);
        EXPECT_TRUE(sent.insert({node, *turn.to}).second);
      }
    EXPECT_EQ(sent.size(), static_cast<std::size_t>(nodes) * static_cast<std::size_t>(nodes - 1));
  }
}

TEST(Schedule, VisitsDifferAndSeedsRepeat) {
  const auto pairs_of = [](std::uint64_t seed, int visit) {
    const PairSchedule schedule(PairKind::sample, 64, 1, seed, visit);
    return played(schedule, 64);
  };
  EXPECT_EQ(pairs_of(1, 1), pairs_of(1, 1));
  EXPECT_NE(pairs_of(1, 1), pairs_of(1, 2));
  EXPECT_NE(pairs_of(1, 1), pairs_of(2, 1));
}

TEST(Schedule, OfOneNodeOrOfNoneHasNoRound) {
  for (const auto kind : {PairKind::all, PairKind::sample, PairKind::shift, PairKind::none}) {
    EXPECT_EQ(PairSchedule(kind, 1, 8, 1, 1).rounds(), 0);
    EXPECT_EQ(PairSchedule(kind, 0, 8, 1, 1).rounds(), 0);
  }
  EXPECT_EQ(PairSchedule(PairKind::none, 9, 8, 1, 1).rounds(), 0);
}

}  // namespace
}  // namespace steelyard::screen
