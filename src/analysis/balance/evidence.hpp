// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

/// Evidence of a run about why a resource is slow, beside how slow it is. The rules compare with the spread
/// of what was measured (docs/balance.md, "Causes").
namespace steelyard::balance {

/// The arithmetic library under DGEMM beside what the processors can do. Shares of the multiply-adds on
/// registers that were measured at the same time.
struct BlasRate {
  std::string name, kernel;  // "OpenBLAS 0.3.21", "Prescott"
  double share = 0;          // of DGEMM
  double better_share = 0;   // that a suitable library reaches
  bool too_slow = false;     // by the rule of the suite
  std::string cure;          // sentences; may be empty
};

/// Rates of hosts in a test that all processes do at once, each alone. The rate of a host is the
/// mean of its processes.
struct HostRates {
  std::string slowest;
  double rate = 0, best_rate = 0;          // of the slowest host: median and best of its repetitions
  double others_rate = 0;                  // median over the other hosts
  double others_low = 0, others_high = 0;  // their quartiles
  double others_worst_rate = 0;            // median over the other hosts of their worst repetition
  int hosts = 0, repetitions = 0;
  [[nodiscard]] double slowdown() const { return others_rate / rate; }
};
/// Whether the slowest host is slower than chance and than hosts differ: its best repetition is below the
/// worst of the others, and its rate below their lower quartile by three times the distance of the quartiles,
/// and by a tenth or more.
[[nodiscard]] bool stands_out(const HostRates& hosts);

/// Times of ping-pongs between places: hosts, or the processes of the only host.
struct PairTimes {
  bool between_hosts = true;
  std::string one = {}, other = {};  // places of the slowest pair: "host2"; "rank 3"
  double slowest_s = 0;              // its best measurement
  double typical_s = 0;              // median over places of the fastest pair of each
  double typical_worst_s = 0;        // the same with the worst measurement of each pair
  int places = 0;
  /// Number of pairs whose time is nearer to the slowest than to the typical one, by ratio; of pairs between
  /// the two places; and of slow ones among these.
  std::int64_t slow = 0, between = 0, slow_between = 0;
  /// The place whose fastest pair is slowest, and its pairs in the same way.
  std::string place = {};
  double place_s = 0;
  std::int64_t with_place = 0, slow_with_place = 0;
  [[nodiscard]] double pair_slowdown() const { return slowest_s / typical_s; }
  [[nodiscard]] double place_slowdown() const { return place_s / typical_s; }
};
/// Whether all slow pairs are between these two places, all pairs between them are slow, and at their best
/// they take twice the typical time and longer than the typical pair at its worst.
[[nodiscard]] bool pair_stands_out(const PairTimes& pairs);
/// The same for all pairs of one place.
[[nodiscard]] bool place_stands_out(const PairTimes& pairs);

/// Processor time that the control group of a node allows, and what its processes would use.
struct Quota {
  double cores = 0, wanted = 0;
  [[nodiscard]] double slowdown() const { return wanted / cores; }
};
[[nodiscard]] bool limits(const Quota& quota);

/// Share of the time of a test in which its processes were ready to run and others had the processor. Unknown
/// for more processes than cores, which wait for one another.
struct Waiting {
  double arithmetic = 0, memory = 0;  // of StarDGEMM, of the triad of StarSTREAM
};

/// Rates of the processes in a test that each does for itself, over its repetitions: the slowest and the
/// fastest, and the factor by which the slowest differs from repetition to repetition.
struct ProcessRates {
  double least = 0, most = 0, scatter = 1;
  /// Spread between the processes, beyond that from repetition to repetition.
  [[nodiscard]] double spread() const { return most / least / scatter; }
};

struct Evidence {
  std::optional<BlasRate> blas;
  std::optional<HostRates> arithmetic, memory;  // of StarDGEMM, of the triad of StarSTREAM
  std::optional<PairTimes> latency, bandwidth;  // with the short and the long message
  std::optional<Quota> quota;
  std::optional<Waiting> waiting;
  std::optional<ProcessRates> products;  // flop/s of StarDGEMM
};

/// Factor from which on a difference counts: the distance that the verdict takes for more than "about equal".
inline constexpr double noticeable = 1.1;

}  // namespace steelyard::balance
