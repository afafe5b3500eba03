// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/balance/evidence.hpp"
#include "analysis/warnings.hpp"

/// Inputs of the balance analysis about one system, in SI base units.
namespace steelyard::balance {

enum class Quantity {
  processes,
  threads_per_process,
  nodes,
  hpl_flop_s,
  hpl_processes,
  dgemm_star_flop_s,
  stream_star_copy_byte_s,
  stream_star_scale_byte_s,
  stream_star_add_byte_s,
  stream_star_triad_byte_s,
  stream_single_triad_byte_s,
  ptrans_byte_s,
  fft_global_flop_s,
  random_access_global_update_s,
  random_access_star_update_s,
  random_ring_byte_s,
  random_ring_latency_s,
  natural_ring_byte_s,
  natural_ring_latency_s,
  pingpong_min_byte_s,
  pingpong_max_latency_s,
  inter_node_share,
  b_eff_byte_s,
  b_eff_lmax_byte_s,
  b_eff_io_byte_s,
  b_eff_io_write_byte_s,
  b_eff_io_read_byte_s,
  ftio_io_fraction,
  memory_byte,
  peak_measured_flop_s,
  peak_nominal_flop_s,
  peak_memory_byte_s,
  mean_power_w,
  hpcg_flop_s
};

/// `source`: what measures or states it, for messages about what is missing.
struct QuantityInfo {
  Quantity quantity;
  std::string_view name;  // key of inputs in JSON
  std::string_view source;
  std::string_view title;  // for people
};

/// Quantities in the order of the enumeration.
[[nodiscard]] std::span<const QuantityInfo> quantities();
[[nodiscard]] const QuantityInfo& info(Quantity quantity);
[[nodiscard]] std::optional<Quantity> quantity_named(std::string_view name);

/// Quantities of one system. What is not finite or not above 0 counts as missing (files write -1 for it) and
/// is not stored.
class Inputs {
 public:
  void set(Quantity quantity, double value);
  void set(Quantity quantity, const std::optional<double>& value) {
    if (value) set(quantity, *value);
  }
  void erase(Quantity quantity) { values_.erase(quantity); }
  /// Relative half-width of the 95 % interval.
  void set_half_width(Quantity quantity, double relative) { half_widths_[quantity] = relative; }
  /// Both ends of it; the half-width is told apart.
  void set_interval(Quantity quantity, const analysis::RelativeInterval& interval) {
    intervals_.insert_or_assign(quantity, interval);
  }
  [[nodiscard]] std::optional<double> get(Quantity quantity) const;
  [[nodiscard]] std::optional<double> half_width(Quantity quantity) const;
  /// Its interval; both ends as far apart where the half-width alone is known.
  [[nodiscard]] std::optional<analysis::RelativeInterval> interval(Quantity quantity) const;
  [[nodiscard]] const std::map<Quantity, double>& values() const { return values_; }
  [[nodiscard]] const std::map<Quantity, double>& half_widths() const { return half_widths_; }
  /// Those of which both ends are known.
  [[nodiscard]] const std::map<Quantity, analysis::RelativeInterval>& intervals() const { return intervals_; }

 private:
  std::map<Quantity, double> values_, half_widths_;
  std::map<Quantity, analysis::RelativeInterval> intervals_;
};

/// Inputs as a formula reads them: it remembers what was read and what was not there.
class Reading {
 public:
  explicit Reading(const Inputs& inputs) : inputs_(inputs) {}
  /// Returns NaN if the quantity is missing.
  [[nodiscard]] double of(Quantity quantity);
  [[nodiscard]] bool has(Quantity quantity) const { return inputs_.get(quantity).has_value(); }
  [[nodiscard]] const std::vector<Quantity>& used() const { return used_; }
  [[nodiscard]] const std::vector<Quantity>& missing() const { return missing_; }
  /// Root of the sum of squares of the relative half-widths; nullopt if none of the inputs has one.
  [[nodiscard]] std::optional<double> half_width() const;

  /// P times a quantity of one process.
  [[nodiscard]] double accumulated(Quantity per_process) { return of(Quantity::processes) * of(per_process); }
  /// R' = R * P / P_hpl, where the linear solver used a part of the processes.
  [[nodiscard]] double hpl();
  /// The peak as the user states it, or as measured.
  [[nodiscard]] double peak();

 private:
  const Inputs& inputs_;
  std::vector<Quantity> used_, missing_;
};

enum class Status { measured, mixed, extrapolated, missing };

/// Figure that was measured where it says nothing about the machine: it is shown and not used.
struct Withheld {
  double value = 0;
  std::string why;          // "order 320 where 4800 or more is representative here"
  std::string doubts = {};  // that most of its points bear: "too small to stand for this machine, noisy"
};

/// Facts that make values doubtful; absent if they are not known.
struct Doubts {
  std::optional<double> hpl_order, stream_elements;
  std::optional<double> node_cache_byte;  // last level, all of one node
  std::optional<double> cores;            // usable ones of all nodes
  std::optional<double> adapters_per_node;
  std::optional<double> saturation_gain;              // largest over measured bandwidth of the random ring
  std::set<Quantity> failed;                          // verification was wrong
  std::set<Quantity> unverified = {};                 // measured, and nothing of it was verified
  std::set<Quantity> subset;                          // measured by a part of the processes
  std::set<Quantity> shortened;                       // by a schedule shorter than the rule
  std::map<Quantity, std::string> cached;             // files lay in memory: which, against what
  std::map<Quantity, Withheld> withheld;              // not representative; no input is stored
  std::map<Quantity, std::string> not_run;            // planned and left out: the reason
  std::set<Quantity> needs_memory;                    // of these: more than there is
  std::map<Quantity, std::set<std::string>> remarks;  // on its measurement: "noisy"
  bool borrowed_hpl = false;                          // of another run or layout
  bool optimised = false;                             // not a base run
  bool oversubscribed = false;
};

/// Bandwidth of a node in random rings with so many processes of every node.
struct SaturationPoint {
  double processes_of_node = 0, node_byte_s = 0;
};

/// Share of I/O in FTIO with a matrix of so many elements.
struct FtioShare {
  double elements = 0, io_fraction = 0;
};

/// A machine in one layout and size, measured here or published.
struct System {
  std::string name;
  std::string source;    // file, or document and table
  std::string campaign;  // results of one name and campaign are of one machine; empty: of itself alone
  std::string started;   // time of a run; empty: unknown
  std::string run_type;  // base, optimized; empty: unknown
  std::string curve;     // rows with the same label belong together
  std::string interconnect, cpu;
  std::optional<double> clock_ghz, year;
  std::vector<int> processes_per_node;      // empty: unknown
  std::vector<SaturationPoint> saturation;  // empty: not measured
  std::vector<FtioShare> ftio;              // by size of the matrix; empty: not measured
  Inputs inputs;
  Doubts doubts;
  Evidence evidence;
  Status status = Status::measured;
  std::string printed_balance;                // as a published table has it; empty: it does not
  std::map<std::string, double> told_ratios;  // of files that hold ratios instead of inputs

  [[nodiscard]] double processes() const { return inputs.get(Quantity::processes).value_or(0); }
  /// Processes, or nodes where only these are known.
  [[nodiscard]] double size() const { return processes() > 0 ? processes() : nodes().value_or(0); }
  [[nodiscard]] double threads() const { return inputs.get(Quantity::threads_per_process).value_or(1); }
  [[nodiscard]] std::optional<double> nodes() const { return inputs.get(Quantity::nodes); }
  [[nodiscard]] bool one_node() const { return nodes() == 1.0; }
  /// Whether messages can leave a node; where the number of nodes is not known, they can.
  [[nodiscard]] bool has_network() const { return processes() != 1 && !one_node(); }
};

/// Sets the number of nodes and the processes on each.
void set_layout(System& system, std::vector<int> processes_per_node);

// Share of the random ring that stays inside nodes. Source: HPCC balance paper, 4.

/// Definition of that share. seed: 1/n where any node holds 2 or more processes. expected: mean over all
/// random orders, sum of m (m - 1) / (P (P - 1)). exact: counted in the orders that were measured.
enum class IntraNode { seed, expected, exact };

/// Share of connections inside nodes by the first two definitions; nullopt if there are fewer
/// than two processes.
[[nodiscard]] std::optional<double> intra_node_fraction(std::span<const int> processes_per_node,
                                                        IntraNode method);

/// The same share, counted in rings of ranks by the node of each rank. Mean over the rings.
[[nodiscard]] double intra_node_fraction(std::span<const std::vector<int>> rings,
                                         std::span<const int> node_of_rank);

struct InterNode {
  double intra_fraction = 0;
  double per_process_byte_s = 0, per_node_byte_s = 0;
};
/// Bandwidth between nodes, given the share that stays inside them.
[[nodiscard]] std::optional<InterNode> inter_node(const System& system);

// Which results belong to one machine. Nothing is joined because two hosts bear one name.

/// Condition on which results are of one machine: that they are of one campaign, or that the user says so.
enum class Joined { by_campaign, all };

/// Joins results of one machine in one layout into one system: the median of each quantity, of b_eff_io the
/// largest value of a run (b_eff paper, 5.1). Joined::all: all of them are one machine under the name of the
/// first, and several sizes of it are one curve.
[[nodiscard]] std::vector<System> joined_runs(std::vector<System> systems, Joined how);

/// Makes names of different machines different: by the directory, else by the path, the start or a number.
/// The names of curves follow.
void make_names_unique(std::vector<System>& systems);

/// Gives a system another name, also in its curve.
void rename(System& system, const std::string& name);

}  // namespace steelyard::balance
