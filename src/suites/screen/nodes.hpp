// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "machine/environment.hpp"
#include "mpi/communicator.hpp"
#include "mpi/environment.hpp"

namespace steelyard::screen {

/// The nodes of a team, numbered by their first ranks.
class Nodes {
 public:
  /// By the memory that ranks share, or of so many ranks each, one after the other. `processor`: model of this node's,
  /// `host`: its name. Collective over `team`, which must outlive it.
  explicit Nodes(const mpi::Communicator& team, std::optional<int> ranks_of_each = std::nullopt,
                 const std::string& processor = machine::processor_model(),
                 const std::string& host = mpi::processor_name());

  [[nodiscard]] const mpi::Communicator& team() const { return *team_; }
  [[nodiscard]] const mpi::Communicator& node() const { return node_; }
  /// First ranks of all nodes, in their order; invalid on the others.
  [[nodiscard]] const mpi::Communicator& leaders() const { return leaders_; }
  [[nodiscard]] bool leads() const { return node_.is_root(); }
  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] int own() const { return own_; }  // number of this rank's node
  /// In the team, of every node; on rank 0 of the team, empty elsewhere.
  [[nodiscard]] const std::vector<int>& first_ranks() const { return first_ranks_; }
  /// Numbers that are equal where the processors are of one model, of every node; on rank 0 of the team, empty elsewhere.
  [[nodiscard]] const std::vector<std::uint64_t>& kinds() const { return kinds_; }
  /// Names of all nodes, on rank 0 of the team; empty elsewhere.
  [[nodiscard]] const std::vector<std::string>& hosts() const { return hosts_; }

 private:
  const mpi::Communicator* team_;
  mpi::Communicator node_, leaders_;
  int count_ = 0, own_ = 0;
  std::vector<int> first_ranks_;
  std::vector<std::uint64_t> kinds_;
  std::vector<std::string> hosts_;
};

/// NUMA domains of a node that its processes run on, in order of their numbers; one where a process runs on several.
struct Domains {
  int own = 0;      // which of them this process runs on
  int number = -1;  // that it has in the system; -1: not known
  int most = 1;     // that a node has, of all nodes
};
/// `node`: the processes that share memory; `number`: of the domain of this process. Collective over the team.
[[nodiscard]] Domains domains_of(const mpi::Communicator& team, const mpi::Communicator& node,
                                 std::optional<int> number);

/// What a process has to tell of one visit.
struct OwnSample {
  double value = 0;  // 0: none
  double wrong = 0;  // elements that were not as they must be
};
/// What a node has to show of one visit.
struct NodeSample {
  double value = 0, wrong = 0;  // as of a process
  double processes = 0;
  int tellers = 0;  // of these processes, those that took part
  int domain = -1;  // where they are those of one
};
/// Collective over the team: rates of those processes of a node that tell are summed; `value` is 0 where one of them has
/// none. On rank 0 of the team one sample a node; empty elsewhere.
[[nodiscard]] std::vector<NodeSample> gathered(const Nodes& nodes, const OwnSample& own, bool tells,
                                               int domain = -1);

/// Pairs that were timed, of all nodes on rank 0 of the leaders. Of plain numbers, to be sent as they are.
struct PairSample {
  int a = 0, b = 0;  // nodes; of a shift from a to b
  int visit = 0, round = 0;
  double latency_s = 0;  // one way; 0: not measured
  double byte_s = 0;     // received while as much is sent
  double wrong = 0;      // bytes that were not as they were sent
};
/// Collective over the leaders. Throws mpi::Error.
[[nodiscard]] std::vector<PairSample> gathered(const mpi::Communicator& leaders,
                                               const std::vector<PairSample>& own);

}  // namespace steelyard::screen
