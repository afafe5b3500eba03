// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mpi/communicator.hpp"
#include "suites/hpcc/latency_bandwidth/rings.hpp"

/// Times of the latency and bandwidth test: ping-pong over pairs and rings. Source of the procedure: HPCC
/// balance paper, 2, and the published HPC Challenge suite. Needs at least two processes; all functions are
/// collective and throw mpi::Error.
namespace steelyard::hpcc {

/// Best and worst time of one ping-pong over its measurements.
struct PairTime {
  int client = 0, server = 0;
  double best_s = 0, worst_s = 0;
};

/// Place of each rank: its host, in the order of their first ranks, if there are several; else the rank
/// itself. Collective: every rank sends one number to all.
[[nodiscard]] std::vector<int> places_of_ranks(const mpi::Communicator& world);

/// The slowest pair and the slowest place beside the typical one. Pairs within a place do not count.
struct PairSpread {
  int places = 0;
  int client = 0, server = 0;  // of the slowest pair, by its best measurement
  double slowest_s = 0;
  double typical_s = 0, typical_worst_s = 0;  // median over places of the fastest pair of each
  /// Pairs nearer to the slowest than to the typical one, by ratio; pairs between the two places of the
  /// slowest one; those of the latter that are slow.
  std::int64_t slow = 0, between = 0, slow_between = 0;
  /// The place whose fastest pair is slowest: its first rank, the time of that pair, its
  /// pairs, the slow ones of them.
  int place_rank = 0;
  double place_s = 0;
  std::int64_t with_place = 0, slow_with_place = 0;
};

/// Spread of the pairs, of which `own` has those whose client this rank is. The same on all ranks; places is
/// 0 if no pair leaves its place. Collective, in O(log P) messages of two numbers per place at most.
[[nodiscard]] PairSpread spread_over_places(const mpi::Communicator& world, std::span<const PairTime> own,
                                            const std::vector<int>& place_of);

/// Time from which on a loop is long enough for the coarsest clock; the same on all ranks.
[[nodiscard]] double shortest_loop_s(const mpi::Communicator& comm);

/// One-way times over the pairs, each the best of its measurements; the same on all ranks.
struct PingPongTimes {
  double min_s = 0, mean_s = 0, max_s = 0;
  double mean_byte_s = 0;  // mean over pairs of the bytes of a message over its time
  std::int64_t pairs = 0, possible = 0;
  std::int64_t wrong = 0;  // messages with another content than was sent
  PairSpread spread = {};
  // How the pairs were chosen.
  double first_to_last_s = 0;  // one way, of the trial between the first and the last process
  double pair_s = 0;           // expected of one pair with all its measurements
  bool clock_is_fine = true;   // a pair takes longer than the clock's coarseness asks
  std::int64_t affordable_pairs = 0, most_pings = 0, stride = 1;
};
/// Times, rates and number of all pairs, of which `own` has those whose client this rank is; nothing else of the result
/// is set. Collective.
[[nodiscard]] PingPongTimes over_pairs(const mpi::Communicator& comm, std::span<const PairTime> own,
                                       std::int64_t message_byte);
[[nodiscard]] PingPongTimes ping_pong(const mpi::Communicator& comm, const RingRule& rule);

/// Time of one message in rings: of the slowest process, the best of the measurements.
struct RingTimes {
  double natural_s = 0;
  double random_s = 0;  // geometric mean over the random rings
  std::int64_t wrong = 0;
};
[[nodiscard]] RingTimes ring_times(const mpi::Communicator& comm, const RingRule& rule, std::uint64_t seed);

/// Message whose first and last byte tell who sent it and when; the rest stays as it is.
class MarkedBuffer {
 public:
  explicit MarkedBuffer(std::int64_t bytes) : bytes_(static_cast<std::size_t>(bytes)) {}
  void mark(int mark) noexcept {
    bytes_.front() = static_cast<char>(mark % 128);
    bytes_.back() = static_cast<char>((mark + 1) % 128);
  }
  [[nodiscard]] bool marked(int mark) const noexcept {
    return bytes_.front() == static_cast<char>(mark % 128) &&
           bytes_.back() == static_cast<char>((mark + 1) % 128);
  }
  [[nodiscard]] char* data() noexcept { return bytes_.data(); }
  [[nodiscard]] int size() const noexcept { return static_cast<int>(bytes_.size()); }

 private:
  std::vector<char> bytes_;
};

/// Rates of random rings with 1, 2, 4, ... and all processes of every node, which tell how many a node needs
/// to saturate its network. Source of the question: HPCC balance paper, 4. On rank 0; empty elsewhere.
struct Saturation {
  std::vector<double> processes;    // of a node that took part
  std::vector<double> node_byte_s;  // of a node with so many
};

/// Place of a process: how many of its node come before it.
struct PlaceOnNode {
  int before = 0;
  int nodes = 1, most_on_node = 1;  // of the whole world
};
/// Place of this process, by the memory that processes share. Collective.
[[nodiscard]] PlaceOnNode place_on_node(const mpi::Communicator& world);

/// Measures the saturation, with at least two nodes, rank 0 the first of its node.
/// Collective; throws mpi::Error.
[[nodiscard]] Saturation saturation(const mpi::Communicator& world, const PlaceOnNode& place,
                                    const RingRule& rule, std::uint64_t seed);

}  // namespace steelyard::hpcc
