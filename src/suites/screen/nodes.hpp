// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "machine/environment.hpp"
#include "mpi/communicator.hpp"
#include "mpi/environment.hpp"
#include "record/json.hpp"
#include "record/records.hpp"
#include "suites/screen/definition.hpp"

/// Nodes of a team, what was found on them and between them, and the rows of the tables that tell it.
namespace steelyard::screen {

/// Nodes of a team, numbered by their first ranks.
class Nodes {
 public:
  /// Nodes are found by the memory that ranks share, or have `ranks_of_each` consecutive ranks
  /// each. `processor`: model of this node's processor, `host`: its name. Collective over `team`,
  /// which must outlive it.
  explicit Nodes(const mpi::Communicator& team, std::optional<int> ranks_of_each = std::nullopt,
                 const std::string& processor = machine::processor_model(),
                 const std::string& host = mpi::processor_name());

  [[nodiscard]] const mpi::Communicator& team() const { return *team_; }
  [[nodiscard]] const mpi::Communicator& node() const { return node_; }
  /// Communicator of the first ranks of all nodes, in their order; invalid on the others.
  [[nodiscard]] const mpi::Communicator& leaders() const { return leaders_; }
  [[nodiscard]] bool leads() const { return node_.is_root(); }
  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] int own() const { return own_; }  // number of this rank's node
  /// First ranks of all nodes, as ranks of the team; on rank 0 of the team, empty elsewhere.
  [[nodiscard]] const std::vector<int>& first_ranks() const { return first_ranks_; }
  /// Numbers of all nodes that are equal where the processors are of one model; on rank 0 of the
  /// team, empty elsewhere.
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

/// NUMA domains of a node that its processes run on, in order of their numbers; one if a
/// process runs on several.
struct Domains {
  int own = 0;      // index of the one that this process runs on
  int number = -1;  // its number in the system; -1: not known
  int most = 1;     // on any node
};
/// Finds the domains. `node`: the processes that share memory; `number`: of the domain of this process.
/// Collective over the team.
[[nodiscard]] Domains domains_of(const mpi::Communicator& team, const mpi::Communicator& node,
                                 std::optional<int> number);

/// Result of a process in one visit.
struct OwnSample {
  double value = 0;  // 0: none
  double wrong = 0;  // elements that were not as they must be
};
/// Result of a node in one visit.
struct NodeSample {
  double value = 0, wrong = 0;  // as of a process
  double processes = 0;
  int tellers = 0;  // those of the processes that took part
  int domain = -1;  // domain of the tellers, if they are of one
};
/// Samples of all nodes: rates of those processes of a node that tell are summed; `value` is 0 if one of them
/// has none. Collective over the team; on rank 0 of the team one sample a node, empty elsewhere.
[[nodiscard]] std::vector<NodeSample> gathered(const Nodes& nodes, const OwnSample& own, bool tells,
                                               int domain = -1);

/// Pair that was timed. Of plain numbers, to be sent as they are.
struct PairSample {
  int a = 0, b = 0;  // nodes; of a shift from a to b
  int visit = 0, round = 0;
  double latency_s = 0;  // one way; 0: not measured
  double byte_s = 0;     // received while as much is sent
  double wrong = 0;      // bytes that were not as they were sent
};
/// Samples of all leaders, on rank 0 of the leaders; empty elsewhere. Collective over the leaders.
/// Throws mpi::Error.
[[nodiscard]] std::vector<PairSample> gathered(const mpi::Communicator& leaders,
                                               const std::vector<PairSample>& own);

/// Function that takes rows of a table as soon as they are known. On rank 0.
using TellRows = std::function<void(const record::TableRecord&)>;

/// Part of a table that grows row by row.
class Columns {
 public:
  explicit Columns(std::initializer_list<const char*> names) {
    for (const char* name : names) columns_[name] = record::Json::array();
  }
  Columns& put(const char* name, record::Json value) {
    columns_[name].push_back(std::move(value));
    return *this;
  }
  [[nodiscard]] record::TableRecord table(std::string_view name) const {
    return {std::string(name), std::string(suite_name), {}, 1, 1, columns_};
  }

 private:
  record::Json columns_ = record::Json::object();
};

[[nodiscard]] Columns node_columns();
void put_node(Columns& table, const TestSpec& spec, std::size_t node, std::size_t visit,
              const NodeSample& sample);

[[nodiscard]] Columns pair_columns();
/// `leader_of`: first rank of every node.
void put_pair(Columns& table, const PairSample& sample, const std::vector<int>& leader_of);

}  // namespace steelyard::screen
