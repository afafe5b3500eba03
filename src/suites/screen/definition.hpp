// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "machine/topology.hpp"
#include "suites/hpcc/settings.hpp"
#include "suites/screen/quantities.hpp"
#include "suites/suite.hpp"

namespace steelyard::screen {

// Schedule of the pairs of nodes that measure the links between them. Pure: every node works
// out its own turns.

/// Tournament by the circle method: every pair of players once, every player at most once a round. One player
/// stays, the others move around it; an odd number has a phantom, and whoever meets it waits.
class Tournament {
 public:
  explicit Tournament(int players) : players_(players), circle_(players % 2 == 0 ? players - 1 : players) {}
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

/// Tolerances that the user has chosen, by the name of the quantity.
using Tolerances = std::map<std::string, double, std::less<>>;

/// Choices of the user, and facts of this place that decide about sizes.
struct Settings {
  int visits = 5;
  double visit_s = 0.5;  // of the timed part of a visit to a test of nodes
  bool alone = false;    // one node after the other, of few nodes one link after the other
  std::optional<PairKind> pairs;
  std::optional<int> rounds;   // of a sample
  std::filesystem::path disk;  // folder of a node; empty: no test of disks
  Tolerances tolerances;
  machine::Switches switch_of;  // on rank 0, as far as it was told
  double again = 0.05;          // part of the nodes that is measured again at most
  std::uint64_t seed = 1;
  int threads = 1;
  std::int64_t memory_byte = 0;  // that a process may use; 0: not known
  hpcc::CacheShare cache;
  std::int64_t core_cache_byte = 0;  // last-level cache that one core reaches; 0: not known
  int domains = 1;                   // NUMA domains that processes are bound to, of the node with most
  int spread = 1;                    // NUMA domains that one process may run on, at most
  bool blas = true;                  // whether there is a BLAS that can compute
  std::string blas_lack;             // why none can; empty where the program was built without one
  std::shared_ptr<const hpcc::BlasInUse> blas_in_use;
  std::optional<double> needs_budget_s;  // of a campaign whose budget does not hold it: it is left out
};

/// Least number of visits that tell a node that was slow once from one that is slow.
inline constexpr int least_visits = 3;
/// Largest number of nodes that are measured again, however many there are.
inline constexpr int most_again = 32;

enum class Test { dgemm, fma, triad, numa_triad, random_access, chase, disk, pairs };

/// Work of a process in one visit to a test.
struct TestSpec {
  Test test = Test::fma;
  std::string_view benchmark;
  std::int64_t length = 0;   // order, elements of a vector, bytes of a list or file
  int bits = 0;              // of a table
  std::int64_t updates = 0;  // of the table
  int repetitions = 1;       // that are timed together
  double visit_s = 0;        // fma: how long it runs
};

/// The suite screen: one block of all its points, whose visits are interleaved. Pure.
class Definition : public suites::DefinedSuite<Settings> {
 public:
  explicit Definition(Settings settings);
  [[nodiscard]] std::vector<suites::BlockPlan> plan(std::span<const std::string> benchmarks,
                                                    const suites::World& world) const override;
  [[nodiscard]] record::Members configuration() const override;
};

/// The same suite, measurable (only in builds with MPI; library steelyard_screen).
[[nodiscard]] std::unique_ptr<suites::Suite> measurable_suite(const Settings& settings);

/// Settings with as many visits as the time holds, at least three; nothing is measured if it holds fewer.
[[nodiscard]] Settings fitted(Settings settings, std::span<const std::string> benchmarks,
                              const suites::TimeShare& time, const suites::World& world);
/// Times of three visits, and of all of them.
[[nodiscard]] suites::TimeRange time_range(const Settings& settings, std::span<const std::string> benchmarks,
                                           const suites::World& world);

}  // namespace steelyard::screen
