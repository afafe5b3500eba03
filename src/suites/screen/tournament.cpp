// SPDX-License-Identifier: Apache-2.0
#include "suites/screen/tournament.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "measure/schedule.hpp"

namespace steelyard::screen {
namespace {

/// Purpose of an order: orders for two purposes differ although seed and visit are the same.
enum class Purpose : std::uint64_t { nodes, rounds };

std::vector<int> reordered(int n, std::uint64_t seed, int visit, Purpose purpose) {
  const auto order =
      measure::shuffled(static_cast<std::size_t>(std::max(n, 0)), seed, static_cast<std::uint64_t>(visit),
                        static_cast<std::uint64_t>(purpose));
  return {order.begin(), order.end()};
}

std::vector<int> order_of_rounds(PairKind kind, int nodes, int wanted, std::uint64_t seed, int visit) {
  if (nodes < 2 || kind == PairKind::none) return {};
  if (kind == PairKind::shift) {
    auto distances = reordered(nodes - 1, seed, visit, Purpose::rounds);
    for (int& distance : distances) ++distance;
    return distances;
  }
  auto rounds = reordered(Tournament(nodes).rounds(), seed, visit, Purpose::rounds);
  if (kind == PairKind::sample && wanted < static_cast<int>(rounds.size()))
    rounds.resize(static_cast<std::size_t>(std::max(wanted, 1)));
  return rounds;
}

}  // namespace

Tournament::Tournament(int players) : players_(players), circle_(players % 2 == 0 ? players - 1 : players) {}

std::optional<int> Tournament::partner(int round, int player) const {
  // Players of the circle meet if their numbers add up to twice the round; one that would meet itself meets
  // the one that stays.
  const int stays = circle_;
  int other = round;
  if (player != stays) {
    const auto twice = 2 * static_cast<std::int64_t>(round) - player;
    other = static_cast<int>(((twice % circle_) + circle_) % circle_);
    if (other == player) other = stays;
  }
  if (other >= players_) return std::nullopt;
  return other;
}

std::string_view text(PairKind kind) {
  constexpr std::array<std::string_view, 4> words{"all", "sample", "shift", "none"};
  return words[static_cast<std::size_t>(kind)];
}

PairKind usual_pairs(int nodes) {
  return nodes <= most_nodes_of_all_pairs ? PairKind::all : PairKind::sample;
}

int usual_rounds(int nodes) {
  constexpr int least = 8;
  return std::max(least, static_cast<int>(std::ceil(2 * std::log2(std::max(nodes, 1)))));
}

PairSchedule::PairSchedule(PairKind kind, int nodes, int rounds, std::uint64_t seed, int visit)
    : kind_(kind),
      tournament_(nodes),
      place_of_(static_cast<std::size_t>(std::max(nodes, 0))),
      node_at_(reordered(nodes, seed, visit, Purpose::nodes)),
      order_(order_of_rounds(kind, nodes, rounds, seed, visit)) {
  for (std::size_t place = 0; place < node_at_.size(); ++place)
    place_of_[static_cast<std::size_t>(node_at_[place])] = static_cast<int>(place);
}

Turn PairSchedule::turn(int round, int of) const {
  const int place = place_of_[static_cast<std::size_t>(of)], step = order_[static_cast<std::size_t>(round)];
  if (kind_ == PairKind::shift) {
    const int nodes = static_cast<int>(node_at_.size());
    return {node((place + step) % nodes), node((place + nodes - step) % nodes)};
  }
  const auto other = tournament_.partner(step, place);
  if (!other) return {};
  return {node(*other), node(*other)};
}

}  // namespace steelyard::screen
