// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "record/json.hpp"
#include "record/records.hpp"
#include "suites/suite.hpp"

namespace steelyard::campaign {

/// Consecutive ranks: the first and their number.
using RankRun = std::pair<int, int>;

/// Ascending ranks as runs.
[[nodiscard]] std::vector<RankRun> rank_runs(const std::vector<int>& ascending);

/// Ranks of one node, as it reports them.
struct NodeRanks {
  std::string host;
  std::vector<RankRun> runs;
  std::string binding;    // core, set, none
  std::string kind = {};  // kind of its machine, as text of JSON
};

/// Placement of ranks on hosts, run-length coded: of many nodes its size grows with the irregularity of the placement,
/// not with the number of ranks.
class Layout {
 public:
  Layout() = default;
  explicit Layout(std::vector<NodeRanks> nodes);

  [[nodiscard]] int nodes() const { return static_cast<int>(hosts_.size()); }
  /// Host of a rank; empty if the rank does not exist.
  [[nodiscard]] std::string host_of(int rank) const;
  /// Member `layout` of the run record; with the kinds of nodes if there are several.
  [[nodiscard]] record::Document document() const;

 private:
  struct RankRange {
    int first, count;
    std::size_t host;
  };
  /// Beyond some thousand stretches, hosts that follow one another with as many ranks are one element.
  [[nodiscard]] record::Json coded_ranks() const;

  std::vector<std::string> hosts_;
  std::vector<std::string> kinds_;    // distinct ones
  std::vector<std::size_t> kind_of_;  // of each host
  std::vector<RankRange> ranges_;     // in rank order
  std::string binding_;
};

/// Leaves out of a layout what would make the line of the run record too long: which ranks are on which host; if that is
/// not enough, all of it. Returns what was left out, in words; empty if nothing was.
[[nodiscard]] std::string shorten(record::Document& layout);

/// Adds the switches to a layout: `switches`, and for each host `switch_of`, an index of them or null. Adds
/// nothing if none of the hosts is in the list. Hidden switches have numbers for names.
void tell_switches(const std::map<std::string, std::string>& switch_of, bool hidden,
                   record::Document& layout);

/// Binding of a node's ranks, from the processors and distinct cores that each may use: "core" if each has
/// one core, "none" if several cores are shared by all, else "set".
struct Mask {
  std::vector<int> processors, cores;
};
[[nodiscard]] std::string binding_of(const std::vector<Mask>& ranks);

/// What disturbed the nodes between the start and the end of a session: the most that any node counted.
struct Disturbances {
  double steal_share = 0;  // of the processors in use, less one step of the kernel's counting
  double throttled_s = 0;  // control groups were stopped because their quota was spent
  std::int64_t throttled_periods = 0;
  double remote_share = 0;  // of a process's memory that lay in other NUMA domains than its processors
  std::int64_t remote_processes = 0;             // of which more did so than is tolerated
  std::int64_t visits = 0, migrated_visits = 0;  // of rank 0; in how many some rank changed its processor
};

/// Part of a process's memory that may lie elsewhere: libraries have their own.
inline constexpr double tolerated_remote_share = 0.05;

/// Warnings of what is more than measurements bear: `steal` above 0.5 % of the time, `container_quota` at the first
/// stop, `remote_memory` above 5 % of a process's memory, `migrated` above 1 % of the visits. Pure.
[[nodiscard]] std::vector<record::EventRecord> events_of(const Disturbances& met);

/// What was found on one node, as events without data.
using NodeFindings = std::vector<record::EventRecord>;

/// Findings of all nodes, one event a code, in the order of the first node that has it, with the number of nodes that
/// have it where there are several nodes. Of sentences that differ only from their first number on, the first stays.
[[nodiscard]] std::vector<record::EventRecord> merged(const std::vector<NodeFindings>& nodes);

/// Measured point as --confirm sees it.
struct Measured {
  std::string series;  // the same for all points of one curve
  std::int64_t bytes = 0;
  std::optional<double> time_s;
  bool noisy = false;
};

/// Series of a point: all parameters but those of the size, which the points of one curve share.
[[nodiscard]] std::string series_of(const suites::PointPlan& point);

/// Factor between a time and the value of its neighbours on the curve beyond which it is an outlier.
inline constexpr double outlier_factor = 3;

/// Indices of points that deserve another try: noisy ones, and those whose time is more than outlier_factor
/// away from the value interpolated (logarithms, linear) between the next smaller and the next larger size of
/// the same series.
[[nodiscard]] std::vector<std::size_t> outliers(std::span<const Measured> points);

}  // namespace steelyard::campaign
