// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

/// Schedule of the pairs of nodes that measure the links between them. Pure: every node works
/// out its own turns.
namespace steelyard::screen {

/// Tournament by the circle method: every pair of players once, every player at most once a round. One player
/// stays, the others move around it; an odd number has a phantom, and whoever meets it waits.
class Tournament {
 public:
  explicit Tournament(int players);
  /// Number of rounds: players - 1, or players if their number is odd; none for a single player.
  [[nodiscard]] int rounds() const { return players_ < 2 ? 0 : circle_; }
  /// Player whom a player meets in a round; nullopt: it waits.
  [[nodiscard]] std::optional<int> partner(int round, int player) const;

 private:
  int players_;
  int circle_;  // players that move
};

/// all: the whole tournament; sample: some of its rounds; shift: in round d all send to the node d places on.
enum class PairKind { all, sample, shift, none };
[[nodiscard]] std::string_view text(PairKind kind);

/// Number of nodes of the largest machine whose links are all measured unless somebody says otherwise.
inline constexpr int most_nodes_of_all_pairs = 1024;
[[nodiscard]] PairKind usual_pairs(int nodes);
/// Rounds of a sample: 2 log2 of the nodes, at least 8.
[[nodiscard]] int usual_rounds(int nodes);

/// Nodes that a node sends to and receives from in a round: the same node but in a shift. Both or none.
struct Turn {
  std::optional<int> to, from;
  friend bool operator==(const Turn&, const Turn&) = default;
};

/// Rounds of one visit. Nodes are renumbered by the seed and the visit, so that other nodes
/// meet at the same time.
class PairSchedule {
 public:
  /// `rounds`: of a sample; a number beyond those of the tournament means all of them.
  PairSchedule(PairKind kind, int nodes, int rounds, std::uint64_t seed, int visit);
  [[nodiscard]] int rounds() const { return static_cast<int>(order_.size()); }
  [[nodiscard]] Turn turn(int round, int node) const;

 private:
  [[nodiscard]] int node(int place) const { return node_at_[static_cast<std::size_t>(place)]; }

  PairKind kind_;
  Tournament tournament_;
  std::vector<int> place_of_, node_at_;
  std::vector<int> order_;  // rounds of the tournament, or distances of a shift
};

}  // namespace steelyard::screen
