// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// Partners of processes in IMB-P2P: random numbers that are the same on all processes, pairs,
/// rings and grids. Pure.
/// Source: IMB-P2P of the later releases; docs/suites/imb-p2p.md, "Random numbers" and "Grids".
namespace steelyard::imb {

/// The linear congruential generator of IMB-P2P: 32 bits from the middle of a state of 64.
class RandomSequence {
 public:
  explicit RandomSequence(std::uint64_t seed = 0) : state_(seed) {}
  [[nodiscard]] std::uint32_t next() {
    state_ = 7560690468208412377U * state_ + 4343336064253945357U;
    ++drawn_;
    return static_cast<std::uint32_t>(state_ >> 24);
  }
  /// Random rank of so many processes: next() modulo them.
  [[nodiscard]] int rank(int processes) {
    return static_cast<int>(next() % static_cast<std::uint32_t>(processes));
  }
  [[nodiscard]] std::uint64_t drawn() const { return drawn_; }
  /// Goes on as if so many numbers had been drawn; the time grows with their logarithm.
  void skip(std::uint64_t numbers);

 private:
  std::uint64_t state_;
  std::uint64_t drawn_ = 0;
};

struct RankPair {
  int first = 0, second = 0;
  friend bool operator==(const RankPair&, const RankPair&) = default;
};
/// Draws two different ranks; at least 2 processes.
[[nodiscard]] RankPair draw_pair(RandomSequence& sequence, int processes);

/// Exchanges places of a ring, as before each repetition of Corandom.
void shuffle_ring(RandomSequence& sequence, std::vector<int>& ring);

/// Message of this process in a repetition of Unirandom, or an exchange of Birandom.
struct Draw {
  std::int32_t partner = 0;
  std::int32_t number = 0;  // of the draw within its repetition
  bool first = true;        // of the pair: the sender
};
/// Neighbours in a ring.
struct RingPlace {
  std::int32_t before = 0, behind = 0;
  friend bool operator==(const RingPlace&, const RingPlace&) = default;
};

/// Work of one rank in each repetition of a random pattern, made ahead of the clock and never repeated: the
/// sequence of the seed from repetition 0 on. A caller that begins elsewhere, as a later visit does, gets a
/// place of the sequence that follows from the number of the repetition, the same on all ranks.
template <class Made>
class Ahead {
 public:
  /// `make(sequence, state, out)` appends what one repetition brings this rank.
  using State = std::vector<int>;
  using Make = void (*)(RandomSequence& sequence, State& ring, int rank, int processes,
                        std::vector<Made>& out);
  Ahead(Make make, int rank, int processes, std::uint64_t seed);

  /// Makes repetitions first .. first + count - 1; those made before are forgotten where they are many.
  void foresee(std::uint64_t first, std::uint64_t count);
  /// Work of repetition i, which is made now if it has not been foreseen.
  [[nodiscard]] std::span<const Made> of(std::uint64_t i) {
    if (i - first_ >= begin_.size() - 1) foresee(i, unforeseen);
    const auto at = static_cast<std::size_t>(i - first_);
    return std::span(made_).subspan(begin_[at], begin_[at + 1] - begin_[at]);
  }

 private:
  static constexpr std::uint64_t unforeseen = 64;
  void restart(std::uint64_t first);

  Make make_;
  int rank_, processes_;
  std::uint64_t seed_;
  RandomSequence sequence_;
  State ring_;
  std::uint64_t first_ = 0;
  std::vector<Made> made_;
  std::vector<std::size_t> begin_{0};
};

/// Pairs that a rank is drawn for, one after the other; its places in the ring.
[[nodiscard]] Ahead<Draw> draws_ahead(int rank, int processes, std::uint64_t seed);
[[nodiscard]] Ahead<RingPlace> rings_ahead(int rank, int processes, std::uint64_t seed);

/// Number of times that a rank was the first and the second of a pair.
struct RankLoad {
  std::int64_t first = 0, second = 0;
};

/// Number of times that each rank is the first and the second of a pair in so many repetitions.
struct Loads {
  std::vector<std::int64_t> first, second;
};
[[nodiscard]] Loads loads(int processes, std::uint64_t repetitions, std::uint64_t seed);

/// Sides of a periodic grid, x first; z is 1 in two dimensions.
struct Grid {
  int x = 1, y = 1, z = 1;
  friend bool operator==(const Grid&, const Grid&) = default;
};
/// Grid of so many processes in 2 or 3 dimensions, every side at least 2; nullopt if there is none.
[[nodiscard]] std::optional<Grid> grid(int dimensions, int processes);
/// Words for a grid, "3x2": slowest dimension first.
[[nodiscard]] std::string text(const Grid& grid, int dimensions);
/// Neighbours x-1, x+1, y-1, y+1, z-1, z+1; in two dimensions the first four count.
[[nodiscard]] std::array<int, 6> neighbours(const Grid& grid, int rank);

}  // namespace steelyard::imb
