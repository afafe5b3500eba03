// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// The communication patterns of b_eff: who sends to whom, slot by slot. Pure.
/// Source: b_eff paper, 4; numbering and names of the published release.
namespace steelyard::beff {

/// Message slot of a process: where it sends and from where it receives; nullopt: no partner.
struct Slot {
  std::optional<int> to, from;
  friend bool operator==(const Slot&, const Slot&) = default;
};

enum class PatternSet { ring, random, additional };

/// Communicator whose ranks the slots name: the world, or a Cartesian one that MPI may reorder.
enum class Numbering { world, line, acyclic_plane, acyclic_space, cyclic_plane, cyclic_space };

struct Pattern {
  std::string name = {};
  PatternSet set = PatternSet::additional;
  Numbering numbering = Numbering::world;
  bool sendrecv_only = false;  // the ping-pong pair
  int slots = 0;               // s_p: most slots of a process
  std::int64_t messages = 0;   // M_p: sent by all processes in one iteration
  int used = 0;                // processes that communicate
};

/// The grid on which b_eff's Cartesian patterns live: the largest c <= P whose grid is acceptable.
[[nodiscard]] std::vector<int> grid_extents(int processes, int dimensions);

struct PatternOptions {
  std::uint64_t seed = 1;
  int polygons = 30;
};

/// All patterns for P processes, P >= 2, in the order of the numbers p00, p01, ...
class PatternTable {
 public:
  explicit PatternTable(int processes, const PatternOptions& options = {});
  PatternTable(PatternTable&&) noexcept;
  ~PatternTable();

  [[nodiscard]] const std::vector<Pattern>& patterns() const { return patterns_; }
  [[nodiscard]] int processes() const { return processes_; }

  /// Slots of one rank (in the pattern's numbering); empty for a rank that takes no part.
  /// A polygon is generated anew: O(polygons * P) time, O(P) memory for the time of the call.
  [[nodiscard]] std::vector<Slot> slots(std::size_t pattern, int rank) const;

  /// Process at each place of random polygon `number`, 0-based.
  [[nodiscard]] std::vector<int> polygon(int number) const;

 private:
  struct Shape;
  void add(Pattern pattern, Shape shape);
  void add_cycles();
  void add_pairs();
  void add_grid(int dimensions, bool cyclic);

  int processes_;
  PatternOptions options_;
  std::vector<Pattern> patterns_;
  std::vector<Shape> shapes_;
};

// Splits of P processes into rings. Source: b_eff paper, 4. Pure.

inline constexpr int ring_pattern_count = 6;

/// Standard sizes of rings: 2, 4, 8, max(16, P/4), max(32, P/2), P, none above P.
[[nodiscard]] std::array<int, ring_pattern_count> standard_ring_sizes(int processes);

/// Sizes of the rings in rank order; they sum to P, even sizes come first.
[[nodiscard]] std::vector<int> ring_sizes(int processes, int standard_size);

/// Name of a split, "ring-3*10&-1": number of rings, size of the first, and how the others differ.
[[nodiscard]] std::string ring_name(const std::vector<int>& sizes);

// Orders of all processes around one cycle. Pure, reproducible on every platform.

/// Source of all random orders: SplitMix64 with rejection. Test vectors are in docs/suites/b-eff.md.
class RandomSource {
 public:
  explicit RandomSource(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  /// Uniform in 0..n-1; n > 0.
  std::uint64_t below(std::uint64_t n);

 private:
  std::uint64_t state_;
};

/// Cycle 0, P-1, 1, P-2, 2, ..., in which every step goes far.
[[nodiscard]] std::vector<int> worst_cycle(int processes);

}  // namespace steelyard::beff
