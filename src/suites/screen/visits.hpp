// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "measure/failure.hpp"
#include "measure/workload.hpp"
#include "mpi/communicator.hpp"
#include "stats/compare.hpp"
#include "suites/screen/definition.hpp"
#include "suites/screen/kernels.hpp"
#include "suites/screen/nodes.hpp"
#include "suites/screen/quantities.hpp"

namespace steelyard::screen {

using Link = std::pair<int, int>;

struct Links {
  std::vector<Link> links;
  std::vector<stats::Between> values;
};
/// `switches`: of every node; empty: all links are of one class. Pure.
[[nodiscard]] Links links_of(const std::vector<PairSample>& samples, const Quantity& quantity,
                             const std::vector<std::string>& switches = {});

/// Results of the nodes in one test, on rank 0 of the team; empty elsewhere.
struct NodeLooks {
  std::vector<std::vector<NodeSample>> visits;
  /// Node that stood out, or a usual one beside those (a control), measured while all other nodes slept.
  struct Again {
    int node = 0;
    bool control = false;
    std::vector<NodeSample> visits = {};
  };
  std::vector<Again> again;
  measure::Failure missing;  // why the first process without a value has none
};

/// Median of the visits to this node that have a value; nullopt if none has.
[[nodiscard]] std::optional<double> typical_of(const NodeLooks& looks, int node);

/// Visits to one test of nodes. What fails is thrown by verify().
class NodeVisits final : public measure::Workload {
 public:
  /// `looks` must outlive the object; the other arguments are the same on all ranks.
  NodeVisits(const Nodes& nodes, const Domains& domains, const TestSpec& spec, const Settings& settings,
             const MakeKernel& make, NodeLooks& looks, const TellRows& tell);
  /// Makes `count` visits. Collective over the team.
  int run(std::uint64_t first, std::uint64_t count) noexcept override;
  /// Measures nodes that stand out again; returns what this process found wrong in all of its
  /// visits. Collective.
  [[nodiscard]] std::optional<measure::CheckResult> verify(std::uint64_t repetitions) override;

 private:
  void visit();
  [[nodiscard]] bool takes_part() const;
  void prepare() noexcept;
  [[nodiscard]] OwnSample execute() noexcept;
  [[nodiscard]] OwnSample together();
  [[nodiscard]] OwnSample take_turns(const std::vector<int>& nodes);
  [[nodiscard]] std::vector<NodeSample> samples(const std::function<OwnSample()>& look);
  [[nodiscard]] std::vector<NodeLooks::Again> suspects() const;
  void measure_again();
  void tell_again() const;

  const Nodes* nodes_;
  const Domains* domains_;
  int domain_ = 0;  // whose turn it is
  TestSpec spec_;
  const Settings* settings_;
  const MakeKernel* make_;
  NodeLooks* looks_;
  const TellRows* tell_;
  std::unique_ptr<NodeKernel> kernel_;
  std::int64_t wrong_ = 0;
  std::string first_wrong_;
  std::exception_ptr missing_;  // why this process had no value first
  std::exception_ptr failure_;
};

/// Amount of messages that a pair exchanges.
struct PairEffort {
  int pings = 20;     // of a batch
  int batches = 5;    // whose median counts
  int exchanges = 5;  // whose median counts
  std::int64_t exchange_byte = 1 << 20;
  std::int64_t piece_byte = 32 << 10;  // Open MPI asks first from 64 KiB on over TCP
  double nap_s = 2e-4;                 // between two looks whether a round has ended
  double long_nap_s = 2e-3;            // the same while one pair is timed and the others sleep
};

/// Meter of the links between the first ranks of nodes: 8 byte to and fro, then 1 MiB in both directions at
/// once. Data depend on sender, round and position, and every byte of one exchange is compared. On leaders
/// alone; throws mpi::Error.
class PairMeter {
 public:
  PairMeter(const mpi::Communicator& leaders, const PairEffort& effort);

  /// Order of the pairs of a round: timed together, or one after the other while all others sleep.
  enum class Order { together, one_by_one };
  /// Times all rounds of a visit; returns what this node has to tell, of a pair its first node. Collective.
  [[nodiscard]] std::vector<PairSample> visit(const PairSchedule& schedule, int number,
                                              Order order = Order::together);
  /// Times these pairs, one after the other, while all others sleep. The same list on all
  /// leaders. Collective.
  [[nodiscard]] std::vector<PairSample> alone(const std::vector<PairSample>& pairs, int visits);

 private:
  [[nodiscard]] double one_way_s(int partner, bool first);
  [[nodiscard]] double exchange_s(const Turn& turn, int mark);
  void exchange(const Turn& turn);
  [[nodiscard]] std::int64_t wrong_bytes(int sender, int mark) const;
  void play(const Turn& turn, int visit, int round, std::vector<PairSample>& told);

  const mpi::Communicator* leaders_;
  PairEffort effort_;
  std::vector<std::byte> sent_, received_;
  std::vector<MPI_Request> requests_;
  std::int64_t wrong_ = 0;  // of the exchange before
};

/// Results of the links, on rank 0 of the team; empty elsewhere.
struct PairLooks {
  std::vector<PairSample> samples;
  std::vector<PairSample> again, controls;
  std::vector<std::vector<double>> round_byte_s;  // of each visit, for each round: of all exchanges together
};

class PairVisits final : public measure::Workload {
 public:
  PairVisits(const Nodes& nodes, const Settings& settings, const PairEffort& effort, PairLooks& looks,
             const TellRows& tell);
  int run(std::uint64_t first, std::uint64_t count) noexcept override;
  [[nodiscard]] std::optional<measure::CheckResult> verify(std::uint64_t repetitions) override;

 private:
  void visit();
  void measure_again();
  void tell_again() const;
  [[nodiscard]] PairKind kind() const { return settings_->pairs.value_or(usual_pairs(nodes_->count())); }
  [[nodiscard]] PairMeter::Order order() const;

  const Nodes* nodes_;
  const Settings* settings_;
  PairLooks* looks_;
  const TellRows* tell_;
  std::optional<PairMeter> meter_;  // on leaders
  int visits_ = 0;
  std::int64_t wrong_ = 0;
  std::exception_ptr failure_;
};

}  // namespace steelyard::screen
