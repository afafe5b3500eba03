// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/p2p/sequence.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace steelyard::imb {
namespace {

/// Number of repetitions that are kept for callers that come back to them; beyond it they are forgotten.
constexpr std::uint64_t most_kept = std::uint64_t{1} << 18;
/// Numbers of the sequence that are set aside for a pair where a caller begins later: a pair mostly
/// takes two or three.
constexpr std::uint64_t numbers_of_a_pair = 4;

std::vector<int> ring_in_order(int processes) {
  std::vector<int> ring(static_cast<std::size_t>(processes));
  std::iota(ring.begin(), ring.end(), 0);
  return ring;
}

/// The smallest number from 2 on whose power reaches `processes`.
int least_side(int dimensions, int processes) {
  const auto power = [&](std::int64_t side) { return dimensions == 2 ? side * side : side * side * side; };
  int side = 2;
  while (power(side) < processes) ++side;
  return side;
}

std::optional<Grid> plane(int processes) {
  for (int y = least_side(2, processes); y >= 2; --y)
    if (processes % y == 0 && processes / y >= 2) return Grid{processes / y, y, 1};
  return std::nullopt;
}

/// The grid whose sides have the smallest sum, of those the one with the largest smallest side.
std::optional<Grid> best_of_all(int processes) {
  std::optional<Grid> best;
  const auto rank = [](const Grid& g) { return std::tuple(g.x + g.y + g.z, -std::min({g.x, g.y, g.z})); };
  for (int z = 2; z <= processes / 4; ++z)
    for (int y = z; processes % z == 0 && y <= processes / z / 2; ++y) {
      const int x = processes / z / y;
      if (processes / z % y != 0 || x < y) continue;
      const Grid one{x, y, z};
      if (!best || rank(one) < rank(*best)) best = one;
    }
  return best;
}

std::optional<Grid> space(int processes) {
  const int side = least_side(3, processes);
  if (side * side * side == processes) return Grid{side, side, side};
  for (int z = side - 1; z >= 2; --z) {
    if (processes % z != 0) continue;
    const auto level = plane(processes / z);
    if (level && level->x >= z && level->y >= z) return Grid{level->x, level->y, z};
  }
  return best_of_all(processes);
}

}  // namespace

RankPair draw_pair(RandomSequence& sequence, int processes) {
  const int first = sequence.rank(processes);
  int second = sequence.rank(processes);
  while (second == first) second = sequence.rank(processes);
  return {first, second};
}

void shuffle_ring(RandomSequence& sequence, std::vector<int>& ring) {
  for (int& place : ring)
    std::swap(place, ring[static_cast<std::size_t>(sequence.rank(static_cast<int>(ring.size())))]);
}

void RandomSequence::skip(std::uint64_t numbers) {
  // The steps x -> a x + c, doubled again and again.
  std::uint64_t factor = 7560690468208412377U, term = 4343336064253945357U;
  for (std::uint64_t left = numbers; left > 0; left /= 2) {
    if (left % 2 == 1) state_ = factor * state_ + term;
    term = factor * term + term;
    factor *= factor;
  }
  drawn_ += numbers;
}

template <class Made>
Ahead<Made>::Ahead(Make make, int rank, int processes, std::uint64_t seed)
    : make_(make), rank_(rank), processes_(processes), seed_(seed) {
  restart(0);
}

template <class Made>
void Ahead<Made>::restart(std::uint64_t first) {
  sequence_ = RandomSequence(seed_);
  sequence_.skip(first * static_cast<std::uint64_t>(processes_) * numbers_of_a_pair);
  ring_ = ring_in_order(processes_);
  first_ = first;
  made_.clear();
  begin_.assign(1, 0);
}

template <class Made>
void Ahead<Made>::foresee(std::uint64_t first, std::uint64_t count) {
  const auto end = [this] { return first_ + begin_.size() - 1; };
  if (first < first_ || first > end()) restart(first);
  if (first == end() && first - first_ > most_kept) {
    first_ = first;
    made_.clear();
    begin_.assign(1, 0);
  }
  while (end() < first + count) {
    make_(sequence_, ring_, rank_, processes_, made_);
    begin_.push_back(made_.size());
  }
}

template class Ahead<Draw>;
template class Ahead<RingPlace>;

Ahead<Draw> draws_ahead(int rank, int processes, std::uint64_t seed) {
  const auto make = [](RandomSequence& sequence, std::vector<int>&, int own, int all,
                       std::vector<Draw>& out) {
    for (int number = 0; number < all; ++number) {
      const auto [first, second] = draw_pair(sequence, all);
      if (first == own) out.push_back({second, number, true});
      if (second == own) out.push_back({first, number, false});
    }
  };
  return {make, rank, processes, seed};
}

Ahead<RingPlace> rings_ahead(int rank, int processes, std::uint64_t seed) {
  const auto make = [](RandomSequence& sequence, std::vector<int>& ring, int own, int,
                       std::vector<RingPlace>& out) {
    shuffle_ring(sequence, ring);
    const auto at = static_cast<std::size_t>(std::ranges::find(ring, own) - ring.begin());
    out.push_back({ring[(at + ring.size() - 1) % ring.size()], ring[(at + 1) % ring.size()]});
  };
  return {make, rank, processes, seed};
}

Loads loads(int processes, std::uint64_t repetitions, std::uint64_t seed) {
  const auto ranks = static_cast<std::size_t>(processes);
  Loads result{std::vector<std::int64_t>(ranks), std::vector<std::int64_t>(ranks)};
  RandomSequence sequence(seed);
  for (std::uint64_t draw = 0; draw < repetitions * ranks; ++draw) {
    const auto [first, second] = draw_pair(sequence, processes);
    ++result.first[static_cast<std::size_t>(first)];
    ++result.second[static_cast<std::size_t>(second)];
  }
  return result;
}

std::optional<Grid> grid(int dimensions, int processes) {
  return dimensions == 2 ? plane(processes) : space(processes);
}

std::string text(const Grid& grid, int dimensions) {
  const std::string level = std::to_string(grid.y) + "x" + std::to_string(grid.x);
  return dimensions == 2 ? level : std::to_string(grid.z) + "x" + level;
}

std::array<int, 6> neighbours(const Grid& grid, int rank) {
  const int x = rank % grid.x, y = rank / grid.x % grid.y, z = rank / (grid.x * grid.y);
  const auto at = [&](int i, int j, int k) {
    return (i + grid.x) % grid.x + grid.x * ((j + grid.y) % grid.y) +
           grid.x * grid.y * ((k + grid.z) % grid.z);
  };
  return {at(x - 1, y, z), at(x + 1, y, z), at(x, y - 1, z),
          at(x, y + 1, z), at(x, y, z - 1), at(x, y, z + 1)};
}

}  // namespace steelyard::imb
