// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analysis/balance/inputs.hpp"

namespace steelyard::balance {

enum class Status { measured, mixed, extrapolated, missing };

/// What makes values doubtful; absent where nothing is known.
struct Doubts {
  std::optional<double> hpl_order, stream_elements;
  std::optional<double> node_cache_byte;  // last level, all of one node
  std::optional<double> cores;            // usable ones of all nodes
  std::optional<double> adapters_per_node;
  std::optional<double> saturation_gain;  // largest over measured bandwidth of the random ring
  std::set<Quantity> failed;              // verification was wrong
  std::set<Quantity> subset;              // measured by a part of the processes
  std::set<Quantity> shortened;           // by a schedule shorter than the rule
  bool borrowed_hpl = false;              // of another run or layout
  bool optimised = false;                 // not a base run
  bool oversubscribed = false;
};

/// Random rings with so many processes of every node.
struct SaturationPoint {
  double processes_of_node = 0, node_byte_s = 0;
};

/// A machine in one layout and size, measured here or published.
struct System {
  std::string name;
  std::string source;    // file, or document and table
  std::string run_type;  // base, optimized; empty: unknown
  std::string curve;     // rows with the same label belong together
  std::string interconnect, cpu;
  std::optional<double> clock_ghz, year;
  std::vector<int> processes_per_node;  // empty: unknown
  std::vector<SaturationPoint> saturation;  // empty: not measured
  Inputs inputs;
  Doubts doubts;
  Status status = Status::measured;
  std::map<std::string, double> told_ratios;  // of files that hold ratios instead of inputs

  [[nodiscard]] double processes() const { return inputs.get(Quantity::processes).value_or(0); }
  [[nodiscard]] double threads() const { return inputs.get(Quantity::threads_per_process).value_or(1); }
  [[nodiscard]] std::optional<double> nodes() const { return inputs.get(Quantity::nodes); }
  [[nodiscard]] bool one_node() const { return nodes() == 1.0; }
};

/// Nodes and what follows from them: number of nodes, processes on each.
void set_layout(System& system, std::vector<int> processes_per_node);

}  // namespace steelyard::balance
