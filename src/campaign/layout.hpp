// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "record/json.hpp"

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

}  // namespace steelyard::campaign
