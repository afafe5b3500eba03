// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "record/file.hpp"

/// Where the processes of a session ran. A run that was resumed may have sessions on different hosts: a rank or the
/// number of a host is one of the session that measured it.
namespace steelyard::record {

/// What run records tell of it: a view, to be used while the run or its record lives.
struct Whereabouts {
  Whereabouts(const RunRecord& head)  // NOLINT(google-explicit-constructor): what a run record tells
      : processes(head.processes),
        nodes(head.nodes),
        layout(head.layout.json()),
        machine(head.machine.json()) {}
  Whereabouts(const EarlierSessions& one)  // NOLINT(google-explicit-constructor): the same
      : processes(one.processes), nodes(one.nodes), layout(one.layout.json()), machine(one.machine.json()) {}

  int processes, nodes;
  const Json &layout, &machine;
};

/// Makes the record of a session that of the run, and keeps where those before it ran.
void begin_session(Run& run, RunRecord head, int session);

[[nodiscard]] Whereabouts whereabouts(const Run& run, int session);
/// Of the session that measured the point or the table at that place of the run; of the last one if it is not known.
[[nodiscard]] Whereabouts whereabouts_of_point(const Run& run, std::size_t point);
[[nodiscard]] Whereabouts whereabouts_of_table(const Run& run, std::size_t table);

/// Names of the hosts, in the order of their numbers; empty for one without a name. None if they are not told.
[[nodiscard]] std::vector<std::string> host_names(const Whereabouts& where);
/// Number of the host of each rank; empty unless that is told of all of them.
[[nodiscard]] std::vector<int> nodes_of_ranks(const Whereabouts& where);
/// Names of the hosts of all ranks, as host_names; empty if either is not told.
[[nodiscard]] std::vector<std::string> hosts_of_ranks(const Whereabouts& where);

/// Number of a host (index into `hosts`) and number of consecutive ranks on it.
using RankStretches = std::vector<std::pair<int, int>>;

/// Stretches of `layout.ranks` in rank order, those of repeated hosts one by one. Empty if the layout does not tell them,
/// or tells more ranks than there are processes.
[[nodiscard]] RankStretches rank_stretches(const Whereabouts& where);

}  // namespace steelyard::record
