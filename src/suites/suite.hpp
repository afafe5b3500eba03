// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "record/reason.hpp"
#include "record/value.hpp"
#include "units/quantity.hpp"

/// What a suite hands to the campaign, the pure half: the catalogue and the plan. No MPI here, so that `list`
/// and
/// `--plan` work anywhere. The measuring half is suites/session.hpp.
namespace steelyard::suites {

/// A row of the catalogue. `list --long` prints it.
struct BenchmarkInfo {
  std::string_view name;         // the seed's spelling
  std::string_view classification;  // "single transfer", "collective", ...
  int min_processes = 1;
  bool in_default = true;
  std::string_view sizes;        // "0, 1 .. 4194304 byte, doubling"
  std::string_view metrics;      // "time_s, bandwidth_byte_s"
  std::string_view source;       // "001 section 3.3.2.1"
};

/// Model t(X) = latency_s + moved_byte / rate for the time of one operation before anything was measured.
struct CostModel {
  double latency_s = 5e-6;
  double moved_byte = 0;  // over all participants
  double byte_s = 1e9;
  [[nodiscard]] double operation_s() const { return latency_s + moved_byte / byte_s; }
};

/// One point, known before anything is measured.
struct PointPlan {
  std::string key;
  record::Params params;
  std::int64_t bytes = 0;              // nominal message size; orders points for shrinking
  std::int64_t memory_byte = 0;        // per process
  std::uint64_t classic_operations = 0;  // what the suite's own rule would run at most
  /// So many operations are one operation of every schedule but the suite's own: they are completed together.
  std::uint64_t bundle = 1;
  CostModel cost;
  std::optional<double> prescribed_s;  // takes so long by the suite's own schedule, the only one it has
  double minimum_s = 0;                // pilot and the least visits of its schedule; filled by the planner
  std::optional<record::ReasonCode> skip;  // recorded as skipped for this reason, not measured
  std::string skip_text;               // in words; empty: the reason says it all
  std::int64_t needed_byte = 0, available_byte = 0;  // with the reason memory
  bool kept = false;                   // a record of an earlier session stands for it

  [[nodiscard]] bool measurable() const { return !skip && !kept; }
};

/// Points that are measured by one team, interleaved where the schedule allows it.
struct BlockPlan {
  std::string suite, benchmark;
  int processes = 1;  // of one group
  int groups = 1;     // running at the same time
  std::vector<int> rank_order;  // new rank -> world rank; empty = identity
  bool files = false;           // its session makes files: it needs a FilePlace
  bool indivisible = false;     // one experiment: never split, shrunk, confirmed or resumed in parts
  std::size_t part = 0;         // > 0: continuation of a table that was split (at most 64 points a block)
  std::vector<PointPlan> points;
};

/// Definition of a suite with the user's settings applied. Pure and the same on all ranks.
class Suite {
 public:
  virtual ~Suite() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;
  /// Every benchmark, in the order of the definition.
  [[nodiscard]] virtual std::span<const BenchmarkInfo> catalogue() const = 0;
  /// Blocks of these benchmarks (seed spelling, in this order, repeated names repeatedly) for P = world
  /// processes.
  [[nodiscard]] virtual std::vector<BlockPlan> plan(std::span<const std::string> benchmarks,
                                                    int world) const = 0;
  /// Members for the run record's configuration, under the suite's name.
  [[nodiscard]] virtual record::Members configuration() const = 0;
};

}  // namespace steelyard::suites
