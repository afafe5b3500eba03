// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analysis/balance/evidence.hpp"
#include "analysis/balance/inputs.hpp"

namespace steelyard::balance {

enum class Status { measured, mixed, extrapolated, missing };

/// A figure that was measured where it says nothing about the machine: used for nothing, and told.
struct Withheld {
  double value = 0;
  std::string why;  // "order 320 where 4800 or more is representative here"
};

/// What makes values doubtful; absent where nothing is known.
struct Doubts {
  std::optional<double> hpl_order, stream_elements;
  std::optional<double> node_cache_byte;  // last level, all of one node
  std::optional<double> cores;            // usable ones of all nodes
  std::optional<double> adapters_per_node;
  std::optional<double> saturation_gain;              // largest over measured bandwidth of the random ring
  std::set<Quantity> failed;                          // verification was wrong
  std::set<Quantity> subset;                          // measured by a part of the processes
  std::set<Quantity> shortened;                       // by a schedule shorter than the rule
  std::map<Quantity, std::string> cached;             // of files in memory; which, against what
  std::map<Quantity, Withheld> withheld;              // not representative; no input is stored
  std::map<Quantity, std::string> not_run;            // planned and left out: the reason
  std::map<Quantity, std::set<std::string>> remarks;  // on its measurement: "noisy"
  bool borrowed_hpl = false;                          // of another run or layout
  bool optimised = false;                             // not a base run
  bool oversubscribed = false;
};

/// Random rings with so many processes of every node.
struct SaturationPoint {
  double processes_of_node = 0, node_byte_s = 0;
};

/// FTIO with a matrix of so many elements.
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
};

/// Nodes and what follows from them: number of nodes, processes on each.
void set_layout(System& system, std::vector<int> processes_per_node);

}  // namespace steelyard::balance
