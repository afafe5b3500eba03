// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// The communication patterns of b_eff: who sends to whom, slot by slot. Pure.
/// Source: 000_ea2d91109a99d1ca.txt section 4; numbering and names of the published release.
namespace steelyard::beff {

/// One message slot of a process: where it sends and from where it receives; nothing = no partner.
struct Slot {
  std::optional<int> to, from;
  friend bool operator==(const Slot&, const Slot&) = default;
};

/// What a pattern counts for.
enum class PatternSet { ring, random, additional };

/// Whose ranks the slots name: those of the world, or of a Cartesian communicator that MPI may reorder.
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

/// Extents of a balanced D-dimensional grid of c processes, falling (what MPI_Dims_create gives).
[[nodiscard]] std::vector<int> balanced_extents(int processes, int dimensions);

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

}  // namespace steelyard::beff
